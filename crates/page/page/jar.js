// Randomness recycling: what one result leaves over is used for the next.

import { ask, cellOf, die, h, quiet, roll, rolls, s, show, table } from "./parts.js";

const MOST_BITS = 12;
const JAR_BOTTOM = 176;

/** Shows step by step the rolls that make these results in order, and the savings; `go` goes to a step, `renew` rolls again. */
export async function drawJar(jar, { targets, source, seed, step, go, renew }, options) {
  const told = await ask({ ask: "batch", targets, source, trace: true, seed: Number(seed) }, options);
  const last = told.records.length;
  const at = Math.min(Math.max(Math.trunc(Number(step)) || 0, 0), last);
  const now = at === 0 ? { v: 1, c: 0 } : told.records[at - 1];
  const bits = Math.log2(Number(now.v));
  const above = (count) => JAR_BOTTOM - 150 * Math.min(count / MOST_BITS, 1);
  const left = ({ v, c }) => (String(v) === "1" ? "nothing: v\u00a0=\u00a01" : `c\u00a0=\u00a0${c}, one of v\u00a0=\u00a0${v} numbers from 0`);
  const said = (record) => ({
    roll: () => `The ${die(record.die)} shows ${String(record.die) === "2" ? (record.face === 1 ? "heads" : "tails") : record.face}. The jar now holds ${left(record)}.`,
    reject: () => `Reject: the numbers in the jar do not divide evenly, and c was one of the rest. There is no result yet. The jar keeps the place of c in the rest: ${left(record)}.`,
    result: () => `A result: the d${record.die} shows ${record.face}. The jar still holds ${left(record)}.`,
  })[record.step]();
  const results = told.records.slice(0, at).filter((record) => record.step === "result");
  const saved = await ask({ ask: "batch", targets, source }, options);
  const words = { keep: "what is left is kept", separate: "each result from fresh rolls", product: "one large die for all results at once", bound: "the entropy: no method costs less" };
  show(jar, h("h2", "The jar"),
    h("div", { class: "choice no-print" },
      h("button", { class: "primary", disabled: at === last, onclick: () => go(at + 1) }, "Next step"),
      h("button", { disabled: at === 0, onclick: () => go(at - 1) }, "Back"),
      h("button", { disabled: at === last, onclick: () => go(last) }, "To the end"),
      h("button", { onclick: renew }, "New rolls")),
    h("div", { class: "beside" },
      s("svg", { viewBox: "0 0 170 190", class: "jar", role: "img", "aria-label": `The jar holds one of ${now.v} equally likely numbers` },
        s("rect", { class: "jar-fill", x: 16, y: above(bits), width: 98, height: JAR_BOTTOM - above(bits), rx: 4 }),
        s("path", { class: "jar-glass", d: "M30 8h70M34 8v10C18 24 14 32 14 44v122c0 8 5 14 13 14h76c8 0 13-6 13-14V44c0-12-4-20-20-26V8" }),
        [0, 3, 6, 9, 12].map((mark) => s("g", {}, s("line", { class: "jar-mark", x1: 116, x2: 123, y1: above(mark), y2: above(mark) }),
          s("text", { x: 127, y: above(mark) + 4 }, mark === MOST_BITS ? `${mark} bits` : String(mark))))),
      h("div", {},
        h("p", { class: "result", role: "status" }, at === 0 ? "The jar is empty: v = 1." : said(told.records[at - 1])),
        quiet(`v is how many numbers c could be, all equally likely. The height of the jar is log₂ v, in bits${bits > MOST_BITS ? `: more than the ${MOST_BITS} that are drawn` : ""}; only its picture ends at ${MOST_BITS}.`),
        h("p", "Results: ", results.length === 0 ? "none yet" : ""),
        h("ol", { class: "tokens", "aria-label": "Results" }, results.map((record) => h("li", { class: "token" }, String(record.face)))))),
    h("details", h("summary", "All steps"), h("ol", { class: "steps", tabindex: 0, "aria-label": "All steps" }, told.records.map((record) => h("li", said(record))))),
    table(`Expected ${rolls(source)} for all the results`, [{ name: "way" }, { name: `expected ${rolls(source)}`, number: true }],
      saved.records.map(({ mode }, i) => [words[mode] ?? mode, cellOf(saved, i, "expected", `${words[mode] ?? mode}, expected ${rolls(source)}`, { form: "decimal" })])),
    quiet(`A ${roll(source)} makes v ${source} times as large. A result of a die of n sides takes v down to about v/n. `, saved.notes.join(" ")));
}
