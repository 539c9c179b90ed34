// Curves over one axis: the pointer or keys show values, a drag zooms, and the picture fills its
// place and can be saved as SVG, PNG or CSV.

import { brief, h, s, show, ticks, unitsAt } from "./parts.js";
import { paperPicture, saveButtons } from "./share.js";

const HEIGHT = 400, TOP = 30, BOTTOM = 42, RIGHT = 16;
/** Pixels of a character on an axis. */
export const LETTER = 7.2;
/** The number of line styles, by colour and dashes. */
const KINDS = 6;

/** The labels of an axis: powers of ten on a long logarithmic axis, else round numbers. */
function marks(from, to, log, most) {
  // A single label shows no distances, so ask for more labels.
  if (!log) return ticks(from, to, ticks(from, to, most).length < 2 ? 2 * most : most);
  const powers = Array.from({ length: 40 }, (_, k) => k - 19).filter((k) => 10 ** k >= from * 0.999 && 10 ** k <= to * 1.001);
  if (powers.length < 2) return ticks(from, to, most).filter(({ value }) => value > 0);
  const each = Math.ceil(powers.length / most);
  return powers.filter((_, i) => i % each === 0).map((k) => ({ value: 10 ** k, text: k > 5 || k < -3 ? `10^${k}` : String(10 ** k) }));
}

/** The width of an axis's labels on the left. */
export const leftOf = (marks) => Math.max(Math.ceil(LETTER * Math.max(...marks.map(({ text }) => text.length))) + 12, 34);

/** The grid lines of an axis from bottom to top, with labels `before` them. */
export const levels = (marks, y, left, right, before = 6) => marks.map(({ value, text }) => s("g", {}, s("line", { class: "grid-line", x1: left, x2: right, y1: y(value), y2: y(value) }), s("text", { x: left - before, y: y(value) + 4, "text-anchor": "end" }, text)));

/** The magnification of a picture on a full screen, labels included: it fills the height below what is above it. */
export const magnified = (place) => (document.fullscreenElement?.contains(place) ? Math.max((0.7 * innerHeight) / HEIGHT, 1) : 1);

/** A legend entry: a sign as in the picture, and its meaning. */
export const key = (kind, sign, text) => h("span", { class: "key" }, s("svg", { class: kind, viewBox: "0 0 28 12", "aria-hidden": "true" }, sign), " ", text);

/** Whether the last zoom was by key; then the new picture gets the focus. */
let zoomedByKey = false;
export function keepKeys(svg) {
  if (!svg.isConnected) return;
  if (zoomedByKey) svg.focus({ preventScroll: true });
  zoomedByKey = false;
}

/**
 * Pointing at a picture reads it, a click chooses a place, a drag zooms: `nearest` maps a pointer
 * to a place, `read` and `pick` take the place, `zoom` takes two, `edge` says where one is drawn.
 * Keys do the same.
 */
export function pointed(svg, { nearest, edge, count, chosen, read, pick, zoom = null, out = () => {} }) {
  const shade = svg.querySelector(".drag");
  let begun = null;
  const part = (event) => [begun, nearest(event)].sort((a, b) => a - b);
  /** A drag of only a few pixels is a click. */
  let start = 0;
  svg.addEventListener("pointermove", (event) => {
    read(nearest(event));
    if (begun === null || !zoom) return;
    const [a, b] = part(event);
    shade.setAttribute("x", edge(a));
    shade.setAttribute("width", Math.max(edge(b) - edge(a), 0));
  });
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    [begun, start] = [nearest(event), event.clientX];
    svg.setPointerCapture(event.pointerId);
  });
  const end = () => {
    begun = null;
    shade.setAttribute("width", 0);
  };
  svg.addEventListener("pointercancel", end);
  svg.addEventListener("pointerup", (event) => {
    if (begun === null) return;
    const [a, b] = part(event);
    end();
    if (zoom && b - a >= 3 && Math.abs(event.clientX - start) > 6) zoom(a, b);
    else pick(nearest(event));
  });
  const bounded = (i) => Math.min(Math.max(i, 0), count - 1);
  /** The half of the axis around a place. */
  const half = (i) => [bounded(i - (count >> 2)), bounded(i + (count >> 2))];
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, PageUp: 20, PageDown: -20, Home: -count, End: count }[event.key];
    const zooms = zoom && { "+": () => count > 4 && zoom(...half(chosen() ?? count >> 1)), "-": out }[event.key];
    if (!step && !zooms) return;
    event.preventDefault();
    if (zooms) {
      zoomedByKey = true;
      zooms();
    } else pick(bounded((chosen() ?? 0) + step), true);
  });
  svg.addEventListener("wheel", (event) => {
    if (!zoom || !(event.ctrlKey || event.shiftKey)) return;
    event.preventDefault();
    if (event.deltaY < 0) zoom(...half(nearest(event)), true);
    else out(true);
  }, { passive: false });
  return { half };
}

/**
 * A picture of curves. `xs` are the places of the rows; `curves` have a name, a value for each
 * place (a number or null) and `said`, which maps a place to its description; those with `points`
 * are drawn as points, and `marked` says which of them `marks` highlights. `at` names a place;
 * `zoom` takes the two ends of a part, `around` gets a function that zooms around the chosen place.
 */
export function curves({ name, label, xs, at, x, y, curves: lines, answer, picked = null, pick = () => {}, zoom = null, out, around = () => {} }) {
  const place = h("div", { class: "curve" });
  const reading = h("div", { role: "status" });
  let [width, chosen] = [0, picked];
  const values = lines.flatMap((line) => line.values.filter(Number.isFinite));
  const isDrawn = (value) => Number.isFinite(value) && (!y.log || value > 0);
  const whole = y.from ?? Math.min(...values);
  const [low, high] = [y.log ? Math.min(...values.filter((value) => value > 0)) : whole, Math.max(...values, whole + 1e-9)];
  const scaled = (value, log) => (log ? Math.log(value) : value);
  const part = (value, from, to, log) => (scaled(value, log) - scaled(from, log)) / (scaled(to, log) - scaled(from, log) || 1);

  /** Draws the picture this many units wide, with its scales. */
  function paint(width) {
    const sides = marks(low, high, y.log, 6);
    const LEFT = leftOf(sides);
    const px = (value) => LEFT + (width - LEFT - RIGHT) * part(value, xs[0], xs.at(-1), x.log);
    const py = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - part(value, low, high, y.log));
    const over = s("g", {});
    const drawn = lines.map((line, k) => {
      const kind = `line-${line.kind ?? k % KINDS}`;
      const shown = line.values.map((value, i) => [value, i]).filter(([value]) => isDrawn(value));
      if (line.points) return s("g", { class: kind }, shown.map(([value, i]) => s("circle", { class: line.marked?.(i) ? "dot marked" : "dot", cx: px(xs[i]).toFixed(1), cy: py(value).toFixed(1), r: line.marked?.(i) ? 3.4 : shown.length > 600 ? 1.6 : 2.4 })));
      return s("polyline", { class: `line ${kind}`, points: shown.map(([value, i]) => `${px(xs[i]).toFixed(2)},${py(value).toFixed(2)}`).join(" ") });
    });
    const svg = s("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "plot curves", role: "img", tabindex: 0, "aria-label": `${label}. Arrow keys read the values.${zoom ? " Plus and minus zoom." : ""}` },
      s("text", { x: 2, y: 13 }, y.name),
      levels(sides, py, LEFT, width - RIGHT),
      marks(xs[0], xs.at(-1), x.log, Math.max(Math.floor(width / 110), 2)).map(({ value, text }) => s("g", {}, s("line", { class: "grid-line", x1: px(value), x2: px(value), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 5 }), s("text", { x: px(value), y: HEIGHT - 23, "text-anchor": px(value) > width - 40 ? "end" : "middle" }, text))),
      s("text", { x: width / 2, y: HEIGHT - 4, "text-anchor": "middle" }, x.name),
      drawn, s("rect", { class: "drag", y: TOP, height: HEIGHT - TOP - BOTTOM, width: 0, x: 0 }), over);
    return { svg, over, px, py };
  }

  function draw() {
    const inner = Math.max(Math.min((place.clientWidth || 700) / magnified(place), 1240), 280);
    if (Math.abs(inner - width) < 4) return;
    width = inner;
    const { svg, over, px, py } = paint(width);
    const nearest = (event) => {
      const wanted = unitsAt(svg, event);
      let [a, b] = [0, xs.length - 1];
      while (b - a > 1) {
        const middle = (a + b) >> 1;
        if (px(xs[middle]) > wanted) b = middle;
        else a = middle;
      }
      return Math.abs(px(xs[a]) - wanted) <= Math.abs(px(xs[b]) - wanted) ? a : b;
    };
    const read = (i) => {
      chosen = i;
      over.replaceChildren(s("line", { class: "pick", x1: px(xs[i]), x2: px(xs[i]), y1: TOP, y2: HEIGHT - BOTTOM }),
        ...lines.flatMap((line) => (isDrawn(line.values[i]) ? s("circle", { class: "pick-dot", cx: px(xs[i]), cy: py(line.values[i]), r: 4 }) : [])));
      show(reading, h("p", { class: "at" }, at(i)), h("dl", { class: "values" }, lines.map((line, k) => h("div", h("dt", swatch(line, k)), h("dd", line.values[i] === null ? "none" : line.said?.(i) ?? brief(line.values[i])))),
        lines.map((line, k) => line.marks && h("div", h("dt", swatch({ ...line, name: line.marks }, k, "dot marked"))))));
    };
    const { half } = pointed(svg, { nearest, edge: (i) => px(xs[i]), count: xs.length, chosen: () => chosen, read, zoom, out, pick: (i, passing) => {
      read(i);
      pick(i, passing);
    } });
    around(() => half(chosen ?? xs.length >> 1));
    show(place, svg);
    keepKeys(svg);
    read(Math.min(chosen ?? xs.length - 1, xs.length - 1));
  }

  const swatch = (line, k, dot = "dot") => key("plot swatch curves",
    line.points ? s("g", { class: `line-${line.kind ?? k % KINDS}` }, s("circle", { class: dot, cx: 14, cy: 6, r: 3.4 })) : s("line", { class: `line line-${line.kind ?? k % KINDS}`, x1: 0, x2: 28, y1: 6, y2: 6 }), line.name);
  new ResizeObserver(() => matchMedia("screen").matches && draw()).observe(place);
  return h("div", reading, place, saveButtons(name, () => paperPicture({ title: label, keys: [...reading.querySelectorAll(".key")], drawn: (units) => paint(units).svg, from: `flipcost ${answer.version}: ${answer.command}` }), async () => answer));
}
