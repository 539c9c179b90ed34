// At the table: the dice that one has, what one needs, and a recipe to print.

import { ask, asker, bracketed, brief, die, h, number, picture, REFUSED, rolls, show, table } from "../parts.js";

const DICE = ["2", "4", "6", "8", "10", "12", "20"];
const NEEDS = [["die", "a die"], ["weights", "weights"], ["shuffle", "a shuffle"], ["bits", "random bits"]];
const USUAL = { die: "7", weights: "1:2:3", shuffle: "52", bits: "128" };
/** In a table of results: none, start again. */
const AGAIN = "–";
const ABOUT = {
  die: "Sides, such as 7, 100 or 2*3*5.",
  weights: "Weights, such as 1:2:3, or 2d6.",
  shuffle: "Cards in the deck.",
  bits: "Bits of a password or a key: 128 is a strong one.",
};

export function view(place, remember) {
  let state = { dice: "6", need: "die", of: "7" };
  const change = (changed) => {
    state = { ...state, ...changed };
    remember(state);
    draw();
  };
  const dice = h("div", { class: "choice", role: "group", "aria-label": "Dice that you own" });
  const need = h("div", { class: "choice", role: "group", "aria-label": "What you need" });
  const field = h("input", { type: "text", id: "table-of", size: 12, autocomplete: "off", "aria-describedby": "table-about" });
  const about = h("span", { class: "hint", id: "table-about" });
  field.addEventListener("change", () => change({ of: field.value.trim() || USUAL[state.need] }));
  const headline = h("div", { class: "headline" });
  const sheet = h("section", { class: "card sheet-card", "aria-label": "Recipe" });
  const grid = h("section", { class: "card", "aria-label": "Look-up table" });
  const chances = h("section", { class: "card", "aria-label": "Chances" });
  place.classList.add("prints-sheet");
  const cards = h("div", { class: "grid prints-sheet" }, sheet, h("div", { class: "stack no-print" }, grid, chances));
  cards.classList.add("sheet-card");
  show(place,
    h("h1", {}, "At the table"),
    h("p", { class: "lead" }, "Tap the dice that you own, say what you need, and print how to do it."),
    h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "I have"), dice)),
    h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "I need"), need, h("label", { for: "table-of" }, "namely"), field, about)),
    headline, cards);
  const runs = { sheet: asker(sheet), grid: asker(grid), chances: asker(chances), headline: asker(headline) };
  /** One weight is one outcome, not the sides of a die. */
  const wanted = () => (state.need === "weights" && /^\d+$/.test(state.of) ? `${state.of}:0` : state.of);
  const owned = () => state.dice.split(",").filter(Boolean);
  const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

  function toggle(m) {
    const now = owned();
    const next = now.includes(m) ? now.filter((other) => other !== m) : [...now, m].sort((a, b) => a - b);
    if (next.length > 0) change({ dice: next.join(",") });
  }

  async function drawPlan(options) {
    const query = { ask: "plan", target: wanted(), dice: state.dice };
    const told = await ask(query, options);
    const best = told.records[0];
    const worst = best.worst_case === "inf" ? "there is no upper limit, but long runs are ever less likely" : `never more than ${best.worst_case}`;
    const what = state.need === "die" ? `A d${bracketed(state.of)}` : `The weights ${state.of}`;
    runs.headline(async () => show(headline, h("p", { class: "answer" }, `${what} from ${list(owned().map((m) => `a ${die(m)}`))} takes `,
      number({ exact: best.expected_exact, decimal: best.expected, answer: told, row: 0, column: "expected", label: "Expected rolls" }),
      ` rolls on average; ${worst}.`), h("p", {}, sentence(told.notes))));
    const printed = await picture(query, `Recipe for ${state.of}; the text below has the same words`, options).catch(() => null);
    show(sheet, h("h2", { class: "no-print" }, "Recipe"),
      h("p", { class: "no-print" }, h("button", { type: "button", class: "primary", onclick: () => print() }, "Print this sheet")),
      printed ?? h("pre", { class: "sheet" }, told.text),
      printed ? h("details", { class: "no-print", open: matchMedia("(max-width: 560px)").matches }, h("summary", {}, "The recipe as text"), h("pre", { class: "sheet", tabindex: 0 }, told.text)) : null);
  }

  async function drawAdvice(options) {
    const known = { shuffle: { shuffle: Number(state.of) }, bits: { bits: Number(state.of) } }[state.need];
    const source = owned().length === 1 ? { source: state.dice } : { dice: state.dice };
    const told = await ask({ ask: "advise", ...known, ...source }, options);
    const best = told.records[0];
    const what = state.need === "shuffle" ? `A shuffle of ${state.of} cards` : `${state.of} random bits`;
    runs.headline(async () => show(headline, h("p", { class: "answer" }, `${what} takes `,
      number({ exact: best.expected_exact, decimal: best.expected, answer: told, row: 0, column: "expected", label: "Expected rolls", form: "decimal" }),
      ` ${owned().length === 1 ? rolls(state.dice) : "rolls"} on average, by ${best.method}.`)));
    show(sheet, h("h2", { class: "no-print" }, "How"),
      h("p", { class: "no-print" }, h("button", { type: "button", class: "primary", onclick: () => print() }, "Print this sheet")),
      told.text ? h("pre", { class: "sheet", tabindex: 0 }, told.text.split("\nOthers:")[0]) : null,
      table("All ways, best first", [{ name: "method" }, { name: "expected", number: true }, { name: "most", number: true }, { name: "what it gives up" }],
        told.records.map((record, i) => [record.method,
          number({ exact: record.expected_exact, decimal: record.expected, answer: told, row: i, column: "expected", label: `${record.method}, expected`, form: "decimal" }),
          record.worst_case === "inf" ? "none" : String(record.worst_case ?? ""), record.gives_up ?? ""])));
  }

  /** Two dice rolled together are one die, whose faces are their pairs in order. */
  const together = () => {
    const dice = owned();
    if (state.need !== "die" && state.need !== "weights") return null;
    if (dice.length === 1) return { source: dice[0], pairs: false };
    return dice.length === 2 ? { source: String(BigInt(dice[0]) * BigInt(dice[1])), pairs: true } : null;
  };

  /** A card of results: rows for the first roll, columns for the second. */
  const card = (title, what, columns, lines, hint) => [h("h2", {}, title),
    table(`${what}; ${AGAIN} means start again`, [{ name: "first" }, ...columns.map((face) => ({ name: String(face) }))], lines, "grid66"),
    h("p", { class: "hint" }, hint, " This table starts again after a discard; the recipe keeps what is left, and never costs more.")];

  async function drawGrid(options) {
    const from = together();
    if (!from) return show(grid);
    const told = await ask({ ask: "table", target: wanted(), source: from.source }, options).catch((error) => {
      if (error.name === "AbortError") throw error;
      return null;
    });
    const rollsOf = told ? told.columns.length - 1 : 0;
    if (told && rollsOf === 0) return show(grid, h("h2", {}, "As a table"), h("p", {}, "There is one result: nothing is rolled."));
    if (!told || rollsOf > (from.pairs ? 1 : 2) || told.rows.length > 450) {
      return show(grid, h("h2", {}, "As a table"), h("p", {}, from.pairs ? "One throw of both dice is not enough for a table: follow the recipe." : told ? `A table would have ${told.rows.length} lines: the recipe is shorter.` : "There is no table of this size."));
    }
    const of = (result) => (String(result).startsWith("discard") ? AGAIN : String(result));
    const hint = `${told.notes.join(" ")}.`;
    if (from.pairs) {
      const [down, across] = owned();
      const columns = Array.from({ length: Number(across) }, (_, k) => k + 1);
      const lines = Array.from({ length: Number(down) }, (_, i) => [String(i + 1), ...columns.map((_, k) => of(told.rows[i * columns.length + k][1]))]);
      return show(grid, card(`Both dice at once: ${die(down)} and ${die(across)}`, `The ${die(down)} down, the ${die(across)} across`, columns, lines, hint));
    }
    const faces = [...new Set(told.rows.map((row) => row[0]))];
    if (rollsOf === 1) {
      return show(grid, h("h2", {}, "One roll"), table(`What the ${die(from.source)} shows, and the result`, [{ name: "face" }, { name: "result", number: true }], told.rows.map((row) => [String(row[0]), of(row[1])])));
    }
    const columns = [...new Set(told.rows.map((row) => row[1]).filter((face) => face !== "any"))];
    const lines = faces.map((face) => [String(face), ...columns.map((second) => of((told.rows.find((row) => row[0] === face && (row[1] === second || row[1] === "any")) ?? [])[2]))]);
    return show(grid, card("Two rolls", from.source === "2" ? "First flip down, second across" : "First roll down, second across", columns, lines, hint));
  }

  async function drawChances(options) {
    const from = together();
    if (!from) return show(chances);
    const told = await ask({ ask: "distribution", target: wanted(), source: from.source, algorithm: state.need === "die" ? "fast-dice-roller" : "knuth-yao" }, options);
    const chance = (record) => number({ exact: record.survival_exact, decimal: record.survival, answer: told, row: told.records.indexOf(record), column: "survival", label: `Chance of roll number ${record.t + 1}` });
    const throws = from.pairs ? "throw" : "roll";
    const next = told.records.find((record) => record.t === (from.pairs ? 1 : 2));
    const rows = told.records.slice(1, 9).map((record) => [String(record.t + 1), chance(record)]);
    return show(chances, h("h2", {}, from.pairs ? "Throwing both dice each time" : "How long it takes"),
      next && from.source !== "2" ? h("p", {}, from.pairs ? "A third roll, and with it a second throw of both, is needed with the chance " : "A third roll is needed with the chance ", chance(next)) : null,
      table(`The chance that a ${throws} is needed`, [{ name: `${throws} number` }, { name: "chance", number: true }], rows));
  }

  /** Notes as sentences, their decimals cut. */
  function sentence(notes) {
    const cut = (note) => note.replace(/\d+\.\d{5,}/g, (value) => brief(value));
    return notes.map(cut).map((note) => `${note[0].toUpperCase()}${note.slice(1)}${note.endsWith("…") ? "" : "."}`).join(" ");
  }

  function draw() {
    show(dice, DICE.map((m) => h("button", { type: "button", "aria-pressed": String(owned().includes(m)), onclick: () => toggle(m) }, die(m))));
    show(need, NEEDS.map(([name, title]) => h("button", { type: "button", "aria-pressed": String(name === state.need), onclick: () => change({ need: name, of: USUAL[name] }) }, title)));
    field.value = state.of;
    about.textContent = ABOUT[state.need];
    const planned = state.need === "die" || state.need === "weights";
    runs.sheet((options) => (planned ? drawPlan(options) : drawAdvice(options))).then(() => {
      if (sheet.querySelector(REFUSED)) {
        show(headline);
        grid.hidden = chances.hidden = true;
      }
    });
    const both = planned && together() !== null;
    grid.hidden = chances.hidden = !both;
    sheet.classList.toggle("wide", !both);
    runs.grid((options) => drawGrid(options));
    runs.chances((options) => drawChances(options));
  }

  return {
    update(given) {
      const need = USUAL[given.need] ? given.need : "die";
      state = { dice: given.dice ?? "6", need, of: given.of || USUAL[need] };
      draw();
    },
  };
}
