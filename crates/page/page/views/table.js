// At the table: the dice that one has, what one needs, and a recipe to print.

import { answered, ask, asker, bracketed, brief, die, EXPRESSION, first, h, number, orNone, picture, Refusal, roll, rolls, rollsFor, short, show, table, ungrouped } from "../parts.js";

const DICE = ["2", "4", "6", "8", "10", "12", "20"];
const NEEDS = [["die", "a die"], ["weights", "weights"], ["shuffle", "a shuffle"], ["bits", "random bits"]];
const USUAL = { die: "7", weights: "1:2:3", shuffle: "52", bits: "128" };
/** In a table of results: none, start again. */
const AGAIN = "–";
const CALLED = { die: "Sides", weights: "Weights", shuffle: "Cards", bits: "Bits" };
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
  const field = h("input", { type: "text", id: "table-of", size: 12, autocomplete: "off", "aria-describedby": "table-about", "data-asks": "target shuffle bits" });
  const about = h("span", { class: "hint", id: "table-about" });
  const plainly = (need, of) => (need === "weights" ? of : ungrouped(of));
  field.addEventListener("change", () => change({ of: plainly(state.need, field.value.trim()) || USUAL[state.need] }));
  const alone = h("p", { class: "hint", role: "status" });
  const headline = h("div", { class: "headline" });
  const sheet = h("section", { class: "card sheet-card", "aria-label": "Recipe" });
  const grid = h("section", { class: "card", "aria-label": "Look-up table" });
  const chances = h("section", { class: "card", "aria-label": "Chances" });
  const tree = h("section", { class: "card", "aria-label": "A cheaper way", hidden: true });
  place.classList.add("prints-sheet");
  const cards = h("div", { class: "grid prints-sheet" }, sheet, h("div", { class: "stack no-print" }, tree, grid, chances));
  cards.classList.add("sheet-card");
  show(place,
    h("h1", {}, "At the table"),
    h("p", { class: "lead" }, "Tap the dice that you own, say what you need, and print how to do it."),
    h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "I have"), dice, alone)),
    h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "I need"), need, h("label", { for: "table-of" }, "namely"), field, about)),
    headline, cards);
  const runs = { sheet: asker(sheet), grid: asker(grid), chances: asker(chances), tree: asker(tree), headline: asker(headline) };
  /** One weight is one outcome, not the sides of a die. */
  const wanted = () => (state.need === "weights" && /^\d+$/.test(state.of) ? `${state.of}:0` : state.of);
  /** Weights, or a die whose results are not equally likely, as the plan says: what it says of the target is no number. */
  let weighted = false;
  const owned = () => state.dice.split(",").filter(Boolean);
  const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

  function toggle(m) {
    const now = owned();
    const next = now.includes(m) ? now.filter((other) => other !== m) : [...now, m].sort((a, b) => a - b);
    if (next.length > 0) change({ dice: next.join(",") });
    else alone.textContent = "One die is needed: choose another one before you leave this one out.";
  }

  /** The recipe's words: its lines are kept, and what is wider than the screen scrolls. */
  const sheetText = (text) => h("pre", { class: "sheet", tabindex: 0, role: "region", "aria-label": "The recipe as text" }, text);
  const toPrint = () => h("p", { class: "no-print" }, h("button", { type: "button", class: "primary", onclick: () => print() }, "Print this sheet"));

  /**
   * What is cheaper than the plan, which for weights is that of a fair die that is looked up: Knuth and
   * Yao's algorithm with one of the dice alone. The plan of several dice has it among its rows.
   */
  async function cheaper(plan, options) {
    if (!weighted) return null;
    const dice = owned();
    const told = dice.length > 1 ? plan : await orNone(ask({ ask: "cost", target: wanted(), source: dice[0] }, options)) ?? plan;
    const rows = told.records.map((record, row) => ({ record, row })).filter(({ record }) => told === plan ? /^\d+$/.test(record.dice) : record.algorithm === "knuth-yao");
    const least = rows.sort((a, b) => a.record.expected - b.record.expected)[0];
    if (!least || !(least.record.expected < plan.records[recipeRow(plan)].expected)) return null;
    return { ...least, told, source: told === plan ? least.record.dice : dice[0] };
  }

  /** The row of the recipe: what one die alone takes may stand before it. */
  const recipeRow = (told) => Math.max(0, told.records.findIndex((record) => String(record.splitting) === "true"));

  const limit = (record) => (record.worst_case === "inf" ? "there is no upper limit, but long runs are ever less likely" : `never more than ${record.worst_case}`);
  const costOf = (answer, row, record, label) => number({ exact: record.expected_exact, decimal: record.expected, answer, row, column: "expected", label });

  /** What the sheet is about, and the verb after it: the sides of a die, weights, or dice such as 3d6. */
  function subject(told) {
    if (!weighted) return [`A d${bracketed(EXPRESSION.test(state.of) ? state.of : told.records[0].target)} from`, "takes"];
    return /^[\d:,\s]+$/.test(state.of) ? [`The weights ${short(state.of)} from`, "take"] : [`${short(state.of)} from`, "takes"];
  }

  async function drawPlan(options) {
    const query = { ask: "plan", target: wanted(), dice: state.dice };
    const told = answered(await ask(query, options));
    const row = recipeRow(told);
    const best = told.records[row];
    weighted = state.need === "weights" || !/^\d+$/.test(String(best.target));
    const [what, verb] = subject(told);
    const all = list(owned().map((m) => `a ${die(m)}`));
    const less = await cheaper(told, options);
    const each = owned().length === 1 ? state.dice : "6";
    const cost = costOf(told, row, best, less ? "Expected rolls of the recipe" : "Expected rolls");
    const least = less && costOf(less.told, less.row, less.record, "Expected rolls of the cheapest way");
    // What costs least is said first; a recipe that is easier to write down comes after it.
    show(headline, less
      ? [h("p", { class: "answer" }, `${what} a ${die(less.source)} ${verb} `, least, ` ${rollsFor(less.source, least)} on average by Knuth and Yao's algorithm; ${limit(less.record)}.`),
        h("p", {}, "Its tree is on this page. The recipe needs no tree: it rolls a fair die, and looks its result up. It takes ", cost, ` ${rollsFor(each, cost)} on average; ${limit(best)}.`,
          owned().length > 1 ? " Other ways to make weights from several dice are not compared." : "")]
      : [h("p", { class: "answer" }, `${what} ${all} ${verb} `, cost, ` ${rollsFor(each, cost)} on average; ${limit(best)}.`),
        h("p", {}, sentence(told.notes, each))]);
    return { told, query, less };
  }

  async function drawSheet({ told, query }, options) {
    const image = await orNone(picture(query, `Recipe for ${short(state.of)}; the text below has the same words`, options));
    const [, divisor] = told.text.match(/\bc mod (\d+)/) ?? [];
    show(sheet, h("h2", { class: "no-print" }, "Recipe"), toPrint(),
      image ?? sheetText(told.text),
      divisor ? h("p", { class: "legend" }, `c mod ${divisor} is the remainder of c divided by ${divisor}.`) : null,
      image ? h("details", { class: "no-print", open: matchMedia("(max-width: 560px)").matches }, h("summary", {}, "The recipe as text"), sheetText(told.text)) : null);
  }

  /** The tree of the cheaper way, as far as the engine draws it by itself. */
  async function drawTree(less, options) {
    if (!less) return show(tree);
    const image = await picture({ ask: "show", view: "tree", target: wanted(), source: less.source, algorithm: "knuth-yao" }, `Decision tree of Knuth and Yao's algorithm for ${state.of} from a ${die(less.source)}`, options);
    return show(tree, h("h2", {}, owned().length > 1 ? "A cheaper way, as a tree" : "The cheapest way, as a tree"), h("p", {}, `Begin at the top. Every ${roll(less.source)} leads down the branch of its face; a box is the result. At a dashed circle the picture ends, and the tree goes on.`),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Picture of the tree" }, image));
  }

  async function drawAdvice(options) {
    if (!/^\d+$/.test(state.of)) throw new Refusal(`${CALLED[state.need]}: ${state.of} cannot be used: a whole number such as ${USUAL[state.need]} was expected`);
    const known = { [state.need]: Number(state.of) };
    const source = owned().length === 1 ? { source: state.dice } : { dice: state.dice };
    const told = answered(await ask({ ask: "advise", ...known, ...source }, options));
    const best = told.records[0];
    const what = state.need === "shuffle" ? `A shuffle of ${state.of} cards` : `${state.of} random bits`;
    const cost = number({ exact: best.expected_exact, decimal: best.expected, answer: told, row: 0, column: "expected", label: "Expected rolls", form: "decimal" });
    show(headline, h("p", { class: "answer" }, `${what} takes `, cost, ` ${rollsFor(owned().length === 1 ? state.dice : "6", cost)} on average, by ${best.method}.`));
    return { told };
  }

  function drawAdvised({ told }) {
    show(sheet, h("h2", { class: "no-print" }, "How"),
      toPrint(),
      told.text ? sheetText(told.text.split("\nOthers:")[0]) : null,
      h("div", { class: "no-print after" }, table("All ways, best first, and what each gives up", [{ name: "method" }, { name: "expected", number: true }, { name: "never more than", number: true }],
        told.records.map((record, i) => [[record.method, record.gives_up ? h("span", { class: "hint aside" }, record.gives_up) : null],
          number({ exact: record.expected_exact, decimal: record.expected, answer: told, row: i, column: "expected", label: `${record.method}, expected`, form: "decimal" }),
          record.worst_case === "inf" ? "no limit" : String(record.worst_case ?? "")]))));
  }

  const planned = () => state.need === "die" || state.need === "weights";
  /** Two dice rolled together are one die, whose faces are their pairs in order. */
  const together = () => {
    const dice = owned();
    if (!planned()) return null;
    if (dice.length === 1) return { source: dice[0], pairs: false };
    return dice.length === 2 ? { source: String(BigInt(dice[0]) * BigInt(dice[1])), pairs: true } : null;
  };

  /** A card of results: rows for the first roll, columns for the second. */
  const card = (title, what, columns, lines, hint) => [h("h2", {}, title),
    table(`${what}. ${AGAIN} means: forget these rolls, and start again`, [{ name: "first" }, ...columns.map((face) => ({ name: String(face) }))], lines, "grid66"),
    h("p", { class: "hint" }, hint, !weighted ? " The recipe keeps what the discarded rolls tell, and never costs more." : " This is the method fldr.")];

  async function drawGrid(options) {
    const from = together();
    if (!from) return show(grid);
    const told = await orNone(ask({ ask: "show", view: "table", target: wanted(), source: from.source, ...(weighted ? { algorithm: "fldr" } : {}) }, options));
    const rollsOf = told ? told.columns.length - 1 : 0;
    if (told && rollsOf === 0) return show(grid, h("h2", {}, "As a table"), h("p", {}, "There is one result: nothing is rolled."));
    if (!told || rollsOf > (from.pairs ? 1 : 2) || told.rows.length > 450) {
      return show(grid, h("h2", {}, "As a table"), h("p", {}, from.pairs ? "One throw of both dice is not enough for a table: follow the recipe." : told ? `A table would have ${told.rows.length} lines: the recipe is shorter.` : "There is no table of this size."));
    }
    const of = (result) => (String(result).startsWith("discard") ? AGAIN : String(result));
    // A line of the answer is a cell here, but where one roll stands for several.
    const hint = told.rows.some((row) => row.includes("any")) ? null : `${told.notes.join(" ").replace("rows give", "pairs give")}.`;
    if (from.pairs) {
      const [down, across] = owned();
      const columns = Array.from({ length: Number(across) }, (_, k) => k + 1);
      const lines = Array.from({ length: Number(down) }, (_, i) => [String(i + 1), ...columns.map((_, k) => of(told.rows[i * columns.length + k][1]))]);
      return show(grid, card(`Both dice at once: ${die(down)} and ${die(across)}`, `The ${die(down)} down, the ${die(across)} across`, columns, lines, hint));
    }
    const faces = [...new Set(told.rows.map((row) => row[0]))];
    // As the recipe has it: heads is face 1 of a coin, and tails is face 2.
    const faceOf = (face) => (from.source === "2" ? `${face} ${face === 1 ? "heads" : "tails"}` : String(face));
    if (rollsOf === 1) {
      return show(grid, h("h2", {}, "One roll"), table(`What the ${die(from.source)} shows, and the result`, [{ name: "face" }, { name: "result", number: true }], told.rows.map((row) => [faceOf(row[0]), of(row[1])])));
    }
    const columns = [...new Set(told.rows.map((row) => row[1]).filter((face) => face !== "any"))];
    const lines = faces.map((face) => [faceOf(face), ...columns.map((second) => of((told.rows.find((row) => row[0] === face && (row[1] === second || row[1] === "any")) ?? [])[2]))]);
    return show(grid, card("Two rolls", from.source === "2" ? "First flip down, second across" : "First roll down, second across", columns.map(faceOf), lines, hint));
  }

  async function drawChances(options) {
    const from = together();
    if (!from) return show(chances);
    const told = await ask({ ask: "distribution", target: wanted(), source: from.source, algorithm: weighted ? "knuth-yao" : "fast-dice-roller" }, options);
    const chance = (record) => number({ exact: record.survival_exact, decimal: record.survival, answer: told, row: told.records.indexOf(record), column: "survival", label: `Chance of roll number ${record.t + 1}` });
    const throws = from.pairs ? "throw" : "roll";
    const next = told.records.find((record) => record.t === (from.pairs ? 1 : 2));
    const rows = told.records.slice(1, 9).map((record) => [String(record.t + 1), chance(record)]);
    return show(chances, h("h2", {}, from.pairs ? `Throwing both dice each time${weighted ? ", by Knuth and Yao's algorithm" : ""}` : weighted ? "How long the cheapest way takes" : "How long it takes"),
      next && from.source !== "2" ? h("p", {}, from.pairs ? "A third roll, and with it a second throw of both, is needed with the chance " : "A third roll is needed with the chance ", chance(next)) : null,
      table(`The chance that a ${throws} is needed`, [{ name: `${throws} number` }, { name: "chance", number: true }], rows));
  }

  /** Notes as sentences, their decimals cut. A bound gets its unit, and what it is. */
  function sentence(notes, each) {
    const bound = (note) => note.replace(/^the entropy bound of these dice is (\S+)$/, (_, value) => `no way takes less than ${value} ${rolls(each)} on average: that much randomness is in one result (its entropy)`);
    const cut = (note) => bound(note).replace(/(= )?(\d+\.\d{5,})/g, (_, equal, value) => (equal ? "≈ " : "") + brief(value));
    return notes.map(cut).map((note) => `${note[0].toUpperCase()}${note.slice(1)}${note.endsWith("…") ? "" : "."}`).join(" ");
  }

  async function draw() {
    alone.textContent = "";
    show(dice, DICE.map((m) => h("button", { type: "button", "aria-pressed": String(owned().includes(m)), onclick: () => toggle(m) }, die(m))));
    show(need, NEEDS.map(([name, title]) => h("button", { type: "button", "aria-pressed": String(name === state.need), onclick: () => change({ need: name, of: USUAL[name] }) }, title)));
    field.value = state.of;
    field.dataset.called = CALLED[state.need];
    about.textContent = ABOUT[state.need];
    const both = planned() && together() !== null;
    const main = await first(runs, "headline", (options) => (planned() ? drawPlan(options) : drawAdvice(options)), draw);
    if (!main) return;
    grid.hidden = chances.hidden = !both;
    tree.hidden = !main.less;
    sheet.classList.toggle("wide", !both);
    if (!planned()) {
      runs.sheet(async () => drawAdvised(main));
      return;
    }
    runs.sheet((options) => drawSheet(main, options));
    runs.tree((options) => drawTree(main.less, options));
    runs.grid((options) => drawGrid(options));
    runs.chances((options) => drawChances(options));
  }

  return {
    update(given) {
      const need = USUAL[given.need] ? given.need : "die";
      state = { dice: given.dice ?? "6", need, of: plainly(need, given.of ?? "") || USUAL[need] };
      draw();
    },
  };
}
