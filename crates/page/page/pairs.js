// Rolls of one die, or dice thrown together, read as one number: d10s by digits, where 00 is 100;
// other dice as the rows and columns of a table.

import { die } from "./parts.js";

const COUNTS = ["no", "a", "two", "three", "four", "five", "six", "seven", "eight"];
const order = (at) => ["first", "second", "third"][at] ?? `${at + 1}th`;
const PLACES = ["units", "tens", "hundreds", "thousands"];

export const list = (names) => names.join(", ").replace(/, (?=[^,]*$)/, " and ");
const alike = (dice, m) => dice.filter((other) => String(other) === String(m)).length;
/** Names of dice: the d6 and the two d10; or a d6 and two d10. */
export const diceWords = (dice, one = "the ") => list([...new Set(dice)].map((m) => {
  const count = alike(dice, m);
  return count > 1 ? `${one === "the " ? one : ""}${COUNTS[count]} ${die(m)}${String(m) === "2" ? "s" : ""}` : one + die(m);
}));
/** The name of one of them: the d6, the first d10. */
export const oneOf = (dice, at) => `the ${alike(dice, dice[at]) > 1 ? `${order(alike(dice.slice(0, at), dice[at]))} ` : ""}${die(dice[at])}`;
/** The name of a face: its digit in the number, or its die. */
const called = ({ dice, decimal }, at) => (decimal ? `the ${PLACES[dice.length - 1 - at] ?? `${order(at)} digit`}` : new Set(dice).size > 1 ? oneOf(dice, at) : `the ${order(at)}`);

/** How these dice make a d`n`: numbers up to `most` count, `each` of them per result; null if there are too few faces. */
export function readingOf(dice, n) {
  const faces = dice.reduce((all, m) => all * m, 1);
  const each = Math.floor(faces / n);
  return each > 0 ? { dice, n, faces, each, most: each * n, decimal: dice.length > 1 && dice.every((m) => m === 10) } : null;
}

/** How many rolls of one die, read as one number, suit the target. */
export function rollsAsOne(of, dice) {
  const [m, ...others] = dice.map(Number);
  const n = /^\d{1,4}$/.test(of) ? Number(of) : 0;
  if (others.some((other) => other !== m) || m < 4 || m > 30 || n <= m) return null;
  const reading = readingOf(Array(m === 10 ? String(n - 1).length : 2).fill(m), n);
  return reading && (reading.each === 1 || (reading.decimal && reading.most === reading.faces)) ? reading : null;
}

/** The number that the faces make; the 0 of a d10 is its 10. */
const numberOf = ({ dice, faces, decimal }, shown) => (decimal ? shown.reduce((all, face) => 10 * all + face % 10, 0) || faces : 1 + shown.reduce((all, face, i) => all * dice[i] + face - 1, 0));

/** The digits as a die shows them: tens as 30, unless there are hundreds. */
export const digitsOf = ({ dice, decimal }, at) => (decimal ? Array.from({ length: 10 }, (_, i) => ({ value: i || 10, text: dice.length === 2 && at === 0 ? `${i}0`.padStart(2, "0") : String(i) })) : undefined);

/** What the faces so far lead to: a result, or the next roll. The first `gone` of them made numbers that were too large. */
export function followReading(reading, shown) {
  const { dice, most, each } = reading;
  const at = shown.length % dice.length;
  const number = at === 0 && shown.length > 0 ? numberOf(reading, shown.slice(-dice.length).map(Number)) : null;
  const result = number !== null && number <= most ? Math.ceil(number / each) : null;
  return { number, result, at, next: called(reading, at), gone: shown.length - (result === null ? at : dice.length) };
}

/** A fraction in lowest terms. */
export function lowest(a, b) {
  let [divisor, rest] = [a, b];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return [a / divisor, b / divisor].filter((part, i) => i === 0 || part > 1).join("/");
}

/** The expected rolls, or throws of all dice, as a fraction in lowest terms: numbers above `most` are rolled again. */
export const readingCost = ({ dice, faces, most }, thrown) => lowest((thrown ? 1 : dice.length) * faces, most);

/** The recipe as steps; dice that are all owned are thrown at once. */
export function readingText(reading, { owned, thrown }) {
  const { dice, n, faces, most, each, decimal } = reading;
  const names = dice.map((_, i) => called(reading, i));
  const both = dice.length === 2 ? "both" : "all";
  const zeros = "0".repeat(dice.length);
  const read = decimal ? `Read them as one number, a 0 as 0: ${zeros.slice(1)}7 is 7, ${zeros} is ${faces}.`
    : `${names.map((name, i) => [name.replace("the ", ""), dice.slice(i + 1).reduce((all, m) => all * m, 1)]).map(([name, rest]) => (rest > 1 ? `(${name} − 1) × ${rest}` : name)).join(" + ")} is the number, from 1 to ${faces}: ${list(dice.map(() => "2"))} are ${numberOf(reading, dice.map(() => 2))}.`;
  const steps = [
    owned ? `Throw ${diceWords(dice)}.${new Set(dice).size < dice.length ? ` Say before, by colour, which is which: ${names.join(", ")}.` : ""}` : `Roll the ${die(dice[0])} ${dice.length === 2 ? "twice" : `${COUNTS[dice.length]} times`}${decimal ? `: ${names[0]} first, then ${names.slice(1).join(", then ")}` : ""}.`,
    dice.includes(2) ? "Heads is 1, tails 2." : null,
    read,
    most < faces ? `If it is above ${most}, ${owned ? "throw" : "roll"} ${both} again.` : null,
    each > 1 ? `Divide by ${each} and round up: ${each + 1} gives 2.` : "The number is the result.",
  ].filter(Boolean);
  const unit = thrown ? "throw" : "roll";
  return `A d${n}\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join("\n")}\n\nexpected ${unit}s  ${readingCost(reading, thrown)}\nworst case  ${most < faces ? "no upper limit" : thrown ? "1 throw" : `${dice.length} rolls`}\n`;
}

/** Rounds a positive fraction down to this many significant digits, as for a lower bound. */
export function roundedDown(fraction, digits) {
  const [a, b = 1n] = fraction.split("/").map(BigInt);
  const places = Math.max(digits - String(a / b).length, 0);
  const text = String(a * 10n ** BigInt(places) / b).padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}
