// Your own rule: a program in a text area, its verdict, its exact cost, its outcomes and its tree.

import { answered, ask, asker, capital, choice, choose, field, first, h, number, orNone, quiet, ratio, roll, rolls, rollsFor, scroller, section, short, show, table, tens, typed, ungrouped } from "../parts.js";
import { shareMenu } from "../share.js";
import { explain } from "../words.js";
import { colour, treePicture } from "../tree.js";

/** Rules to start from: where each comes from, its die and its source. */
const EXAMPLES = [
  ["A template", { ask: "rule-new" }, { n: "6", source: "2", name: "my.rhai" }],
  ["Rejection", { ask: "list-algorithms", algorithm: "rejection-ceil", as_rule: true }, { n: "6", source: "2", name: "rejection.rhai" }],
  ["Fast dice roller", { ask: "list-algorithms", algorithm: "fast-dice-roller", as_rule: true }, { n: "6", source: "2", name: "fast-dice-roller.rhai" }],
  ["Three flips modulo n", { ask: "rule-new", example: "three-flips-modulo-6" }, { n: "6", source: "2", name: "three-flips.rhai" }],
  ["A recycler", { ask: "rule-new", example: "recycler" }, { n: "9", source: "2", name: "recycler.rhai" }],
  ["A shuffle that swaps with any", { ask: "rule-new", example: "shuffle-swap-any" }, { n: "6", source: "3", name: "swap-any.rhai" }],
];
const SOURCES = [["2", "a coin"], ["3", "a d3"], ["4", "a d4"], ["6", "a d6"], ["10", "a d10"], ["20", "a d20"], ["word:8", "bytes"], ["unknown:2", "a coin of unknown bias"]];
/** Levels and leaves of the drawn tree. */
const [DEPTH, LEAVES] = [4, 64];
/** Results that are shown at first. */
const FEW = 14;
/** The language in short: notations with their meanings. */
const RHAI = [
  ["n, m", "numbers of results and of faces of the source (2 for a coin)"],
  ["flip()", "0 or 1"], ["roll(m)", "1 to m"], ["word(w)", "w bits, as a number from 0"],
  ["let x = 0; x += 1;", "a variable"],
  ["if x < n { … } else { … }", "a choice; && is and, || is or"],
  ["while x < n { … }", "again and again; also for i in 0..3 { … }"],
  ["loop { … }", "forever, until return or break"],
  ["return x;", "the result, 0 to n − 1"],
  ["a / b, a % b, a ** b", "whole division, its remainder, a power"],
];
const counted = (count, word) => `${count} ${word}${String(count) === "1" ? "" : "s"}`;

export function view(place, remember) {
  let state = { text: "", name: "my.rhai", n: "6", source: "2" };
  /** The last requested example, unless something came after it. */
  let latest = null;
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  const area = h("textarea", { id: "rule-text", rows: 8, cols: 60, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off" });
  const write = typed(area, (text, passing) => change({ text, name: "my.rhai" }, passing), { wait: 700 });
  // Typing removes the verdict, which is about the earlier text.
  const forget = () => {
    for (const run of Object.values(runs)) run.clear();
    if (area.value.trim() === "") show(headline, h("p", "There is no rule yet: write one, or start from an example."));
  };
  area.addEventListener("input", () => {
    latest = null;
    if (area.value.trim() !== state.text) forget();
  });
  area.addEventListener("keydown", (event) => {
    // The tab key indents; after Escape it leaves the field.
    if (event.key !== "Tab" || event.shiftKey || area.dataset.leaves) return;
    event.preventDefault();
    area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input"));
  });
  area.addEventListener("keydown", (event) => (area.dataset.leaves = event.key === "Escape" ? "yes" : ""));
  const n = h("input", { id: "rule-n", size: 8, "data-asks": "targets", "data-called": "n" });
  const writeN = typed(n, (text, passing) => change({ n: text }, passing), { usual: "6", read: ungrouped });
  const source = h("select", { id: "rule-source", onchange: () => change({ source: source.value }) }, SOURCES.map(([value, shown]) => h("option", { value }, shown)));
  const examples = choice("Examples");
  const headline = h("div", { class: "headline" });
  const [bars, tree] = [section("Outcomes"), section("Tree")];
  show(place,
    h("h1", "Your own rule"),
    h("p", { class: "lead" }, "Write down how you make a number from 0 to n − 1 out of flips or rolls, as a program in Rhai. flipcost does not simulate it, but follows every path of the program. This proves whether it is fair, what it costs and whether it ends."),
    h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "Start from"), examples)),
    h("div", { class: "grid" },
      h("div", { class: "stack" }, section("The rule", "card",
        h("div", { class: "controls" }, field("n =", n), field("from", source), shareMenu({ name: () => "flipcost", sentence: () => `A rule for n = ${short(state.n)} from ${source.selectedOptions[0]?.textContent}: ${headline.querySelector("p")?.textContent ?? ""}` })),
        h("label", { for: "rule-text", class: "hint" }, "return x ends it with the result x, from 0. Tab indents, Escape and Tab leave."), area,
        h("details", h("summary", "Rhai in short"), h("ul", RHAI.map(([text, means]) => h("li", h("code", text), `: ${means}`)))))),
      h("div", { class: "stack verdict" }, headline, bars), tree));
  const runs = { headline: asker(headline), bars: asker(bars), tree: asker(tree) };
  const isUnknown = () => state.source.startsWith("unknown");
  const rule = () => `${state.name}\n${state.text}`;

  /** Loads an example, unless another one is chosen or somebody types before it is loaded. */
  async function start(example, passing) {
    latest = example;
    const [, query, about] = example;
    const told = await ask(query);
    if (latest === example) change({ ...about, text: told.text.trimEnd() }, passing);
  }

  async function drawVerdict(options) {
    const told = answered(await ask({ ask: "rule-check", rule: rule(), targets: state.n, source: state.source }, options));
    const [record] = told.records;
    const fair = String(record.fair) === "true";
    const faces = isUnknown() ? "2" : state.source;
    const unit = (count) => (state.source === "word:8" ? (String(count) === "1" ? "byte" : "bytes") : rollsFor(faces, count));
    const decimals = new Map();
    for (const exact of [record.expected_exact, record.optimum_exact]) if (/^\d+\/\d+$/.test(exact)) decimals.set(exact, Number((await ask({ ask: "decimals", of: exact, digits: 5 }, options)).records[0].decimals));
    const cost = (column, label) => number({ exact: record[column], decimal: decimals.get(record[column]), answer: told, label });
    // The worst case needs another question.
    const bounded = String(record.bounded) === "true";
    const most = bounded && !isUnknown()
      ? (await orNone(ask({ ask: "cost", target: state.n, source: state.source, algorithms: [`rule:${rule()}`], columns: ["worst_case"] }, options)))?.records[0]?.worst_case : null;
    const limit = bounded ? ` This rule never takes more than ${Number.isInteger(most) ? `${most} ${unit(most)}` : "a fixed number of rolls"}.`
      : ` This rule has no worst case: no number of ${rolls(faces)} is always enough.`;
    const notice = h("div");
    // If the rule may never end, the notes have proved bounds for each result.
    const bounds = /^the outcome (\S+) has at least the probability (\S+), and at most what is undecided more$/;
    const notes = told.notes.map((note) => note.replace(/^n = \d+: /, "").replace(/\brolls\b/, rolls(state.source)));
    const [atLeast, said] = [notes.map((note) => bounds.exec(note)).filter(Boolean), notes.filter((note) => !bounds.test(note))];
    show(headline, h("p", { class: "answer" }, h("span", { class: fair ? "tag fair" : "tag" }, fair ? "fair" : record.fair === null ? "not decided" : "not fair"), " ",
      fair ? `It is proved: each result from 0 to ${/^\d{1,20}$/.test(state.n) ? `${BigInt(state.n) - 1n} has probability 1/${state.n}` : "n − 1 has probability 1/n"}.` : record.witness ? `${record.witness}.` : `${told.summary ?? told.notes[0]}`),
    record.expected_exact === null ? null : h("p", "It takes ", cost("expected_exact", "Expected"), ` ${unit(record.expected_exact)} on average`, record.optimum_exact === null ? "." : ["; the least of any fair rule is ", cost("optimum_exact", "The least of any fair rule"), "."], limit),
    record.ends_exact !== null && record.ends_exact !== "1" ? h("p", "It ends with probability ", cost("ends_exact", "It ends"), ".") : null,
    record.total_variation_exact && record.total_variation_exact !== "0" ? h("p", "Its ", explain("total variation", "total variation distance", async () => "How far the results are from equally likely: the largest difference between the probability of a set of results and its probability with a fair die. 0 is fair."), " from fair is ", cost("total_variation_exact", "Total variation"), ".") : null,
    notice,
    said.length > 0 ? quiet(said.map((note) => `${capital(note)}.`).join(" ")) : null,
    atLeast.length > 0 ? table("As far as the rule was followed", [{ name: "result" }, { name: "probability, at least", number: true }], atLeast.map(([, result, share]) => [result, share])) : null,
    quiet(`${record.fair === null ? "It was followed through" : "The rule has"} ${record.states} `, explain("state", String(record.states) === "1" ? "state" : "states", async () => "A place in the rule at which it asks for the next roll, with the values of its variables there. All of them were followed, which is the proof."), "."));
    if (!fair && told.probabilities && record.ends_exact === "1") notice.replaceChildren(...await noticedAfter(told, options));
    return told;
  }

  /** The number of results after which a test finds the bias. */
  async function noticedAfter(told, options) {
    const shares = told.probabilities.split(" ").map((share) => [...share.split("/"), "1"].slice(0, 2).map(BigInt));
    const common = shares.reduce((all, [, b]) => (all % b === 0n ? all : all * b), 1n);
    const law = shares.map(([a, b]) => a * common / b).join(":");
    const apart = await orNone(ask({ ask: "distance", law, other: String(shares.length) }, options));
    const results = apart?.said[0].detect;
    return results && results !== "-" ? [h("p", `Somebody notices after about ${tens(results)} results: by a chi-square test of all results with size 0.01 and power 0.9, an asymptotic number.`)] : [];
  }

  /** Draws the probability of each outcome, with a line at the fair value, and the cost beside the least cost. */
  function drawBars(told) {
    const [record] = told.records;
    const all = told.probabilities?.split(" ") ?? [];
    const most = Math.max(...all.map(ratio), 0) || 1;
    const bar = (value, of, mark) => h("span", { class: "bar marked", "aria-hidden": "true" }, h("span", { style: { width: `${100 * value / of}%` } }), mark === null ? null : h("i", { style: { left: `${100 * mark / of}%` } }));
    const line = (name, exact, value, of, mark) => h("li", h("span", { class: "outcome" }, name), bar(value, of, mark), h("span", { class: "share" }, exact.length > 26 ? `${exact.slice(0, 25)}…` : exact));
    const [cost, least] = [record.expected_exact, record.optimum_exact];
    const costs = cost !== null && least !== null && !/p/.test(cost) ? [["yours", cost], ["least", least]] : [];
    // With many results, neighbours with equal probabilities share a line.
    const alike = all.map((exact, i) => ({ from: i, to: i, exact })).reduce((groups, one) => {
      if (all.length > FEW && groups.at(-1)?.exact === one.exact) groups.at(-1).to = one.to;
      else groups.push(one);
      return groups;
    }, []);
    const few = alike.length > FEW + 4 ? FEW : alike.length;
    const results = (begin, end) => h("ul", { class: "shares" }, alike.slice(begin, end).map(({ from, to, exact }) => line(from === to ? String(from) : `${from} to ${to}`, `${exact}${from === to ? "" : " each"}`, ratio(exact), most, 1 / all.length)));
    if (all.length === 0 && costs.length === 0) return show(bars);
    return show(bars,
      costs.length > 0 ? [h("h2", "The cost beside the optimum"), h("ul", { class: "shares costs" }, costs.map(([name, exact]) => line(name, exact, ratio(exact), Math.max(ratio(cost), ratio(least)) || 1, null)))] : null,
      all.length > 0 ? [h("h2", `The ${all.length} results`), results(0, few), few < alike.length ? h("details", h("summary", `The other ${all.length - alike[few].from}`), results(few)) : null, quiet("The line marks where the bars of a fair die end.")] : null);
  }

  /** The readable part of the tree; its results are those that the rule returns, as in the bars. */
  async function drawTree(options) {
    if (isUnknown()) return show(tree);
    const faces = 2 ** /^word:(\d+)$/.exec(state.source)?.[1] || Number(state.source);
    let told = null;
    for (let depth = faces > LEAVES ? 0 : DEPTH; depth > 0 && !told; depth -= 1) {
      told = await orNone(ask({ ask: "show", view: "tree", target: state.n, source: state.source, algorithm: `rule:${rule()}`, depth }, options));
      const leaves = told?.records.filter(({ node }) => !told.records.some(({ parent }) => parent === node)).length;
      if (told && leaves > LEAVES) told = null;
    }
    if (!told) return show(tree, h("h2", "The tree"), h("p", `One ${roll(state.source)} has too many faces here: a tree of them cannot be read.`));
    const records = told.records.map((record) => (record.outcome === null || record.outcome === undefined ? record : { ...record, outcome: BigInt(record.outcome) - 1n, colour: colour(record.outcome) }));
    const levels = Math.max(...records.map(({ depth }) => depth));
    const drawn = treePicture(records, { name: (face) => (state.source === "2" ? "HT"[face - 1] : face), room: area.clientWidth, label: `Decision tree of the rule for n = ${state.n}, ${counted(levels, "level")}` });
    return show(tree, h("h2", "The tree"), scroller("Picture of the tree", drawn),
      quiet(`The picture shows the first ${levels === 1 ? roll(state.source) : `${levels} ${rolls(state.source)}`}; at an open circle the tree goes on. A box shows the returned result and its probability.${state.source === "2" ? " H is flip() = 0 or roll(2) = 1; T is flip() = 1 or roll(2) = 2." : ""}`));
  }

  async function draw() {
    show(examples, EXAMPLES.map((example) => h("button", { onclick: () => start(example) }, example[0])));
    write(state.text);
    area.rows = Math.min(Math.max(state.text.split("\n").length + 1, 8), 30);
    writeN(state.n);
    choose(source, state.source);
    forget();
    if (state.text === "") return;
    const told = await first(runs, "headline", drawVerdict, draw);
    if (!told) return;
    runs.bars(async () => drawBars(told));
    runs.tree((options) => drawTree(options));
  }

  return {
    update(given) {
      latest = null;
      state = { text: given.text ?? "", name: /^[\w.-]{1,60}$/.test(given.name ?? "") ? given.name : "my.rhai", n: given.n || "6", source: given.source || "2" };
      if (state.text === "") orNone(start(EXAMPLES[1], true)).then((told) => told === null && draw());
      else draw();
    },
  };
}
