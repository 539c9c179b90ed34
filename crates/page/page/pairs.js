// Two rolls of one die read as one number: tens and units with the d10, where 00 is 100; else rows of as many as the die
// has sides.

/** Both rolls, where they make a die well: the die, its target, and the numbers up to `most` that count, so many for each result. */
export function pairOf(need, of, dice) {
  const [die, other = die] = dice.map(Number);
  const n = /^\d{1,4}$/.test(of) ? Number(of) : 0;
  if (need !== "die" || dice.length > 2 || die !== other || die < 4 || die > 30 || n <= die || n > die ** 2) return null;
  const each = Math.floor(die ** 2 / n);
  const most = each * n;
  return each === 1 || (die === 10 && most === 100) ? { die, n, most, each, decimal: die === 10 } : null;
}

/** The number that two faces make; a face 0 of a d10 is its tenth. */
export const pairNumber = ({ die, decimal }, first, second) => (decimal ? 10 * (first % 10) + second % 10 || 100 : die * (first - 1) + second);

/** The faces as they stand on the first and on the second die. */
export const pairFaces = ({ die, decimal }, second) => Array.from({ length: die }, (_, i) => {
  if (!decimal) return { value: i + 1, text: String(i + 1) };
  return { value: i || 10, text: second ? String(i) : `${i}0`.padStart(2, "0") };
});

/** What the rolls so far lead to: the result, or what the next one is for. */
export function followPair(pair, rolls) {
  const [first, second] = rolls.slice(rolls.length - (rolls.length % 2 || 2)).map(Number);
  const about = second === undefined ? [] : [pairNumber(pair, first, second)];
  const [number] = about;
  if (number <= pair.most) return { number, result: Math.ceil(number / pair.each) };
  return { number: number ?? null, result: null, second: rolls.length % 2 === 1 };
}

/** A fraction in lowest terms. */
export function lowest(a, b) {
  let [divisor, rest] = [a, b];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return [a / divisor, b / divisor].filter((part, i) => i === 0 || part > 1).join("/");
}

/** The expected rolls as a fraction in lowest terms: two for each number, and again above the most. */
export function pairCost({ die, most }) {
  return lowest(2 * die ** 2, most);
}

/** The recipe as a text of steps. */
export function pairText({ die, n, most, each, decimal }, two) {
  const [first, last] = decimal ? ["tens", "units"] : ["first", "second"];
  const read = decimal
    ? "Read them as one number, a 0 as 0: 3 and 5 are 35, 0 and 7 are 7. 00 is 100."
    : `(first − 1) × ${die} + second is the number, from 1 to ${die ** 2}: 1 and 1 are 1, 2 and 3 are ${die + 3}.`;
  const steps = [
    two ? `Roll both d${die}: one is the ${first}${decimal ? "" : " one"}, the other the ${last}${decimal ? "" : " one"}. Say before which is which, by colour.` : `Roll the d${die} twice${decimal ? ": the tens first, then the units" : ""}.`,
    read,
    most < die ** 2 ? `If it is above ${most}, roll both again.` : null,
    each > 1 ? `Divide by ${each} and round up: 35 gives ${Math.ceil(35 / each)}.` : null,
    each > 1 ? null : "The number is the result.",
  ].filter(Boolean);
  return `A d${n}\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join("\n")}\n\nexpected rolls  ${pairCost({ die, most })}\nworst case  ${most < die ** 2 ? "no bound, but ever less likely" : "2 rolls"}\n`;
}

/** A positive fraction, or whole number, rounded down to so many significant digits: as a bound from below is. */
export function roundedDown(fraction, digits) {
  const [a, b = 1n] = fraction.split("/").map(BigInt);
  const places = Math.max(digits - String(a / b).length, 0);
  const text = String(a * 10n ** BigInt(places) / b).padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}
