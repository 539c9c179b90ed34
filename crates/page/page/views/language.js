// What the libraries of languages draw for one result, and how biased they are.

import { answered, ask, asker, brief, die, entropyOf, first, grouped, h, number, ratio, show, table, target, ungrouped } from "../parts.js";

/** Other names of languages. */
const ALSO = { js: "JavaScript", golang: "Go", cpp: "C++", "c#": ".NET" };

export function view(place, remember) {
  let state = { n: "6", word: "", by: "bits", turned: "" };
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  const n = target({ value: state.n, label: "A die of n =", id: "language-n", change: (value, passing) => change({ n: value }, passing) });
  const word = h("input", { type: "text", id: "language-word", size: 14, autocomplete: "off", "aria-describedby": "language-about" });
  word.addEventListener("change", () => change({ word: word.value.trim() }));
  const headline = h("div", { class: "headline" });
  const list = h("section", { class: "card wide", "aria-label": "Libraries" });
  show(place,
    h("h1", {}, "How does your language roll dice?"),
    h("p", { class: "lead" }, "The random bits that real libraries draw for one result, exactly, and how far from fair they are."),
    h("div", { class: "controls" }, n.element, h("div", { class: "field" }, h("label", { for: "language-word" }, "Language or function"), word, h("span", { class: "hint", id: "language-about" }, "Such as Go or rand. Empty: all of them."))),
    headline, h("div", { class: "grid" }, list));
  const runs = { headline: asker(headline), list: asker(list) };
  /** The greatest bias first, else the least; a second click on a head turns it round. */
  const descending = () => (state.by === "bias") !== (state.turned === "yes");

  /** When someone notices, from what the engine says of it. */
  const detect = (said) => ({ infinite: "never: it is fair", "-": "so few that the test says nothing of them" })[said] ?? `about ${said.replace("≈ ", "")} results`;

  async function work(options) {
    const wanted = ALSO[state.word.toLowerCase()] ?? state.word;
    const told = answered(await ask({ ask: "libraries", target: state.n, ...(wanted ? { word: wanted } : {}) }, options));
    const optimum = answered(await ask({ ask: "cost", target: state.n, algorithms: ["fast-dice-roller"], columns: ["expected_exact", "expected", "entropy", "toll"] }, options));
    const best = optimum.records[0];
    const all = told.records.map((record, i) => ({ ...record, row: i }));
    // The name of a language is that language, before it is a part of other names.
    const exactly = all.filter((record) => record.language.toLowerCase() === wanted.toLowerCase());
    const rows = exactly.length > 0 ? exactly : all;
    const known = (record) => record.words !== null;
    const bits = (record) => record.bits_drawn ?? null;
    const order = {
      bits: (a, b) => bits(a) - bits(b),
      bias: (a, b) => a.total_variation - b.total_variation,
      language: (a, b) => a.language.localeCompare(b.language) || a.id.localeCompare(b.id),
    }[state.by];
    // What has no number stands last in either order.
    const none = (record) => ({ bits: bits(record) === null, bias: !known(record), language: false })[state.by];
    const down = descending();
    rows.sort((a, b) => none(a) - none(b) || (none(a) ? 0 : down ? order(b, a) : order(a, b)));
    const most = Math.max(...rows.map((record) => record.bits_drawn ?? 0), 1);
    const biased = rows.filter((record) => record.total_variation_exact && record.total_variation_exact !== "0");
    show(headline,
      h("p", { class: "answer" }, `A ${die(state.n)} needs `, number({ exact: best.expected_exact, decimal: best.expected, answer: optimum, row: 0, column: "expected", label: "Least expected bits" }),
        " random bits at least. The libraries below draw up to ", brief(most), " for one result."),
      h("p", {}, `${biased.length} of ${rows.length} ${biased.length === 1 ? "is" : "are"} biased for this n. No method gets below log₂ n, which is `, number({ exact: entropyOf(optimum.records), decimal: best.entropy, answer: optimum, row: 0, column: "entropy", label: "Entropy in bits", form: "decimal" }), " bits."));
    const head = (name, by, isNumber) => ({
      name,
      number: isNumber,
      sort: state.by !== by ? null : down ? "descending" : "ascending",
      shown: [h("button", { type: "button", class: "link", onclick: () => change({ by, turned: state.by === by && !state.turned ? "yes" : "" }) }, name),
        state.by === by ? h("span", { "aria-hidden": "true" }, down ? " ▼" : " ▲") : null],
    });
    show(list, table(`What is drawn for one result of a ${die(state.n)}`,
      [head("function", "language"), head("bits drawn", "bits", true), { name: "", shown: h("span", { class: "bar-head" }, `0 to ${brief(most)} bits`) }, head("bias", "bias"), { name: "someone notices after" }],
      rows.map((record) => {
        const fair = !record.total_variation_exact || record.total_variation_exact === "0";
        const cells = [
          [h("b", {}, record.language), " ", record.function, h("br"), h("span", { class: "hint" }, h("code", {}, record.id), ` (${record.version})`)],
          !known(record) ? "n too large" : bits(record) === null ? "not whole bits" : number({ exact: record.bits_drawn_exact, decimal: record.bits_drawn, answer: told, row: record.row, label: `${record.id}, bits drawn`, form: "decimal" }),
          h("span", { class: "bar", style: { width: "6rem" }, "aria-hidden": "true" }, h("span", { style: { width: `${100 * ratio(record.bits_drawn ?? 0) / most}%` } })),
          !known(record) ? "" : fair ? h("span", { class: "tag fair" }, "none") : [h("span", { class: "tag" }, "biased"), " ", number({ exact: record.total_variation_exact, decimal: record.total_variation, answer: told, row: record.row, label: `${record.id}, total variation`, form: "decimal" })],
          !known(record) ? "" : fair ? "" : detect(told.said[record.row].detect),
        ];
        cells.class = fair ? null : "biased";
        return cells;
      }), "libraries"),
    h("p", { class: "hint" }, "Bias is the total variation distance from a fair die. When someone notices: a test of all outcomes with size 0.01 and power 0.9, an asymptotic number. ", told.notes.join(" ")));
  }

  function draw() {
    n.set(state.n);
    word.value = state.word;
    first(runs, "headline", work, draw);
  }

  return {
    update(given) {
      state = { n: ungrouped(given.n ?? "6"), word: given.word ?? "", by: ["bits", "bias", "language"].includes(given.by) ? given.by : "bits", turned: given.turned === "yes" ? "yes" : "" };
      draw();
    },
  };
}
