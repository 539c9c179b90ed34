// The view of a loaded coin: fair bits from it by pairs, by Elias's and by Peres's method, compared
// with its entropy.

import { curves } from "./curves.js";
import { atOnce, fullButton, keep, kept, meansPicture, ownRows, seenOf } from "./law.js";
import { about, answered, ask, asker, cellOf, choice, dragged, h, number, option, orNone, quiet, ratio, section, shortForm, show, table, typed } from "./parts.js";
import { lowest, roundedDown } from "./pairs.js";
import { nameLine } from "./share.js";
import { PLAIN } from "./words.js";

/** Steps of the slider from 0 to 1, and the initial load. */
const PARTS = 50;
const USUAL = "3/5";
/** Sizes of a block in flips, and the initial one. */
const [BLOCKS, BLOCK] = [["4", "16", "64", "128"], "16"];
const METHODS = [["elias", "Elias"], ["peres", "Peres"], ["von-neumann", "von Neumann's pairs"]];

/** Digits of a bound, and steps of the search for its proof. */
const [DIGITS, STEPS] = [6, 20_000];

/** The largest numbers of pairs and of bits that are shown. */
const [SHOWN_PAIRS, SHOWN_BITS] = [12, 40];
/** The most flips for a bit if a thousand bits are made at once. */
const MOST_EACH = 500;

/** Parses a probability (3/7, 0.6, 0,6 or 60%) into lowest terms; null if it is none. */
function biasOf(text) {
  const [, a, b, whole, part = "", percent] = /^(?:(\d{1,17})\/(\d{1,17})|(\d{0,2})(?:[.,](\d{1,17}))?\s?(%?))$/.exec(text) ?? [];
  const parts = a ? [BigInt(a), BigInt(b)] : [BigInt(`0${whole ?? ""}${part}`), 10n ** BigInt(part.length + (percent ? 2 : 0))];
  return parts[0] > 0n && parts[0] < parts[1] ? lowest(...parts) : null;
}

/** Tosses heads with exactly the probability a/b, by a uniform number below b. */
function isHeads([a, b]) {
  const most = 2n ** 64n / b * b;
  for (;;) {
    const [drawn] = crypto.getRandomValues(new BigUint64Array(1));
    if (drawn < most) return drawn % b < a;
  }
}

/** A product of two fractions. */
function product(...fractions) {
  const [[a, b], [c, d]] = fractions.map((fraction) => [...fraction.split("/"), "1"].map(BigInt));
  return lowest(a * c, b * d);
}

/** The section of a view: in its state, `heads` is the probability of heads, `pairs` the flips so far. */
export function coin(change) {
  let state;
  const slider = h("input", { type: "range", min: 1, max: PARTS - 1, step: 1, id: "coin-bias", "aria-label": "Heads with probability, by slider" });
  const field = h("input", { id: "coin-heads", size: 8, "aria-describedby": "coin-refused" });
  const refused = h("span", { role: "alert", id: "coin-refused" });
  /** The last valid probability that was typed, in lowest terms. */
  let bias = USUAL;
  const take = (text) => {
    const is = biasOf(text);
    refused.className = is ? "" : "refusal";
    refused.textContent = is ? "" : "Write a probability between 0 and 1, such as 3/7, 0.6 or 60%, of at most 17 digits.";
    bias = is ?? bias;
    answers.classList.toggle("stale", !is);
    return is;
  };
  dragged(slider, (k) => change({ heads: lowest(Number(k), PARTS) }, true));
  const write = typed(field, (heads, passing) => take(heads) && change({ heads }, passing), { usual: USUAL });
  const [price, said, plot, hands] = [h("div", { class: "coin-price" }), h("p"), h("div"), h("div", { class: "card hands", role: "group", "aria-label": "Flip pairs" })];
  /** Prints only the sheet with pairs to fill in. */
  function printSheet() {
    const all = element.parentElement.classList;
    all.add("prints-sheet");
    addEventListener("afterprint", () => all.remove("prints-sheet"), { once: true });
    print();
  }
  const answers = h("div", { class: "grid" }, h("div", price, hands), h("div", h("h3", "Many bits at once"), said, plot,
      quiet("Elias uses a whole block: all orders with the same number of heads are equally likely, so the order gives bits. Peres uses pairs, then pairs of what the pairs discard: whether two flips were alike, and what two alike flips showed. The best rule that a search found has no curve: it is the best for one result only.")));
  const element = section("A loaded coin", "card coin sheet-card", nameLine(), h("h2", "Fair bits from this coin"),
    h("p", "Flip twice: heads then tails is the bit 1, tails then heads is the bit 0, and two equal flips are discarded. You need not know how the coin is loaded. Better methods also use the information that pairs discard."),
    h("div", { class: "print-only worksheet" }, ownRows("Pairs, and the bits that they give", ["first", "second", "bit"]),
      h("p", "Heads: ____   Tails: ____   Bits 0: ____   Bits 1: ____   Flips for a bit: ____ / ____ = ______")),
    h("div", { class: "field no-print" }, h("label", { for: "coin-heads" }, "Heads with probability"), slider, field, refused, h("button", { onclick: printSheet }, "Print a sheet of pairs"),
      h("label", { class: "leave" }, h("input", { type: "checkbox", checked: true, onchange: (event) => element.parentElement.classList.toggle("no-answers", !event.target.checked) }), " with answers")),
    answers);
  const runs = { price: asker(price), plot: asker(plot), hands: asker(hands) };

  /** The costs of a fair bit and die: by pairs, and by the best methods that know or do not know the load. */
  async function drawPrice(options) {
    const p = bias;
    const cost = (answer, row, label) => cellOf(answer, row, "expected", label, { cite: answer.records[row].algorithm, form: shortForm() });
    const costs = (target) => Promise.all([{ source: `p=${p}` }, { source: "unknown:2", at: `p=${p}` }].map((query) => ask({ ask: "cost", target, ...query }, options)));
    const [[bit, blind], [die, blindDie]] = [await costs("2"), await costs("6")];
    const fair = await ask({ ask: "cost", target: "6", algorithms: ["fast-dice-roller"] }, options);
    // The lower bound on all methods that a short search proves.
    const least = async (target) => {
      const told = await orNone(ask({ ask: "cost", target, source: `p=${p}`, optimal: true, effort: STEPS }, options));
      if (!told) return null;
      const [record] = told.records;
      if (record.expected_exact) {
        const best = () => cellOf(told, 0, "expected", "The best rule of any form", { form: shortForm() });
        return { record, found: best, bound: best() };
      }
      // A lower bound is rounded down, with enough digits to differ from the cost found.
      const lower = (count) => roundedDown(record.lower_exact, count);
      let count = DIGITS;
      while (count < 15 && lower(count) === record.expected.toPrecision(count)) count += 1;
      return { record, found: () => number({ decimal: record.expected, answer: told, label: "The best rule that a search found", atMost: true, text: `≈ ${record.expected.toPrecision(count)}` }),
        bound: number({ exact: record.lower_exact, decimal: Number(lower(count)), answer: told, label: "Bound: no method of any form takes fewer", text: lower(count) }) };
    };
    const [leastBit, leastDie] = [await least("2"), await least("6")];
    const pairs = blind.records.findIndex(({ algorithm }) => algorithm === "von-neumann");
    const both = product(fair.records[0].expected_exact, blind.records[pairs].expected_exact);
    const bothTold = await ask({ ask: "decimals", of: both, digits: 5 }, options);
    const name = ({ algorithm }) => PLAIN[algorithm] ?? algorithm;
    /** The cheapest method of each answer. */
    const names = (...answers) => [...new Set(answers.map(({ records }) => name(records[0])))].join(", ");
    const same = blind.records[pairs].expected_exact === bit.records[0].expected_exact;
    show(price,
      h("p", { class: "answer" }, `With heads ${blind.records[pairs].p ?? p} a fair bit takes `, cost(blind, pairs, "A fair bit by pairs"), " flips on average by pairs, the simplest way", same ? "." : ["; if you know the bias, ", leastBit?.record.expected < bit.records[0].expected ? leastBit.found() : cost(bit, 0, `A fair bit, ${name(bit.records[0])}`), " flips suffice."]),
      table("Flips on average", [{ name: "method or limit" }, { name: "a fair bit", number: true }, { name: "a fair d6", number: true }], [
        ["by pairs", cost(blind, pairs, "A fair bit of pairs"), number({ exact: both, decimal: Number(bothTold.records[0].decimals), answer: bothTold, label: "A fair d6 of bits by pairs", form: shortForm() })],
        [`bias unknown, the cheapest here: ${names(blind, blindDie)}`, cost(blind, 0, "A fair bit, the best that need not know the bias"), cost(blindDie, 0, "A fair d6, the best that need not know the bias")],
        [`bias known: ${names(bit, die)}`, cost(bit, 0, "A fair bit if you know the bias"), cost(die, 0, "A fair d6 if you know the bias")],
        ...(leastBit && leastDie ? [["bias known: the best rule that a search found", leastBit.found(), leastDie.found()],
          [`no method of any form takes fewer${leastBit.record.expected_exact && leastDie.record.expected_exact ? "" : ": rounded down"}`, leastBit.bound, leastDie.bound]] : []),
        ["entropy, a simpler limit", ...[[bit, "bit"], [die, "d6"]].map(([answer, of]) => cellOf(answer, 0, "entropy", `Entropy bound of a ${of}`, { form: "decimal", sure: bias === "1/2" }))],
      ]));
  }

  async function drawCurves(options) {
    /** The places on the axis: the steps of the slider, and the typed one. */
    const places = [...new Set([...Array.from({ length: PARTS - 1 }, (_, i) => lowest(i + 1, PARTS)), bias])].sort((a, b) => ratio(a) - ratio(b));
    const at = places.indexOf(bias);
    const block = BLOCKS.find((length) => length === state.block) ?? BLOCK;
    /** The weights of a coin's two sides, the rarer one first. */
    const weights = (p) => {
      const [a, b] = p.split("/").map(BigInt);
      return a < b - a ? `${a}:${b - a}` : `${b - a}:${a}`;
    };
    const told = answered(await ask({ ask: "extract", source: "unknown:2", length: block, method: METHODS.map(([id]) => id), at: `p=${places.join(",")}` }, options));
    const entropies = await Promise.all(places.map((p) => ask({ ask: "cost", target: weights(p), algorithms: ["knuth-yao"], columns: ["entropy"] }, options)));
    const records = Object.fromEntries(METHODS.map(([id]) => [id, told.records.filter(({ method }) => method === id)]));
    /** The bits per flip, from the exact bits of a block. */
    const exact = (record) => product(record.bits_exact, `1/${block}`);
    const each = (record) => about(record.bits_per_flip, exact(record), false, told);
    /** Whether the coin is fair, and so gives one bit per flip. */
    const fair = (i) => places[i] === "1/2";
    const cell = (record, column, label) => number({ exact: exact(record), decimal: record[column], answer: told, label, cite: record.method, form: "decimal" });
    show(said, "Of ", cellOf(entropies[at], 0, "entropy", "Entropy of a flip", { form: "decimal", sure: fair(at) }), ` bits in a flip, a block of ${block} flips gives `,
      METHODS.map(([id, name], i) => [i > 0 ? ", " : "", cell(records[id][at], "bits_per_flip", `${name}, bits per flip`), ` by ${name} (≈ ${(100 * records[id][at].share).toPrecision(3)} %)`]), ".");
    return show(plot, curves({
      name: "flipcost-loaded-coin", label: `Fair bits for each flip of a loaded coin, blocks of ${block} flips`, xs: places.map(ratio), at: (i) => `heads ${places[i]}`,
      x: { name: "probability of heads" }, y: { name: "bits for each flip", from: 0 }, answer: told, picked: at, pick: (i, passing) => change({ heads: places[i] }, passing),
      curves: [{ name: "entropy", kind: 4, values: entropies.map((answer) => answer.records[0].entropy), said: (i) => about(entropies[i].records[0].entropy, null, fair(i), entropies[i]) },
        ...METHODS.map(([id, name], kind) => ({ name, kind, values: records[id].map((record) => record.bits_per_flip), said: (i) => each(records[id][i]) }))],
    }), choice("Flips of a block", BLOCKS.map((length) => option(`blocks of ${length}`, length === block, () => change({ block: length })))), h("details", { class: "hint" }, h("summary", "The command"), h("code", told.command)));
  }

  /** Adds a flip by hand to the pairs, or takes the last one back. */
  const flip = (face) => change({ pairs: state.pairs + face }, true);
  const undo = () => change({ pairs: state.pairs.slice(0, -1) }, true);
  const machine = () => (isHeads(bias.split("/").map(BigInt)) ? "H" : "T");
  /** Flips by machine until a pair is complete. */
  const flipPair = () => flip(state.pairs.length % 2 === 1 ? machine() : machine() + machine());
  /** The bits made at once with this load, each as [flips, bit, heads]. */
  const made = () => kept(`flipcost-bits ${bias}`) ?? [];
  const keepMade = (bits) => keep(`flipcost-bits ${bias}`, bits);
  function makeBits(times) {
    const one = () => {
      for (let [flips, heads] = [2, 0]; ; flips += 2) {
        const pair = machine() + machine();
        if (pair === "HT" || pair === "TH") return [flips, pair === "HT" ? "1" : "0", heads + 1];
        if (pair === "HH") heads += 2;
      }
    };
    keepMade([...made(), ...Array.from({ length: times }, one)]);
    runs.hands(drawHands);
  }
  addEventListener("keydown", function keys(event) {
    const key = event.key.toUpperCase();
    if (!element.isConnected) return removeEventListener("keydown", keys);
    if (event.target.closest("input:not([type=range]), select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    if (key === "H" || key === "T") flip(key);
    else if (key === "BACKSPACE") undo();
    else return undefined;
    return event.preventDefault();
  });

  /** Shows pairs by hand: the bits that the engine gets from the flips so far. */
  async function drawHands(options) {
    const flips = [...state.pairs];
    const before = made();
    const total = (column) => before.reduce((all, bit) => all + bit[column], 0);
    /** Pairs with their bits, and all bits with their flips. */
    const [pairs, all] = [[], [...before]];
    let rest = [];
    for (const flip of flips) {
      rest.push(flip);
      const told = await ask({ ask: "show", target: "2", source: "unknown:2", algorithm: "von-neumann", rolls: rest.join("") }, options);
      const { outcome } = told.records.at(-1);
      if (outcome === null && rest.length % 2 === 1) continue;
      const bit = outcome === null ? "–" : String(outcome) === "1" ? "1" : "0";
      pairs.push([rest.slice(-2).join(""), bit]);
      if (outcome === null) continue;
      all.push([rest.length, bit]);
      rest = [];
    }
    const bits = all.map(([, bit]) => bit);
    const [everyFlip, heads] = [total(0) + flips.length, total(2) + flips.filter((face) => face === "H").length];
    const half = flips.length % 2 === 1;
    // The cost of a bit so far, and its expected cost.
    const costs = await ask({ ask: "cost", target: "2", source: "unknown:2", at: `p=${bias}`, algorithms: ["von-neumann"] }, options);
    const [cost] = costs.records;
    const each = bits.length === 0 ? null : lowest(total(0) + 2 * pairs.length, bits.length);
    const seen = each && await ask({ ask: "decimals", of: each, digits: 5 }, options);
    const count = (list, what) => list.filter((one) => one === what).length;
    return show(hands, h("h3", "Flip pairs by hand ", fullButton(hands)), h("p", "Heads then tails is the bit 1, tails then heads the bit 0."),
      h("div", { class: "walk-faces of-2" }, h("button", { class: "coin", onclick: () => flip("H") }, "Heads"), h("button", { class: "coin", onclick: () => flip("T") }, "Tails")),
      h("p", { role: "status" }, everyFlip === 0 ? "Nothing is flipped yet." : [`${everyFlip} ${everyFlip === 1 ? "flip" : "flips"}, ${bits.length} fair ${bits.length === 1 ? "bit" : "bits"}${bits.length > 0 ? ": " : ""}`, bits.length > SHOWN_BITS ? "…" : "", h("strong", bits.slice(-SHOWN_BITS).join("")), half ? ". One more flip makes the pair." : "."]),
      everyFlip > 0 && h("p", `Heads: ${heads}, tails: ${everyFlip - heads}. Bits 0: ${count(bits, "0")}, bits 1: ${count(bits, "1")}.`),
      h("ol", { class: "tokens pairs", "aria-label": "Pairs, and their bits" }, pairs.length > SHOWN_PAIRS && h("li", "…"), pairs.slice(-SHOWN_PAIRS).map(([pair, bit]) => h("li", { class: "token" }, pair, h("small", ` ${bit}`))), half && h("li", { class: "token" }, flips.at(-1))),
      h("p", "Flips for a bit: ", seen && ["seen ", number({ exact: each, decimal: Number(seen.records[0].decimals), answer: seen, label: "Flips for a bit, as seen" }), "; "],
        "on average ", cellOf(costs, 0, "expected", "Flips for a bit by pairs", { cite: cost.algorithm }), ` with heads ${cost.p}.`),
      h("div", { class: "choice machine" }, h("button", { disabled: flips.length === 0, onclick: undo }, "Undo"),
        h("button", { disabled: everyFlip === 0, onclick: () => {
          keepMade([]);
          change({ pairs: "" }, true);
        } }, "Start again"),
        h("button", { onclick: flipPair }, "Flip for me"), atOnce("bits", makeBits, cost.expected > MOST_EACH)),
      bits.length > 0 && meansPicture({ seen: seenOf(all), mine: cost, all: Math.min((hands.clientWidth || innerWidth - 80) - 84, 420), height: 56, of: "bit" }),
      h("p", { class: "hint keys" }, "Keys: H and T flip, Backspace takes the last one back."));
  }

  return { element, draw(changed) {
    const { heads } = changed;
    // A whole number in an address counts steps of the slider.
    state = { ...changed, heads: /^([1-9]|[1-4]\d)$/.test(heads) ? lowest(Number(heads), PARTS) : heads || USUAL };
    take(state.heads);
    write(state.heads);
    if (document.activeElement !== slider) slider.value = PARTS * ratio(bias);
    slider.ariaValueText = bias;
    runs.price(drawPrice);
    runs.plot(drawCurves);
    runs.hands(drawHands);
  } };
}
