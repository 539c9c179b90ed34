// The terms of the field and the names of the methods, each with its meaning on demand.

import { ask, h } from "./parts.js";

let words = null;
/** The terms and their meanings, from the glossary. */
const glossary = () => (words ??= fetch("glossary.md").then((response) => response.text()).then((text) =>
  new Map([...text.matchAll(/^\| (.+?) \| (.+) \|$/gm)].flatMap(([, names, meaning]) => names.split(", ").map((name) => [name, meaning])))).catch(() => {
  words = null;
  return new Map();
}));

let tip = null;
const hideTip = () => tip && (tip.hidden = true);
async function showTip(button, meaning) {
  const text = await meaning();
  if (!button.isConnected || !text) return;
  // On a full screen only its own elements are visible.
  (document.fullscreenElement ?? document.body).append(tip);
  tip.textContent = text;
  tip.hidden = false;
  const at = button.getBoundingClientRect();
  const below = at.bottom + tip.offsetHeight + 12 < innerHeight;
  tip.style.left = `${Math.max(8, Math.min(at.left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - tip.offsetHeight - 6)}px`;
}
addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
addEventListener("scroll", hideTip, { passive: true, capture: true });

/** A term that explains itself on hover, focus or tap, from the glossary or with the given meaning. */
export function explain(term, shown = term, meaning = async () => (await glossary()).get(term)) {
  tip ??= document.body.appendChild(h("div", { id: "meaning", role: "tooltip", hidden: true }));
  const button = h("button", { class: "term", "aria-describedby": "meaning" }, shown);
  const tell = () => showTip(button, meaning);
  for (const kind of ["pointerenter", "focus", "click"]) button.addEventListener(kind, tell);
  for (const kind of ["pointerleave", "blur"]) button.addEventListener(kind, hideTip);
  return button;
}

/** Plain words for methods, shown before their ids. */
export const PLAIN = {
  "fast-dice-roller": "keep what is left over",
  rejection: "throw away and repeat",
  "rejection-ceil": "throw away and repeat, by powers",
  interval: "narrow down an interval",
  "base-conversion": "throw away what is over, share the rest",
  "base-conversion-early": "throw away as soon as it is clear",
  factoring: "small dice make the large one",
  "parity-bits": "odd or even, and repeat",
  bounded: "always the same number of rolls",
  "knuth-yao": "the cheapest tree",
  fldr: "a fair die of a power of two, and repeat",
  aldr: "a larger fair die, and seldom repeat",
  alias: "a column, then one of its two",
  "rejection-uniform": "a fair die, then a look-up",
  lemire: "multiply, and seldom repeat",
  "bitmask-words": "keep enough bits, and repeat",
  "von-neumann": "by pairs",
  "hoeffding-simons": "pairs, and pairs of equal pairs",
  "stout-warren": "pairs of equal pairs, decided earlier",
  elias: "orders of a whole block",
  peres: "pairs, and what they leave",
};

/** The id of a method, which shows its rule. */
export const explainMethod = (id, shown = id) => explain(id, shown, async () => {
  const { name, rule, citation } = (await ask({ ask: "list-algorithms", algorithm: id })).records[0];
  return `${name}: ${rule}. ${citation}.`;
});

/** A method in plain words with its id in small print; its rule is shown on demand. `choose` makes it a button. */
export function methodName(id, { pressed = false, choose } = {}) {
  const plain = PLAIN[id] ?? id;
  return h("span", { class: "method-name" },
    choose ? h("button", { class: "link", "aria-pressed": String(pressed), onclick: choose }, plain) : plain,
    " ", explainMethod(id, h("code", { class: "id" }, id)));
}
