// Draws a decision tree from left to right: a column for each level, a row for each leaf.

import { s } from "./parts.js";

/** Pixels between two lines. */
export const LINE = 21;
const SHORTEST = 38;
const LONGEST = 86;
const COLOURS = 8;

/** The colour of an outcome; the colours repeat after eight outcomes. */
export const colour = (outcome) => `o${(Number(outcome) - 1) % COLOURS}`;

/**
 * Nodes as the engine lists them. `path` holds the visited nodes, `at` is the last of them; nodes
 * deeper than `grown` are faint; `name` names a face; `room` is the available width.
 */
export function treePicture(records, { path = new Set(), at = null, grown = Infinity, name, room, label, press = null }) {
  const nodes = new Map(records.map((record) => [record.node, { ...record, children: [] }]));
  for (const node of nodes.values()) if (node.parent !== null) nodes.get(node.parent).children.push(node);
  const depth = Math.max(...records.map((node) => node.depth), 1);
  // The picture is as wide as its longest leaf needs. Letters keep their size, so a wide tree
  // scrolls. Steps are shorter if the whole tree then fits.
  const beside = Math.max(...records.map((node) => (node.kind === "outcome" ? 7 * (node.probability_exact.length + String(node.outcome).length) : 0)));
  const column = Math.min(Math.max(Math.floor((room - 40 - beside) / depth), SHORTEST), LONGEST);
  let next = 0;
  const place = (node) => {
    node.x = node.depth * column;
    if (node.children.length === 0) {
      node.y = next * LINE;
      next += 1;
    } else {
      node.children.forEach(place);
      node.y = (node.children[0].y + node.children.at(-1).y) / 2;
    }
  };
  place(nodes.values().next().value);
  const sort = (node) => [path.has(node.node) ? "on" : "", node.depth > grown ? "later" : "", node.node === at ? "here" : ""].filter(Boolean).join(" ");
  const edges = [...nodes.values()].slice(1).map((node) => {
    const parent = nodes.get(node.parent);
    return s("g", { class: `edge ${sort(node)}` },
      s("path", { d: `M${parent.x} ${parent.y}C${parent.x + column / 2} ${parent.y} ${node.x - column / 2} ${node.y} ${node.x} ${node.y}` }),
      s("text", { x: node.x - Math.min(20, column / 2), y: node.y - 3, "text-anchor": "middle" }, String(name(node.face))));
  });
  const points = [...nodes.values()].map((node) => {
    // A node without children is open, for example where the tree is cut off.
    const kind = node.kind === "outcome" ? "leaf" : node.children.length === 0 ? "open" : "inner";
    /** Whether the node is a leaf with a text; a leaf to fill in has none. */
    const written = kind === "leaf" && node.colour !== "blank";
    const wide = Math.max(22, 10 + 7 * String(node.outcome ?? "").length);
    const pressed = press?.(node, kind);
    return s("g", { class: `node ${kind} ${sort(node)}`, "data-depth": kind === "leaf" && node.colour !== "back" ? node.depth : null, transform: `translate(${node.x} ${node.y})`, ...pressed },
      s("title", {}, `${node.state ?? `outcome ${node.outcome}`}, probability ${node.probability_exact}`),
      pressed ? s("circle", { class: "target-area", r: 12 }) : null,
      kind === "leaf" ? s("rect", { x: -wide / 2, y: -9, width: wide, height: 18, rx: 4, class: node.colour ?? colour(node.outcome) }) : s("circle", { r: kind === "open" ? 3 : 4 }),
      written ? s("text", { y: 4, "text-anchor": "middle" }, String(node.outcome)) : null,
      written ? s("text", { x: wide / 2 + 5, y: 4, class: "weight" }, node.probability_exact) : null);
  });
  const wide = depth * column + 40 + beside;
  return s("svg", {
    viewBox: `-14 -14 ${wide} ${Math.max(next * LINE, LINE) + 10}`,
    class: "tree",
    style: { width: `${wide}px`, minWidth: `${wide}px` },
    role: press ? "group" : "img",
    "aria-label": label,
  }, edges, points);
}
