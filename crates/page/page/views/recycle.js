// Randomness recycling: what is left over from one result serves the next.

import { ask, asker, cellOf, choice, die, h, option, quiet, roll, rolls, s, section, show, table, typed } from "../parts.js";

const MOST_BITS = 12;
const JAR_BOTTOM = 176;
const USUAL = "4,13,4,13";

export function view(place, remember) {
  let state = { source: "6", targets: USUAL, seed: "1", step: "0" };
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  /** Steps are many: the way back leads to before them. */
  const go = (step) => {
    state = { ...state, step: String(step) };
    remember(state, true);
    draw(true);
  };
  const targets = h("input", { id: "recycle-targets", size: 20, "data-asks": "targets", "data-called": "Results wanted" });
  const write = typed(targets, (text, passing) => change({ targets: text, step: "0" }, passing), { usual: USUAL });
  const source = choice("Source");
  const jar = section("The jar");
  const costs = section("Costs");
  show(place,
    h("h1", "Recycling"),
    h("p", { class: "lead" }, "A roll fills the jar with randomness, a result drains it. What is left over is kept for the next result. Nothing is thrown away but, now and then, a little in a step called reject."),
    h("div", { class: "controls" }, h("div", { class: "field" }, h("label", { for: "recycle-targets" }, "Results wanted, in order"), targets), h("div", { class: "field" }, h("span", { class: "label" }, "from"), source),
      h("button", { onclick: () => change({ seed: String(crypto.getRandomValues(new Uint32Array(1))[0]), step: "0" }) }, "New rolls")),
    h("div", { class: "grid" }, jar, costs));
  const runs = { jar: asker(jar), costs: asker(costs) };
  /** A list as the engine reads it; blanks between two numbers separate, too. */
  const wanted = () => state.targets.replace(/([\w)])\s+(?=[\w(])/g, "$1,");

  async function drawJar(options) {
    const told = await ask({ ask: "batch", targets: wanted(), source: state.source, trace: true, seed: Number(state.seed) }, options);
    const last = told.records.length;
    const at = Math.min(Math.max(Math.trunc(Number(state.step)) || 0, 0), last);
    const now = at === 0 ? { v: 1, c: 0 } : told.records[at - 1];
    const bits = Math.log2(Number(now.v));
    const above = (count) => JAR_BOTTOM - 150 * Math.min(count / MOST_BITS, 1);
    const left = ({ v, c }) => (String(v) === "1" ? "nothing: v\u00a0=\u00a01" : `c\u00a0=\u00a0${c}, one of v\u00a0=\u00a0${v} numbers from 0`);
    const said = (record) => ({
      roll: () => `The ${die(record.die)} shows ${String(record.die) === "2" ? (record.face === 1 ? "heads" : "tails") : record.face}. The jar now holds ${left(record)}.`,
      reject: () => `Reject: the numbers in the jar could not all be shared out evenly, and c was one of those that were over. No result yet. Kept is which one of them it was: ${left(record)}.`,
      result: () => `A result: the d${record.die} shows ${record.face}. Left in the jar is ${left(record)}.`,
    })[record.step]();
    const results = told.records.slice(0, at).filter((record) => record.step === "result");
    show(jar, h("h2", "The jar"),
      h("div", { class: "choice no-print" },
        h("button", { class: "primary", disabled: at === last, onclick: () => go(at + 1) }, "Next step"),
        h("button", { disabled: at === 0, onclick: () => go(at - 1) }, "Back"),
        h("button", { disabled: at === last, onclick: () => go(last) }, "To the end")),
      h("div", { class: "beside" },
        s("svg", { viewBox: "0 0 170 190", class: "jar", role: "img", "aria-label": `The jar holds one of ${now.v} equally likely numbers` },
          s("rect", { class: "jar-fill", x: 16, y: above(bits), width: 98, height: JAR_BOTTOM - above(bits), rx: 4 }),
          s("path", { class: "jar-glass", d: "M30 8h70M34 8v10C18 24 14 32 14 44v122c0 8 5 14 13 14h76c8 0 13-6 13-14V44c0-12-4-20-20-26V8" }),
          [0, 3, 6, 9, 12].map((mark) => s("g", {}, s("line", { class: "jar-mark", x1: 116, x2: 123, y1: above(mark), y2: above(mark) }),
            s("text", { x: 127, y: above(mark) + 4 }, mark === MOST_BITS ? `${mark} bits` : String(mark))))),
        h("div", {},
          h("p", { class: "result", role: "status" }, at === 0 ? "The jar is empty: v = 1." : said(told.records[at - 1])),
          quiet(`v is how many numbers c could be, all equally likely. The height of the jar is log₂ v, in bits${bits > MOST_BITS ? `: more than the ${MOST_BITS} that are drawn` : ""}; that it ends at ${MOST_BITS} is only the picture.`),
          h("p", "Results: ", results.length === 0 ? "none yet" : ""),
          h("ol", { class: "tokens", "aria-label": "Results" }, results.map((record) => h("li", { class: "token" }, String(record.face)))))),
      h("details", h("summary", "All steps"), h("ol", { class: "steps", tabindex: 0, "aria-label": "All steps" }, told.records.map((record) => h("li", said(record))))));
  }

  async function drawCosts(options) {
    const told = await ask({ ask: "batch", targets: wanted(), source: state.source }, options);
    const words = { keep: "what is left is kept", separate: "each result from fresh rolls", product: "one large die for all results at once", bound: "the entropy: no method costs less" };
    show(costs, h("h2", "What it saves"),
      table(`Expected ${rolls(state.source)} for all the results`, [{ name: "way" }, { name: `expected ${rolls(state.source)}`, number: true }],
        told.records.map(({ mode }, i) => [words[mode] ?? mode, cellOf(told, i, "expected", `${words[mode] ?? mode}, expected ${rolls(state.source)}`, { form: "decimal" })])),
      quiet(`A ${roll(state.source)} makes v ${state.source} times as large. A result of a die of n sides takes v down to about v/n. `, told.notes.join(" ")));
  }

  async function draw(keep) {
    write(state.targets);
    show(source, ["2", "6", "10", "20"].map((m) => option(`a ${die(m)}`, m === state.source, () => change({ source: m, step: "0" }))));
    // What the jar says of a bad list is not said again by the costs: they are asked after it.
    const told = await runs.jar(drawJar, () => draw());
    if (told !== null && !keep) runs.costs(drawCosts);
  }

  return {
    update(given) {
      state = { source: given.source ?? "6", targets: given.targets || USUAL, seed: given.seed ?? "1", step: given.step ?? "0" };
      draw();
    },
  };
}
