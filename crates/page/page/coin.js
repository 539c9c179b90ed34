// A loaded coin: fair bits out of it by pairs, by Elias's and Peres's methods, beside its entropy.

import { curves } from "./curves.js";
import { about, answered, ask, asker, dragged, h, number, shortForm, show, table } from "./parts.js";
import { lowest } from "./pairs.js";
import { PLAIN } from "./words.js";

/** The bias of the coin, in so many parts of 1. */
const PARTS = 50;
/** Flips of a block. */
const BLOCK = 16;
const METHODS = [["elias", "Elias"], ["peres", "Peres"], ["von-neumann", "von Neumann's pairs"]];

/** Digits of a bound, and steps of the search that proves it. */
const [DIGITS, STEPS] = [6, 20_000];

/** The section of a view: `state.heads` parts of heads, and the flips that were made. */
export function coin(state, change) {
  const slider = h("input", { type: "range", min: 1, max: PARTS - 1, step: 1, id: "coin-bias", "aria-label": `Heads, parts of ${PARTS}` });
  const shown = h("output", { for: "coin-bias" });
  dragged(slider, (heads) => change({ heads }, true));
  const [price, said, plot, hands] = [h("div", { class: "coin-price" }), h("p", {}), h("div", {}), h("div", { class: "card", role: "group", "aria-label": "Flip pairs" })];
  const element = h("section", { class: "card coin", "aria-label": "A loaded coin" }, h("h2", {}, "A loaded coin, fair bits out of it"),
    h("p", {}, "Flip twice: heads then tails is one bit, tails then heads the other, and two alike are thrown away. Nobody need know how the coin is loaded; better methods use what the pairs leave."),
    h("div", { class: "field" }, h("label", { for: "coin-bias" }, "Heads with probability"), slider, shown),
    h("div", { class: "grid" }, h("div", {}, price, hands), h("div", {}, h("h3", {}, "Many bits at once"), said,
      h("p", { class: "hint" }, "Elias takes a whole block: all orders of as many heads are equally likely, and which of them came gives bits. Peres takes pairs, and pairs again of what they leave: whether two were alike, and what two alike showed."), plot)));
  const runs = { price: asker(price), plot: asker(plot), hands: asker(hands) };
  const all = Array.from({ length: PARTS - 1 }, (_, i) => i + 1);

  /** What a fair bit and a fair die cost: by pairs, and by the best method that knows the load and that need not. */
  async function drawPrice(options) {
    const p = `${state.heads}/${PARTS}`;
    const cost = (answer, row, label) => number({ exact: answer.records[row].expected_exact, decimal: answer.records[row].expected, answer, row, column: "expected", label, cite: answer.records[row].algorithm, form: shortForm() });
    const costs = (target) => Promise.all([{ source: `p=${p}` }, { source: "unknown:2", at: `p=${p}` }].map((query) => ask({ ask: "cost", target, ...query }, options)));
    const [[bit, blind], [die, blindDie]] = [await costs("2"), await costs("6")];
    const fair = await ask({ ask: "cost", target: "6", algorithms: ["fast-dice-roller"] }, options);
    // What no method of any form gets below, as far as a short search proves it.
    const least = async (target) => {
      const told = await ask({ ask: "cost", target, source: `p=${p}`, optimal: true, effort: STEPS }, options);
      const [record] = told.records;
      if (record.expected_exact) {
        const best = () => number({ exact: record.expected_exact, decimal: record.expected, answer: told, row: 0, column: "expected", label: "The best rule of any form", form: shortForm() });
        return { record, found: best, bound: best() };
      }
      const exact = record.lower_exact;
      // A bound from below is rounded down, to as many digits as are shown.
      const [a, b] = [...exact.split("/"), "1"].map(BigInt);
      const places = DIGITS - String(a / b).length;
      const digits = String(a * 10n ** BigInt(places) / b).padStart(places + 1, "0");
      return { record, found: () => number({ decimal: record.expected, answer: told, row: 0, column: "expected", label: "The best rule that a search found" }),
        bound: number({ exact, decimal: Number(`${digits.slice(0, -places)}.${digits.slice(-places)}`), answer: told, label: "Bound: no method of any form takes fewer", form: "decimal", sure: true }) };
    };
    const [leastBit, leastDie] = [await least("2"), await least("6")];
    const pairs = blind.records.findIndex(({ algorithm }) => algorithm === "von-neumann");
    const both = await ask({ ask: "decimals", of: `(${fair.records[0].expected_exact})*(${blind.records[pairs].expected_exact})`, digits: 5 }, options);
    const name = ({ algorithm }) => PLAIN[algorithm] ?? algorithm;
    /** The cheapest method of each answer. */
    const names = (...answers) => [...new Set(answers.map(({ records }) => name(records[0])))].join(", ");
    const same = blind.records[pairs].expected_exact === bit.records[0].expected_exact;
    show(price,
      h("p", { class: "answer" }, `With heads ${blind.records[pairs].p ?? p} a fair bit takes `, cost(blind, pairs, "A fair bit by pairs"), " flips on average by pairs, the simplest way", same ? "." : ["; who knows the load does it in ", leastBit.record.expected < bit.records[0].expected ? leastBit.found() : cost(bit, 0, `A fair bit, ${name(bit.records[0])}`), "."]),
      table("Flips on average", [{ name: "method or limit" }, { name: "a fair bit", number: true }, { name: "a fair d6", number: true }], [
        ["by pairs", cost(blind, pairs, "A fair bit of pairs"), number({ decimal: both.records[0].decimals, answer: both, row: 0, column: "decimals", label: "A fair d6 of bits by pairs", form: "decimal" })],
        [`load unknown, the cheapest here: ${names(blind, blindDie)}`, cost(blind, 0, "A fair bit, the best that need not know the load"), cost(blindDie, 0, "A fair d6, the best that need not know the load")],
        [`load known: ${names(bit, die)}`, cost(bit, 0, "A fair bit for who knows the load"), cost(die, 0, "A fair d6 for who knows the load")],
        ["load known: the best rule of a search", leastBit.found(), leastDie.found()],
        ["no method of any form takes fewer: rounded down", leastBit.bound, leastDie.bound],
        ["entropy, a simpler limit", ...[[bit, "bit"], [die, "d6"]].map(([answer, of]) => number({ decimal: answer.records[0].entropy, answer, row: 0, column: "entropy", label: `Entropy bound of a ${of}`, form: "decimal" }))],
      ]));
  }

  async function drawCurves(options) {
    const told = answered(await ask({ ask: "extract", source: "unknown:2", length: String(BLOCK), method: METHODS.map(([id]) => id), at: `p=${all.map((k) => `${k}/${PARTS}`).join(",")}` }, options));
    const entropies = await Promise.all(all.map((k) => ask({ ask: "cost", target: `${Math.min(k, PARTS - k)}:${Math.max(k, PARTS - k)}`, algorithms: ["knuth-yao"], columns: ["entropy"] }, options)));
    const of = (id) => told.records.filter((record) => record.method === id);
    const at = Number(state.heads) - 1;
    const records = Object.fromEntries(METHODS.map(([id]) => [id, of(id)]));
    const best = records.elias[at];
    shown.textContent = best.p;
    /** Bits of a flip, from the exact bits of a block. */
    const each = (record) => {
      const [a, b = "1"] = record.bits_exact.split("/");
      return about(record.bits_per_flip, `${a}/${BigInt(b) * BigInt(BLOCK)}`, false, told);
    };
    /** A fair flip is one bit. */
    const fair = (k) => 2 * (k + 1) === PARTS;
    const cell = (record, column, label) => number({ decimal: record[column], answer: told, row: told.records.indexOf(record), column, label, form: "decimal", sure: !each(record).startsWith("≈") });
    show(said, "Of ", number({ decimal: entropies[at].records[0].entropy, answer: entropies[at], row: 0, column: "entropy", label: "Entropy of a flip", form: "decimal", sure: fair(at) }), " bits in a flip, a block of ", String(BLOCK), " flips gives ",
      METHODS.map(([id, name], i) => [i > 0 ? ", " : "", cell(records[id][at], "bits_per_flip", `${name}, bits per flip`), ` by ${name}`]), ".");
    return show(plot, curves({
      name: "flipcost-loaded-coin", label: `Fair bits for each flip of a loaded coin, blocks of ${BLOCK} flips`, xs: all.map((k) => k / PARTS), at: (i) => `heads ${records.elias[i].p}`,
      x: { name: "probability of heads" }, y: { name: "bits for each flip", from: 0 }, answer: told, picked: at, pick: (i, passing) => change({ heads: String(i + 1) }, passing),
      curves: [{ name: "entropy", kind: 4, values: entropies.map((answer) => answer.records[0].entropy), said: (i) => about(entropies[i].records[0].entropy, null, fair(i), entropies[i]) },
        ...METHODS.map(([id, name], kind) => ({ name, kind, values: records[id].map((record) => record.bits_per_flip), said: (i) => each(records[id][i]) }))],
    }), h("details", { class: "hint" }, h("summary", {}, "The command"), h("code", {}, told.command)));
  }

  /** One more flip of a pair by hand, and the last one taken back. */
  const flip = (face) => change({ pairs: (state.pairs ?? "") + face }, true);
  const undo = () => change({ pairs: (state.pairs ?? "").slice(0, -1) }, true);
  addEventListener("keydown", function keys(event) {
    const key = event.key.toUpperCase();
    if (!element.isConnected) return removeEventListener("keydown", keys);
    if (event.target.closest("input:not([type=range]), select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    if (key === "H" || key === "T") flip(key);
    else if (key === "BACKSPACE") undo();
    else return undefined;
    return event.preventDefault();
  });

  /** Pairs by hand: what the engine makes of the flips so far, a bit after the other. */
  async function drawHands(options) {
    const flips = [...(state.pairs ?? "")];
    /** Two flips, and the bit that they are. */
    const pairs = [];
    let rest = [];
    for (const flip of flips) {
      rest.push(flip);
      const told = await ask({ ask: "show", target: "2", source: "unknown:2", algorithm: "von-neumann", rolls: rest.join("") }, options);
      const { outcome } = told.records.at(-1);
      const pair = rest.slice(-2).join("");
      if (outcome === null && rest.length % 2 === 1) continue;
      pairs.push([pair, outcome === null ? "–" : String(outcome) === "1" ? "1" : "0"]);
      if (outcome !== null) rest = [];
    }
    const bits = pairs.map(([, bit]) => bit).filter((bit) => bit !== "–");
    const half = flips.length % 2 === 1;
    // What a bit took so far, beside what it takes on average.
    const costs = await ask({ ask: "cost", target: "2", source: "unknown:2", at: `p=${state.heads}/${PARTS}`, algorithms: ["von-neumann"] }, options);
    const [cost] = costs.records;
    const each = bits.length === 0 ? null : lowest(flips.length, bits.length);
    const seen = each && await ask({ ask: "decimals", of: each, digits: 5 }, options);
    return show(hands, h("h3", {}, "Flip pairs, by two hands"), h("p", {}, "Heads then tails is the bit 1, tails then heads the bit 0."),
      h("div", { class: "walk-faces of-2" }, h("button", { type: "button", class: "coin", onclick: () => flip("H") }, "Heads"), h("button", { type: "button", class: "coin", onclick: () => flip("T") }, "Tails")),
      h("p", { role: "status" }, flips.length === 0 ? "Nothing is flipped yet." : [`${flips.length} ${flips.length === 1 ? "flip" : "flips"}, ${bits.length} fair ${bits.length === 1 ? "bit" : "bits"}${bits.length > 0 ? ": " : ""}`, h("strong", {}, bits.slice(-60).join("")), half ? ". One more flip makes the pair." : "."]),
      h("ol", { class: "tokens pairs", "aria-label": "Pairs, and their bits" }, pairs.slice(-12).map(([pair, bit]) => h("li", { class: "token" }, pair, h("small", {}, bit === "–" ? " –" : ` ${bit}`))), half ? h("li", { class: "token" }, flips.at(-1)) : null),
      h("p", {}, "Flips for a bit: ", seen ? ["seen ", number({ exact: each, decimal: Number(seen.records[0].decimals), answer: seen, label: "Flips for a bit, as seen" }), "; "] : null,
        "on average ", number({ exact: cost.expected_exact, decimal: cost.expected, answer: costs, row: 0, column: "expected", label: "Flips for a bit by pairs", cite: cost.algorithm }), ` with heads ${cost.p}.`),
      h("div", { class: "choice" }, h("button", { type: "button", disabled: flips.length === 0, onclick: undo }, "Undo"),
        h("button", { type: "button", disabled: flips.length === 0, onclick: () => change({ pairs: "" }, true) }, "Start again")),
      h("p", { class: "hint keys" }, "Keys: H and T flip, Backspace takes the last one back."));
  }

  return { element, draw() {
    if (document.activeElement !== slider) slider.value = state.heads;
    shown.textContent = `${state.heads}/${PARTS}`;
    runs.price((options) => drawPrice(options));
    runs.plot((options) => drawCurves(options));
    runs.hands((options) => drawHands(options));
  }, set(changed) {
    state = changed;
  } };
}
