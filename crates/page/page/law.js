// Observed results drawn over exact values: flips per result, how their mean settles, and how often
// each outcome came; results are kept across reloads; lines for paper, and the full screen.

import { levels } from "./curves.js";
import { lowest } from "./pairs.js";
import { brief, h, option, quiet, ratio, rolls, s, short, table, ticks } from "./parts.js";

/** Pixels to the left of a picture for labels. */
const LEFT = 44;
/** Pixels of a digit above a bar. */
const LETTER = 6.8;
/** The largest number of results whose mean is drawn. */
const MOST_MEANS = 240;
/** The number of lines on paper for a person's own results. */
const OWN_ROWS = 20;

/** Results, as [rolls, result], counted by rolls and by outcome, and the mean after each. */
export function seenOf(all) {
  const seen = { results: all.length, said: `${all.length} ${all.length === 1 ? "result" : "results"}`, flips: 0, by: new Map(), outcomes: new Map(), means: [] };
  all.forEach(([rolls, result], i) => {
    seen.flips += rolls;
    for (const [counts, what] of [[seen.by, rolls], [seen.outcomes, result]]) counts.set(what, (counts.get(what) ?? 0) + 1);
    seen.means.push([i + 1, seen.flips]);
  });
  return seen;
}

/** The value stored under a name, or null. */
export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* a browser that keeps nothing */ }
}

/** A multiple of a fraction as a mixed number: 166 2/3. */
export function mixed(count, fraction) {
  if (fraction === null) return "";
  const [a, b] = [...fraction.split("/"), "1"].map(BigInt);
  const [all, whole] = [a * BigInt(count), a * BigInt(count) / b];
  const over = all % b === 0n ? null : lowest(all % b, b);
  return [over && whole === 0n ? null : String(whole), over && short(over)].filter(Boolean).join(" ");
}

/** The chance and the observed count of each number of flips; the last row is for all larger numbers. */
export function withRest(records, seen) {
  const last = records.at(-1);
  const bars = records.map((record) => ({ ...record, name: String(record.t), times: seen.by.get(record.t) ?? 0 }));
  const times = seen.results - bars.reduce((all, bar) => all + bar.times, 0);
  return last.survival_exact === "0" ? bars : [...bars, { t: last.t + 1, name: `${last.t + 1}+`, times, probability: last.survival, probability_exact: last.survival_exact }];
}

/** The exact chances of each number of flips as wide bars, with the observed ones; `all` is the available width. */
export function lawPicture({ records: listed, seen, mine, observed, now, source, all, height = 120 }) {
  const records = withRest(listed, seen);
  const share = (record) => record.times / seen.results;
  const highest = Math.max(...records.map((record) => ratio(record.probability)), ...(seen.results > 0 ? records.map(share) : []), 1e-9) * 1.15;
  const left = LEFT, top = 34, bottom = top + height, width = Math.min(all / records.length, Math.max(all / 14, 30));
  const y = (value) => top + height * (1 - Math.min(value / highest, 1));
  const x = (value) => left + (value - records[0].t + 0.5) * width;
  const mark = (value, kind, text, at) => (Number.isFinite(value) && x(value) < left + all ? s("g", { class: kind }, s("line", { x1: x(value), x2: x(value), y1: at + 4, y2: bottom }), s("text", { x: x(value) + 4, y: at + 8 }, text)) : null);
  /** If there are many bars, only every fifth and the last are numbered. */
  const [each, apart] = records.length > 20 ? [5, 3] : [1, width < 26 ? 2 : 1];
  return s("svg", { viewBox: `0 0 ${left + all + 4} ${bottom + 36}`, class: "law", role: "img", "aria-label": `Chances of each number of ${rolls(source)}: the table below has the numbers` },
    s("text", { x: 2, y: 9 }, "chance"),
    levels(ticks(0, highest, 4), y, left, left + all, 5),
    records.map((record, i) => {
      const [begin, often, exact] = [left + i * width, share(record), y(ratio(record.probability))];
      const middle = { x: begin + width / 2 - 1, "text-anchor": "middle" };
      return s("g", {},
        s("rect", { x: begin + 1, y: Math.min(exact, bottom - 0.5), width: width - 3, height: Math.max(bottom - exact, 0.5), class: record.t === Math.min(now, records.at(-1).t) ? "now" : "later" }, s("title", {}, `${record.name}: ${record.probability_exact}`)),
        often > 0 && s("rect", { class: "seen", x: begin + width * 0.3, y: y(often), width: width * 0.4, height: bottom - y(often) }),
        often > 0 && LETTER * String(record.times).length <= width && s("text", { ...middle, class: "seen-count", y: Math.min(y(often), exact) - 3 }, String(record.times)),
        (i === records.length - 1 || i % each === 0 && i < records.length - apart) && s("text", { ...middle, y: bottom + 14 }, record.name));
    }),
    mine ? mark(ratio(mine.expected), "mean", `mean ${mine.expected_exact && mine.expected_exact.length < 12 ? mine.expected_exact : brief(mine.expected)}`, 6) : null,
    observed === null ? null : mark(Number(observed), "mean seen-mean", `seen ${observed}`, 20),
    s("text", { x: left + records.length * width / 2, y: bottom + 30, "text-anchor": "middle" }, `${rolls(source)} until the result`));
}

/** How the observed mean settles on the exact one. */
export function meansPicture({ seen, mine, all, height, of = "result" }) {
  const [left, top] = [LEFT, 18];
  const step = Math.max(1, Math.ceil(seen.means.length / MOST_MEANS));
  const points = seen.means.filter((_, i) => i % step === 0 || i === seen.means.length - 1).map(([results, total]) => ({ results, mean: total / results }));
  const exact = ratio(mine?.expected ?? NaN);
  const spread = Math.max(...points.slice(Math.min(2, points.length - 1)).map(({ mean }) => Math.abs(mean - exact)), 0.2 * exact, 1e-9);
  // No result takes fewer than 0 flips.
  const [low, high] = [Math.max(exact - spread, 0), exact + spread];
  const y = (value) => top + height * (1 - Math.max(0, Math.min(1, (value - low) / (high - low))));
  const x = (results) => left + all * (results - 1) / Math.max(seen.results - 1, 9);
  return s("svg", { viewBox: `0 0 ${left + all + 4} ${top + height + 22}`, class: "law means", role: "img", "aria-label": `The mean after each result, beside the exact mean` },
    s("text", { x: 2, y: 9 }, `the mean of what is seen, ${of} by ${of}`),
    s("line", { class: "mean-line", x1: left, x2: left + all, y1: y(exact), y2: y(exact) }),
    s("text", { x: left - 5, y: y(exact) + 4, "text-anchor": "end" }, mine?.expected_exact && mine.expected_exact.length < 7 ? mine.expected_exact : "exact"),
    exact > 0 && [high, low].filter((value) => Math.abs(y(value) - y(exact)) > 11).map((value) => s("text", { class: "spread", x: left - 5, y: y(value) + 4, "text-anchor": "end" }, value === 0 ? "0" : value.toFixed(spread < 1 ? 2 : 1))),
    s("text", { class: "spread", x: left + all, y: top + height + 18, "text-anchor": "end" }, `${Math.max(seen.results, 10)} ${of}s`), s("text", { class: "spread", x: left, y: top + height + 18 }, "1"),
    s("polyline", { class: "run", points: points.map(({ results, mean }) => `${x(results)},${y(mean)}`).join(" ") }),
    points.length > 0 ? s("circle", { class: "run-dot", r: 3.5, cx: x(points.at(-1).results), cy: y(points.at(-1).mean) }) : null);
}

/** How often each outcome was observed and is expected. */
export function outcomesSeen(seen, n) {
  const outcomes = Array.from({ length: Number(n) }, (_, i) => String(i + 1));
  const times = (outcome) => seen.outcomes.get(outcome) ?? 0;
  const most = Math.max(...outcomes.map(times), seen.results / outcomes.length);
  return [h("h3", `${seen.said}: seen, and expected`),
    quiet("Each outcome is expected ", h("b", mixed(seen.results, `1/${n}`)), ` times (${seen.results}/${n}): the line. The number beside a bar is how often the outcome was seen.`),
    h("ul", { class: "shares seen-results" }, outcomes.map((outcome) => h("li", h("span", { class: "outcome" }, outcome),
      h("span", { class: "bar marked", "aria-hidden": "true" }, h("span", { style: { width: `${100 * times(outcome) / most}%` } }), h("i", { style: { left: `${100 * seen.results / outcomes.length / most}%` } })),
      h("span", String(times(outcome))))))];
}

/** A group of buttons that make 100 or 1000 at once. */
export const atOnce = (what, make, disabled = false) => h("span", { class: "at-once" }, h("span", { class: "label" }, `${what} at once:`),
  [100, 1000].map((times) => h("button", { disabled, "aria-label": `${times} ${what} at once`, onclick: () => make(times) }, String(times))));

/** Lines to fill in on paper, in two columns. */
export const ownRows = (caption, columns) => table(caption, Array(2).fill(["", ...columns].map((name) => ({ name }))).flat(),
  Array.from({ length: OWN_ROWS / 2 }, (_, i) => [i + 1, i + 1 + OWN_ROWS / 2].flatMap((row) => [String(row), ...columns.map(() => "")])));

const fullName = () => (document.fullscreenElement ? "Leave full screen" : "Full screen");
/** A button that shows a part of the page on the full screen, or leaves it. */
export const fullButton = (part) => option(fullName(), Boolean(document.fullscreenElement), async () => {
  if (document.fullscreenElement) return document.exitFullscreen();
  // The space bar must not press the button on a full screen. If the browser refuses the full
  // screen, the page is unchanged.
  if (!await part.requestFullscreen?.().then(() => true, () => false)) return undefined;
  part.tabIndex = -1;
  return part.focus();
}, { class: "full" });
/** On a full screen all sizes follow its height. */
for (const kind of ["fullscreenchange", "resize"]) addEventListener(kind, () => {
  const full = Boolean(document.fullscreenElement);
  for (const button of document.querySelectorAll("button.full")) Object.assign(button, { textContent: fullName(), ariaPressed: String(full) });
  document.documentElement.style.fontSize = full ? `${16 * Math.min(innerWidth / 1280, innerHeight / 720)}px` : "";
});
