// How much is enough: how many rolls suffice for many results, except with a chosen probability.

import { curves } from "../curves.js";
import { lowest } from "../pairs.js";
import { answered, ask, asker, cellOf, choice, choose, dragged, field, first, h, number, orNone, raised, section, short, show, table, typed } from "../parts.js";
import { shareMenu } from "../share.js";
import { explainMethod, PLAIN } from "../words.js";

/** The draws of standards, each by its own rule. */
const PRESETS = [
  ["A class: 30 pupils, a d6 each from coins", { n: "6", count: "30", source: "2", method: "", block: "", offset: "", k: "10" }],
  ["ML-KEM (FIPS 203), SampleNTT", { n: "3329", count: "256", source: "word:12", method: "rejection", block: "112", offset: "", k: "128" }],
  ["ML-DSA (FIPS 204), RejNTTPoly", { n: "8380417", count: "256", source: "word:23", method: "rejection", block: "", offset: "", k: "128" }],
  ["ML-DSA-87 (FIPS 204), SampleInBall", { n: "197..256", count: "1", source: "word:8", method: "rejection-ceil", block: "136", offset: "8", k: "128" }],
  ["52 cards with a d6", { n: "2..52", count: "1", source: "6", method: "", block: "", offset: "", k: "20" }],
];
/** Default settings, for what applies only to one die and one method. */
const USUAL_METHOD = { method: "", block: "", offset: "" };
const FIRST = PRESETS[0][1];
/** The default exponent k of the failure probability 2^-k. */
const USUAL_POWER = "128";
const SOURCES = [["2", "coin flips"], ["6", "rolls of a d6"], ["word:4", "half bytes"], ["word:8", "bytes"], ["word:12", "words of 12 bits"], ["word:16", "words of 16 bits"], ["word:23", "words of 23 bits"], ["word:32", "words of 32 bits"], ["word:64", "words of 64 bits"]];
const METHODS = ["", "fast-dice-roller", "rejection", "rejection-ceil", "interval", "lemire", "base-conversion", "bitmask-words"];
const LEAST = 256;
/** The largest k with 2^k in words, and the most results with separate rolls. */
const [WORDS, MOST_OWN] = [30, 1000];
/** Points of the curve. */
const POINTS = 80;

export function view(place, remember) {
  let state = { ...FIRST };
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  const presets = choice("Presets");
  const text = (id, size, called, asks) => h("input", { id, size, "data-called": called, "data-asks": asks });
  const [n, count, block, offset] = [text("supply-n", 12, "Results", "targets"), text("supply-count", 6, "How many", "count"), text("supply-block", 5, "A block", "block"), text("supply-offset", 5, "Used before", "offset")];
  const write = [[n, "n", "3329"], [count, "count", "1"], [block, "block", ""], [offset, "offset", ""]].map(([field, name, usual]) => [name, typed(field, (value, passing) => change({ ...(name === "n" && USUAL_METHOD), [name]: value }, passing), { usual })]);
  const select = (id, label, options, name, others = {}) => h("select", { id, "aria-label": label, onchange: (event) => change({ ...others, [name]: event.target.value }) }, options.map(([value, shown]) => h("option", { value }, shown)));
  const source = select("supply-source", "Drawn from", SOURCES, "source", USUAL_METHOD);
  const method = select("supply-method", "Method", METHODS.map((id) => [id, id ? `${PLAIN[id]} (${id})` : "the usual method"]), "method");
  const slider = h("input", { type: "range", min: 1, max: LEAST, step: 1, id: "supply-k", "aria-label": "Failure probability, 2 to the minus" });
  const shown = h("output", { for: "supply-k" });
  const failure = text("supply-failure", 9, "Failure probability", "failure");
  failure.ariaLabel = "Failure probability, such as 1/100, 1 in 100 or 2^-10";
  /** A power is stored as its exponent, because a bare number is never a probability. */
  const powerIn = (given) => /^2\^-(\d{1,3})$/.exec(given)?.[1];
  const writeChance = typed(failure, (given, passing) => change({ k: powerIn(given) ?? (isPower(given) ? `${given}/1` : given) }, passing), { usual: `2^-${FIRST.k}`, read: (given) => given.replace(/^1 in ([\d,]+)$/i, (_, all) => `1/${all.replaceAll(",", "")}`) });
  dragged(slider, (k) => change({ k }, true));
  slider.addEventListener("input", () => {
    failure.value = `2^-${slider.value}`;
    show(shown, inWords(slider.value));
  });
  /** A power of 1/2, or a fraction as it was typed, with its meaning in words if that is known. */
  const chance = (k) => (isPower(k) ? [...raised(`2^-${k}`), inWords(k) && ` (${inWords(k)})`] : [k]);
  const inWords = (k) => (isPower(k) && k <= WORDS ? `1 in ${(2 ** k).toLocaleString("en")}` : "");
  const isPower = (k) => /^\d+$/.test(k);
  const chosen = () => (isPower(state.k) ? `2^-${state.k}` : state.k);
  /** The chosen power of 1/2; for a fraction, the nearest. */
  const powerOf = (told) => {
    const [fails] = told.query.failure;
    const [a, b = 1] = fails.split("/").map(Number);
    return Math.min(powerIn(fails) ?? Math.log2(b / a), 1000);
  };
  const headline = h("div", { class: "headline" });
  const plot = section("The tail", "card wide");
  const rows = section("Rolls that suffice", "card wide");
  block.dataset.means = "Number of words in a block, as from an extendable-output function: only whole blocks are counted";
  offset.dataset.means = "This many words of the first block are already used by something else";
  show(place,
    h("h1", "How much is enough?"),
    h("p", { class: "lead" }, "Methods that retry have no upper limit. Here is how many rolls, words or bytes are enough, at a failure probability you choose."),
    h("div", { class: "controls" }, presets),
    h("div", { class: "controls" }, field("Results, 0 to n − 1, n =", n), field("how many", count), field("from", source), field("by", method), field("block size", block), field("already used", offset)),
    h("div", { class: "controls" }, field("It may fail with probability", slider, failure, shown)),
    headline, h("div", { class: "grid" }, plot, rows));
  const runs = { headline: asker(headline), plot: asker(plot), rows: asker(rows) };

  const query = () => ({ ask: "supply", targets: state.n.split(/\s*,\s*/), count: Number(state.count), source: state.source, ...(state.method && { algorithm: state.method }), ...(state.block && { block: Number(state.block) }), ...(state.offset && { offset: Number(state.offset) }) });

  /** The distinct methods of a row, with the number of results that each makes. */
  const methodsOf = ({ algorithm }) => {
    const ids = algorithm.split(";");
    const each = [...new Set(ids)].map((id) => [ids.filter((other) => other === id).length, id]);
    return each.map(([times, id], i) => [i > 0 ? "; " : "", ids.length === 1 ? "By " : `${times} by `, explainMethod(id), PLAIN[id] ? `: ${PLAIN[id]}` : ""]).concat(".");
  };
  /** The command with the list of targets as it was typed. */
  const commandOf = (told) => told.command.replace(` ${told.query.targets.join(" ")} `, ` ${state.n.split(/\s*,\s*/).join(" ")} `);

  /** An answer with only the records of one method, the usual one; `others` has those of another method for words. */
  const ofOne = (told) => {
    const [mine, others] = [true, false].map((is) => told.records.filter(({ algorithm }) => (algorithm === told.records[0].algorithm) === is));
    // Programs read 3 bytes for a word of 23 bits, so the bytes of packed words would mislead.
    if (state.source === "word:23") return { ...told, records: mine.map((record) => ({ ...record, bytes: null })), others };
    if (state.source !== "word:8") return { ...told, records: mine, others };
    // A word of 8 bits is a byte, so the column of bytes would repeat the rolls.
    return { ...told, units: { ...told.units, rolls: "bytes" }, records: mine.map((record) => ({ ...record, bytes: null })), others };
  };

  /** The text about the rolls for each result, from those for all results. */
  async function eachOf(all, options) {
    const exact = lowest(BigInt(all), BigInt(state.count));
    const told = await ask({ ask: "decimals", of: exact, digits: 5 }, options);
    return number({ exact, decimal: Number(told.records[0].decimals), answer: told, label: "For each result" });
  }

  /** The rolls that suffice for each result if results cannot share rolls: where (1 - q)^count >= 1 - a/b, q the chance of more. */
  async function separateRolls({ records: [{ algorithm }], units, query: { failure: [fails] } }, options) {
    const count = Number(state.count);
    const [a, b] = /^\d+\/\d+$/.test(fails) ? fails.split("/").map(BigInt) : [0n, 1n];
    if (!/^\d+$/.test(state.n) || count > MOST_OWN || b > a << BigInt(WORDS) || state.block || state.offset) return "";
    const { count: _, ...one } = query();
    const bound = await orNone(ask({ ...one, failure: [`${a}/${BigInt(count) * b}`] }, options));
    const told = bound && await orNone(ask({ ask: "distribution", target: state.n, source: state.source, algorithm, upto: Number(bound.records[0].rolls) }, options));
    const enough = told?.records.find(({ survival_exact: exact }) => {
      const [q, all] = [...exact.split("/"), "1"].map(BigInt);
      return (all - q) ** BigInt(count) * b >= all ** BigInt(count) * (b - a);
    });
    return enough ? ["With separate ", units.rolls, ", ", number({ exact: String(enough.t), answer: told, label: "That suffice for each" }), ` each are enough for all ${count}, except with that probability.`] : "";
  }

  async function drawHeadline(options) {
    for (const [name, { dataset }] of Object.entries({ count, block, offset })) if (!(name === "count" ? /^0*[1-9]\d{0,14}$/ : /^\d{0,15}$/).test(state[name])) throw new Error(`${dataset.called}: write a whole number from ${name === "offset" ? 0 : 1} on`);
    const told = ofOne(answered(await ask({ ...query(), failure: [chosen()] }, options)));
    const [record] = told.records;
    const tail = Number(record.tail_log2 ?? NaN);
    if (document.activeElement !== slider) slider.value = powerOf(told);
    const cell = (column, label) => number({ exact: record[column], answer: told, label });
    const one = String(record.rolls) === "1";
    const unit = one ? told.units.rolls.replace(/s$/, "") : told.units.rolls;
    show(headline, h("p", { class: "answer" }, cell("rolls", "That suffice"), ` ${unit}`, (record.bytes ?? null) === null ? "" : [", ", cell("bytes", "Bytes that suffice"), " bytes,"], ` ${one ? "suffices" : "suffice"} for ${state.count === "1" ? "" : `${state.count} results of `}${state.n.length > 30 ? short(state.n) : `n = ${state.n}`}${state.count === "1" ? "" : " together"}, except with probability `, chance(state.k), "."),
      state.count === "1" || Number(record.rolls) === 0 ? null : h("p", "That is ", await eachOf(record.rolls, options), " each. ", await separateRolls(told, options)),
      h("p", methodsOf(record), " On average it takes ", cellOf(told, 0, "expected", "Expected"), ` ${unit}`,
        record.blocks !== null && state.block ? [`; ${state.block} at a time they are `, cell("blocks", "Blocks that suffice"), " blocks."] : ".",
        !Number.isFinite(tail) ? null : raised(` The probability that ${record.rolls} are not enough is ≈ 2^${tail.toFixed(2)}${tail >= -WORDS && tail < -1 ? ` (≈ 1 in ${Number((2 ** -tail).toPrecision(3)).toLocaleString("en")})` : ""}.`)),
      told.others.map((other) => h("p", methodsOf(other), " Then ", number({ exact: other.rolls, answer: told, label: "That suffice by another method" }), ` ${unit} suffice.`)),
      shareMenu({ name: () => "flipcost", sentence: () => headline.querySelector("p")?.textContent ?? "" }));
    return told;
  }

  async function drawPlot(answer, options) {
    const ends = ofOne(answered(await ask({ ...query(), block: 1, ...(state.offset ? { block: Number(state.block || 1) } : {}), failure: ["2^-1", `2^-${Math.min(Math.ceil(2 * powerOf(answer)), LEAST)}`] }, options)));
    const from = Math.max(Math.floor(ends.records[0].expected), 1);
    const enough = Number(answer.records[0].rolls);
    const to = Math.max(Number(ends.records[1].rolls), enough);
    const step = Math.max(Math.ceil((to - from) / POINTS), 1);
    const steps = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
    const at = [...new Set([...steps, enough, to])].sort((a, b) => a - b);
    const { block: _, offset: __, ...plain } = query();
    const told = ofOne(answered(await ask({ ...plain, at }, options)));
    const seen = told.records.filter((record) => Number.isFinite(Number(record.tail_log2)) && record.tail_log2 !== null);
    if (seen.length < 2) return show(plot, h("h2", "The probability that it is not enough"), h("p", `None: it never takes more than ${enough} ${told.units.rolls}.`));
    const limit = -powerOf(answer);
    show(plot, h("h2", "The probability that it is not enough"), curves({
      name: "flipcost-supply", label: `Probability that this many ${told.units.rolls} are not enough`, xs: seen.map((record) => Number(record.rolls)), at: (i) => `${seen[i].rolls} ${told.units.rolls}`,
      x: { name: told.units.rolls }, y: { name: "log₂ of the probability" }, answer: told,
      picked: Math.max(seen.findIndex((record) => Number(record.rolls) === enough), 0),
      curves: [{ name: "not enough", kind: 0, values: seen.map((record) => Number(record.tail_log2)), said: (i) => raised(`2^${Number(seen[i].tail_log2).toFixed(2)}`) }, { name: "the probability chosen", kind: 4, values: seen.map(() => limit), said: () => chance(state.k) }],
    }), h("details", { class: "hint commands" }, h("summary", "The command"), h("code", { tabindex: 0 }, commandOf(told))));
  }

  async function drawRows(answer, options) {
    const powers = powerOf(answer) < 40 ? [5, 7, 10, 20, 30, 40] : [40, 64, 80, 128, 192, 256];
    const names = powers.map((k) => `2^-${k}`);
    const told = ofOne(answered(await ask({ ...query(), failure: names }, options)));
    const isThere = (column) => told.records.some((record) => (record[column] ?? null) !== null);
    const columns = [["rolls", told.units.rolls], ...["bytes", ...(state.block ? ["blocks"] : [])].filter(isThere).map((name) => [name, name])];
    show(rows, table("What suffices, except with a probability", [{ name: "probability" }, ...columns.map(([, name]) => ({ name, number: true }))],
      told.records.map((record, i) => [chance(powers[i]), ...columns.map(([column, name]) => ((record[column] ?? null) === null ? "" : number({ exact: record[column], answer: told, label: `${names[i]}, ${name}` })))])),
    h("p", { class: "hint after" }, told.notes.filter((note) => !/is left out/.test(note)).join(". ")));
  }

  async function draw() {
    show(presets, PRESETS.map(([name, preset]) => h("button", { "aria-pressed": String(Object.entries(preset).every(([key, value]) => state[key] === value)), onclick: () => change(preset) }, name)));
    for (const [name, set] of write) set(state[name]);
    choose(source, state.source);
    method.value = METHODS.includes(state.method) ? state.method : "";
    writeChance(chosen());
    show(shown, inWords(state.k));
    const told = await first(runs, "headline", (options) => drawHeadline(options), draw);
    if (!told) return;
    // If no roll is needed, there is no curve.
    if (Number(told.records[0].rolls) === 0) {
      runs.plot.clear();
      runs.rows.clear();
      return;
    }
    runs.plot((options) => drawPlot(told, options));
    runs.rows((options) => drawRows(told, options));
  }

  return {
    update(given) {
      const usual = given.n ? { n: given.n, count: "1", source: "2", ...USUAL_METHOD } : FIRST;
      const chance = powerIn(given.k) ?? (given.k || (given.n ? USUAL_POWER : FIRST.k));
      const k = isPower(chance) ? String(Math.min(Math.max(Number(chance), 1), LEAST)) : chance;
      const whole = (text) => (/^\d{1,15}$/.test(text) ? text : "");
      state = { ...usual, ...Object.fromEntries(Object.keys(usual).filter((key) => given[key] !== undefined).map((key) => [key, given[key]])), k };
      state.block = whole(state.block);
      state.offset = whole(state.offset);
      draw();
    },
  };
}
