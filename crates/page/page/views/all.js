// The view of all dice: the toll of the optimal roller against n, and methods compared at every n.

import { curves, keepKeys, key, leftOf, LETTER, levels, magnified, pointed } from "../curves.js";
import { fullButton } from "../law.js";
import { about, answered, ask, asker, brief, capital, cellOf, choice, entropyOf, grouped, h, number, option, orNone, quiet, raised, Refusal, s, section, shortForm, show, table, ticks, tollIn, typed, ungrouped, unitsAt } from "../parts.js";
import { methodName, PLAIN } from "../words.js";
import { paperPicture, saveButtons } from "../share.js";

const PARTS = 360;
const OF = [["compare", "methods, every n"], ["toll", "flips above log₂ n"], ["expected", "expected flips"], ["cycle-rounds", "rounds of the cycle (A136043)"]];
const ENCYCLOPEDIA = "A136043 is a sequence of the OEIS, the encyclopedia of integer sequences";
/** The curves of the article, drawn at every n. */
const COMPARED = ["fast-dice-roller", "rejection", "interval", "base-conversion-early", "rejection-ceil"];
const ARTICLE = { of: "compare", from: "1", to: "1000", methods: "", scale: "" };
/** The initial n. */
const FIRST = "6";
/** The name of a method in plain words, with its id. */
const called = (method) => (PLAIN[method] ? `${PLAIN[method]} (${method})` : method);
/** What is counted. */
const ROUNDS = "A round has the flips until the roller's number is at least n, and one test. After the rounds of the cycle the roller is in the same state again. At a cyclic n the powers of 2 run through all remainders from 1 to n − 1 before they repeat, and there are (n − 1)/2 rounds.";
/** In ranges of at most this many n, every n is drawn. */
const MOST_N = 4000n;
/** Up to here, the rounds of the cycle are computed for every n of a range. */
const MOST_ROUNDS = 10n ** 7n;
/** What the vertical axis shows. */
const UNITS = { toll: "toll: flips above log₂ n", expected: "expected flips", "cycle-rounds": "rounds of the cycle" };
const HEIGHT = 396, BOTTOM = 40, TOP = 30, RIGHT = 14;
/** Other methods are drawn as lines through at most this many n. */
const METHODS = ["interval", "base-conversion-early", "rejection"];
const MOST_POINTS = 180;
/** All integers up to here are exact as doubles. */
const LARGEST_DOUBLE = 2n ** 53n;
/** Questions that are asked at the same time. */
const TOGETHER = 4;
const TALL = 4;
const RANGES = [["1", "100"], ["1", "10^4"], ["1", "10^9"], ["1", "10^18"], ["2^12", "2^13"], ["2^40", "2^41"]];
/** In a range of more doublings than this, a single one cannot be seen. */
const MANY_DOUBLINGS = 30;

const swatch = (sign, text) => key("plot swatch", sign, text);
const bandSign = (kind, text) => swatch(s("rect", { class: kind, x: 1, y: 2, width: 26, height: 8 }), text);

/** The labels of the n axis: powers of ten, round numbers in a shorter range, or else its two ends. */
function axisLabels(rows, { even, inner, LEFT, first, last, log, linear }) {
  const [from, to] = [rows[0].from, rows.at(-1).to];
  const room = Math.max(Math.floor(inner / 66), 2);
  const px = (value) => LEFT + inner * (value - first) / (last - first);
  const mark = (value, text, free = 20) => ({ px: px(value), text, anchor: px(value) > LEFT + inner - free ? "end" : null });
  const powers = Array.from({ length: 19 }, (_, k) => k).filter((k) => 10 ** k >= Number(from) * 0.999 && 10 ** k <= Number(to) * 1.001);
  if (!even && !linear && powers.length > 2) {
    const each = Math.ceil(powers.length / room);
    return powers.filter((_, i) => i % each === 0).map((k) => mark(log(10 ** k), k > 5 ? `10^${k}` : grouped(10 ** k)));
  }
  const long = String(to).length > 12;
  if (!even && !long) {
    const round = ticks(Number(from), Number(to), Math.min(room >> 1, 5)).filter(({ value }) => Number.isInteger(value));
    if (round.length > 1) return round.map(({ value }) => mark(log(value), grouped(Math.round(value)), 40));
  }
  // In a range of a few doublings, the labels are quarters of powers of two.
  if (!even && last - first < 4.1 && !linear) {
    const marks = Array.from({ length: 4 * 5 + 1 }, (_, i) => ({ k: Math.floor(first) + (i >> 2), quarter: 4 + (i & 3) })).map(({ k, quarter }) => ({ value: k + Math.log2(quarter / 4), text: quarter === 4 ? `2^${k}` : `${quarter / 4}·2^${k}` })).filter(({ value }) => value >= first - 1e-9 && value <= last + 1e-9);
    if (marks.length > 1 && marks.length <= 1.3 * room) return marks.map(({ value, text }) => mark(value, text));
  }
  // If there are few numbers, each label is in the middle of its part.
  const inside = even && rows.length < 6 ? inner / rows.length / 2 : 0;
  const ends = [{ px: LEFT + inside, text: grouped(from), anchor: inside ? "middle" : "start" }];
  // Two numbers that differ only in their last digits are shortened, if there is no room.
  const cut = 2 * LETTER * grouped(to).length > inner ? `…${grouped(String(to).slice(-6))}` : grouped(to);
  return from === to ? ends : [...ends, { px: LEFT + inner - inside, text: cut, anchor: inside ? "middle" : "end" }];
}

/** The row that contains n. */
const rowOf = (rows, n) => rows.findIndex((row) => BigInt(row.from) <= BigInt(n) && BigInt(n) <= BigInt(row.to));

export function view(place, remember) {
  let state = { from: "1", to: "10^4", of: "toll", n: FIRST, methods: "", scale: "" };
  let back = [];
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  /** Chooses another point; a passing one adds no entry to the history. */
  const choose = (n, passing) => {
    state = { ...state, n: String(n) };
    writePoint(state.n);
    remember(state, passing);
  };
  const from = h("input", { id: "all-from", size: 13, "data-asks": "from", "data-called": "n from" });
  const to = h("input", { id: "all-to", size: 13, "data-asks": "to", "data-called": "n to" });
  const point = h("input", { id: "all-n", size: 13, "data-asks": "target", "data-called": "The point n" });
  const zoom = (range, passing) => {
    back.push({ from: state.from, to: state.to });
    change(range, passing);
  };
  /** Zooms to a part of the picture; a chosen point outside is replaced. */
  const zoomTo = (from, to, passing) => {
    const n = plain(state.n);
    const [a, b] = [from, to].map((end) => plain(String(end)));
    zoom({ from: String(from), to: String(to), n: n !== null && (n < a || n > b) ? "" : state.n }, passing);
  };
  /** The initial range of the series and the presets. */
  const all = () => (state.of === "compare" ? { from: "1", to: "1000" } : { from: "1", to: "10^4" });
  let half = null;
  const zooms = () => h("div", { class: "controls no-print zooms" },
    h("button", { disabled: size() !== null && size() < 4n, onclick: () => half && zoomTo(...half()) }, "Zoom in"),
    h("button", { disabled: back.length === 0, onclick: () => out() }, "Zoom out"),
    h("button", { disabled: isRange(all().from, all().to), onclick: () => zoom(all()) }, "All"),
    fullButton(plot), h("span", { class: "hint" }, "Drag over a part to zoom into it; a click chooses the point.", h("span", { class: "keys" }, " Keys: arrows, + and −.")));
  const writeFrom = typed(from, (text, passing) => zoom({ from: text }, passing), { usual: "1", read: ungrouped });
  const writeTo = typed(to, (text, passing) => zoom({ to: text }, passing), { usual: "10^4", read: ungrouped });
  const writePoint = typed(point, (text, passing) => change({ n: text }, passing), { read: ungrouped });
  const of = choice("What is drawn");
  const ranges = choice("Range");
  const methods = choice("Other methods as lines");
  const methodsField = h("div", { class: "field methods" }, h("span", { class: "label" }, "methods"), methods);
  const drawn = () => {
    const named = (state.methods || (state.of === "compare" ? COMPARED.slice(0, 3).join() : "")).split(",");
    return (state.of === "compare" ? COMPARED : METHODS).filter((method) => state.of !== "cycle-rounds" && named.includes(method));
  };
  const [preset, scale] = [choice("Presets"), choice("The axis of n")];
  /** The value of a typed end of the range, if it is a plain number. */
  const plain = (text) => {
    const [, a = "1", base = "10", power = "0"] = /^(?:(\d+)(?:$|e|\*))?(?:(10|2)\^)?(\d{1,2})?$/i.exec(text) ?? [];
    return text !== "" && /^(\d+|(\d+\*)?(10|2)\^\d{1,2}|\d+e\d{1,2})$/i.test(text) ? BigInt(a) * BigInt(base) ** BigInt(power) : null;
  };
  const isRange = (from, to) => plain(from) === plain(state.from) && plain(to) === plain(state.to);
  const size = () => (plain(state.from) === null || plain(state.to) === null ? null : plain(state.to) - plain(state.from));
  /** Whether every n is drawn. */
  const every = () => state.of === "compare" || (state.of === "cycle-rounds" && size() !== null && size() < MOST_N);
  const [sum, why] = [h("summary"), h("p", { class: "hint" })];
  const plot = section("Curve", "card wide");
  const exact = section("The point", "card wide");
  show(place,
    h("h1", "All dice"),
    h("p", { class: "lead" }, "A die of n sides costs at least log₂ n coin flips. The optimal roller costs from 0 to less than 2 flips more, in a pattern that repeats with every doubling of n, in finer and finer detail."),
    h("details", { class: "settings", open: innerWidth > 620 }, sum, h("div", { class: "controls" }, preset, of, ranges, scale,
      h("div", { class: "field" }, h("label", { for: "all-from" }, "n from"), from, h("label", { for: "all-to" }, "to"), to),
      h("div", { class: "field" }, h("label", { for: "all-n" }, "the point n ="), point),
      methodsField, why)),
    h("div", { class: "grid" }, plot, exact));
  const runs = { plot: asker(plot), lines: asker(plot), exact: asker(exact) };
  /** Marks n in the picture. */
  let mark = () => {};
  /** The available width of the picture, in its own units. */
  const units = () => ((document.fullscreenElement === plot ? innerWidth - 20 : place.clientWidth) - 34) / magnified(plot);
  /** The available width at which the picture was last drawn. */
  let drawnFor = 0;

  /** Draws every n of the range, exact values on a linear or logarithmic axis. */
  async function drawEvery(options) {
    const rounds = state.of === "cycle-rounds";
    const algorithms = rounds ? ["fast-dice-roller"] : drawn();
    const columns = rounds ? ["n", "cycle_rounds", "period"] : ["n", "algorithm", "expected_exact", "expected", "entropy"];
    const told = answered(await ask({ ask: "cost", target: `${state.from}..${state.to}`, algorithms, columns }, options).catch((error) => {
      throw error instanceof Refusal ? new Refusal(`The range: ${error.message}`) : error;
    }));
    const of = new Map();
    for (const record of told.records) of.set(record.n, { ...of.get(record.n), [record.algorithm ?? "rounds"]: record });
    const all = [...of];
    const value = (cell) => (cell === null || cell === undefined ? null : Number(cell));
    // log2 of a power of two is an integer.
    const power = (n) => (BigInt(n) & (BigInt(n) - 1n)) === 0n;
    const said = (record, column) => about(record[column], record[`${column}_exact`], column === "entropy" && power(record.n), told).replace(/^≈ .*/, () => `≈ ${Number(record[column]).toPrecision(6)}`);
    const lines = rounds ? [{ name: "rounds of the cycle", kind: 0, points: true, values: all.map(([, { rounds: record }]) => value(record.cycle_rounds)), said: (i) => `${all[i][1].rounds.cycle_rounds}${isCyclic(all[i][1].rounds) ? ", cyclic" : ""}`, marked: (i) => isCyclic(all[i][1].rounds), marks: "cyclic n" },
        { name: "(n − 1)/2", kind: 4, values: all.map(([n]) => (Number(n) - 1) / 2), said: (i) => halfOf(BigInt(all[i][0]) - 1n) }]
      : [...algorithms.map((method) => ({ name: called(method), kind: method === "rejection-ceil" ? 5 : COMPARED.indexOf(method), values: all.map(([, records]) => value(records[method]?.expected)), said: (i) => said(all[i][1][method], "expected") })),
        { name: "entropy log₂ n", kind: 4, values: all.map(([, records]) => value(records[algorithms[0]]?.entropy)), said: (i) => said(all[i][1][algorithms[0]], "entropy") }];
    if (!state.n) choose(all[all.length >> 1][0], true);
    const at = all.findIndex(([n]) => String(n) === state.n);
    const chart = curves({
      name: `flipcost-${rounds ? "rounds" : "methods"}-${state.from}-${state.to}-${state.scale || "log"}`.replace(/[^\w-]/g, "_"), label: `${rounds ? "Rounds of the cycle" : "Expected flips of each method"}, n from ${state.from} to ${state.to}`,
      xs: all.map(([n]) => Number(n)), at: (i) => `n = ${grouped(all[i][0])}`, x: { name: "sides of the die, n", log: state.scale !== "linear" }, y: { name: rounds ? UNITS["cycle-rounds"] : "expected flips", ...(!rounds && all[0][0] > 2 ? {} : { from: 0 }) }, curves: lines, answer: told, picked: at < 0 ? null : at,
      zoom: (a, b, passing) => zoomTo(all[a][0], all[b][0], passing), out, around: (give) => (half = () => give().map((i) => all[i][0])),
      pick: (i, passing) => {
        choose(all[i][0], passing);
        runs.exact(drawExact);
      },
    });
    mark = () => {};
    show(plot, zooms(), chart,
      rounds ? null : quiet("As in Estep's article How can computers roll dice? (2024), which ", h("a", { href: "#/studies" }, "a study"), " computes anew."),
      !rounds && algorithms.includes("rejection") ? quiet("rejection draws as many bits as n has binary digits, and draws all again if they make n or more. For a power of two that is one bit too many.") : null,
      rounds ? quiet(ROUNDS) : null,
      quiet("The command: ", h("code", told.command)),
      h("details", { ontoggle: (event) => event.target.open && event.target.childElementCount === 1 && event.target.append(tableOf(all, lines)) }, h("summary", "The picture as a table")));
    return null;
  }

  const halfOf = (k) => `${k / 2n}${k % 2n ? ".5" : ""}`;
  /** Whether the powers of 2 have all nonzero remainders modulo n, by the engine's period. */
  const isCyclic = (record) => record.period !== null && BigInt(record.n) > 2n && BigInt(record.period) === BigInt(record.n) - 1n;
  const tableOf = (all, lines) => table("Every n in the picture", [{ name: "n" }, ...lines.map(({ name }) => ({ name, number: true }))], all.map(([n], i) => [grouped(n), ...lines.map((line) => (line.values[i] === null ? "" : line.said(i)))]));

  async function drawPlot(options) {
    if (every()) return drawEvery(options);
    const told = answered(await ask({ ask: "toll-extremes", from: state.from, to: state.to, parts: PARTS, ...(state.of === "toll" ? {} : { of: state.of }) }, options));
    const rows = told.records;
    const linear = state.scale === "linear" && BigInt(rows.at(-1).to) <= LARGEST_DOUBLE;
    const log = (n) => (linear ? Number(n) : Math.log2(Number(n)));
    const first = log(rows[0].from), last = log(rows.at(-1).to);
    // Near 10^18, the ends of the range are the same double; then all parts are equally wide.
    const even = !(last - first > 1e-9) || rows.length < 2;
    const greatest = Math.max(...rows.map((row) => row.greatest));
    const lowest = Math.min(...rows.map((row) => row.least));
    const whole = state.of === "toll" && greatest - lowest > 0.4;
    const several = drawn().length > 0;
    // Smaller differences come from rounding: the line is level.
    const flat = greatest - lowest < 1e-6;
    const least = whole || state.of === "cycle-rounds" ? 0 : flat ? Math.max(lowest - 0.5, 0) : lowest;
    const own = whole ? 2 : flat ? least + 1 : greatest;
    /** The axis may be extended up to here for the lines. */
    const most = !several ? own : whole ? TALL : state.of === "expected" ? greatest + 3 : own;
    let above = own;
    const tall = HEIGHT - TOP - BOTTOM;
    const y = (value) => TOP + tall * (1 - (value - least) / (above - least));
    /** A value below 2 is not shown as 2. */
    const shortly = (value) => (state.of === "toll" && brief(value) === "2" ? "just below 2" : brief(value));
    /** Draws the picture this many units wide. */
    const paint = (WIDTH) => {
      const marks = () => ticks(least, above, 5);
      const LEFT = leftOf(marks());
      const inner = WIDTH - LEFT - RIGHT;
      const x = (i, n) => LEFT + inner * (even || Number(n) > 2 ** 53 ? i / rows.length : (log(n) - first) / (last - first || 1));
      const many = rows.length > 120;
      // A part begins midway between the last n before it and its first n.
      const edge = (i) => (i === 0 ? LEFT : i >= rows.length ? WIDTH - RIGHT : x(i, Number(rows[i].from) <= 2 ** 52 ? Number(rows[i].from) - 0.5 : rows[i].from));
      const placeOf = (i, n) => (even || Number(n) > 2 ** 53 ? (edge(i) + edge(i + 1)) / 2 : x(i, n));
      const bars = () => rows.map((row, i) => {
        const begin = edge(i), end = edge(i + 1);
        const high = y(row.greatest), low = y(row.least);
        const wide = many ? Math.max(end - begin, 1) : Math.min(end - begin, 5);
        const thin = Math.max(low - high, 2.4);
        return s("rect", { x: many ? begin : Math.max(placeOf(i, row.from) - wide / 2, LEFT), y: high - (thin === 2.4 ? 1.2 : 0), width: wide, height: thin, class: row.scanned ? "band" : "band enclosed", "data-row": i });
      });
      const scale = s("g", {});
      const drawScale = () => show(scale, levels(marks().map(({ value, text }) => ({ value, text: grouped(text) })), y, LEFT, WIDTH - RIGHT), bars());
      drawScale();
      const below = axisLabels(rows, { even, inner, LEFT, first, last, log, linear });
      const picked = s("g", {});
      const lines = s("g", { "clip-path": "url(#all-inside)" });
      const drag = s("rect", { class: "drag", y: TOP, height: tall, width: 0, x: 0 });
      const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", tabindex: 0, "aria-label": `${OF.find(([of]) => of === state.of)[1]} for n from ${state.from} to ${state.to}: between ${brief(lowest)} and ${shortly(greatest)}. Arrow keys move the point.` },
        s("text", { x: 2, y: 12 }, UNITS[state.of]),
        scale, s("clipPath", { id: "all-inside" }, s("rect", { x: LEFT, y: TOP, width: inner, height: tall })),
        lines,
        below.map(({ px, text, anchor }) => s("g", {}, s("line", { class: "grid-line", x1: px, x2: px, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 5 }), s("text", { x: px, y: HEIGHT - 22, "text-anchor": anchor ?? "middle" }, text))),
        s("text", { x: WIDTH / 2, y: HEIGHT - 3, "text-anchor": "middle" }, even || linear ? "sides of the die, n" : "sides of the die, n (every doubling equally wide)"),
        drag, picked);
      return { svg, x: placeOf, edge, picked, lines, drawScale };
    };
    // One unit is one pixel, so that labels have their normal size.
    drawnFor = units();
    const WIDTH = Math.max(Math.min(drawnFor, 1240), 300);
    const { svg, x, edge, picked, lines, drawScale } = paint(WIDTH);
    let again = () => {};
    /** The point at a place, also after the axis has changed. */
    const pointAt = (px, value) => {
      again = () => show(picked, s("line", { class: "pick", x1: px, x2: px, y1: TOP, y2: HEIGHT - BOTTOM }), s("circle", { class: "pick-dot", cx: px, cy: y(value), r: 5 }));
      again();
    };
    /** Extends the axis as far up as the lines, up to a limit. */
    const fit = (top) => {
      const wanted = Math.min(Math.max(own, top), most);
      if (wanted === above) return;
      above = wanted;
      drawScale();
      again();
    };
    const others = Object.assign(h("span", { class: "legend" }), { commands: h("p", { class: "hint commands" }) });
    const legend = h("p", { class: "legend" },
      rows.some((row) => row.scanned) ? bandSign("band", state.of === "cycle-rounds" ? "from the least to the greatest value of a part, every n computed" : "optimal roller, every n computed") : null,
      rows.some((row) => !row.scanned) ? bandSign("band enclosed", "optimal roller, proved bounds for every n") : null, others);
    const read = h("p", { class: "reading" }, "Point at the picture to read it.");
    let chosen = null;
    mark = (n, toll) => {
      if (state.of !== "toll") return;
      const i = rowOf(rows, n);
      if (i < 0) {
        read.textContent = `n = ${grouped(n)} is outside the picture.`;
        return;
      }
      pointAt(x(i, n), toll);
      chosen = i;
    };
    const pick = (i, settle, passing) => {
      chosen = Math.min(Math.max(i, 0), rows.length - 1);
      const row = rows[chosen];
      const few = row.from === row.to;
      read.textContent = few ? `n = ${grouped(row.from)}: ${shortly(row.greatest)}`
        : `n from ${grouped(row.from)} to ${grouped(row.to)}: between ${brief(row.least)} and ${shortly(row.greatest)}${row.scanned ? "" : ", bounds that are proved"}${row.greatest_n === null ? "" : `, the greatest at n = ${grouped(row.greatest_n)}`}`;
      pointAt(x(chosen, row.from), row.greatest);
      if (!settle) return;
      choose(row.greatest_n ?? row.from, passing);
      runs.exact(drawExact);
    };
    const at = (event) => {
      const wanted = unitsAt(svg, event);
      const after = rows.findIndex((row, k) => x(k, row.from) > wanted);
      return Math.max((after < 0 ? rows.length : after) - 1, 0);
    };
    const { half: halves } = pointed(svg, { nearest: at, edge, count: rows.length, chosen: () => chosen, read: (i) => pick(i, false), pick: (i, passing) => pick(i, true, passing), out, zoom: (a, b, passing) => zoomTo(rows[a].from, rows[b].to, passing) });
    half = () => {
      const [a, b] = halves(chosen ?? rows.length >> 1);
      return [rows[a].from, rows[b].to];
    };
    const middle = rows.length >> 1;
    const picture = { rows, x, y, fit, most, lines, others, commands: [], more: [], points: {} };
    const title = `${capital(UNITS[state.of])}, n from ${state.from} to ${state.to}`;
    const paper = () => paperPicture({ title, keys: [...legend.querySelectorAll(".key")], from: `flipcost ${told.version}: ${[told.command, ...picture.commands.map((command) => command.replace(/^((?:\S+ ){5})[\d ]{200,}(?=\d+ --)/, "$1… "))].join("; ")}`, drawn: (units) => {
      const drawn = paint(units);
      drawLinesOf(picture, drawn.lines, drawn.x);
      drawn.svg.querySelector("clipPath").id = "all-paper";
      drawn.lines.setAttribute("clip-path", "url(#all-paper)");
      return drawn.svg;
    } });
    show(plot,
      zooms(),
      read,
      h("div", { class: "curve" }, svg),
      legend,
      saveButtons(`flipcost-${state.of}-${state.from}-${state.to}-${linear ? "linear" : "log"}`.replace(/[^\w-]/g, "_"), paper, async () => seenRows(told, picture)),
      last - first > MANY_DOUBLINGS && !linear ? quiet("At this range each doubling is only a few pixels wide; ", h("button", { class: "link", onclick: () => zoomTo("2^40", "2^41") }, "zoom to one doubling"), " to see the pattern.") : null,
      state.of === "cycle-rounds" ? quiet(ROUNDS) : null,
      state.of === "toll" ? quiet(raised("It is proved that in each doubling, from 2^k to 2 × 2^k, n = 2^k + 1 has the largest toll. It comes near to 2, but never reaches it.")) : null,
      told.notes.length > 0 ? quiet(told.notes.map((note) => `${note}.`).join(" ")) : null,
      quiet("The command: ", h("code", told.command)), others.commands);
    keepKeys(svg);
    if (!state.n) {
      const row = rows[middle];
      choose(row.greatest_n ?? row.from, true);
    }
    return picture;
  }

  /**
   * Draws exact values of the other methods, joined by lines if every n is drawn. The powers of two
   * and their neighbours are always drawn, because there the values drop or jump.
   */
  async function drawLines(picture, options) {
    const { rows, x, lines, others } = picture;
    const chosen = drawn();
    if (chosen.length === 0) return;
    const [from, to] = [BigInt(rows[0].from), BigInt(rows.at(-1).to)];
    const every = to - from < 2 * MOST_POINTS && to < LARGEST_DOUBLE;
    const step = Math.ceil(rows.length / MOST_POINTS);
    const some = new Set(rows.filter((_, i) => i % step === 0).map((row) => BigInt(row.from)).concat(to));
    for (let n = 1n; n <= to; n *= 2n) for (const near of [n - 1n, n, n + 1n]) if (near >= from && near <= to) some.add(near);
    const at = [...some].sort((a, b) => (a < b ? -1 : 1));
    picture.joined = every;
    const points = Object.assign(picture.points, Object.fromEntries(chosen.map((method) => [method, []])));
    const column = state.of === "toll" ? "toll" : "expected";
    const take = (told) => told.records.forEach((record) => {
      if (record[column] === null) return;
      points[record.algorithm].push([record.n, record[column]]);
      picture.more.push({ series: record.algorithm, from: record.n, to: record.n, greatest_n: record.n, least: record[column], greatest: record[column] });
    });
    const draw = () => {
      const greatest = Math.max(...Object.values(points).flat().map(([, value]) => value));
      picture.fit(greatest);
      drawLinesOf(picture, lines, x);
      show(others, chosen.map((method) => swatch(every ? s("line", { class: `method ${method}`, x1: 0, x2: 28, y1: 6, y2: 6 }) : pointOf(method, 14, 6), called(method))),
        h("span", { class: "hint" }, `${every ? "Lines join the exact values of every n" : `Points are exact values at ${at.length} n, all powers of two among them`}${greatest > picture.most ? "; what is above the picture is cut off" : ""}.`));
    };
    const query = { algorithms: chosen, columns: ["n", "algorithm", column] };
    draw();
    const say = (told, target) => {
      picture.commands = [told.command.replace(/^(flipcost cost) \S+/, `$1 ${target}`)];
      const command = h("code", { tabindex: 0 }, picture.commands[0]);
      show(others.commands, every ? ["The command for the methods: ", command] : h("details", h("summary", `The command for the methods, for ${at.length} n`), command));
    };
    if (every) {
      const told = await ask({ ask: "cost", target: `${from}..${to}`, ...query }, options);
      take(told);
      say(told, `${from}..${to}`);
    }
    for (let k = 0; !every && k < at.length; k += TOGETHER) {
      const told = await Promise.all(at.slice(k, k + TOGETHER).map((n) => orNone(ask({ ask: "cost", target: String(n), ...query }, { signal: options.signal }))));
      // A method that refuses this n has no point.
      const answers = told.filter(Boolean);
      answers.forEach(take);
      const [answer] = answers;
      if (answer && picture.commands.length === 0) say(answer, at.join(" "));
      options.progress({ done: k, all: at.length });
      if (k % 20 === 0) draw();
    }
    draw();
  }

  /** The point of a method: a dot or a ring; later methods have larger rings. */
  const pointOf = (method, cx, cy) => s("circle", { class: `method ${method}`, cx, cy, r: METHODS.indexOf(method) + 1 });
  /** The lines or points of the methods, where x gives the places. */
  function drawLinesOf({ rows, y, points, joined }, lines, x) {
    show(lines, Object.entries(points).map(([method, values]) => {
      const at = values.map(([n, value]) => [x(rowOf(rows, n), n), y(value)]);
      return joined ? s("polyline", { class: `method ${method}`, points: at.map((place) => place.join()).join(" ") }) : s("g", {}, at.map(([px, py]) => pointOf(method, px, py)));
    }));
  }

  /** The picture as one table: ranges of n for the best method, and single n for the others. */
  function seenRows(told, picture) {
    if (picture.more.length === 0) return told;
    const rows = [...told.records.map((record) => ({ series: "optimal", ...record })), ...picture.more];
    const columns = [{ name: "series" }, ...told.columns];
    return { columns, rows: rows.map((row) => columns.map(({ name }) => row[name] ?? null)) };
  }

  function out(passing) {
    const range = back.pop();
    if (range) change(range, passing);
  }

  async function drawExact(options) {
    const small = answered(await ask({ ask: "cost", target: state.n, columns: ["n", "algorithm", "expected_exact", "expected", "entropy", "toll"] }, options));
    const rounds = await ask({ ask: "cost", target: state.n, algorithms: ["fast-dice-roller"], columns: ["cycle_rounds", "period"] }, options);
    const cycle = rounds.records[0].cycle_rounds;
    const rows = small.records.map((record, i) => [methodName(record.algorithm),
      cellOf(small, i, "expected", `${record.algorithm}, expected flips`, { cite: record.algorithm, form: shortForm() }),
      tollIn(small, i, `${record.algorithm}, toll`)]);
    const best = small.records[0];
    if (best.n === null) throw new Refusal(`The point n: ${state.n} is not a fair die`);
    mark(best.n, best.toll);
    show(exact, h("h2", `n = ${grouped(state.n)}`),
      h("p", { class: "answer" }, "The toll is ", tollIn(small, 0, "Toll"),
        " flips above log₂ n, which is ", cellOf(small, 0, "entropy", "log2 n", { exact: entropyOf(small.records), form: "decimal" }), " flips. ",
        h("a", { href: `#/die?n=${encodeURIComponent(state.n)}` }, "Roll this die")),
      table("All methods for this die from a coin", [{ name: "method" }, { name: "expected flips", number: true }, { name: "toll", number: true }], rows),
      h("p", { class: "after" }, "Rounds of the cycle (", h("a", { href: "https://oeis.org/A136043", title: ENCYCLOPEDIA }, "A136043"), ", a sequence of the OEIS, the encyclopedia of integer sequences): ", cycle === null ? rounds.notes.map((note) => note.replace(/^cycle_rounds is/, "")).join("; ") : number({ exact: cycle, answer: rounds, label: "Rounds of the cycle", cite: "A136043" }), "."));
  }

  /** Restricts the range to what this series can draw, and says so. */
  function cutRange() {
    const [a, b] = [plain(state.from), plain(state.to)];
    if (a === null || b === null || a > b) return "";
    const [least, most] = state.of === "cycle-rounds" ? [a < MOST_ROUNDS ? a : 1n, MOST_ROUNDS] : state.of === "compare" ? [a, a + MOST_N - 1n] : [a, b];
    if (b <= most) return "";
    const n = plain(state.n);
    const text = (value, typed) => (value === plain(typed) ? typed : value === MOST_ROUNDS ? "10^7" : String(value));
    state = { ...state, from: text(least, state.from), to: text(most, state.to), n: n !== null && n >= least && n <= most ? state.n : "" };
    remember(state, true);
    return `The range ends at ${grouped(state.to)}: ${state.of === "compare" ? `every n is drawn, for at most ${MOST_N} of them` : "the rounds of a range are known up to there"}. `;
  }

  async function draw() {
    const cut = cutRange();
    writeFrom(state.from);
    writeTo(state.to);
    writePoint(state.n);
    show(of, OF.map(([name, title]) => option(title, name === state.of, () => change({ of: name }), { title: /A\d{6}/.test(title) && ENCYCLOPEDIA })));
    show(preset, h("button", { class: "primary", onclick: () => {
      back.push({ from: state.from, to: state.to });
      change(ARTICLE);
    } }, "The article's chart: 1 to 1000"));
    const far = plain(state.to) > LARGEST_DOUBLE;
    const large = far ? "The axis is logarithmic above 2^53: a linear one would show nothing of the smaller n." : "";
    show(scale, ["log", "linear"].map((kind) => option(`${kind} axis`, kind === ((!far && state.scale) || "log"), () => change({ scale: kind }), { disabled: kind === "linear" && far, title: large || null })));
    why.textContent = cut + large;
    show(sum, raised(`${OF.find(([name]) => name === state.of)[1]}, n from ${state.from} to ${state.to}: change`));
    show(ranges, (state.of === "compare" ? [["1", "100"], ["1", "1000"], ["1", "4000"]] : state.of === "cycle-rounds" ? [["1", "10^3"], ["1", "10^5"], ["1", "10^7"]] : RANGES).map(([a, b]) => option(`${a.startsWith("2") ? "one doubling, " : ""}${a} to ${b}`, isRange(a, b), () => zoomTo(a, b))));
    methodsField.hidden = state.of === "cycle-rounds";
    const offered = state.of === "compare" ? COMPARED : METHODS;
    show(methods, offered.map((method) => option(PLAIN[method], drawn().includes(method), () => {
      const now = state.of === "compare" ? drawn() : state.methods.split(",").filter(Boolean);
      change({ methods: (now.includes(method) ? now.filter((other) => other !== method) : [...now, method]).join(",") });
    }, { "aria-label": called(method), title: method })));
    runs.lines(async () => null); // the lines of the old picture
    await drawPicture();
  }

  async function drawPicture() {
    const picture = await runs.plot(drawPlot, draw);
    if (picture && !every()) runs.lines((options) => drawLines(picture, options));
    // the value marks its place in the picture
    if (state.n) runs.exact(drawExact);
    else show(exact);
  }
  // One unit is one pixel, also after the window changes size; but paper shows the picture as it
  // is.
  let waiting = 0;
  const resized = () => {
    clearTimeout(waiting);
    if (innerWidth > 620) sum.parentElement.open = true;
    waiting = setTimeout(() => matchMedia("screen").matches && Math.abs(units() - drawnFor) > 8 && drawPicture(), 150);
  };
  for (const kind of ["resize", "fullscreenchange"]) addEventListener(kind, resized);

  return {
    leave: () => ["resize", "fullscreenchange"].forEach((kind) => removeEventListener(kind, resized)),
    update(given) {
      const before = { ...state };
      const methods = (given.methods ?? "").split(",").filter((method) => COMPARED.includes(method)).join();
      state = { from: ungrouped(given.from ?? "1"), to: ungrouped(given.to ?? "10^4"), of: OF.some(([of]) => of === given.of) ? given.of : "toll", n: ungrouped(given.n ?? (given.from || given.to ? "" : FIRST)), methods, scale: ["log", "linear"].includes(given.scale) ? given.scale : "" };
      // Unknown values are not shown, and are removed from the address.
      if (["of", "methods", "scale"].some((key) => given[key] && given[key] !== state[key])) remember(state, true);
      // Going back restores the last range, so that zooming out still goes through earlier ones.
      if (state.from !== before.from || state.to !== before.to) {
        const range = back.pop();
        if (range?.from !== state.from || range?.to !== state.to) back = [];
      }
      draw();
    },
  };
}
