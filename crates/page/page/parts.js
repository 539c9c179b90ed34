// Building blocks of the views: elements, numbers that can be copied, questions with progress.

import * as engine from "./engine.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if ((value ?? false) === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => (child ?? false) !== false));
  return element;
}

/** The default attributes of controls. */
const USUALLY = { button: { type: "button" }, input: { type: "text", autocomplete: "off", spellcheck: "false" } };
/** An HTML element: its attributes, if any, and its contents. */
export function h(tag, ...inside) {
  const has = inside[0]?.constructor === Object;
  return fill(document.createElement(tag), { ...USUALLY[tag], ...(has ? inside[0] : {}) }, has ? inside.slice(1) : inside);
}

export const section = (label, kind = "card", ...inside) => h("section", { class: kind, "aria-label": label }, inside);

/** A box whose contents scroll sideways, also by keys, if they are too wide. */
export const scroller = (label, ...inside) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, inside);

/** A control with its label and more elements; the control's meaning, if any, is the title. */
export const field = (label, control, ...more) => h("div", { class: "field", title: control.dataset.means }, h("label", { for: control.id }, label), control, more);

/** Chooses a value of a list; adds it if it is missing, as a value from an address may be. */
export function choose(list, value) {
  if (![...list.options].some((one) => one.value === value)) list.append(h("option", { value }, value));
  list.value = value;
}

/** A group of buttons that can stay pressed. */
export const choice = (label, ...buttons) => h("div", { class: "choice", role: "group", "aria-label": label }, buttons);

export const option = (text, pressed, onclick, more) => h("button", { ...more, "aria-pressed": String(pressed), onclick }, text);

/** A sentence in small print. */
export const quiet = (...children) => h("p", { class: "hint" }, ...children);

export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const CONTROLS = "button, a[href], input, select, summary, [tabindex='0']";
const named = (control) => `${control.tagName} ${control.id} ${control.getAttribute("aria-label") ?? control.textContent}`;

/** Redraws a part, and restores the focus to the control with the same role and name. */
function keepingFocus(element, redraw) {
  const focused = element.contains(document.activeElement) && document.activeElement !== element ? document.activeElement : null;
  if (!focused) return redraw();
  const name = named(focused);
  const alike = () => [...element.querySelectorAll(CONTROLS)].filter((control) => named(control) === name);
  const at = alike().indexOf(focused);
  redraw();
  if (element.contains(document.activeElement)) return undefined;
  const found = alike();
  const again = found[at] ?? found[0];
  // If that control is disabled, take another control of its group, or else the whole part.
  const near = again?.disabled ? [...again.parentElement.querySelectorAll("button:enabled")].at(-1) : again;
  if (!near && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  (near ?? element).focus({ preventScroll: true });
  return undefined;
}

/** Replaces the children of an element. */
export const show = (element, ...children) => keepingFocus(element, () => element.replaceChildren(...children.flat(3).filter(Boolean)));

// Redrawing waits while a control is pressed, so that it does not move.
let pressed = false;
let over = 0;
const held = [];
const press = (event) => {
  clearTimeout(over);
  pressed = Boolean(event.target.closest?.("button, a, summary, label"));
};
const release = () => {
  clearTimeout(over);
  pressed = false;
  for (const next of held.splice(0)) next();
};
for (const kind of ["pointerdown", "mousedown"]) addEventListener(kind, press, true);
// The click of a touch comes a moment after the touch ends.
for (const kind of ["pointerup", "pointercancel", "mouseup", "dragend"]) addEventListener(kind, () => {
  clearTimeout(over);
  over = setTimeout(release, 80);
}, true);
for (const kind of ["click", "blur"]) addEventListener(kind, (event) => (kind === "click" || event.target === window) && release(), true);

/** Calls `next` now, or when the pressed control is released. */
export const whenReleased = (next) => (pressed ? held.push(next) : next());

/** Starts a sentence with a capital letter. */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export const code = (text) => h("code", text);

/** The engine's words about programs, the terminal and rule files, and the page's words for them. */
const REWORDED = [
  [/^[\w.-]+, line (\d+): /, "Line $1: "],
  [/after the rolls (?=[HT]+ )/, "after the flips "],
  [/^[\w.-]+\.rhai: (.)/, (_, first) => first.toUpperCase()],
  [/[;:] "flipcost rule new" prints one to start from/, ": the buttons above have some to start from"],
  [/ is not a (target|number) that can be used: /, " cannot be used: "],
  [/: `flipcost [^`]*` lists all$/, ": leave the field empty to see all"],
];
/** First words of the engine's own sentences; other first words were typed by somebody. */
const BEGINNINGS = /^(this|that|the|there|no|it|an?|only|all|both|what|where|one|more|too|for|line|nothing|each|every)\b/;

/** A refusal in the engine's words; `field` is the part of the question that it begins with, if any. */
export class Refusal extends Error {
  constructor(error, field = null) {
    const text = REWORDED.reduce((told, [words, others]) => told.replace(words, others), error);
    const about = `the field \`${field}\`: `;
    const named = text.startsWith(about);
    super(named ? text.slice(about.length) : text);
    this.field = named ? field : null;
  }

  /** The sentence for a view, with the field named by its label. */
  within(place) {
    const label = this.field && place.closest(".view")?.querySelector(`[data-asks~="${this.field}"]`)?.dataset.called;
    return label ? `${label}: ${this.message}` : this.message.replace(BEGINNINGS, capital);
  }
}

/** Checks that an answer has rows. If every method refused, the notes say why: once, if all say the same. */
export function answered(told) {
  if (told.rows.length > 0) return told;
  const why = [...new Set(told.notes.map((note) => note.replace(/^[\w-]+: /, "")))];
  throw new Refusal(`There is no answer. ${why.map(capital).join(". ")}`);
}

/** Stops all questions of a view when it is left. */
let ofView = new AbortController();
export function leaveView() {
  ofView.abort();
  ofView = new AbortController();
}

const kept = new Map();
const MOST_KEPT = 300;

// While a slider is dragged, at most ten questions are asked in a second, and only the newest of
// them.
let dragging = false;
let clock = null;
const queue = [];
const letOne = () => {
  let next = queue.shift();
  while (next?.signal?.aborted) {
    next.go();
    next = queue.shift();
  }
  if (next) next.go();
  else if (!dragging) {
    clearInterval(clock);
    clock = null;
  }
};
addEventListener("pointerdown", (event) => (dragging = Boolean(event.target.closest?.("input[type=range], [data-drag]"))), true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => {
  dragging = false;
  while (queue.length > 0) queue.shift().go();
}, true);

// If the server is gone, the view turns grey, and nothing is asked until it answers again.
let [gone, retry] = [null, 0];
const stopped = h("div", { class: "stopped", role: "alert", hidden: true });
export function tellGone(error, again = () => dispatchEvent(new Event("hashchange"))) {
  gone = error;
  const port = location.port && location.port !== "1360" ? ` --port ${location.port}` : "";
  const resume = () => {
    clearInterval(retry);
    gone = null;
    stopped.hidden = true;
    document.body.classList.remove("gone");
    again();
  };
  clearInterval(retry);
  retry = setInterval(() => fetch("progress/none").then((there) => there.ok && gone && resume(), () => {}), 3000);
  show(stopped, h("p", "flipcost has stopped; start it again: ", h("code", `flipcost explore${port}`), ". This page tries again by itself."),
    h("button", { class: "primary", onclick: resume }, "Try again"));
  stopped.hidden = false;
  document.body.append(stopped);
  document.body.classList.add("gone");
}
addEventListener("unhandledrejection", (event) => ["Gone", "AbortError"].includes(event.reason?.name) && event.preventDefault());

let open = 0;
async function reached(promise) {
  open += 1;
  try {
    return await promise;
  } catch (error) {
    if (error.name === "Gone") tellGone(error);
    throw error;
  } finally {
    open -= 1;
  }
}
/** Waits until no question has been asked for a moment, or at most this time. */
export async function answeredAll(most = 4000) {
  const pause = (time) => new Promise((done) => setTimeout(done, time));
  const end = performance.now() + most;
  for (let quiet = 0; quiet < 3 && performance.now() < end; await pause(16)) quiet = open === 0 ? quiet + 1 : 0;
}

const turn = (signal) => new Promise((go) => {
  if (!dragging) return go();
  queue.push({ go, signal });
  clock ??= setInterval(letOne, 100);
  return undefined;
});

/** The answer of a question: columns by name, rows as objects. Answers are cached; a stopped question rejects. */
export async function ask(query, { signal = ofView.signal, progress } = {}) {
  signal.throwIfAborted();
  const key = JSON.stringify(query);
  if (!kept.has(key)) await turn(signal);
  if (gone && !kept.has(key)) throw gone;
  signal.throwIfAborted();
  const found = kept.get(key) ?? keep(key, await reached(engine.ask(query, { signal, progress })), signal);
  if (pressed) await new Promise(whenReleased);
  signal.throwIfAborted();
  return found;
}

function keep(key, { ok, text }, signal) {
  signal.throwIfAborted();
  const told = JSON.parse(text);
  if (!ok) throw new Refusal(told.error, told.field);
  [told.records, told.said] = [told.rows, told.shown].map((rows) => rows.map((row) => Object.fromEntries(told.columns.map(({ name }, i) => [name, row[i]]))));
  // The spelling of an exact or rounded number depends only on its value.
  const rounded = told.columns.map(({ kind }) => ["exact", "decimal", "bound"].includes(kind));
  told.spelled = new Map(told.rows.flatMap((row, k) => row.flatMap((cell, i) => (rounded[i] && cell !== null ? [[String(cell), told.shown[k][i]]] : []))));
  told.units = Object.fromEntries(told.columns.map(({ name, unit }) => [name, unit ?? ""]));
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
  kept.set(key, told);
  return told;
}

/** Reads typed words such as "d7 from a d6" as the command line does: { ask, of, source, dice, draw }; or null. */
export async function understand(text) {
  const { ok, text: told } = await reached(engine.ask({ words: text }, { signal: ofView.signal }));
  return ok ? JSON.parse(told) : null;
}

/** Turns a refusal into null, for optional parts; a stopped question still rejects. */
export const orNone = (promise) => promise.catch((error) => {
  if (error.name === "AbortError" || error.name === "Gone") throw error;
  return null;
});

/** The picture of an answer, drawn by the engine. */
export async function picture(query, alt, { signal = ofView.signal, progress } = {}) {
  const { ok, text } = await reached(engine.picture(query, { signal, progress }));
  signal.throwIfAborted();
  if (!ok) {
    const told = JSON.parse(text);
    throw new Refusal(told.error, told.field);
  }
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = h("img", { src: address, alt, class: "picture" });
  image.addEventListener("load", () => {
    URL.revokeObjectURL(address);
    // A picture that is a little too wide is shrunk; a much wider one scrolls.
    if (image.naturalWidth < 1.5 * image.parentElement?.clientWidth) image.style.maxWidth = "100%";
  }, { once: true });
  return image;
}

/** Refusals that still apply. */
const REFUSED = ".refusal:not([data-old])";

/** A refusal; long numbers are shortened, and pointing shows them whole. */
const refusal = (text) => {
  const cut = text.replace(/[^\s"]{40,}/g, short);
  return h("p", { class: "refusal", role: "alert", title: cut === text ? null : text }, /[.!?]$/.test(cut) ? cut : `${cut}.`);
};

/**
 * Runs a question of a view: only the latest one counts, earlier ones are stopped. It returns null
 * if it is no longer the latest, and false if it has no answer. A slow question shows its progress
 * and a button to stop it. A refusal that another part of the view already shows is not repeated.
 */
export function asker(place) {
  let now = null;
  async function run(work, again = () => run(work)) {
    run.stop();
    const [mine, left] = [new AbortController(), ofView];
    now = mine;
    const bar = h("progress", { "aria-label": "Progress" });
    const busy = h("p", { class: "busy", role: "status" }, "Computing ", bar, " ",
      h("button", { onclick: () => mine.abort() }, "Stop"));
    // the old contents belong to another question until the answer comes
    const late = setTimeout(() => {
      if (mine !== now) return;
      place.prepend(busy);
      place.classList.add("stale");
    }, 400);
    const progress = ({ done, all }) => {
      if (all > 0) Object.assign(bar, { max: all, value: done });
    };
    const over = () => {
      clearTimeout(late);
      busy.remove();
      if (mine === now) place.classList.remove("stale");
    };
    try {
      const made = await work({ signal: AbortSignal.any([mine.signal, left.signal]), progress });
      over();
      return mine === now && !left.signal.aborted ? made : null;
    } catch (error) {
      over();
      if (mine !== now || left.signal.aborted || error.name === "Gone") return null;
      if (error.name === "AbortError") show(place, h("p", { class: "refusal" }, "Stopped. ", h("button", { onclick: again }, "Try again")));
      else {
        const sentence = refusal(error instanceof Refusal ? error.within(place) : error.message);
        const said = [...(place.closest(".view")?.querySelectorAll(REFUSED) ?? [])].some((other) => !place.contains(other) && other.textContent === sentence.textContent);
        show(place, said ? null : sentence);
      }
      return false;
    }
  }
  /** Clears what earlier questions showed, including their refusals. */
  run.stop = () => {
    now?.abort();
    now = null;
    for (const old of place.querySelectorAll(".refusal")) old.dataset.old = "yes";
  };
  run.stale = (is) => place.classList.toggle("stale", is);
  run.clear = () => {
    run.stop();
    place.classList.remove("stale");
    show(place);
  };
  return run;
}

/**
 * Runs the main question of a view before all others: if it is refused, the others would be refused
 * in the same words and show outdated contents, so they are cleared.
 */
export async function first(runs, name, work, again) {
  for (const run of Object.values(runs)) run.stop();
  const others = Object.entries(runs).filter(([other]) => other !== name).map(([, run]) => run);
  const late = setTimeout(() => others.forEach((run) => run.stale(true)), 400);
  const told = await runs[name](work, again);
  clearTimeout(late);
  if (told !== null) for (const run of others) run.stale(false);
  if (told === false) for (const run of others) run.clear();
  return told;
}

/** On a phone, long fractions are shown as decimals. */
export const shortForm = () => (innerWidth < 480 ? "short" : undefined);
const MOST_SHORT = 7;

/** A number of the page itself, such as an axis label, to six significant digits. */
export function brief(value) {
  const text = String(value);
  if (!Number.isFinite(Number(value)) || text.trim() === "") return "no number";
  if (text.replace(/e.*|^-|^0\.0*|\./g, "").length <= 6) return text;
  return String(Number(Number(value).toPrecision(6))).replace("e+", "e");
}

/** A fraction or a count; the middle of a long one is left out. */
export function short(text) {
  const value = String(text);
  return value.length <= 26 ? value : `${value.slice(0, 12)}…${value.slice(-8)}`;
}

/** Whether a decimal of the engine is the exact value of a fraction. */
function same(fraction, decimal) {
  const [a, b = "1"] = fraction.split("/");
  const [whole, part = ""] = String(decimal).split(".");
  if (fraction.length > 200 || ![a, b, whole + part].every((digits) => /^\d+$/.test(digits))) return false;
  return BigInt(a) * 10n ** BigInt(part.length) === BigInt(whole + part) * BigInt(b);
}

/**
 * A decimal as the engine spells it, with ≈ before it if it may not be exact. A value that is not 0
 * is never shown as 0.
 */
export function about(decimal, fraction, sure, answer) {
  const text = spelled(answer, decimal);
  return ["0", "infinite", "undefined"].includes(text) || (sure && text === String(decimal)) || (fraction && same(fraction, text)) ? plainly(text) : `≈ ${plainly(text)}`;
}

/** The largest number of places of a decimal that is written out. */
const MOST_PLACES = 12;
/** Numbers such as 30 + 1.12e-7, as people write them: 30.000000112, or with a power of ten if it is longer. */
export function plainly(text) {
  const [, whole, sign, digits, power] = /^(\d+) ([+-]) ([\d.]+)e-(\d+)$/.exec(text) ?? [];
  if (sign && Number(power) <= MOST_PLACES) {
    const part = `${"0".repeat(power - 1)}${digits.replace(".", "")}`;
    const [one, all] = [10n ** BigInt(part.length), BigInt(whole)];
    const [above, rest] = sign === "+" ? [all, BigInt(part)] : [all - 1n, one - BigInt(part)];
    return `${above}.${String(rest).padStart(part.length, "0")}`;
  }
  return text.replace(/ - /, " − ").replace(/([\d.]+)e([+-]?\d+)/g, (_, mantissa, exponent) => `${mantissa} × 10${superscript(exponent)}`);
}

/** A cell as the engine spells it for people. */
const spelled = (answer, cell) => answer?.spelled.get(String(cell)) ?? brief(cell);

/** The exact entropy: the cost of a method without a toll, if there is one. */
export const entropyOf = (records) => records.find((record) => record.toll === 0)?.expected_exact ?? null;

/** Whether a short toll is exact: the difference of two short fractions. */
const sureToll = (records, record) => [entropyOf(records), record.expected_exact].every((fraction) => fraction && fraction.length < 9);

let dialog = null;

/** A button that copies a text; if copying is forbidden, it selects the text on the page. */
export function copyButton(name, text, shown) {
  const button = h("button", { class: "copy" });
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
      // If the browser refuses, a person can copy the selection.
      getSelection().selectAllChildren(shown);
      says("Selected");
    }
    setTimeout(() => says("Copy"), 1500);
  });
  return button;
}

async function openNumber({ exact, decimal, answer, label, row, column, cite, atMost }) {
  dialog ??= document.body.appendChild(h("dialog", { class: "number-dialog", "aria-labelledby": "number-title" }));
  const list = h("dl");
  const add = (name, text) => {
    const shown = h("code", { tabindex: 0 }, text);
    list.append(h("dt", name, " ", copyButton(name, text, shown)), h("dd", shown));
  };
  if (exact) add(exact.includes("/") ? "Fraction" : "Whole number", exact);
  else {
    const why = answer.notes?.find((note) => /^the exact fraction of /.test(note) && note.includes(` ${cite} `));
    if (why) list.append(h("dt", "Fraction"), h("dd", { class: "hint" }, `${capital(why)}.`));
  }
  add("Command", answer.command);
  const shared = link();
  add("Link", shared.text);
  if (shared.why) list.append(h("dd", { class: "hint" }, shared.why));
  // The close button comes before long contents.
  show(dialog, h("form", { method: "dialog" }, h("h2", { id: "number-title" }, label), h("button", { type: "submit", autofocus: true }, "Close")), list);
  dialog.showModal();
  // Fifty decimals are asked for separately.
  const [query, at, name] = exact && /^\d+(\/\d+)?$/.test(exact) && exact.length < 20000 ? [{ ask: "decimals", of: exact }, 0, "decimals"]
    : row !== undefined && column ? [answer.query, row, column] : [];
  const more = query && await ask({ ...query, digits: 50 }).catch(() => null);
  const text = more?.records[at]?.[name] ?? null;
  if (text !== null) {
    add("50 decimals", String(text));
    if (more.command.length < 200) add("Their command", more.command);
  } else if (decimal !== undefined) add(atMost ? "At most" : "Decimal", String(decimal));
  try {
    // Cites the paper of a method, with its year and address, and the software.
    const works = cite ? [cite, ""] : [""];
    const told = await Promise.all(works.flatMap((what) => ["text", "bibtex"].map((format) => ask({ ask: "cite", ...(what ? { what } : {}), format }))));
    const [texts, records] = [0, 1].map((odd) => told.filter((_, i) => i % 2 === odd).map(({ text }) => text.trim()));
    add("Citation", `${texts.join("\n")} ${shared.why ? "Seen" : `${shared.text}, seen`} on ${new Date().toISOString().slice(0, 10)}.`);
    add("BibTeX", records.join("\n"));
  } catch { /* the other forms stay */ }
}

/** How to show a number with a fraction, a decimal or both. */
function form(fraction, decimal, wanted, sure, answer) {
  const given = (decimal ?? null) !== null;
  if (!fraction) return given ? about(decimal, null, sure, answer) : "no number";
  // A whole number is never rounded.
  if (!given) return /^-?\d+$/.test(fraction) ? short(fraction) : plainly(spelled(answer, fraction));
  const whole = !fraction.includes("/");
  if (fraction.length > 26) return whole ? short(fraction) : about(decimal, fraction, sure, answer);
  if (whole || wanted === "exact") return fraction;
  if (wanted === "decimal" || wanted === "short" && fraction.length > MOST_SHORT) return about(decimal, fraction, sure, answer);
  if (wanted === "short") return fraction;
  const text = spelled(answer, decimal);
  return `${fraction} ${same(fraction, text) ? "=" : "≈"} ${plainly(text)}`;
}

/**
 * A number that can be copied. `exact` and `decimal` are cells of an answer; `row` and `column`
 * locate the decimal; `sure` says that a short decimal is exact, `atMost` that it is an upper
 * bound; `text`, if given, is shown instead of the number.
 */
export function number(given) {
  const { exact, decimal, label, sure } = given;
  const fraction = String(exact ?? "") || null;
  const near = given.text ?? form(fraction, decimal, given.form, sure, given.answer);
  const shown = given.below && near === "≈ 2" ? "just below 2" : near;
  return h("button", {
    class: "number",
    title: "All forms of this number",
    "aria-label": `${label}: ${shown}. All forms`,
    onclick: () => openNumber({ ...given, exact: fraction }),
  }, shown);
}

/** A cell whose exact value is in another column. */
export const cellOf = (answer, row, column, label, more) => number({ exact: answer.records[row][`${column}_exact`], decimal: answer.records[row][column], answer, row, column, label, ...more });

/** The toll in a row of costs. The best toll from a coin is below 2, so it is never shown as 2. */
export function tollIn(answer, row, label) {
  const { toll, algorithm } = answer.records[row];
  const best = (answer.query.source ?? "2") === "2" && ["fast-dice-roller", "knuth-yao"].includes(algorithm);
  return number({ decimal: toll, answer, row, column: "toll", label, form: "decimal", sure: sureToll(answer.records, answer.records[row]), below: best || toll < 2 });
}

export function table(caption, heads, rows, kind) {
  const numeric = (i) => (heads[i].number ? "n" : null);
  return scroller(caption,
    h("table", { class: kind },
      h("caption", caption),
      h("thead", h("tr", heads.map((head, i) => h("th", { scope: "col", class: numeric(i), "aria-sort": head.sort ?? null }, head.shown ?? head.name)))),
      h("tbody", rows.map((cells) => h("tr", { class: cells.class ?? null },
        cells.map((cell, i) => (i === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: numeric(i) }, cell))))))));
}

/** A number as it was typed, in brackets if it is an expression. */
export const bracketed = (m) => (/^\d+$/.test(String(m)) ? short(m) : `(${short(m)})`);

/** Texts that are numbers. Others, such as weights or dice, may still be a fair die. */
export const EXPRESSION = /^[\d\s_+\-*/^!().eE]+$/;

/** The number of sides as it was typed, without commas that group three digits, as in 1,000. */
export const ungrouped = (text) => (/^\d{1,3}([,\s]\d{3})+$/.test(text) ? text.replace(/\D/g, "") : text);

export const die = (m) => (String(m) === "2" ? "coin" : `d${bracketed(m)}`);

/** The word for a roll, and for several. */
export const roll = (m) => (String(m) === "2" ? "flip" : "roll");
export const rolls = (m) => `${roll(m)}s`;
/** The unit after a count, or after a shown number: a number shown as 1 is singular. */
export const rollsFor = (m, count) => (/^(≈ )?1$/.test(count?.textContent ?? String(count)) ? roll(m) : rolls(m));

/** A value between 0 and 1 as a double, only for places on the screen. */
export function ratio(fraction) {
  const [a, b] = String(fraction).split("/");
  return b === undefined ? Number(a) : Number(a) / Number(b);
}

/** About `most` round values between two, for grid lines and labels. */
export function ticks(least, greatest, most = 5) {
  const rough = (greatest - least) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  if (!(rough > 0) || power < 1e-14) return [{ value: least, text: brief(least) }];
  const step = power * ([1, 2, 5].find((k) => k * power >= rough * 0.999) ?? 10);
  const places = Math.max(-Math.floor(Math.log10(step) + 1e-9), 0);
  const first = Math.ceil(least / step - 1e-6), last = Math.floor(greatest / step + 1e-6);
  return Array.from({ length: last - first + 1 }, (_, i) => ({ value: (first + i) * step, text: ((first + i) * step).toFixed(places) }));
}

/** A number with thin gaps; the middle of a long one is left out. */
export const grouped = (n) => (/^\d{5,26}$/.test(String(n)) ? String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f") : short(n));

/** The field in which somebody types; following a link or going back ends that. */
let typing = null;
addEventListener("popstate", () => (typing = null));

/**
 * A field that answers after each pause in typing. `change` gets the text, and whether the change
 * is passing: one stretch of typing adds one entry to the history. The returned function sets the
 * text, unless somebody is typing.
 */
export function typed(field, change, { usual = "", read = (text) => text, wait = 250 } = {}) {
  let [told, begun, timer] = [field.value, false, 0];
  const tell = (text) => {
    if (text === told) return;
    told = text;
    change(text, begun);
    begun = true;
  };
  field.addEventListener("input", () => {
    typing = field;
    clearTimeout(timer);
    const text = read(field.value.trim());
    if (text !== "" || usual === "") timer = setTimeout(() => whenReleased(() => typing === field && tell(text)), wait);
  });
  // a text that is the same as before typing is no change
  for (const kind of ["change", "blur"]) field.addEventListener(kind, () => {
    clearTimeout(timer);
    whenReleased(() => {
      if (typing === field) typing = null;
      // An emptied field gets its default.
      const text = read(field.value.trim()) || usual;
      field.value = text;
      tell(text);
      begun = false;
    });
  });
  return (text) => {
    told = text;
    if (typing !== field) field.value = text;
  };
}

/** A dragged slider reports its newest value at most three times a second. */
export function dragged(slider, change) {
  let [timer, last] = [0, 0];
  slider.addEventListener("input", () => {
    clearTimeout(timer);
    const tell = () => {
      last = performance.now();
      change(slider.value);
    };
    const left = last + 330 - performance.now();
    if (left > 0) timer = setTimeout(tell, left);
    else tell();
  });
}

/** A field for n, with a slider for small n, whose changes are passing. */
export function target({ value, label, least = 2, most = 100, id, change }) {
  const slider = h("input", { type: "range", min: least, max: most, step: 1, id: `${id}-slider`, "aria-label": `${label}, by slider` });
  const field = h("input", { id, inputmode: "text", size: 9, "data-asks": "target", "data-called": label.replace(/ =$/, "") });
  const slide = (text) => (slider.value = /^\d{1,3}$/.test(text) ? text : most);
  const write = typed(field, (text, passing) => {
    slide(text);
    change(text, passing);
  }, { usual: value, read: ungrouped });
  const set = (text) => {
    write(text);
    slide(text);
  };
  set(value);
  slider.addEventListener("input", () => (field.value = slider.value));
  dragged(slider, (text) => {
    write(text);
    change(text, true);
  });
  return { set, element: h("div", { class: "target" }, h("label", { for: id }, label), slider, field) };
}

const LOCAL = /^(|(.*\.)?localhost|127\.[\d.]*|\[::1?\]|0\.0\.0\.0)$/;
/** The link to the view; if the public address is unknown, only the part after the address, with an explanation. */
export function link() {
  const known = document.querySelector("link[rel=canonical]")?.href;
  if (known) return { text: known + location.hash, why: "" };
  if (!LOCAL.test(location.hostname)) return { text: location.href, why: "" };
  return { text: location.hash || "#/die", why: "This page is on your machine only: append this to the address of one that others can open." };
}

/** The horizontal place of a pointer, in units of the picture. */
export function unitsAt(svg, { clientX }) {
  const box = svg.getBoundingClientRect();
  return (clientX - box.left) / box.width * svg.viewBox.baseVal.width;
}

/** A text with superscript powers: 2^t, 2^-128. */
export const raised = (text) => String(text).split(/\^(-?\w+(?:\.\d+)?)/).map((part, i) => (i % 2 === 1 ? h("sup", h("span", { class: "unseen" }, "^"), part) : part));

const superscript = (exponent) => [...String(Number(exponent))].map((digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])).join("");
/** A number of results for people: 3.3 × 10¹⁷. */
export const tens = (count) => {
  const value = Number(String(count).replace("≈ ", ""));
  const [mantissa, exponent] = value.toExponential(1).split("e");
  return value < 1e6 ? String(Number(value.toPrecision(2))) : `${mantissa.replace(".0", "")} × 10${superscript(exponent)}`;
};

/** Scrolls a row to what is chosen. */
export function showChosen(row) {
  const chosen = row.querySelector("[aria-pressed=true]");
  for (let box = row; chosen && box; box = box.parentElement) {
    if (!["auto", "scroll"].includes(getComputedStyle(box).overflowX)) continue;
    const [at, all] = [chosen, box].map((one) => one.getBoundingClientRect());
    if (at.left < all.left || at.right > all.right) box.scrollLeft += at.left - all.left - (all.width - at.width) / 2;
    return;
  }
}
