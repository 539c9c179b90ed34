// At the table: the dice that a person owns, the task, a recipe to print, and guided rolls.

import { answered, ask, asker, bracketed, brief, capital, cellOf, choice, die, EXPRESSION, first, h, number, option, orNone, picture, quiet, ratio, Refusal, roll, rolls, rollsFor, scroller, section, short, shortForm, show, showChosen, table, typed, ungrouped, whenReleased } from "../parts.js";
import { diceWords, followReading, list, lowest, readingCost, readingOf, readingText, rollsAsOne, roundedDown } from "../pairs.js";
import { drawJar } from "../jar.js";
import { isFact, recipe, tableLines } from "../recipe.js";
import { nameLine, paper, shareCard, shareMenu } from "../share.js";
import { facesOf, remembered, rememberWalk, walk } from "../walk.js";

const DICE = ["2", "4", "6", "8", "10", "12", "20"];
const NEEDS = [["die", "a die"], ["weights", "weights"], ["shuffle", "cards"], ["bits", "random bits"]];
const USUAL = { die: "7", weights: "1:2:3", shuffle: "5 of 52", bits: "128" };
/** An entry in a table of results: start again. */
const AGAIN = "–";
const CALLED = { die: "Sides", weights: "Weights", shuffle: "Cards", bits: "Bits" };
const ABOUT = {
  die: "Sides, such as 7, d% or 2*3*5; several as 7, 13. To choose who of 3 begins, write 3.",
  weights: "Weights, such as 1:2:3, 0.5:1.5 or goblin 1, orc 2; or 2d6.",
  shuffle: "Such as 5 of 52, 1 of 52 for one card, or 52 for all cards in order.",
  bits: "Bits of a password or a key: 128 is a strong one.",
};
const WRITTEN = { die: "a number, such as 7, 100 or 2*3*5", weights: "weights such as 1:2:3, names as in goblin 1, orc 2, or dice such as 2d6" };
/** The most cards for which every recipe is written out. */
const MOST_CARDS = 54;
/** The most cards and bits. */
const MOST_COUNTED = 1_000_000;
/** The most results of a throw. */
const MOST_FACES = 2n ** 32n;
/** A number read off the dice comes first if it takes at most this many more rolls or throws than the cheapest recipe. */
const LITTLE = 0.1;
/** The best of all throws comes first if it has at most this many steps. */
const FEW = 4;
/** The largest number of results of two dice in a printed look-up table. */
const MOST_LOOKED_UP = 450;
/** The largest number of faces whose bits are written out. */
const MOST_WRITTEN = 64;
/** Longer texts of weights are shortened. */
const MOST_SAID = 60;
/** The effort of the search for the best rule. */
const EFFORT = 1_000_000;

/** Reads a number of cards: "5 of 52", "deal 5 from 52", "52,5", "a card", "52". */
function cardsOf(text) {
  const plain = text.toLowerCase().replace(/^(deal|draw)\s+/, "").replace(/\bcards?\b/g, " ").trim();
  const [, a, b] = plain.replace(/^(\d+)\s*,\s*(\d+)$/, (_, one, two) => `${Math.min(one, two)} of ${Math.max(one, two)}`).match(/^(\d+|an?)?\s*(?:of|from|out of|,)?\s*(?:a deck of\s*)?(\d+)?$/) ?? [];
  const count = (word) => (word === undefined ? undefined : /^an?$/.test(word) ? 1 : Number(word));
  const [one, two] = [count(a), count(b)];
  if (/^an?$/.test(a ?? "") && two === undefined) return { cards: 52, draw: 1 };
  if (one === undefined && two === undefined) return null;
  if (one === undefined || two === undefined) return { cards: one ?? two, draw: one ?? two };
  return { cards: two, draw: one };
}

/** Weights with names, such as goblin 1, orc=2 or 3 bats, as the engine reads them; names alone have weight 1 each; null for others. */
function namedWeights(text) {
  const parts = text.trim().split(/\s*[,;\n]\s*|(?<=\p{L}\s*[:=×*\s]\s*[\d./%]+)\s+(?=\p{L})/u).filter(Boolean);
  const name = "[\"']?(\\p{L}[\\p{L}\\s'’-]*?)[\"']?";
  const weight = "(?<weight>\\d*\\.?\\d+(/\\d+|\\s?%)?)";
  const read = [new RegExp(`^${name}\\s*[:=×*\\s]\\s*${weight}$`, "u"), new RegExp(`^${weight}\\s*[×*x]?\\s+${name}$`, "u"), new RegExp(`^${name}$`, "u")].find((form) => parts.every((part) => form.test(part)));
  if (!read || parts.length < 2 || new Set(parts.map((part) => part.includes("%"))).size > 1) return null;
  return `{${parts.map((part) => {
    const found = part.match(read);
    const given = (found.groups?.weight ?? "1").replace(/\s/g, "");
    return `${JSON.stringify(found.slice(1).find((group) => /\p{L}/u.test(group ?? "")))}: ${/^\d+(\.\d+)?$/.test(given) ? given : JSON.stringify(given)}`;
  }).join(", ")}}`;
}

/** Weights in people's notation, as the engine reads them: 1 2 3 as 1:2:3, and 0,5 as 0.5 next to a name or another separator. */
function weightsOf(text) {
  if (/^\d+$/.test(text)) return `${text}:0`; // one outcome, not sides
  if (/^(0,\d+|\d+,\d+(\s+\d+,\d+)+)$/.test(text)) throw new Refusal(`${CALLED.weights}: ${short(text)} can be read in two ways: type decimals with a point, as in 0.5:1.5, and a colon between weights, as in 1:2`);
  const pointed = /[\p{L}:;]/u.test(text) ? text.replace(/(?<![\d,.])(\d+),(?!\d{3}\b)(\d+)(?!\d|[.,]\d)/g, "$1.$2") : text;
  return namedWeights(pointed) ?? (/^[\d.%/\s:;]+$/.test(pointed) ? pointed.split(/[:;]/.test(pointed) ? /\s*[:;]\s*/ : /\s+(?!%)/).join(":") : pointed);
}
/** The dice of a formula such as 4d6kh3. */
const diceOfFormula = (of) => [...new Set([...of.matchAll(/(?<![\p{L}])d(\d+)/giu)].map(([, m]) => m))];
/** The sides of several dice in a row, such as 7, 13; null for one. */
const several = (text) => (/^(\d+|\([\d:]+\))(\s*[,;]\s*(\d+|\([\d:]+\)))+$/.test(text) && !/^\d{1,3}(,\d{3})+$/.test(text) ? text.split(/[,;]/).map((part) => part.trim()) : null);
/** The plain number of sides of a die in another notation. */
const plainly = (need, of) => (need === "die" ? ungrouped(of).replace(/^(?:an? )?d?%$/i, "100").replace(/^(?:an? )?d(\d+)$/i, "$1") : need === "weights" ? of : ungrouped(of));
const sorted = (dice) => [...dice].sort((a, b) => a - b);
/** Typed dice: d3, d30 or 2d10, d% for two d10, and coins for d2; at most this many. */
const MOST_DICE = 8;
const percentDice = (text) => text.replace(/\b(?:an? )?coins?\b/gi, "d2").replace(/(\d*)\s*d\s*%/gi, (_, count) => `${2 * (count || 1)}d10`);
const diceOf = (text) => [...percentDice(text).matchAll(/(\d*)\s*d\s*(\d+)|(\d+)/gi)].flatMap(([, count, sides, bare]) => Array(Math.min(Number(count || 1), MOST_DICE)).fill(sides ?? bare)).filter((m) => BigInt(m) > 1n).slice(0, MOST_DICE);
/** The sentence about what is wrong with typed dice, if anything. */
function wrongDice(text) {
  const parts = percentDice(text).split(/\s*(?:[,;+]|\band\b)\s*|\s+(?=\d*\s*d)/i).filter((part, i, all) => part !== "" || i < all.length - 1);
  for (const part of parts) {
    if (part === "") return "between two commas a die is missing, as in d3, d30";
    const [, count = "1", sides] = part.match(/^(\d*)\s*d\s*(\d+)$/i) ?? part.match(/^()(\d+)$/) ?? [];
    if (sides === undefined) return `${short(part)} is not a die: one is written as d3, and two as 2d10`;
    if (BigInt(sides) < 2n) return `a d${sides} has nothing to roll: at least two sides are needed`;
    if (BigInt(sides) > 2n ** 64n) return `${short(part)} has too many sides: 2^64 is the most`;
    if (BigInt(count || 1) > BigInt(MOST_DICE)) return `${short(part)} is too many: ${MOST_DICE} dice at most are rolled here`;
  }
  return null;
}
/** The facts in a recipe about other ways to do it. */
const OTHER_WAYS = /^(without splitting|the .* alone|the cheapest recipe)  .*\n(?: .*\n)*/gm;
/** The 0 of a d10 may be its 10. */
const ZERO = () => h("p", { class: "legend" }, "A d10 that says 0 shows 10.");

export function view(place, remember) {
  /** The part of the address that cannot be used. */
  let wrong = null;
  let state;
  const change = (changed, passing) => {
    state = { ...state, rolls: "", step: "", ...changed };
    wrong = null;
    remember(state, passing);
    draw();
  };
  const [dice, need, ways] = ["Dice that you own", "What you need", "Simple or cheapest"].map((label) => choice(label));
  const own = h("input", { id: "table-own", size: 8, "aria-describedby": "own-about" });
  const field = h("input", { id: "table-of", size: 12, "aria-describedby": "table-about", "data-asks": "target shuffle bits" });
  const about = h("span", { class: "hint", id: "table-about" });
  const write = typed(field, (text, passing) => change({ of: text, way: "" }, passing), { read: (text) => plainly(state.need, text) || USUAL[state.need] });
  // The dice that were pressed when a person begins to type other dice. Dice of the field are
  // removed when they are deleted in the field.
  let pressed = null;
  const onButtons = () => owned().filter((m) => DICE.includes(m));
  own.addEventListener("focus", () => (pressed = onButtons()));
  const others = () => owned().filter((m) => !DICE.includes(m)).map((m) => `d${m}`).join(", ");
  const writeOwn = typed(own, (text, passing) => {
    const wrong = wrongDice(text);
    own.setAttribute("aria-invalid", String(wrong !== null));
    if (wrong) alone.textContent = `Others: ${wrong}.`;
    else change({ dice: sorted([...(pressed ?? onButtons()), ...diceOf(text)]).slice(0, MOST_DICE).join(",") || "6" }, passing);
  });
  // A typed die that has a button is moved from the field to its button.
  own.addEventListener("change", () => whenReleased(() => {
    if (own.getAttribute("aria-invalid") === "true") return;
    pressed = onButtons();
    writeOwn(others());
  }));
  const counts = h("div", { class: "counts", role: "group", "aria-label": "How many of each" });
  const alone = h("p", { class: "hint", role: "status" });
  // On a phone this part is folded once dice are chosen.
  const mine = h("summary");
  const more = h("details", { class: "more" }, h("summary", "Several of a kind, or other dice"), h("div", { class: "field" }, counts,
    h("label", { for: "table-own" }, "others"), own, h("span", { class: "hint", id: "own-about" }, "Such as d3 or d30; d% is two d10.")));
  const setup = h("details", { class: "settings" }, mine, h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "I have"), dice, more, alone)));
  const headline = h("div", { class: "headline" });
  const leads = section("Roll with me", "card walk no-print");
  const sheet = section("Recipe", "card sheet-card");
  const grid = section("Look-up table");
  const chances = section("Chances", "card no-print");
  const tree = section("The cheapest way", "card no-print");
  const jar = section("The jar");
  const programs = section("For programmers", "card wide no-print");
  place.classList.add("prints-sheet");
  const cards = h("div", { class: "grid sheet-card prints-sheet" }, h("div", { class: "stack no-print" }, leads, jar, chances, grid), h("div", { class: "stack sheet-card" }, sheet, tree), programs);
  show(place,
    h("h1", "At the table"),
    h("p", { class: "lead" }, "Tap the dice that you own and say what you need: roll it step by step on this page, or print how to do it."),
    setup,
    h("div", { class: "controls" }, h("div", { class: "field" }, h("span", { class: "label" }, "I need"), need, h("label", { for: "table-of" }, "namely"), field, about)),
    headline, ways, cards);
  ways.classList.add("ways", "no-print");
  const runs = { sheet: asker(sheet), grid: asker(grid), chances: asker(chances), tree: asker(tree), leads: asker(leads), programs: asker(programs), jar: asker(jar), headline: asker(headline) };
  const wanted = () => (state.need === "weights" ? weightsOf(state.of) : state.of);
  const refuse = (why) => {
    throw new Refusal(`${CALLED[state.need]}: ${short(state.of)} cannot be used: ${why}`);
  };
  /** Whether the results are not equally likely: then the plan's target is not a number. */
  let weighted = false;
  /** The way that "Roll with me" follows. */
  let led = null;
  /** The first die to roll, if it is known before the recipe. */
  let firstDie = null;
  /** The cost of this way, if there are other ways. */
  let ledNote = null;
  const owned = () => state.dice.split(",").filter(Boolean);
  const kinds = () => [...new Set(owned())];
  /** The one die that makes cards and bits: the one with the most sides, whose rolls give the most. */
  const largest = () => owned().at(-1);
  const countOf = (m) => owned().filter((other) => other === m).length;
  const dicePhrase = () => diceWords(owned(), "a ");
  /** The weights in words; of many, only the first few names. */
  function lawWords() {
    if (state.of.length <= MOST_SAID) return state.of;
    const all = wanted().startsWith("{") ? Object.keys(JSON.parse(wanted())) : wanted().split(/[:,]/);
    return all.length < 2 ? short(state.of) : `${all.length} weights (${[...all.slice(0, 4).map(short), ...(all.length > 4 ? ["…"] : [])].join(", ")})`;
  }
  /** The name of one roll. */
  const each = () => (owned().length === 1 ? state.dice : "6");

  function toggle(m) {
    const now = owned();
    const next = now.includes(m) ? now.filter((other) => other !== m) : sorted([...now, m]);
    if (next.length > 0) change({ dice: next.join(","), way: "" });
    else alone.textContent = "One die is needed: choose another one before you leave this one out.";
  }

  function step(m, by) {
    const now = owned();
    if (by > 0 && now.length < MOST_DICE) change({ dice: sorted([...now, m]).join(","), way: "" });
    else if (by < 0 && now.length > 1) {
      now.splice(now.indexOf(m), 1);
      change({ dice: now.join(","), way: "" });
    }
  }

  const drawCounts = () => show(counts, kinds().map((m) => h("span", { class: "stepper", role: "group", "aria-label": `How many: ${die(m)}` }, die(m),
    h("button", { "aria-label": `One ${die(m)} fewer`, disabled: owned().length === 1, onclick: () => step(m, -1) }, "−"),
    h("output", String(countOf(m))),
    h("button", { "aria-label": `One ${die(m)} more`, disabled: owned().length >= MOST_DICE, onclick: () => step(m, 1) }, "+"))));

  /** The result of a finished roll, as a sentence; bits stay private. */
  function rolled() {
    const shown = state.need === "bits" ? [] : [...leads.querySelectorAll(".walk-result, .walk-cards li")].map((result) => result.textContent);
    const what = state.need === "shuffle" ? "I drew" : `I rolled ${weighted ? lawWords() : `a ${die(state.of)}`}`;
    return shown.length > 0 ? `${what} with ${dicePhrase()}: ${shown.join(", ")}. ` : "";
  }

  /** Buttons that print the sheet or share the recipe as a picture. */
  const toPrint = (text = "") => h("div", { class: "choice no-print leave" }, h("button", { class: "primary", onclick: () => print() }, "Print this sheet"),
    shareMenu({ name: () => `${state.need}-${state.of}-from-${state.dice}`, sentence: () => `${rolled()}${headline.querySelector(".answer").textContent}`, card: () => {
      const [what, cost = ""] = headline.querySelector(".answer").textContent.split(/ takes? /);
      // A fact continues in indented lines.
      let skips = false;
      const steps = text.trim().split("\n").slice(1).filter((line) => !(skips = isFact(line) || skips && /^\s+\S/.test(line))).join("\n");
      return shareCard({ title: what, big: cost.replace(/ on average.*/, ""), sub: "on average", steps });
    } }));
  const from = (answer) => paper(answer, owned().includes("2"));

  /**
   * The Knuth-Yao algorithm with one of the dice, if it is cheaper than the plan. A plan for
   * weights looks them up from a fair die. The plan for several dice has such a row.
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

  /** The row of the recipe: a row for one die may come before it. */
  const recipeRow = (told) => Math.max(0, told.records.findIndex((record) => String(record.splitting) === "true"));

  const throwsFor = (cost) => rollsFor("6", cost).replace("roll", "throw");
  const limit = (record) => (record.worst_case === "inf" ? "there is no fixed limit, but long runs get rare" : `never more than ${record.worst_case}`);
  const costOf = (answer, row, label, form) => cellOf(answer, row, "expected", label, { form });

  /** The methods that a proof covers: not throws of several dice, which may be fewer. */
  const noMethod = () => (owned().length > 1 ? "No method that rolls these dice one at a time takes fewer" : "No method takes fewer");
  const proved = () => `${noMethod()} ${rolls(each())} on average: that is proved.`;
  const withMe = "with “Roll with me”";
  const aloneText = ({ alone: m }) => (owned().length > 1 ? ` with the ${die(m)} alone` : "");

  /** The plan; for an unreadable text, a refusal that says what to type. */
  const planOf = (of, options) => ask({ ask: "plan", target: of, dice: state.dice }, options).catch((error) => {
    error.message = error.message.replace(/(a number like 6|one of \+ -|.*?names outcomes, which).*$/s, (_, about) => `${about.endsWith("which") ? `${short(state.of)} cannot be used: ` : ""}type ${WRITTEN[state.need]}`).replace(/, at character \d+ \('.*?'\)$/, "");
    throw error;
  });

  /** The subject of the sheet, and its verb: the sides of a die, weights, or dice such as 3d6. */
  function subject(told) {
    if (!weighted) return [`A d${bracketed(EXPRESSION.test(state.of) ? state.of : told.records[0].target)} from`, "takes"];
    const [law, several] = [lawWords(), /^[\d.:;,%/\s]+$/.test(state.of) || wanted().startsWith("{")];
    return [`${several && law === state.of ? "The weights " : ""}${law} from`, several ? "take" : "takes"];
  }

  /** A function that shows an exact cost that is not in an answer. */
  async function exactCost(exact, label, options, more) {
    const answer = await ask({ ask: "decimals", of: exact, digits: 17 }, options);
    const decimal = Number(answer.records[0].decimals);
    // the other answer would show all 17 digits
    return () => number({ exact, decimal: more?.answer ? decimal : brief(decimal), answer, label, ...more });
  }

  /** The sum of exact costs; for a difference, the second cost has a minus sign. */
  async function sum(costs, label, options, more) {
    const fractions = costs.map((cost) => [...String(cost).split("/"), "1"].map(BigInt));
    const exact = lowest(...fractions.reduce(([a, b], [c, d]) => [a * d + c * b, b * d], [0n, 1n]));
    return (await exactCost(exact, label, options, more))();
  }

  /** The ways to do it with these dice, by few steps or by few rolls; few steps come first if the other way has many. */
  async function waysOf(of, told, less, options) {
    const sheet = less && await bestSheet(of, told, less, options);
    if (sheet) return [sheet];
    const ways = await singleWays(of, told, options);
    // The dice of a formula may take fewer rolls than the tree of one die.
    if (less && !(ways[0].recipe?.dice && Number(ways[0].exact) <= less.record.expected)) return [{ recipe: {}, ...ways[0], name: "simple" }, { ...ways[0], name: "cheapest", alone: less.source, exact: less.record.expected_exact, cost: () => costOf(less.told, less.row, "Expected rolls of the cheapest way") }];
    if (owned().length < 2 || weighted) return ways;
    // All possible throws, the fewest dice first.
    const sets = [...new Map(owned().reduce((all, m) => [...all, ...all.map((set) => [...set, m])], [[]]).map((set) => [set.join(","), set])).values()]
      .filter((set) => set.length > 0 && BigInt(facesOf(set)) <= MOST_FACES).sort((a, b) => a.length - b.length);
    // Of throws with the same number of results, keeps the one with the fewest dice.
    const throws = [...new Map(sets.filter((set) => set.length === 2 || new Set(set).size === 1 || set.length === owned().length).reverse().map((set) => [facesOf(set), set])).values()]
      .sort((a, b) => a.length - b.length).map((set) => set.join(","));
    const both = await orNone(ask({ ask: "plan", target: of, throws }, options));
    const row = both && recipeRow(both);
    const exact = both?.records[row].expected_exact;
    // one die alone may cost the same
    if (!both || ways.some((way) => way.exact === exact)) return ways;
    // Removes the long title, which is already shown above.
    const text = both.text.replace(/\n(?: .*\n)+/, "\n");
    const best = { name: "together", thrown: true, recipe: { throws }, exact, text, answer: both, steps: text.match(/^[A-Z]{1,2}(?=\s{2}|: roll)/gm)?.length, cost: () => costOf(both, row, "Expected throws of dice together", shortForm()) };
    const cost = (reading) => ratio(readingCost(reading, true));
    const readings = sets.filter((set) => set.length > 1).map((set) => readingOf(set.map(Number), Number(both.records[row].target))).filter(Boolean);
    const least = Math.min(...readings.map(cost));
    const [reading] = readings.filter((other) => cost(other) < least + LITTLE).sort((a, b) => a.dice.length - b.dice.length || cost(a) - cost(b) || a.faces - b.faces);
    if (!reading || best.steps <= FEW && cost(reading) - both.records[row].expected >= LITTLE) return [...ways, best];
    const read = await readWay("together", reading, both, options);
    return [...ways, read, ...(read.exact === exact ? [] : [{ ...best, name: "fewest" }])];
  }

  /** The best rule of all, if it is proved and its tables are no longer than those of the recipe. */
  async function bestSheet(of, told, less, options) {
    const best = await orNone(ask({ ask: "plan", target: of, dice: state.dice, optimal: true, effort: EFFORT }, options));
    if (best?.records[0].proved !== "yes" || best.records[0].expected > less.record.expected) return null;
    const lines = tableLines(best.text).size;
    if (lines === 0 || lines > tableLines(told.text).size) return null;
    return { name: "cheapest", tables: true, exact: best.records[0].expected_exact, text: best.text, answer: best, cost: () => costOf(best, 0, "Expected rolls of the best rule") };
  }

  /** Rolls, or dice thrown together, read as one number. */
  async function readWay(name, reading, answer, options) {
    const thrown = name === "together";
    const exact = readingCost(reading, thrown);
    return { name, reading, thrown, exact, answer, text: readingText(reading, { thrown, owned: reading.dice.length <= owned().length }),
      cost: await exactCost(exact, `Expected ${thrown ? "throws" : "rolls"}, read as one number`, options, { answer }) };
  }

  /** The ways with one die after the other, including rolls read as one number, if that costs little more. */
  async function singleWays(of, told, options) {
    const others = await recipeWays(of, told, options);
    const reading = weighted ? null : rollsAsOne(of, owned());
    if (!reading) return others;
    const way = await readWay("pair", reading, told, options);
    const rest = others.filter(({ name, exact }) => name !== "simple" || exact !== way.exact);
    return ratio(way.exact) - told.records[recipeRow(told)].expected < LITTLE ? [way, ...rest] : [...rest, way];
  }

  async function recipeWays(of, told, options) {
    const simpleCost = (answer) => exactCost(answer.simple_expected_exact, "Expected rolls of the simple recipe", options, { answer });
    const cheap = told.records[recipeRow(told)];
    const cheapest = { name: "cheapest", exact: cheap.expected_exact, text: told.text, answer: told, cost: () => costOf(told, recipeRow(told), "Expected rolls of the cheapest recipe") };
    // A person who owns all dice of a formula rolls them, not other dice.
    const own = weighted ? diceOfFormula(of) : [];
    if (own.length > 0 && own.length < kinds().length && own.every((m) => kinds().includes(m))) {
      const dice = own.join(",");
      const rolled = await orNone(ask({ ask: "plan", target: of, dice }, options));
      if (/^Roll the dice of /m.test(rolled?.text)) {
        const plain = { name: "simple", exact: rolled.simple_expected_exact, text: rolled.text, answer: rolled, recipe: { dice }, cost: await simpleCost(rolled) };
        return cheap.expected < Number(plain.exact) ? [plain, cheapest] : [plain];
      }
    }
    const simple = { name: "simple", exact: told.simple_expected_exact, text: told.text, answer: told, recipe: {} };
    if (simple.exact) {
      const full = await ask({ ask: "plan", target: of, dice: state.dice, cheapest: true }, options);
      Object.assign(cheapest, { text: full.text, answer: full });
      simple.cost = await simpleCost(told);
      // If rolling the formula's dice costs the least, no other recipe is needed.
      return weighted && simple.exact === cheapest.exact ? [simple] : [simple, cheapest];
    }
    const steps = weighted ? null : await orNone(ask({ ask: "plan", target: of, dice: state.dice, factoring: true }, options));
    if (!steps || steps.records.length < 2) return [cheapest];
    const last = steps.records.at(-1);
    // If the cheapest recipe, with its tables, is no longer than the simple one and costs the same,
    // it is the only way.
    const lines = told.text.match(/^ *([A-Z]{1,2}\d*|face|d\d+:) .*$/gm) ?? [];
    if (last.expected_exact === cheapest.exact && lines.length > 0 && lines.length <= steps.records.length) return [cheapest];
    Object.assign(simple, { recipe: { factoring: true }, exact: last.expected_exact, text: steps.text.replace(/^No cheaper way by .*\n(?: .*\n)*/m, ""), answer: steps, cost: () => costOf(steps, steps.records.length - 1, "Expected rolls of the simple recipe") });
    return [cheapest, simple];
  }

  /** The dice that a recipe rolls. */
  function usedDice({ text }) {
    const steps = text.split("\n").slice(1).filter((line) => !isFact(line)).join(" ").replace(/To roll an? d\d+,/g, "");
    return kinds().filter((m) => new RegExp(`(roll|flip|throw) [^.:;]*\\b${die(m)}\\b`, "i").test(steps));
  }

  /** The owned dice that the chosen way does not roll. */
  function unusedWords(chosen, isLeast) {
    const used = chosen.alone ? [chosen.alone] : usedDice(chosen);
    const unused = kinds().filter((m) => !used.includes(m));
    if (chosen.thrown || used.length === 0 || unused.length === 0) return null;
    const [some, names] = [unused.length > 1, diceWords(unused)];
    return isLeast ? `${capital(names)} ${some ? "do" : "does"} not help the cheapest ${chosen.alone ? "way" : "recipe"}, which rolls ${diceWords(used)}${used.length > 1 ? "" : " alone"}.` : `This recipe does not roll ${names}.`;
  }

  async function drawPlan(options) {
    const many = state.need === "die" ? several(state.of) : null;
    if (many) return drawMany(many, options);
    if (state.need === "die") {
      if (state.of.includes("%")) refuse("a number of sides was expected, such as 7 or 100");
      if (namedWeights(state.of)) refuse("names need weights, so choose weights");
      if (/[,;]/.test(state.of)) refuse("several dice are numbers separated by commas, such as 7, 13");
    }
    const told = answered(await planOf(wanted(), options));
    weighted = state.need === "weights" || !/^\d+$/.test(String(told.records[recipeRow(told)].target));
    const [what, verb] = subject(told);
    const tree = await cheaper(told, options);
    const all = await waysOf(wanted(), told, tree, options);
    const less = all.some(({ alone }) => alone) ? tree : null;
    const chosen = all.find(({ name }) => name === state.way) ?? all[0];
    const plan = chosen.recipe?.dice ? chosen.answer : told;
    const best = less?.record ?? plan.records[recipeRow(plan)];
    const [together, fewest] = ["together", "fewest"].map((way) => all.find(({ name }) => name === way));
    const other = chosen.thrown ? null : all.find((way) => way !== chosen && !way.thrown);
    const low = all.find(({ name }) => name === "cheapest") ?? (chosen.thrown ? all[0] : chosen);
    const high = chosen !== low && !chosen.thrown ? chosen : all.find((way) => way !== low && !way.thrown);
    const more = other && low.exact !== high.exact ? await sum([high.exact, `-${low.exact}`], "Rolls more", options, { form: "short" }) : null;
    const bound = h("p", { class: "hint bound" });
    const cost = chosen.cost();
    const least = chosen.exact === low.exact && !chosen.thrown;
    const unit = chosen.thrown ? throwsFor(cost) + ofDice(chosen) : rollsFor(each(), cost);
    const how = chosen.name === "simple" ? " by a simple recipe" : chosen.thrown ? untilWords(chosen) : chosen.alone ? `${aloneText(chosen)}, ${withMe}` : chosen.reading?.decimal ? `, as ${called(chosen).toLowerCase()}` : "";
    show(headline, h("p", { class: "answer" }, `${what} ${dicePhrase()} ${verb} `, cost, ` ${unit} on average${how}${least && !chosen.tables ? `; ${limit(best)}` : ""}.`),
      unusedWords(chosen, least) && h("p", unusedWords(chosen, least)),
      chosen.thrown && h("p", "Rolled one by one they take ", low.cost(), ` ${rollsFor(each(), low.cost())}.`),
      together && chosen !== together && h("p", "Thrown together they take ", together.cost(), ` ${throwsFor(together.cost())}${ofDice(together)}${untilWords(together)}.`),
      fewest && chosen.thrown && chosen !== fewest && h("p", "The best of all throws takes ", fewest.cost(), `${untilWords(fewest)}.`),
      other && h("p", chosen !== low ? (more ? [`The cheapest ${less ? "way" : "recipe"} takes `, low.cost(), `${low.alone ? aloneText(low) : ""}, `, more, ` less${chosen !== all[0] || chosen.reading ? "" : less ? ", but it does not fit on a sheet: use “Roll with me”" : "; it has more than four steps, so the simple one comes first"}.`] : "The cheapest recipe costs the same.")
        : more ? ["A simple recipe takes ", high.cost(), ", ", more, ` more${chosen === all[0] && !chosen.reading ? "; the cheapest has four steps at most, and comes first" : ""}.`] : "A simpler recipe costs the same."),
      weighted && /[./%]/.test(wanted()) && h("p", /:/.test(told.records[0].target) ? `In whole numbers the weights are ${short(told.records[0].target)}.` : "The weights are equal."), !chosen.thrown && bound);
    if (!chosen.thrown) drawBound(bound, told, chosen, low.exact, least, options);
    return { told, all, chosen, less };
  }

  /** Names the dice thrown together. */
  const ofDice = ({ reading }) => (reading ? ` of ${diceWords(reading.dice)}` : "");
  const untilWords = ({ reading, steps }) => (!reading ? `, in ${steps} ${steps === 1 ? "step" : "steps"}` : reading.most < reading.faces ? `, rerolling anything above ${reading.most}` : "");

  /** The lower bound for all methods: proved by the search for the best rule if that ends soon, else the entropy. */
  async function drawBound(place, told, chosen, exact, isLeast, options) {
    if (chosen.tables) return show(place, proved());
    const best = weighted ? null : await ask({ ask: "plan", target: state.of, dice: state.dice, optimal: true, effort: EFFORT }, options).catch(() => null);
    if (!place.isConnected) return;
    // Leaves out notes for programs and notes about another way.
    if (!best) return show(place, sentence(told.notes.some((note) => note.includes('{"')) ? told.notes.filter((note) => /entropy/.test(note)) : told.notes));
    const record = best.records[0];
    if (record.proved === "yes" && record.expected_exact === exact) return show(place, isLeast ? proved() : `${noMethod()} than the cheapest: that is proved.`);
    const above = await ask({ ask: "decimals", of: `100*((${exact})/(${record.lower_exact})-1)`, digits: 2 }, options).catch(() => null);
    const percent = above && cellOf(above, 0, "decimals", "Percent above the bound");
    const least = number({ exact: record.lower_exact, decimal: roundedDown(record.lower_exact, 6).replace(/\.0*$|(\.\d*?)0+$/, "$1"), answer: best, label: "No method takes fewer" });
    return percent && show(place, record.proved === "yes" ? [`It is proved that the best ${owned().length > 1 ? "method that rolls these dice one at a time" : "method"} takes `, costOf(best, 0, "The best method")] : [`${noMethod()} than `, least], "; the cheapest recipe is within ", /^≈ 0\.0*$/.test(percent.textContent) ? "0.01" : percent, " % of that.");
  }

  /** Several targets on one page: each alone, and all in a row, with remainders kept. */
  async function drawMany(targets, options) {
    const plans = [];
    for (const target of new Set(targets)) {
      const told = answered(await planOf(target.replace(/[()]/g, ""), options));
      plans.push({ target, told });
    }
    const [source] = owned();
    // The sheets have the recipes that are printed, which may be simpler than the cheapest.
    const sheetCost = ({ told }) => told.simple_expected_exact || told.records[recipeRow(told)].expected_exact;
    const costs = targets.map((target) => sheetCost(plans.find((plan) => plan.target === target)));
    const total = costs.every(Boolean) ? await sum(costs, "Expected rolls with these sheets", options, { form: "decimal" }) : null;
    const row = owned().length > 1 ? null : await orNone(ask({ ask: "batch", targets, source }, options));
    const cell = (mode) => costOf(row, row.records.findIndex((record) => record.mode === mode), `Expected rolls, ${mode}`, "decimal");
    show(headline, h("p", { class: "answer" }, `${list(targets.map((m) => (m.includes(":") ? m : `A ${die(m)}`))).replace(/ A /g, " a ")} from ${dicePhrase()}: one sheet each.`),
      total && h("p", "With these sheets they take ", total, ` ${rollsFor(each(), total)} on average in all.`),
      row && h("p", "By the cheapest method for each they take ", cell("separate"), `; if what is left over is kept for the next one, as in the jar, `, cell("keep"), "."));
    return { told: plans[0].told, many: plans, targets: row && targets };
  }

  const called = ({ reading, name }) => (name === "fewest" ? "Fewest throws" : name === "pair" ? (!reading.decimal ? "Two rolls" : reading.dice.length === 2 ? "Tens and units" : "Digits") : capital(name));

  function drawSheet({ told, all, chosen, many }) {
    const part = (text) => {
      const { steps, facts } = recipe(text.replace(OTHER_WAYS, ""));
      return [...steps, facts];
    };
    if (many) return show(sheet, nameLine(), h("h2", { class: "no-print" }, "Recipes"), toPrint(), many.map((one) => h("section", h("h2", `${one.target.includes(":") ? one.target : `A ${die(one.target)}`} from ${dicePhrase()}`), part(one.told.text))), from(told));
    const divisor = chosen.text.match(/\bc mod (\d+)/)?.[1];
    return show(sheet, nameLine(), h("h2", `How to roll ${weighted ? lawWords() : `a ${die(state.of)}`} with ${dicePhrase()}`), toPrint(chosen.alone ? "" : chosen.text),
      chosen.alone && quiet("This sheet is the simple recipe, which takes ", all[0].cost(), ` ${rolls(each())}. For the cheapest way use “Roll with me”.`), part(chosen.text),
      /(roll|throw) .*\bd10\b/i.test(chosen.text) && !/say?s 0|face 0|00 is 100/.test(chosen.text) && ZERO(),
      divisor && h("p", { class: "legend" }, `c mod ${divisor} is the remainder of c divided by ${divisor}.`), from(chosen.answer));
  }

  /** The tree of the cheaper way, to the depth that the engine chooses. */
  async function drawTree(less, options) {
    if (!less) return show(tree);
    const image = await picture({ ask: "show", view: "tree", target: wanted(), source: less.source, algorithm: "knuth-yao" }, `Decision tree of Knuth and Yao's algorithm for ${state.of} from a ${die(less.source)}`, options);
    return show(tree, h("h2", "The cheapest way, as a tree"), h("p", `Begin at the top. Follow the branch of the face that each ${roll(less.source)} shows; a box is the result. At a dashed circle the picture ends: “Roll with me” goes on to the end. The tree is Knuth and Yao's: no rule for one die takes less.`),
      scroller("Picture of the tree", image));
  }

  const cardsWanted = () => {
    const found = cardsOf(state.of);
    if (!found || found.draw < 1 || found.draw > found.cards || found.cards > MOST_COUNTED) refuse(`a whole number such as 52, or some cards such as 5 of 52, was expected, of ${MOST_COUNTED} at most`);
    return found;
  };

  /** Bits by hand: the bits in each kept face, and the exact expected rolls. */
  function handBits(source, wanted) {
    const m = BigInt(source);
    const bits = Math.min(m.toString(2).length - 1, wanted);
    const kept = m >> BigInt(bits) << BigInt(bits);
    return { bits, kept, exact: lowest(BigInt(Math.ceil(wanted / bits)) * m, kept) };
  }

  async function drawAdvice(options) {
    const source = largest();
    const note = owned().length > 1 && h("p", `Here you roll only the ${die(source)}, and the cost is for the ${die(source)}.`);
    const cards = state.need === "shuffle" ? cardsWanted() : null;
    if (cards) {
      const told = answered(await ask({ ask: "shuffle", cards: cards.cards, source, ...(cards.draw === cards.cards ? {} : { draw: cards.draw }) }, options));
      const cost = (way) => {
        const row = told.records.findIndex((record) => record.algorithm === way);
        return row < 0 ? null : costOf(told, row, `Expected rolls, ${told.records[row].what}`, "decimal");
      };
      const least = cost("product") ?? cost("factoring");
      const dealt = Math.min(cards.draw, cards.cards - 1);
      const onSheet = dealt > 1 && dealt <= MOST_CARDS ? cost("keep") : null;
      const what = cards.draw === cards.cards ? `A shuffle of ${cards.cards} cards` : cards.draw === 1 ? `A card of ${cards.cards}` : `${cards.draw} of ${cards.cards} cards`;
      show(headline, h("p", { class: "answer" }, `${what} ${what.startsWith("A") ? "takes" : "take"} `, least, ` ${rollsFor(source, least)} of a ${die(source)} on average ${withMe}.`),
        onSheet && h("p", "With the sheet, one card at a time, it takes ", onSheet, "."), note);
      return { told, cards };
    }
    if (!/^\d+$/.test(state.of) || Number(state.of) > MOST_COUNTED) refuse(`a whole number such as ${USUAL.bits} was expected, ${MOST_COUNTED} at most`);
    const told = answered(await ask({ ask: "advise", bits: Number(state.of), source }, options));
    // "Roll with me" follows the fast dice roller
    const led = Math.max(0, told.records.findIndex(({ method }) => method === "fast-dice-roller"));
    const least = costOf(told, led, "Expected rolls", "decimal");
    const byHand = handBits(source, Number(state.of));
    const hand = await sum([byHand.exact], "Expected rolls by hand", options);
    show(headline, h("p", { class: "answer" }, `${state.of} random ${state.of === "1" ? "bit takes" : "bits take"} `, least, ` ${rollsFor(source, least)} of a ${die(source)} on average ${withMe}.`),
      h("p", `With the sheet, ${byHand.bits === 1 ? "a bit" : `${byHand.bits} bits`} for each ${roll(source)}, it takes `, hand, "."), note);
    return { told, byHand };
  }

  /** Shows the sheet for cards, one by one, or for bits, several from each roll. */
  async function drawByHand({ told, cards, byHand }, options) {
    const source = largest();
    if (!cards) {
      const { bits, kept } = byHand;
      const again = BigInt(source) > kept ? ` Roll again ${bits === 1 ? `where it shows ${source}` : `above ${short(kept)}`}.` : "";
      const faces = bits > 1 && kept <= MOST_WRITTEN ? Array.from({ length: Number(kept) }, (_, i) => i + 1) : [];
      const written = (face) => ((face - 1) % 2 ** bits).toString(2).padStart(bits, "0");
      const how = source === "2" ? "Flip the coin: heads is 1, tails is 0." : bits === 1 ? `Roll the ${die(source)}: an odd face is 1, an even one 0.`
        : `Roll the ${die(source)}, and write down the last ${bits} binary digits of its face minus 1${faces.length > 0 ? ", as the table has it" : ""}.`;
      const tooMany = Number(state.of) % bits > 0 ? "; extra bits at the end are left out" : "";
      return show(sheet, nameLine(), h("h2", `${state.of} random ${state.of === "1" ? "bit" : "bits"} with a ${die(source)}`), toPrint(),
        h("ol", { class: "recipe" }, h("li", how + again), h("li", `Go on until there are ${state.of}${tooMany}.`)),
        faces.length > 0 && recipe(`Bits\n\nBits of a face\n face ${faces.join(" ")}\n bits ${faces.map(written).join(" ")}`).steps, source === "10" && ZERO(), from(told));
    }
    const dealt = Math.min(cards.draw, cards.cards - 1);
    if (dealt > MOST_CARDS) return show(sheet, nameLine(), h("h2", "By hand"), h("p", `A sheet would have ${dealt} rows. Use “Roll with me”.`));
    const all = cards.draw === cards.cards;
    const title = all ? `Shuffle ${cards.cards} cards with a ${die(source)}` : `Deal ${cards.draw} of ${cards.cards} cards with a ${die(source)}`;
    const lay = h("li", `Lay the ${cards.cards} cards in a row, or count them in the pack: the first is number 1.`);
    if (dealt === 1) {
      const one = await orNone(ask({ ask: "plan", target: String(cards.cards), dice: source, factoring: true }, options));
      const total = one && costOf(one, one.records.length - 1, "Expected rolls of the sheet");
      return show(sheet, nameLine(), h("h2", title), toPrint(), total && h("p", "With this sheet it takes ", total, ` ${rollsFor(source, total)} on average.`),
        h("ol", { class: "recipe" }, lay, one ? one.records.map((record) => h("li", record.instruction)) : h("li", "Follow the steps on the page."), h("li", "The result is the number of the card.")), source === "10" && ZERO(), from(told));
    }
    // The remainder of a roll is kept for the next card.
    const row = told.records.findIndex((record) => record.algorithm === "keep");
    const total = told.records[row]?.expected > 0 ? costOf(told, row, "Expected rolls of the sheet", "decimal") : null;
    return show(sheet, nameLine(), h("h2", title), toPrint(), total && h("p", "With this sheet it takes ", total, ` ${rollsFor(source, total)} on average.`),
      h("ol", { class: "recipe" }, lay,
        h("li", "Write v = 1 and c = 0. Do the next steps once for each row of the table; n is the number of cards in the row."),
        h("li", `While v is less than n: ${source === "2" ? "flip the coin, where heads is 1 and tails is 2" : `roll the ${die(source)}`}. Multiply v by ${source}; multiply c by ${source}, and add what it shows minus 1.`),
        h("li", "Divide v by n and round down: this is q. If c is q × n or more, take q × n from v and from c, and go back to step 3."),
        h("li", "The remainder of c divided by n, plus 1, is the number of the card: take it. Now v is q, and c is c divided by n, rounded down."),
        h("li", "Move the last card of the row into the gap."),
        all && h("li", "The cards that you took, and the last one, are the shuffled deck.")),
      table(all ? "The cards" : "The cards that are dealt", ["card", "n", "v", "c", "number"].map((name) => ({ name })), Array.from({ length: dealt }, (_, k) => [String(k + 1), String(cards.cards - k), "", "", ""]), "by-hand"), source === "10" && ZERO(), from(told));
  }

  async function drawPrograms({ told, cards }, options) {
    const source = largest();
    const advised = cards ? await orNone(ask({ ask: "advise", ...(cards.draw === cards.cards ? { shuffle: cards.cards } : { target: `${cards.cards}!/${cards.cards - cards.draw}!` }), source }, options)) : told;
    if (!advised?.text) return show(programs);
    const [lead] = advised.records;
    const simplest = advised.records.some(({ expected }) => expected < lead.expected);
    const what = cards && cards.draw < cards.cards ? `${cards.draw} of ${cards.cards} cards, in order, as one ` : "A ";
    const fold = h("details", { open: state.more === "yes", ontoggle: () => {
      if (fold.open === (state.more === "yes")) return;
      state = { ...state, more: fold.open ? "yes" : "" };
      remember(state, true);
    } }, h("summary", "For programmers"),
      h("p", simplest ? "The simplest method that takes few rolls; the table below also lists those that take fewer:" : "The method with the fewest rolls:"),
      h("pre", { class: "sheet wraps", tabindex: 0, role: "region", "aria-label": "The method as pseudocode" }, advised.text.split("\nOthers")[0].replace(/^A (?=d\d+ )/, what).replace(/\d{30,}/g, short)),
      table("All ways with their drawbacks, the fewest rolls first", [{ name: "method" }, { name: "expected", number: true }, { name: "never more than", number: true }],
        advised.records.map((record, i) => ({ record, i })).sort((a, b) => a.record.expected - b.record.expected).map(({ record, i }) => [[record.method, record.gives_up ? h("span", { class: "hint aside" }, record.gives_up) : null],
          costOf(advised, i, `${record.method}, expected`, "decimal"),
          record.worst_case === "inf" ? "no limit" : String(record.worst_case ?? "")])));
    return show(programs, fold);
  }

  const planned = () => state.need === "die" || state.need === "weights";

  /** Two dice read as one number, as a card: rows for the first, columns for the second. */
  function drawGrid({ reading, thrown }) {
    const [down, across] = reading.dice;
    const faces = (m) => Array.from({ length: m }, (_, i) => i + 1);
    const result = (i, k) => String(followReading(reading, [i, k]).result ?? AGAIN);
    return show(grid, h("h2", thrown ? `Both at once: ${diceWords(reading.dice)}` : `Two ${rolls(down)}`),
      table(`${down === across ? "The first down, the second across" : `The ${die(down)} down, the ${die(across)} across`}${reading.most < reading.faces ? `; ${AGAIN} means: start again` : ""}`,
        [{ name: "first" }, ...faces(across).map((face) => ({ name: String(face) }))], faces(down).map((i) => [String(i), ...faces(across).map((k) => result(i, k))]), "grid66"));
  }

  /** The question about how long the chosen way takes, if a method of the engine has the same law. */
  function lawOf(chosen) {
    if (chosen.thrown) return chosen.reading ? { target: String(chosen.reading.most), source: String(chosen.reading.faces), algorithm: "rejection", unit: "throw" } : null;
    const [m, ...others] = chosen.alone ? [chosen.alone] : usedDice(chosen);
    if (!m || others.length > 0 || chosen.name !== "cheapest" || weighted && !chosen.alone) return null;
    return { target: wanted(), source: m, algorithm: weighted ? "knuth-yao" : "fast-dice-roller", unit: roll(m) };
  }

  async function drawChances(chosen, options) {
    const { unit, ...law } = lawOf(chosen);
    const told = await ask({ ask: "distribution", ...law }, options);
    const chance = (record) => cellOf(told, told.records.indexOf(record), "survival", `Chance of ${unit} number ${record.t + 1}`, { form: shortForm() });
    // Leaves out rolls that are always needed.
    const rows = told.records.slice(1, 9).filter((record) => record.survival < 1).map((record) => [String(record.t + 1), chance(record)]);
    return show(chances, rows.length > 0 && !rows.every(([, cell]) => cell.textContent === "0") && [h("h2", "How long it takes"), table(`The chance that a ${unit} is needed`, [{ name: `${unit} number` }, { name: "chance", number: true }], rows)]);
  }

  /** Notes as sentences with shortened decimals. A bound gets its unit and its name. */
  function sentence(notes) {
    const bound = (note) => note.replace(/^the entropy bound of these dice is (\S+)$/, (_, value) => `no way takes less than ${value.length > 6 ? "= " : ""}${value} ${rolls(each())} on average: that much randomness is in one result (its entropy)`);
    const cut = (note) => bound(note).replace(/; `throws=.*$/, weighted ? "" : "; choose Together to throw both at once").replace(/(= )?(\d+\.\d{5,})/g, (_, equal, value) => (equal ? "≈ " : "") + brief(value).replace(/ [+-] .*/, ""));
    return notes.map(cut).map((note) => `${capital(note)}${note.endsWith("…") ? "" : "."}`).join(" ");
  }

  /** Several results of one die, step by step, with remainders kept. */
  function drawJarOf(targets, options) {
    const change = (changed) => {
      state = { ...state, ...changed };
      remember(state, true);
      runs.jar((again) => drawJarOf(targets, again));
    };
    return drawJar(jar, { targets: targets.join(), source: owned()[0], seed: state.seed || "1", step: state.step, go: (step) => change({ step: String(step) }),
      renew: () => change({ seed: String(crypto.getRandomValues(new Uint32Array(1))[0]), step: "" }) }, options);
  }

  /** Roll with me: the rolls are in the address, and unfinished ones are stored. */
  function drawWalk(options) {
    const keyNow = () => `${state.dice} ${state.need} ${state.of} ${state.way}`;
    const key = keyNow();
    const task = { recipe: { cheapest: true }, ...led, first: firstDie, note: ledNote, ended: () => rememberWalk(key, ""), ...state, of: wanted(), cards: state.need === "shuffle" ? cardsWanted() : null, rolls: state.rolls.split(",").filter(Boolean) };
    return walk(leads, task, (made) => {
      // A grey card is about another target, or the server is gone.
      if (keyNow() !== key || leads.closest(".stale, .gone")) return;
      rememberWalk(key, made.join(","));
      state = { ...state, rolls: made.join(",") };
      remember(state, true);
      runs.leads(drawWalk, draw);
    }, options);
  }

  /** Lets digit keys enter faces of the current die. */
  function keys(event) {
    if (!/^\d$/.test(event.key) || event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    [...leads.querySelectorAll(".walk-faces button")].find((button) => button.textContent.split(" ")[0] === event.key)?.click();
  }
  addEventListener("keydown", keys);

  async function draw() {
    alone.textContent = "";
    own.removeAttribute("aria-invalid");
    const shownDice = sorted(new Set([...DICE, ...owned()]));
    show(dice, shownDice.map((m) => option(countOf(m) > 1 ? `${die(m)} × ${countOf(m)}` : die(m), owned().includes(m), () => toggle(m), { title: "Keys: + one more, − one fewer", onkeydown: (event) => {
      const by = { "+": 1, ArrowUp: 1, "-": -1, ArrowDown: -1 }[event.key];
      if (!by || by < 0 && !owned().includes(m)) return;
      event.preventDefault();
      step(m, by);
    } })));
    showChosen(dice);
    drawCounts();
    if (others() !== "" || owned().length > kinds().length) more.open = true;
    mine.textContent = `I have ${dicePhrase()}`;
    show(need, NEEDS.map(([name, title]) => option(title, name === state.need, () => change({ need: name, of: USUAL[name], way: "" }))));
    write(state.of);
    writeOwn(others());
    field.dataset.called = CALLED[state.need];
    show(about, ABOUT[state.need], state.need === "weights" && [" ", h("a", { href: `#/loaded?${new URLSearchParams({ weights: state.of })}` }, "Drag them, and see what each method pays.")]);
    const main = await first(runs, "headline", async (options) => {
      if (wrong) throw new Refusal(wrong);
      return planned() ? drawPlan(options) : drawAdvice(options);
    }, draw);
    if (main !== null) show(ways, main.all?.length > 1 ? main.all.filter(({ name }) => name !== "fewest" || main.chosen.thrown).map((way) => option(called(way), way === main.chosen, () => change({ way: way.name }))) : []);
    if (!main) return;
    led = main.chosen ?? null;
    firstDie = planned() && owned().length === 1 && main.told.records[recipeRow(main.told)].expected > 0 ? state.dice : null;
    const cost = main.all?.length > 1 && led.cost();
    const alike = led?.reading?.dice ?? owned();
    ledNote = cost && [`${called(led)}: `, cost, ` ${led.thrown ? `${throwsFor(cost)} on average${new Set(alike).size < alike.length ? ". If dice look alike, say before which is which, by colour or size" : ""}` : `${rollsFor(each(), cost)} on average${led.alone ? aloneText(led) : ""}`}.`];
    // Tens and units need no look-up table.
    const looked = led?.reading?.dice.length === 2 && !led.reading.decimal && led.reading.faces <= MOST_LOOKED_UP;
    grid.hidden = !looked;
    chances.hidden = !led || !lawOf(led);
    tree.hidden = !led?.alone;
    programs.hidden = planned();
    leads.hidden = Boolean(main.many);
    jar.hidden = !main.targets;
    if (main.targets) runs.jar((options) => drawJarOf(main.targets, options));
    if (!main.many) runs.leads(drawWalk, draw);
    if (!planned()) {
      runs.sheet((options) => drawByHand(main, options));
      runs.programs((options) => drawPrograms(main, options));
      return;
    }
    runs.sheet(async () => drawSheet(main));
    if (!tree.hidden) runs.tree((options) => drawTree(main.less, options));
    if (looked) runs.grid(async () => drawGrid(led));
    if (!chances.hidden) runs.chances((options) => drawChances(led, options));
  }

  return {
    leave: () => removeEventListener("keydown", keys),
    update(given) {
      if (given.need === "cards") given = { ...given, need: "shuffle" };
      const need = USUAL[given.need] ? given.need : "die";
      const of = plainly(need, given.of ?? "") || USUAL[need];
      const badDice = given.dice ? wrongDice(given.dice) : null;
      wrong = badDice ? `The dice in the address: ${badDice}` : given.need && need !== given.need ? `The address needs ${short(given.need)}, which is not one of ${Object.keys(USUAL).join(", ")}` : null;
      const dice = badDice ? "6" : sorted(diceOf(given.dice || "6")).join(",");
      const way = ["simple", "cheapest", "together", "fewest", "pair"].includes(given.way) ? given.way : "";
      const made = /^\d+(,\d+)*$/.test(given.rolls ?? "") ? given.rolls : given.rolls ? "" : remembered(`${dice} ${need} ${of} ${way}`);
      state = { dice, need, of, way, rolls: made, seed: given.seed ?? "", step: given.step ?? "", more: given.more === "yes" ? "yes" : "" };
      setup.open = innerWidth > 620 || !given.dice;
      draw();
    },
  };
}
