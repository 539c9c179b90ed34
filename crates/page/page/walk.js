// Roll with me: the next die to roll, and the result. Every step is an answer of the engine.

import { diceWords, digitsOf, followReading, oneOf } from "./pairs.js";
import { followTables } from "./recipe.js";
import { answered, ask, die, grouped, h, Refusal, rollsFor, short, show } from "./parts.js";

/** The largest number of faces that have buttons. */
const MOST_BUTTONS = 30;
const RANKS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];
const SUITS = ["clubs ♣", "diamonds ♦", "hearts ♥", "spades ♠"];

/** The name of a card of a deck of 52; in another deck, its number. */
const cardName = (card, deck) => (deck === 52 ? `${RANKS[(card - 1) % 13]} of ${SUITS[Math.floor((card - 1) / 13)]}` : `card ${card}`);

/** The number of results of a throw. */
export const facesOf = (dice) => String(dice.reduce((all, m) => all * BigInt(m), 1n));

const throwsOf = (count) => `${count} ${count === 1 ? "throw" : "throws"}`;

/** Checks that the faces in the address are faces of these dice. */
function checked(dice, faces) {
  const wrong = faces.findIndex((face, i) => !(BigInt(face) >= 1n && BigInt(face) <= BigInt(dice[i])));
  if (wrong >= 0) throw new Refusal(`a ${die(dice[wrong])} does not show ${short(faces[wrong])}`);
}

/** Follows faces that are read as one number, from dice thrown together or one after the other. */
function followNumber({ reading, thrown, rolls: made }) {
  const { dice } = reading;
  const all = made.map((_, i) => dice[i % dice.length]);
  checked(all, made);
  const { number, result, at, next, gone } = followReading(reading, made);
  const much = number === null ? "" : `${number} is too much: `;
  const begin = at > 0 ? "" : `${much}${much ? "throw" : "Throw"} ${diceWords(dice)} ${much ? "again" : "together"}. `;
  const say = !thrown ? (much ? `${much}roll ${next} again.` : `Roll a ${die(dice[at])} for ${next}.`)
    : `${begin}What ${!reading.decimal ? `does ${oneOf(dice, at)} show` : /s$/.test(next) ? `are ${next}` : `is ${next}`}?`;
  const tries = Math.floor(made.length / dice.length);
  return { next: result === null ? String(dice[at]) : null, result, say, gone, dice: all.map(String), faces: digitsOf(reading, at),
    names: (value, i) => digitsOf(reading, i % dice.length)?.find((face) => String(face.value) === String(value)).text,
    ...(thrown ? { step: `Throw ${tries + 1}.`, count: throwsOf(tries) } : {}) };
}

/** Follows dice thrown together: each face is entered, and the recipe makes one number of them. */
async function followThrows({ of, recipe, rolls: made }, options) {
  const [thrown, all] = [[], []];
  for (let rest = made; ;) {
    const now = answered(await ask({ ask: "plan", target: of, ...recipe, rolls: thrown.join(",") }, options)).records.at(-1);
    if (now.outcome !== null) return { next: null, result: now.outcome, dice: all, count: throwsOf(thrown.length) };
    const dice = recipe.throws.map((set) => set.split(",")).find((set) => facesOf(set) === now.die);
    all.push(...dice.slice(0, rest.length));
    checked(dice, rest.slice(0, dice.length));
    if (rest.length < dice.length) {
      const say = rest.length > 0 ? "" : `${thrown.length > 0 ? "Again: throw" : "Throw"} ${diceWords(dice)}${dice.length > 1 ? " together" : ""}. `;
      return { next: dice[rest.length], result: null, say: `${say}What does ${oneOf(dice, rest.length)} show?`, dice: all, step: `Throw ${thrown.length + 1}.` };
    }
    thrown.push(dice.reduce((face, m, i) => (face - 1n) * BigInt(m) + BigInt(rest[i]), 1n));
    rest = rest.slice(dice.length);
  }
}

/** A uniform face from the system's randomness; values above the largest multiple of the sides are redrawn. */
function randomFace(sides) {
  const all = 2n ** 128n;
  const most = all - all % BigInt(sides);
  for (;;) {
    const drawn = crypto.getRandomValues(new Uint32Array(4)).reduce((number, word) => number << 32n | BigInt(word), 0n);
    if (drawn < most) return drawn % BigInt(sides) + 1n;
  }
}

/** Where the rolls lead: the next die to roll, or the result. */
async function follow(task, options) {
  const { need, of, dice, cards, reading, recipe, alone, first, rolls: made, text } = task;
  if (reading) return followNumber(task);
  if (task.tables) return followTables(text, made);
  if (recipe.throws) return followThrows(task, options);
  // If there is only one die, it is rolled first. The recipe, which may take long, is not needed
  // yet.
  if (first && made.length === 0) return { next: first, result: null, dice: [] };
  if (!alone && (need === "die" || need === "weights")) {
    const told = answered(await ask({ ask: "plan", target: of, dice, ...recipe, rolls: made.join(",") }, options));
    const last = told.records.at(-1);
    const again = last.place === "again" && made.length > 0;
    // If a recipe goes back to a later step than the first, the kept rolls are unknown here.
    const gone = /go back to step (?!1\b)/.test(text) ? 0 : told.records.findLastIndex(({ place }) => place === "again");
    return { next: last.die, result: last.outcome, gone, say: again ? `That is too much: go back. Roll a ${die(last.die)}.` : null, dice: told.records.slice(0, -1).map((record) => record.die) };
  }
  const source = alone ?? dice.split(",").at(-1);
  const target = alone ? of : { bits: `2^${of}`, shuffle: cards && `${cards.cards}!/${cards.cards - cards.draw}!` }[need];
  const told = answered(await ask({ ask: "show", target, source, ...(alone ? { algorithm: "knuth-yao" } : {}), rolls: made.join(",") }, options));
  const result = told.records.at(-1).outcome;
  const [next, all] = [result === null ? source : null, made.map(() => source)];
  if (result === null || alone) return { next, result, dice: all };
  if (need === "bits") return { next, result: (BigInt(result) - 1n).toString(16).padStart(Math.ceil(Number(of) / 4), "0"), called: "The bits, in hexadecimal digits, are", dice: all };
  const dealt = answered(await ask({ ask: "shuffle", cards: cards.cards, ...(cards.draw === cards.cards ? {} : { draw: cards.draw }), deal: true, source, input: made.join(",") }, options));
  return { next, cards: dealt.records.map((record) => cardName(Number(record.card), cards.cards)), dice: all };
}

/**
 * The guided part of a view: `task` has the target and the rolls, `change` gets new rolls. Its
 * elements keep their places between rolls.
 */
export async function walk(place, task, change, options) {
  const now = await follow(task, options);
  const made = task.rolls;
  const face = (value, i) => now.names?.(value, i) ?? (now.dice[i] === "2" ? "HT"[value - 1] : String(value));
  // Presses are ignored until the last roll is answered.
  let entered = false;
  const enter = (value) => {
    if (entered) return;
    entered = true;
    change([...made, String(value)]);
  };
  const ended = now.next === null;
  const soFar = h("div", { class: `walk-far${ended ? " all" : ""}` }, h("span", made.length === 0 ? `Nothing is ${task.dice === "2" ? "flipped" : "rolled"} yet.` : "So far:"),
    h("ol", { class: "tokens", "aria-label": "Rolled so far" }, made.map((value, i) => h("li", { class: "token", title: die(now.dice[i]) }, i < now.gone ? [h("s", face(value, i)), h("span", { class: "unseen" }, " thrown away")] : face(value, i)))));
  const count = now.count ?? `${made.length} ${rollsFor(now.dice[0], made.length)}`;
  const step = (text) => h("span", { class: "walk-step" }, text);
  /** Makes the remaining rolls from the system's randomness. */
  const rollOn = async () => {
    if (entered) return;
    entered = true;
    const rolls = [...made];
    for (let at = now; at.next !== null; at = await follow({ ...task, rolls }, options)) rolls.push(String(randomFace(at.next)));
    change(rolls);
  };
  const back = h("div", { class: "choice" },
    !ended && h("button", { onclick: rollOn }, `${task.cards ? "Deal" : now.next === "2" ? "Flip" : "Roll"} for me`),
    made.length > 0 && h("button", { onclick: () => change(made.slice(0, -1)) }, "Undo"),
    made.length > 0 && h("button", { class: ended ? "primary" : null, onclick: () => change([]) }, ended ? "Once more" : "Start again"));
  let say, content;
  if (ended) {
    say = [step(made.length === 0 ? "Done." : `Done, after ${count}.`), " ", h("strong", now.cards ? (now.cards.length === 1 ? "Your card is" : "Your cards, in order, are") : now.called ?? "The result is")];
    content = now.cards ? h("ol", { class: "walk-cards" }, now.cards.map((card) => h("li", { class: /[♥♦]/.test(card) ? "red" : null }, card)))
      : h("p", { class: "walk-result" }, String(now.result).length > 40 ? String(now.result).replace(/.{4}(?=.)/g, "$& ") : grouped(now.result));
  } else {
    const many = BigInt(now.next) > BigInt(MOST_BUTTONS);
    const next = now.next === "2" ? `Flip ${made.length > 0 ? "again" : "a coin"}.` : `Roll ${made.length > 0 && now.dice.at(-1) === now.next ? "again: " : ""}a ${die(now.next)}.`;
    say = [step(now.step ?? `Step ${made.length + 1}.`), " ", h("strong", now.say ?? next), many || now.say ? null : " What does it show?"];
    const field = many && h("input", { inputmode: "numeric", id: "walk-face", size: 8, "aria-label": "It shows" });
    const faces = now.faces ?? (many ? [] : Array.from({ length: Number(now.next) }, (_, i) => ({ value: i + 1, text: now.next === "2" ? ["Heads", "Tails"][i] : now.next === "10" && i === 9 ? "0 (10)" : String(i + 1) })));
    content = many
      ? h("form", { class: "field", onsubmit: (event) => {
        event.preventDefault();
        const value = field.value.trim();
        if (/^\d{1,38}$/.test(value) && BigInt(value) >= 1n && BigInt(value) <= BigInt(now.next)) enter(value);
        else field.setAttribute("aria-invalid", "true");
      } }, h("label", { for: "walk-face" }, `It shows, 1 to ${short(now.next)}`), field, h("button", { type: "submit", class: "primary" }, "Enter"))
      : h("div", { class: `walk-faces of-${now.next}`, role: "group", "aria-label": `What the ${die(now.next)} shows` },
        faces.map(({ value, text }) => h("button", { class: "coin", onclick: () => enter(value) }, text)));
  }
  // Keeps the height of this part, so that nothing below moves when the result comes.
  const tall = made.length === 0 ? 0 : place.querySelector(".walk-area")?.offsetHeight ?? 0;
  const area = h("div", { class: "walk-area", style: { minHeight: `${tall}px` } }, content);
  if (ended) task.ended?.();
  show(place, h("h2", "Roll with me"), h("p", { class: "walk-say", role: "status" }, say), ended ? [area, soFar] : [soFar, area], back, task.note && h("p", { class: "hint after" }, task.note));
  // Scrolls to the newest roll.
  const list = soFar.querySelector("ol");
  if (list.scrollWidth > list.clientWidth) soFar.firstChild.append(" …");
  list.scrollLeft = list.scrollWidth;
}

/** The storage key of unfinished rolls. */
const PLACE = "flipcost-table";
export const remembered = (key) => {
  try {
    const [name, made] = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return name === key ? made : "";
  } catch {
    return "";
  }
};
export const rememberWalk = (key, made) => {
  try {
    localStorage.setItem(PLACE, JSON.stringify([key, made]));
  } catch { /* a browser that keeps nothing */ }
};
