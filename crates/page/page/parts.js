// What the views are made of: elements, numbers that can be copied, questions with progress.

import * as engine from "./engine.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of HTML. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An element of SVG. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const CONTROLS = "button, a[href], input, select, summary, [tabindex='0']";
const named = (control) => `${control.tagName} ${control.id} ${control.getAttribute("aria-label") ?? control.textContent}`;

/** Does what redraws a part, and puts the focus back on the control of the same role and name. */
export function keepingFocus(element, redraw) {
  const focused = element.contains(document.activeElement) && document.activeElement !== element ? document.activeElement : null;
  if (!focused) return redraw();
  const name = named(focused);
  const alike = () => [...element.querySelectorAll(CONTROLS)].filter((control) => named(control) === name);
  const at = alike().indexOf(focused);
  redraw();
  if (element.contains(document.activeElement)) return undefined;
  const found = alike();
  const again = found[at] ?? found[0];
  // Where it can no longer be used: another one of its group, or else the part as a whole.
  const near = again?.disabled ? [...again.parentElement.querySelectorAll("button:enabled")].at(-1) : again;
  if (!near && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  (near ?? element).focus({ preventScroll: true });
  return undefined;
}

/** Puts children in the place of those that are there. */
export const show = (element, ...children) => keepingFocus(element, () => element.replaceChildren(...children.flat(3).filter(Boolean)));

/** A text between marks as code. */
export const code = (text) => h("code", {}, text);

/** What the engine says to programs and at a terminal, and what it is to who fills in a field: [words, in place of them]. */
const REWORDED = [
  [/ is not a (target|number) that can be used: /, " cannot be used: "],
  [/: `\{[^`]*\}` lists all$/, ": leave the field empty to see all"],
];

/** What went wrong, in the engine's sentence; `field` is the part of the question that it is about, if the sentence begins with it. */
export class Refusal extends Error {
  constructor(error, field = null) {
    const text = REWORDED.reduce((told, [words, others]) => told.replace(words, others), error);
    const about = `the field \`${field}\`: `;
    const named = text.startsWith(about);
    super(named ? text.slice(about.length) : text);
    this.field = named ? field : null;
  }

  /** The sentence for a view, which calls the field as its label does. */
  within(place) {
    const label = this.field && place.closest(".view")?.querySelector(`[data-asks~="${this.field}"]`)?.dataset.called;
    return label ? `${label}: ${this.message}` : this.message;
  }
}

/** An answer that has rows. Where every method refused, the notes say why: once, if all say the same. */
export function answered(told) {
  if (told.rows.length > 0) return told;
  const why = [...new Set(told.notes.map((note) => note.replace(/^[\w-]+: /, "")))];
  throw new Refusal(`There is no answer. ${why.map((note) => `${note[0].toUpperCase()}${note.slice(1)}`).join(". ")}`);
}

const kept = new Map();
const MOST_KEPT = 300;

/** The answer of a question: its columns by name, its rows as objects. Answers are kept; who was stopped gets none. */
export async function ask(query, options) {
  options?.signal?.throwIfAborted();
  const key = JSON.stringify(query);
  if (kept.has(key)) return kept.get(key);
  const { ok, text } = await engine.ask(query, options);
  options?.signal?.throwIfAborted();
  const told = JSON.parse(text);
  if (!ok) throw new Refusal(told.error, told.field);
  told.records = told.rows.map((row) => Object.fromEntries(told.columns.map((column, i) => [column.name, row[i]])));
  told.said = told.shown.map((row) => Object.fromEntries(told.columns.map((column, i) => [column.name, row[i]])));
  // What is exact or rounded is spelled by its value alone.
  const rounded = told.columns.map(({ kind }) => ["exact", "decimal", "bound"].includes(kind));
  told.spelled = new Map(told.rows.flatMap((row, k) => row.flatMap((cell, i) => (rounded[i] && cell !== null ? [[String(cell), told.shown[k][i]]] : []))));
  told.units = Object.fromEntries(told.columns.map(({ name, unit }) => [name, unit ?? ""]));
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
  kept.set(key, told);
  return told;
}

/** What else there is of a question that may be refused, or null; but not for who was stopped. */
export const orNone = (promise) => promise.catch((error) => {
  if (error.name === "AbortError") throw error;
  return null;
});

/** The picture of an answer, by the engine's own picture room. */
export async function picture(query, alt, options) {
  const { ok, text } = await engine.picture(query, options);
  options?.signal?.throwIfAborted();
  if (!ok) {
    const told = JSON.parse(text);
    throw new Refusal(told.error, told.field);
  }
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = h("img", { src: address, alt, class: "picture" });
  image.addEventListener("load", () => URL.revokeObjectURL(address), { once: true });
  return image;
}

/** Sentences of what went wrong that still hold. */
const REFUSED = ".refusal:not([data-old])";

/** A sentence of what went wrong: long numbers in it are cut, and a pointer shows them whole. */
const refusal = (text) => {
  const cut = text.replace(/[^\s"]{40,}/g, short);
  return h("p", { class: "refusal", role: "alert", title: cut === text ? null : text }, /[.!?]$/.test(cut) ? cut : `${cut}.`);
};

/**
 * Runs a question of a view: only the latest one counts, the ones before it are stopped. It gives null
 * where it is no longer the latest one, and false where there is no answer. What takes longer than a
 * moment shows how far it is, and a button that stops it. A sentence that another part of the view
 * shows already is not said again.
 */
export function asker(place) {
  let now = null;
  async function run(work, again = () => run(work)) {
    run.stop();
    const mine = new AbortController();
    now = mine;
    const bar = h("progress", { "aria-label": "Progress" });
    const busy = h("p", { class: "busy", role: "status" }, "Computing ", bar, " ",
      h("button", { type: "button", onclick: () => mine.abort() }, "Stop"));
    const late = setTimeout(() => mine === now && place.prepend(busy), 400);
    const progress = ({ done, all }) => {
      if (all > 0) Object.assign(bar, { max: all, value: done });
    };
    const over = () => {
      clearTimeout(late);
      busy.remove();
    };
    try {
      const made = await work({ signal: mine.signal, progress });
      over();
      return mine === now ? made : null;
    } catch (error) {
      over();
      if (mine !== now) return null;
      if (error.name === "AbortError") show(place, h("p", { class: "refusal" }, "Stopped. ", h("button", { type: "button", onclick: again }, "Try again")));
      else {
        const sentence = refusal(error instanceof Refusal ? error.within(place) : error.message);
        const said = [...(place.closest(".view")?.querySelectorAll(REFUSED) ?? [])].some((other) => !place.contains(other) && other.textContent === sentence.textContent);
        show(place, said ? null : sentence);
      }
      return false;
    }
  }
  /** Nothing that was asked before is shown any more, and a sentence that stands there holds no longer. */
  run.stop = () => {
    now?.abort();
    now = null;
    for (const old of place.querySelectorAll(".refusal")) old.dataset.old = "yes";
  };
  run.clear = () => {
    run.stop();
    show(place);
  };
  return run;
}

/**
 * The main question of a view, before all others: what it refuses, the others would refuse in the same
 * words, and what they show belongs to a question before it. They are empty then.
 */
export async function first(runs, name, work, again) {
  for (const run of Object.values(runs)) run.stop();
  const told = await runs[name](work, again);
  if (told === false) for (const [other, run] of Object.entries(runs)) if (other !== name) run.clear();
  return told;
}

/** A number of the page's own, such as a mark of an axis, to six significant digits. */
export function brief(value) {
  const text = String(value);
  if (!Number.isFinite(Number(value)) || text.trim() === "") return "no number";
  if (text.replace(/e.*|^-|^0\.0*|\./g, "").length <= 6) return text;
  return String(Number(Number(value).toPrecision(6))).replace("e+", "e");
}

/** A fraction or a count in a line, with its middle left out if it is long. */
export function short(text) {
  const value = String(text);
  return value.length <= 26 ? value : `${value.slice(0, 12)}…${value.slice(-8)}`;
}

/** Is a decimal all of a fraction? Two answers of the engine are compared, nothing is computed anew. */
function same(fraction, decimal) {
  const [a, b = "1"] = fraction.split("/");
  const [whole, part = ""] = String(decimal).split(".");
  if (fraction.length > 200 || ![a, b, whole + part].every((digits) => /^\d+$/.test(digits))) return false;
  return BigInt(a) * 10n ** BigInt(part.length) === BigInt(whole + part) * BigInt(b);
}

/**
 * A decimal as the engine spells it, that does not seem to be more than it is: one that is near its value,
 * but may not be all of it, has ≈ before it. The double next to a value that is not 0 is not 0.
 */
export function about(decimal, fraction, sure, answer) {
  const text = spelled(answer, decimal);
  return ["0", "infinite", "undefined"].includes(text) || (sure && text === String(decimal)) || (fraction && same(fraction, text)) ? text : `≈ ${text}`;
}

/** A cell of an answer as the engine spells it for people. */
const spelled = (answer, cell) => answer?.spelled.get(String(cell)) ?? brief(cell);

/** What is known exactly of the entropy in the answer of a cost: it is the cost of a method without a toll. */
export const entropyOf = (records) => records.find((record) => record.toll === 0)?.expected_exact ?? null;

/** Is a toll that looks short all of it? It is where it lies between two short fractions. */
export const sureToll = (records, record) => [entropyOf(records), record.expected_exact].every((fraction) => fraction && fraction.length < 9);

let dialog = null;

function copyButton(name, text, shown) {
  const button = h("button", { type: "button", class: "copy" });
  const says = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word}: ${name}`);
  };
  says("Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      says("Copied");
    } catch {
      // Where a page may not copy by itself, what is selected can be copied by hand.
      getSelection().selectAllChildren(shown);
      says("Selected");
    }
    setTimeout(() => says("Copy"), 1500);
  });
  return button;
}

async function open({ exact, decimal, answer, label, row, column, cite }) {
  dialog ??= document.body.appendChild(h("dialog", { class: "number-dialog", "aria-labelledby": "number-title" }));
  const list = h("dl", {});
  const add = (name, text) => {
    const shown = h("code", { tabindex: 0 }, text);
    list.append(h("dt", {}, name, " ", copyButton(name, text, shown)), h("dd", {}, shown));
  };
  if (exact) add(exact.includes("/") ? "Fraction" : "Whole number", exact);
  add("Command", answer.command);
  add("Link", location.href);
  // The way out stands above what may be long.
  show(dialog, h("form", { method: "dialog" }, h("h2", { id: "number-title" }, label), h("button", { autofocus: true }, "Close")), list);
  dialog.showModal();
  try {
    // Fifty decimals are a question of their own.
    let text = null;
    if (exact && /^\d+(\/\d+)?$/.test(exact) && exact.length < 20000) {
      text = (await ask({ ask: "decimals", of: exact, digits: 50 })).records[0].decimals;
    } else if (row !== undefined && column) {
      const more = await ask({ ...answer.query, digits: 50 });
      text = more.records[row][column];
    }
    if (text !== null) add("50 decimals", String(text));
    else if (decimal !== undefined) add("Decimal", String(decimal));
  } catch {
    if (decimal !== undefined) add("Decimal", String(decimal));
  }
  try {
    const cited = await ask(cite ? { ask: "cite", what: cite } : { ask: "cite" });
    add("Citation", cited.text.trim());
  } catch { /* the other forms stay */ }
}

/** How a number is shown that has a fraction, a decimal or both. */
function form(fraction, decimal, wanted, sure, answer) {
  const given = decimal !== null && decimal !== undefined;
  if (!fraction) return given ? about(decimal, null, sure, answer) : "no number";
  if (!given) return spelled(answer, fraction);
  const whole = !fraction.includes("/");
  if (fraction.length > 26) return whole ? short(fraction) : about(decimal, fraction, sure, answer);
  if (whole || wanted === "exact") return fraction;
  if (wanted === "decimal") return about(decimal, fraction, sure, answer);
  const text = spelled(answer, decimal);
  return `${fraction} ${same(fraction, text) ? "=" : "≈"} ${text}`;
}

/**
 * A number that can be copied: `exact` and `decimal` are cells of an answer; `row` and `column` say
 * where the decimal stands in it, and `sure` that a short decimal is all of it.
 */
export function number(given) {
  const { exact, decimal, label, sure } = given;
  const fraction = exact !== null && exact !== undefined && String(exact) !== "" ? String(exact) : null;
  const shown = form(fraction, decimal, given.form, sure, given.answer);
  return h("button", {
    type: "button",
    class: "number",
    title: "Copy this number",
    "aria-label": `${label}: ${shown}. Copy`,
    onclick: () => open({ ...given, exact: fraction }),
  }, shown);
}

/** A table: heads, and rows of cells. */
export function table(caption, heads, rows, kind) {
  const numeric = (i) => (heads[i].number ? "n" : null);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: kind },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", class: numeric(i), "aria-sort": head.sort ?? null }, head.shown ?? head.name)))),
      h("tbody", {}, rows.map((cells) => h("tr", { class: cells.class ?? null },
        cells.map((cell, i) => (i === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: numeric(i) }, cell))))))));
}

/** A number as it was written, in brackets where it is an expression. */
export const bracketed = (m) => (/^\d+$/.test(String(m)) ? short(m) : `(${short(m)})`);

/** How a number may be written. What is written otherwise, as weights or as dice, may still be a fair die. */
export const EXPRESSION = /^[\d\s_+\-*/^!().eE]+$/;

/** The number of sides as it was typed: commas between groups of three digits only part them, as in 1,000. */
export const ungrouped = (text) => (/^\d{1,3}([,\u202f]\d{3})+$/.test(text) ? text.replace(/\D/g, "") : text);

/** What a die is called. */
export const die = (m) => (String(m) === "2" ? "coin" : `d${bracketed(m)}`);

/** A word for one roll, and for several. */
export const roll = (m) => (String(m) === "2" ? "flip" : "roll");
export const rolls = (m) => `${roll(m)}s`;
/** The word beside a number of them, or beside a number as it is shown: one that is near 1 reads as 1. */
export const rollsFor = (m, count) => (/^(≈ )?1$/.test(count?.textContent ?? String(count)) ? roll(m) : rolls(m));

/** The place of a value between 0 and 1 on the screen: the only use that is made of a fraction as a number. */
export function ratio(fraction) {
  const [a, b] = String(fraction).split("/");
  return b === undefined ? Number(a) : Number(a) / Number(b);
}

/** Round values between two, about so many at most: where a picture has its lines and their letters. */
export function ticks(least, greatest, most = 5) {
  const rough = (greatest - least) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  if (!(rough > 0) || power < 1e-14) return [{ value: least, text: brief(least) }];
  const step = power * ([1, 2, 5].find((k) => k * power >= rough * 0.999) ?? 10);
  const places = Math.max(-Math.floor(Math.log10(step) + 1e-9), 0);
  const first = Math.ceil(least / step - 1e-6), last = Math.floor(greatest / step + 1e-6);
  return Array.from({ length: last - first + 1 }, (_, i) => ({ value: (first + i) * step, text: ((first + i) * step).toFixed(places) }));
}

/** A number as people write it, with thin gaps; the middle of a long one is left out. */
export const grouped = (n) => (/^\d{5,26}$/.test(String(n)) ? String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f") : short(n));

/** A field for n, with a slider for the small ones. A change by the slider is a passing one. */
export function target({ value, label, least = 2, most = 100, id, change }) {
  const slider = h("input", { type: "range", min: least, max: most, step: 1, id: `${id}-slider`, "aria-label": `${label}, by slider` });
  const field = h("input", { type: "text", id, inputmode: "text", autocomplete: "off", spellcheck: "false", size: 8, "data-asks": "target", "data-called": label.replace(/ =$/, "") });
  const set = (text) => {
    field.value = text;
    slider.value = /^\d{1,3}$/.test(text) ? text : most;
  };
  set(value);
  slider.addEventListener("input", () => {
    field.value = slider.value;
    change(slider.value, true);
  });
  field.addEventListener("change", () => {
    // An emptied field is as at first.
    const text = ungrouped(field.value.trim()) || value;
    set(text);
    change(text);
  });
  return { set, element: h("div", { class: "target" }, h("label", { for: id }, label), slider, field) };
}
