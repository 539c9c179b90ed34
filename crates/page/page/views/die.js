// One die from one source: it plays at once; the tree, the shares and the mean follow it. The
// reason for the cost and the steps by hand are below.

import { answered, ask, asker, bracketed, capital, cellOf, choice, code, die, entropyOf, EXPRESSION, first, h, option, orNone, quiet, ratio, roll, rolls, rollsFor, s, section, short, show, showChosen, table, target, tollIn, typed, understand, ungrouped } from "../parts.js";
import { key } from "../curves.js";
import { explain, methodName, PLAIN } from "../words.js";
import { atOnce, fullButton, keep, kept, lawPicture, meansPicture, mixed, outcomesSeen, ownRows, seenOf, withRest } from "../law.js";
import { nameLine, paper, paperPicture, saveButtons, shareCard, shareMenu } from "../share.js";
import { LINE, treePicture } from "../tree.js";

const SOURCES = [["2", "a coin"], ["4", "a d4"], ["6", "a d6"], ["8", "a d8"], ["10", "a d10"], ["12", "a d12"], ["20", "a d20"]];
/** Sources that always have a button; the others are behind "More". */
const USUAL_SOURCES = ["2", "6", "10", "20"];
/** The largest number of nodes of a tree, and of its lines on a wide screen and on a phone. */
const MOST_NODES = 600;
const MOST_LINES = 36;
const [WIDE_LINES, PHONE_LINES, PAPER_LINES] = [20, 14, 22];
/** The largest number of faces that have buttons. */
const MOST_FACES = 20;
const MOST_BARS = 60;
const MOST_LEVELS = 8;
/** Levels of a tree to fill in on paper. */
const BLANK_LEVELS = 4;
const MOST_ROUNDS = 14;
const MOST_FLIPS = 400;
/** Expected counts are shown for at least this many results. */
const MANY = 10;
/** Results that play when the page opens, how many of them slowly, and the pauses after a flip and a result. */
const PLAYED = 60;
const SLOWLY = 3;
const [SLOW, QUICK] = [850, 380];
/** The panels next to the flips on a full screen. */
const PANELS = [["tree", "Tree"], ["law", "How many"], ["bars", "Fair shares"], ["why", "Why not less"], ["beat", "Try to beat it"]];

export function view(place, remember) {
  let state = { n: "6", source: "2", flips: "", method: "fast-dice-roller" };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** The automatic play: the flips of its result so far, the next ones, and whether it is on. */
  const play = { on: false, flips: [], coming: [], timer: 0, played: 0 };
  /** Whether a person has taken over; then automatic play is off. */
  let taken = false;
  /** A person's results, each as [rolls, result], and the last result with its flips. */
  let own = { all: [], last: null };
  /** The results of automatic play, while they are shown. */
  let played = null;
  /** The greatest depth reached so far, to which the tree has grown. */
  let grown = 1;
  /** Whether all methods are shown, and all sources. */
  let [allMethods, allSources] = [false, false];

  const change = (changed, passing) => {
    const other = ["n", "source", "method"].some((name) => name in changed && changed[name] !== state[name]);
    state = { ...state, ...changed };
    if (other) forget();
    remember(state, passing);
    return draw();
  };
  function forget() {
    stop();
    Object.assign(play, { flips: [], coming: [], played: 0 });
    played = null;
    recall();
    grown = 1;
  }
  /** The storage key of a person's results of this die. */
  const keptAs = () => ["flipcost-seen", state.n, state.source, state.method].join(" ");
  const recall = () => (own = kept(keptAs()) ?? { all: [], last: null });
  const two = () => state.source === "2";
  const joined = (faces) => faces.join(two() ? "" : ",");
  const parted = (flips) => (two() ? [...flips] : flips.split(",").filter(Boolean));
  const flips = () => (play.on ? joined(play.flips) : state.flips);
  /** Flips add one entry to the history, before the first; Undo takes back one. */
  const flipped = (faces) => {
    state = { ...state, flips: joined(faces) };
    remember(state, true);
    return drawFlips();
  };

  /** The text may be in words, which the engine reads: a card, d7 from a d6, 5 of 52. */
  async function wanted(value, passing) {
    const read = EXPRESSION.test(value) ? null : await understand(value);
    if (read?.ask === "plan") location.hash = `#/table?${new URLSearchParams({ dice: read.dice, need: "die", of: read.of.replace(/^d(?=\d+$)/, "") })}`;
    else if (read?.ask === "shuffle") location.hash = `#/table?${new URLSearchParams({ need: "shuffle", of: read.of, ...(read.draw ? { draw: read.draw } : {}) })}`;
    else return change({ n: read?.ask === "cost" ? read.of : value, flips: "", ...(read?.source ? { source: read.source } : {}) }, passing);
    return undefined;
  }

  const n = target({ value: state.n, label: "Sides", id: "die-n", change: wanted });
  const sources = choice("Source");
  const other = h("input", { size: 5, id: "die-source", "data-asks": "source", "data-called": "A die of other sides" });
  const writeOther = typed(other, (text, passing) => change({ source: text || "2", flips: "" }, passing), { read: ungrouped });
  const otherField = h("div", { class: "field other" }, h("label", { for: "die-source" }, "or a die of other sides:"), other);
  const headline = h("div", { class: "headline" });
  const flipping = section("Roll it", "flipping");
  const tree = section("Decision tree", "growing");
  const settling = section("The mean of what is seen", "settling");
  const panels = choice("Beside the flips");
  panels.classList.add("panels");
  const stage = h("div", { class: "card stage" }, panels, flipping, tree, settling);
  const chart = section("Flow chart");
  const bars = section("How the leaves fill the outcomes", "card no-print leaves");
  const results = h("div", { class: "results" });
  const law = section("Distribution");
  const why = section("Why not less", "card wide why");
  const methods = section("Methods", "card methods-card");
  const prose = h("div", { class: "words" });
  /** Below this width the order is that of a phone. */
  const NARROW = 480;
  const theory = h("details", { class: "theory", open: innerWidth >= NARROW }, h("summary", "Why not less, the steps, and other methods"),
    h("div", { class: "grid" }, why, chart, methods));
  const title = h("h1");
  const answers = h("input", { type: "checkbox", checked: true, onchange: () => place.classList.toggle("no-answers", !answers.checked) });
  const foot = h("div");
  show(place, nameLine(), title,
    h("div", { class: "controls" }, n.element, h("div", { class: "field sources" }, h("span", { class: "label" }, "made from"), sources, otherField)),
    h("p", { class: "tries no-print" }, "Sides, such as 7, 52! or a d7 from a d6; 3d6 and 4:7:8 are weights."),
    headline, stage,
    h("div", { class: "grid" }, law, bars), theory, foot);

  const runs = Object.fromEntries(Object.entries({ headline, flipping, tree, settling, bars, law, chart, methods, why, prose }).map(([name, element]) => [name, asker(element)]));

  /** Adds a face from a person: the first one ends automatic play and its results; after a result, the next one begins. */
  const press = (face) => inTurn(() => pressNow(face));
  /** Faces are added one after the other, however fast they come. */
  let pressed = Promise.resolve();
  const inTurn = (work) => (taken = true, pressed = pressed.then(work));
  async function pressNow(face) {
    const before = play.on ? [] : parted(state.flips);
    const decided = flipping.dataset.decided === "yes";
    if (played) forget();
    await flipped([...(decided ? [] : before), face]);
    if (flipping.dataset.decided !== "yes") return;
    own.last = { at: own.all.length, flips: state.flips };
    count({ rolls: flipping.dataset.rolls, result: flipping.dataset.outcome });
  }

  /** Takes back the last flip, and the result that it decided, if any. */
  const undo = () => inTurn(() => {
    const before = play.on ? play.flips : parted(state.flips);
    if (played) forget();
    else if (own.last?.flips === state.flips) {
      own.all.splice(own.last.at, 1);
      own.last = null;
      keep(keptAs(), own);
    }
    return flipped(before.slice(0, -1));
  });

  const again = () => inTurn(() => {
    if (played) forget();
    return flipped([]);
  });

  function keys(event) {
    if (event.target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toUpperCase();
    if (stage.hidden) return;
    if (state.source === "2" && (key === "H" || key === "T")) press(key);
    else if (state.source !== "2" && /^[1-9]$/.test(key) && Number(key) <= Number(state.source)) press(key);
    else if (key === "BACKSPACE") undo();
    else if (key === "ESCAPE" && !document.fullscreenElement) again();
    else return;
    event.preventDefault();
  }
  addEventListener("keydown", keys);

  /** On paper the recipe is not folded, and automatic play is left out. */
  function prepareForPrint() {
    theory.open = true;
    if (!played) return;
    forget();
    for (const mark of place.querySelectorAll(".law :is(.seen, .seen-count, .seen-mean)")) mark.remove();
    for (const mark of place.querySelectorAll(".on, .here, .now, .made")) mark.classList.remove("on", "here", "now", "made");
    drawFlips();
  }
  addEventListener("beforeprint", prepareForPrint);

  /** On a full screen, the person's tree is next to the panels. */
  function fit() {
    const full = isFull();
    if (innerWidth >= NARROW) theory.open = true;
    if (moved) {
      const [element, parent, next] = moved;
      parent.insertBefore(element, next);
      moved = null;
    }
    const shown = full ? { law, bars, why, beat: place.querySelector(".beat") }[panel] : null;
    if (shown) {
      moved = [shown, shown.parentElement, shown.nextSibling];
      stage.append(shown);
    }
    stage.dataset.panel = shown ? panel : "tree";
    show(panels, full && h("strong", `A fair ${task()}`), full ? PANELS.filter(([name]) => name !== "beat" || place.querySelector(".beat")).map(([name, title]) => option(title, name === stage.dataset.panel, () => {
      panel = name;
      if (play.on && !["tree", "law"].includes(name)) pause();
      fit();
    })) : []);
    if (full !== drawnFull && flipping.dataset.rolls) runs.law(drawLaw);
  }
  const isFull = () => document.fullscreenElement === stage;
  /** The panel on a full screen, its usual place, and whether the mean was drawn for a full screen. */
  let [panel, moved, drawnFull] = ["tree", null, false];
  const SCREEN = ["fullscreenchange", "resize"];
  for (const kind of SCREEN) addEventListener(kind, fit);

  /** A seed from the machine's randomness. */
  const seed = () => crypto.getRandomValues(new Uint32Array(1))[0];

  /** Rolls one face of the source, by the fast dice roller. */
  async function rollFace() {
    const told = await ask({ ask: "roll", target: state.source, seed: seed() });
    const face = told.records[0].result;
    return press(state.source === "2" ? (face === 1 ? "H" : "T") : String(face));
  }

  /** The flips of a result, read from its trace. */
  const shown = (trace) => [...trace.matchAll(/ shows (\w+)/g)].map((found) => found[1]);

  async function step() {
    if (!play.on) return;
    if (document.hidden || document.querySelector("dialog[open]")) {
      play.timer = setTimeout(step, QUICK);
      return;
    }
    const [next] = play.coming;
    if (!next) {
      const told = await ask({ ask: "roll", ...common(), count: 20, seed: seed(), trace: true }).catch(() => null);
      if (!play.on) return;
      if (!told) return stop();
      play.coming = told.records.map(({ trace, result }) => ({ faces: shown(trace), result }));
      play.timer = setTimeout(step, 0);
      return;
    }
    const { faces, result } = next;
    if (play.flips.length === faces.length) {
      play.coming.shift();
      play.flips = [];
      play.played += 1;
      if (play.played >= PLAYED) {
        stop();
        state.flips = "";
      }
      await drawFlips();
    } else {
      play.flips = faces.slice(0, play.flips.length + 1);
      await drawFlips();
      if (play.on && play.flips.length === faces.length) count({ rolls: faces.length, result });
    }
    if (play.on) play.timer = setTimeout(step, play.played < SLOWLY ? SLOW : QUICK);
  }

  function start() {
    stop();
    Object.assign(play, { on: true, flips: [], coming: [], played: 0 });
    played = [];
    state.flips = "";
    remember(state, true);
    play.timer = setTimeout(step, 0);
    drawFlips();
  }

  function stop() {
    play.on = false;
    clearTimeout(play.timer);
  }

  function pause() {
    state.flips = joined(play.flips);
    stop();
    drawFlips();
  }

  /** Counts results with their flips; a person's results are stored. */
  function count(...all) {
    (played ?? own.all).push(...all.map(({ rolls, result }) => [Number(rolls), String(result)]));
    if (!played) keep(keptAs(), own);
    return runs.law(drawLaw);
  }

  /** Clears the results. */
  function clear() {
    if (played) played = [];
    else keep(keptAs(), own = { all: [], last: null });
    return runs.law(drawLaw);
  }

  /** Adds this many results at once. */
  async function many(times) {
    const told = await runs.law(async (options) => ask({ ask: "roll", ...common(), count: times, seed: seed() }, options));
    if (!told) return;
    taken = true;
    const playing = play.on;
    if (played) forget();
    if (playing) drawFlips();
    await count(...told.records);
  }

  const common = () => ({ target: state.n, source: state.source, algorithm: state.method });
  const costs = (options) => ask({ ask: "cost", target: state.n, source: state.source }, options);
  /** The task in words. */
  const task = () => `d${bracketed(state.n)} from a ${die(state.source)}`;
  /** The unit after a number of rolls. */
  const rollsOf = (count) => rollsFor(state.source, count);
  /** Whether every outcome has a bar. */
  const hasBars = () => /^\d+$/.test(state.n) && Number(state.n) <= MOST_BARS;
  const uniform = () => state.method === "fast-dice-roller";
  /** Whether every face of the source has a button. */
  const buttons = () => /^\d+$/.test(state.source) && Number(state.source) <= MOST_FACES;
  const phone = () => innerWidth < 760;

  function drawSources() {
    const known = SOURCES.some(([m]) => m === state.source);
    allSources ||= !known;
    const offered = SOURCES.filter(([m]) => allSources || USUAL_SOURCES.includes(m) || m === state.source);
    show(sources, offered.map(([m, name]) => option(name, m === state.source, () => change({ source: m, flips: "" }))),
      !allSources && h("button", { class: "link", onclick: () => {
        allSources = true;
        drawSources();
        (sources.querySelector("[aria-pressed=true]") ?? other).focus();
      } }, "More dice"));
    otherField.hidden = !allSources;
    showChosen(sources);
    writeOther(known ? "" : state.source);
    title.textContent = EXPRESSION.test(state.source) ? `Roll any die with a ${die(state.source)}` : "Roll any die";
  }

  /** Checks that the target is a fair die; otherwise shows an answer without n. */
  async function check(options) {
    // A loaded or an unknown source has other rules: only the answer is shown.
    if (!EXPRESSION.test(state.source) && !/^(coin|d\d+)$/.test(state.source)) {
      const told = answered(await costs(options));
      show(headline, h("p", { class: "answer" }, told.summary), told.notes.filter((note) => !/_exact/.test(note)).map((note) => h("p", `${capital(note)}.`)));
      return false;
    }
    const told = await ask({ ask: "cost", target: state.n, source: state.source, algorithms: ["fast-dice-roller"], columns: ["n"] }, options);
    const n = answered(told).records[0].n;
    if (!EXPRESSION.test(state.source)) {
      state.source = told.query.source;
      recall();
      remember(state, true);
      drawSources();
    }
    if (n === null) {
      show(headline, h("p", { class: "answer" }, `${short(state.n)} is not a fair die: its results are not equally likely. `,
        h("a", { href: `#/${state.source > 2 ? `table?need=weights&dice=${state.source}&of` : "loaded?weights"}=${encodeURIComponent(state.n)}` }, "Make it as a loaded die"), ". ", /[,:]/.test(state.n) && ["Counts of a real die are tested by ", h("code", "flipcost test-die"), "."]));
      return false;
    }
    // 1:1:1 and 1d3 are fair, like a d3.
    if (!EXPRESSION.test(state.n)) {
      state.n = String(n);
      remember(state, true);
      setSides();
      recall();
    }
    return true;
  }

  async function drawHeadline(options) {
    const told = answered(await costs(options));
    const best = told.records[0];
    const mine = told.records.find((record) => record.algorithm === state.method) ?? best;
    const row = told.records.indexOf(mine);
    const optimal = told.records.find((record) => record.algorithm === "fast-dice-roller");
    const cost = cellOf(told, row, "expected", `Expected ${rolls(state.source)}`, { cite: state.method });
    const worst = mine.worst_case === "inf" ? "there is no fixed limit, but long runs get rare" : `never more than ${mine.worst_case}`;
    const cheapest = mine === optimal || mine.expected_exact && mine.expected_exact === optimal?.expected_exact;
    const least = cheapest ? null : optimal ? cellOf(told, told.records.indexOf(optimal), "expected", "Least cost") : entropyBound(told, row);
    show(headline,
      h("p", { class: "answer", title: short(state.n) === state.n ? null : state.n }, `A fair ${task()} takes `, cost, ` ${rollsOf(cost)} on average; ${worst}.`),
      h("div", { class: "after" },
        mine.expected_exact === "0" ? h("p", "There is one result: nothing is rolled.")
          : cheapest ? h("p", "It cannot cost less. ", h("button", { class: "link", onclick: () => {
            theory.open = true;
            why.scrollIntoView({ behavior: still ? "auto" : "smooth" });
          } }, "See why"), ".")
            : h("p", "No method takes less than ", least, ` ${rolls(state.source)} on average.`),
        h("span", { class: "leave no-print" }, shareMenu({ more: h("label", { class: "wide-only" }, answers, " with answers on paper"), name: () => `d${state.n}-from-${die(state.source)}`, sentence: () => headline.querySelector(".answer").textContent, card: () => shareCard({
          title: `A fair ${task()}`, big: `${cost.textContent} ${rollsOf(cost)}`, sub: "on average", drawing: tree.querySelector("svg.tree") }) }))));
    return { told, row, cheapest };
  }

  const entropyBound = (told, row) => cellOf(told, row, "entropy", "Entropy bound", { exact: entropyOf(told.records), form: "decimal" });

  /** What the toll is, in plain words. */
  const tollOf = async () => `The ${rolls(state.source)} that a method takes on average, less the entropy of one result: it exists since a ${roll(state.source)} cannot be split.`;

  /** The reason in words, after the pictures. */
  function drawProse({ told, row, cheapest }) {
    const [n, each, base] = [bracketed(state.n), roll(state.source), short(state.source)];
    const bound = entropyBound(told, row);
    const toll = tollIn(told, row, "Toll");
    show(prose, h("p", `Any method is a tree of ${rolls(state.source)}: a place in the tree that is `, h("i", "t"), ` ${rolls(state.source)} deep is reached with probability 1/${bracketed(state.source)}`, h("sup", h("span", { class: "unseen" }, "^"), "t"), `. Each of the ${short(state.n)} results needs places that add up to exactly the probability 1/${n}. `,
        `${state.source === "2" ? "The binary digits of" : `The digits to the base ${base} of`} 1/${n} say which places are the cheapest. `,
        cheapest ? `This method has exactly these places (Knuth and Yao 1976).` : "This method has other places, which cost more."),
      h("p", "One result holds ", bound, ` ${rollsOf(bound)} of randomness: its `, explain("entropy bound", "entropy", async () => `How much randomness one result holds, counted in ${rolls(state.source)}: the number x with ${base}^x = ${n}. Every method for ${n} equally likely results needs at least this many on average.`), `, the logarithm of ${short(state.n)} to the base ${base}. It is a simpler lower limit, the same formula for all dice, and is reached only if n is a power of ${base === "2" ? "two" : base}. The cost above it is the toll: `, toll, ` ${rollsOf(toll)}.`),
      quiet("A proof assistant has checked that no fair method takes less: the theorem ", code("optimal_mean"), " in ", code("proofs/Optimality.v"), ` of the sources. A ${each} is one use of the source.`));
  }

  function drawMethods(told) {
    const shown = told.records.filter((record, i) => allMethods || i === 0 || record.algorithm === state.method);
    const folded = told.records.filter((record) => !shown.includes(record));
    const alike = folded.filter(({ expected }) => expected === told.records[0].expected).length;
    const counts = [[alike, "that cost the same"], [folded.length - alike, "that cost more"]].filter(([count]) => count > 0);
    const rows = shown.map((record) => {
      const i = told.records.indexOf(record);
      const chosen = record.algorithm === state.method;
      const cells = [
        methodName(record.algorithm, { pressed: chosen, choose: () => change({ method: record.algorithm, flips: "" }) }),
        cellOf(told, i, "expected", `${record.algorithm}, expected`, { cite: record.algorithm }),
        tollIn(told, i, `${record.algorithm}, toll`),
        record.worst_case === "inf" ? "no limit" : String(record.worst_case),
      ];
      cells.class = chosen ? "chosen" : null;
      return cells;
    });
    show(methods, h("h2", "Methods, best first"),
      table(`Methods for a ${task()}`, [
        { name: "method" }, { name: `expected ${rolls(state.source)}`, number: true }, { name: "toll", shown: explain("toll", "toll", tollOf), number: true }, { name: "never more than", number: true },
      ], rows, "methods"),
      folded.length > 0 && h("p", { class: "no-print" }, h("button", { class: "link", onclick: () => {
        allMethods = true;
        drawMethods(told);
      } }, `More: ${counts.map((count) => count.join(" ")).join(", ")}`)));
  }

  async function drawFlipping(options) {
    const told = await ask({ ask: "show", ...common(), rolls: flips() }, options);
    const last = told.records.at(-1);
    const decided = last.outcome !== null;
    const before = told.records.at(-2);
    const over = !decided && uniform() && before && last.of_round === 0;
    flipping.dataset.decided = decided ? "yes" : "no";
    flipping.dataset.rolls = last.rolls;
    flipping.dataset.outcome = last.outcome ?? "";
    grown = Math.max(grown, last.rolls);
    const faces = two() ? [["H", "Heads"], ["T", "Tails"]] :
      buttons() ? Array.from({ length: Number(state.source) }, (_, i) => [String(i + 1), String(i + 1)]) : [];
    const face = told.records.length > 1 ? last.face : null;
    // One row: the last flips, as many as fit.
    const room = Math.max(Math.floor(flipping.clientWidth / parseFloat(getComputedStyle(document.documentElement).fontSize) / 2.35) - 1, 4);
    const tokens = told.records.slice(1).map((record) => h("li", { class: "token" }, record.face)).slice(-room);
    if (last.rolls > room) tokens.unshift(h("li", "…"));
    // Screen readers read only a person's flips, not automatic play.
    const said = { class: "result", role: play.on ? null : "status" };
    const status = decided
      ? h("p", said, "The die shows ", h("strong", String(last.outcome)), ` after ${last.rolls} ${rollsOf(last.rolls)}.`)
      : h("p", said, last.rolls === 0 ? `Nothing is ${two() ? "flipped" : "rolled"} yet` : `${last.rolls} ${rollsOf(last.rolls)}, not decided yet`, over ? `: all ${rolls(state.source)} of round ${before.round} are made. ${last.round > before.round ? `Round ${last.round} begins. ` : `It goes on with round ${last.round} again. `}` : ". ",
        "Now ", h("code", { class: last.state?.length < 20 ? "whole" : null }, last.state ?? ""), uniform() ? ": c is one of v equally likely numbers." : ".");
    const undone = !play.on && state.flips === "";
    show(flipping,
      h("h2", two() ? "Flip" : "Roll", " ", fullButton(stage)),
      h("div", { class: `thrown${two() ? " round" : ""}${face === null ? " none" : ""}`, "aria-hidden": "true" }, face ?? "?"),
      h("div", { class: "hand" }, h("div", { class: faces.length > 4 ? "faces many" : "faces", role: "group", "aria-label": "What it shows", style: { cssText: inRows(faces.length) } },
        faces.map(([face, name]) => h("button", { class: two() ? "coin" : "face", onclick: () => press(face) }, name)),
        buttons() ? null : entry(),
        h("span", { class: "edits" }, h("button", { disabled: undone, onclick: undo }, "Undo"))),
        status),
      h("ol", { class: "tokens", "aria-label": `The ${rolls(state.source)} so far` }, tokens),
      h("div", { class: "choice machine" },
        h("button", { class: "play", onclick: () => (play.on ? pause() : start()) }, play.on ? "Pause" : "Play"),
        h("button", { onclick: rollFace }, two() ? "Flip for me" : "Roll for me"),
        atOnce("results", many)),
      h("p", { class: "hint keys" }, `Keys: ${two() ? "H and T flip, " : buttons() ? "1 to 9 are faces, " : ""}Backspace takes the last one back`, h("span", ", Escape begins this result again"), "."));
    return told;
  }

  /** Rows of face buttons within reach of the thumb, with Undo in the last row or below it. */
  function inRows(count) {
    const columns = Math.min(count + 1, 8);
    return `--columns: ${columns}; --rest: ${columns - count % columns}`;
  }

  /** A field for the face of a source with many faces. A face that it does not have is refused. */
  function entry() {
    const field = h("input", { inputmode: "numeric", size: 6, id: "die-face" });
    const wrong = h("span", { class: "refusal", role: "alert", "data-old": "yes" });
    const enter = async (event) => {
      event.preventDefault();
      const face = field.value.trim();
      if (face === "") return;
      try {
        await ask({ ask: "show", ...common(), rolls: joined([...(flipping.dataset.decided === "yes" ? [] : parted(flips())), face]) });
        press(face);
      } catch (error) {
        wrong.textContent = `${error.message}.`;
      }
    };
    return h("form", { class: "field", onsubmit: enter }, h("label", { for: "die-face" }, "It shows"), field, h("button", "Enter"), wrong);
  }

  async function drawChart(followed, options) {
    if (!uniform()) return drawRule(options);
    const carry = h("p", `Keep a number c, which is 0 at first. For every ${roll(state.source)}: `, code(`c = ${bracketed(state.source)} × c + ${two() ? "flip" : "face − 1"}`),
      two() ? ", where heads counts 0 and tails counts 1 (the first face and the second, each less 1)." : ".");
    const told = await ask({ ask: "show", view: "flowchart", target: state.n, source: state.source }, options).catch((error) => {
      if (error.name === "AbortError") throw error;
      show(chart, h("h2", "By hand: ", PLAIN["fast-dice-roller"]), carry, quiet(`${capital(error.message)}.`));
      return null;
    });
    if (!told) return;
    const at = followed.records.at(-1);
    const window = told.records.length <= MOST_ROUNDS ? told.records
      : told.records.filter((record) => record.round <= 3 || record.round === at.round || record.round === at.round + 1 || record.round === told.records.length);
    const back = told.records.find((record) => record.in_cycle);
    let before = 0;
    const list = window.map((record) => {
      const here = record.round === at.round;
      const gap = record.round > before + 1 ? h("li", { class: "gap", "aria-hidden": "true" }, "⋮") : null;
      before = record.round;
      const dots = record.rolls <= 24 ? Array.from({ length: record.rolls }, (_, i) => h("i", { class: here && i < at.of_round ? "made" : "" })) : null;
      const next = record.round === told.records.length
        ? back ? `go back to round ${back.round}` : "this never happens"
        : `go to round ${record.round + 1}`;
      return [gap, h("li", { class: here ? "here" : "", "aria-current": here ? "step" : null },
        h("span", h("b", `Round ${record.round}`), ` ${record.before === 1 ? "begin with c = 0" : `c is one of ${record.before}`}`),
        h("span", `${record.rolls} ${rollsOf(record.rolls)} `, h("span", { class: "dots", "aria-hidden": "true" }, dots), ` then c is one of ${record.after}`),
        h("span", "c < ", String(record.threshold), h("b", record.threshold === Number(state.n) || String(record.threshold) === state.n ? `: the die shows c + 1.` : `: the die shows c mod ${bracketed(state.n)} + 1.`),
          record.after === record.threshold ? null : ` Else take ${record.threshold} from c, ${next}.`))];
    });
    show(chart, h("h2", "By hand: ", PLAIN["fast-dice-roller"]),
      carry,
      h("ol", { class: "chart" }, list),
      // The chart itself says where the rounds close.
      quiet(told.notes.filter((note) => !/ before the cycle|^no cycle/.test(note)).join(" ")));
  }

  /** The steps of any other method: its rule, the table to look up, or the code. */
  async function drawRule(options) {
    const told = await ask({ ask: "list-algorithms", algorithm: state.method }, options);
    const { rule, citation } = told.records[0];
    const looked = await orNone(ask({ ask: "show", view: "table", ...common() }, options));
    const readable = looked?.rows.length <= MOST_LINES;
    const steps = told.text.match(/pseudocode[^\n]*\n([^]*?)\n\n/)?.[1];
    const cell = (value) => (value === null ? "" : two() && /^[12]$/.test(value) ? "HT"[value - 1] : String(value));
    show(chart, h("h2", "By hand: ", PLAIN[state.method] ?? told.records[0].name),
      h("p", `${capital(rule)}.`),
      readable ? table(`Look up what ${looked.columns.length - 1} ${rolls(state.source)} show; begin again after discard`, looked.columns.map(({ name }) => ({ name })),
        looked.rows.map((row) => [...row.slice(0, -1).map(cell), String(row.at(-1))])) : null,
      readable || !steps ? null : [h("pre", { class: "sheet", tabindex: 0 }, steps), quiet("m is the sides of the source, n those of the die; roll() is a face from 0 to m − 1.")],
      quiet(`Source: ${citation}.`));
  }

  /** The tree to a depth, or less if it has too many nodes; null if a roll has too many faces. */
  async function wholeTree(depth, options) {
    const one = await ask({ ask: "show", view: "tree", ...common(), depth: 1 }, options);
    // With more faces than lines, only the path is drawn.
    const faces = one.rows.length - 1;
    if (faces > MOST_LINES) return null;
    for (let d = depth; d > 1; d -= 1) {
      if (faces > 2 && faces ** d > 2 * MOST_NODES) continue;
      const told = await ask({ ask: "show", view: "tree", ...common(), depth: d }, options);
      if (told.rows.length <= MOST_NODES) return told;
    }
    return one;
  }

  async function drawTree(followed, options) {
    const made = followed.records.at(-1).rolls;
    // The tree is null if a roll has too many faces for a page.
    const told = await orNone(wholeTree(Math.min(Math.max(made + 1, two() ? MOST_LEVELS : 3), MOST_LEVELS), options));
    const list = h("ol", { class: "path", "aria-label": "The path so far" }, followed.records.slice(1).map((record) => h("li",
      h("span", { class: "token" }, record.face), " ", record.outcome === null ? code(record.state) : h("b", `outcome ${record.outcome}`))));
    if (!told) {
      show(tree, h("h2", "The path"), h("p", `One ${roll(state.source)} has too many faces: a tree of them cannot be read. ${made === 0 ? "Once you roll, the path that you take is here." : "This is the path that you took."}`), list);
      return;
    }
    const path = new Set([0]);
    let at = 0;
    for (const { face } of followed.records.slice(1)) {
      const index = face === "H" ? 1 : face === "T" ? 2 : Number(face);
      const next = told.records.find((node) => node.parent === at && node.face === index);
      if (!next) break;
      at = next.node;
      path.add(at);
    }
    // Draws all branches as deep as is readable, and deeper ones only next to the path.
    const depth = told.records.at(-1).depth;
    const lines = (d) => told.records.filter((node) => node.depth === d || node.depth < d && node.kind === "outcome").length;
    const most = place.clientWidth < 1000 ? PHONE_LINES : two() ? WIDE_LINES : MOST_LINES;
    let full = depth;
    while (full > 1 && lines(full) > most) full -= 1;
    const drawn = told.records.filter((node) => node.depth <= full || path.has(node.parent));
    const beyond = made > path.size - 1;
    const last = followed.records.at(-1);
    const room = (phone() ? place.clientWidth : place.clientWidth / 2) - 46;
    const picture = treePicture(drawn, { path, at, grown, room, name: (face) => (two() ? "HT"[face - 1] : face),
      label: `Decision tree of ${full} levels; ${last.outcome !== null ? `the path ends at outcome ${last.outcome}` : `the path is at ${last.state}`}` });
    // On paper no letter may be too small, and a tree without results explains nothing.
    tree.classList.toggle("no-print", lines(full) > PAPER_LINES || !drawn.some(({ kind }) => kind === "outcome"));
    // Leaves room for the grown tree, so that nothing below it moves.
    const tall = (lines(full) + (two() ? depth - full : 0)) * LINE + 22;
    const box = h("div", { class: "scroll tree-box", tabindex: 0, role: "region", "aria-label": "Tree", style: { minHeight: `${tall}px` } }, picture);
    const wide = tree.querySelector(".tree-box")?.scrollLeft ?? 0;
    show(tree, h("h2", explain("DDG tree", "Tree", async () => `All possible sequences of ${rolls(state.source)}. A box has the result, and the probability to get there.`)), box,
      quiet(beyond ? `The path goes on where the tree is not drawn: ${last.outcome === null ? last.state : `outcome ${last.outcome}`}.`
        : made > full ? `Below ${full} ${rollsOf(full)} the tree is drawn only beside your path.`
          : `A leaf is a result, with its probability. ${told.notes.map((note) => capital(note).replace(/: a greater `depth`.*/, "")).join(". ")}.`));
    // Scrolls to the end of the path.
    const here = path.size > 1 ? box.querySelector(".here")?.getBoundingClientRect().left - box.getBoundingClientRect().left : 0;
    box.scrollLeft = here > box.clientWidth - 70 ? here - box.clientWidth * 0.6 : made === 0 ? 0 : wide;
  }

  async function drawBars(followed, options) {
    const t = Math.max(followed.records.at(-1).rolls, 0);
    if (!hasBars()) {
      show(bars, h("h2", "Fair shares"), h("p", `Each of the outcomes fills up to exactly 1/${bracketed(state.n)}. The bars are drawn for up to ${MOST_BARS} of them.`));
      return;
    }
    const told = await ask({ ask: "show", view: "leaves", ...common(), upto: Math.min(t, 12) }, options);
    const list = told.records.map((record, i) => h("li",
      h("span", { class: "outcome" }, String(record.outcome)),
      h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: { width: `${100 * ratio(record.decided_exact) / ratio(record.probability_exact)}%` } })),
      cellOf(told, i, "decided", `Outcome ${record.outcome}, decided within ${t} ${rollsOf(t)}`, { form: "exact" })));
    show(bars, h("h2", "Fair shares"),
      h("p", "How much of each result is decided after ", h("b", String(t)), ` ${rollsOf(t)}. Each bar fills up to exactly `, h("b", `1/${state.n}`), ", no more and no less: that is why the die is fair."),
      h("ul", { class: "shares" }, list), results);
  }

  async function drawLaw(options) {
    const query = { ask: "distribution", ...common() };
    let told = await ask(query, options);
    if (!told.records.some((record) => record.probability > 0)) told = await ask({ ...query, upto: MOST_FLIPS }, options);
    const priced = await costs(options);
    const row = priced.records.findIndex((record) => record.algorithm === state.method);
    const mine = priced.records[row];
    const seen = seenOf(played ?? own.all);
    const observed = seen.results === 0 ? null : (await ask({ ask: "decimals", of: `${seen.flips}/${seen.results}`, digits: 3 }, options)).records[0].decimals;
    const t = flips() === "" ? 0 : parted(flips()).length;
    drawnFull = isFull();
    const beside = drawnFull ? seen.results > 0 : !played && seen.results >= MANY;
    if (hasBars()) show(results, beside ? outcomesSeen(seen, state.n) : []);
    // A long run before the first decision is left out.
    const first = Math.max(told.records.findIndex((record) => record.probability > 0) - 2, 0);
    const records = told.records.slice(first, first + 40);
    // One unit is one pixel: letters have their usual size.
    const all = Math.min((phone() ? place.clientWidth : place.clientWidth / 2 - 8) - 84, 420);
    // On a full screen, fewer units give larger letters.
    const drawn = (units, height) => lawPicture({ records, seen, mine, observed, now: t, source: state.source, all: units, height });
    const bars = withRest(records, seen);
    const rows = bars.map((record, i) => [record.name,
      ...(i < records.length ? [["probability", "exactly"], ["survival", "more than"]] : [["survival", "at least"]]).map(([column, so]) => cellOf(told, first + Math.min(i, records.length - 1), column, `Chance of ${so} ${record.t}`)),
      ...(i < records.length ? [] : ["–"]),
      ...(seen.results === 0 ? [] : [String(record.times), mixed(seen.results, record.probability_exact)])]);
    const opened = law.querySelector("details")?.open;
    const tall = (settling.clientHeight - 70) * 298 / settling.clientWidth - 40;
    show(settling, meansPicture({ seen, mine, all: drawnFull ? 250 : all, height: drawnFull ? Math.max(30, Math.min(tall, 110)) : 56 }),
      h("p", { class: "tally" }, observed === null ? "There are no results yet." : [h("b", observed), ` ${rolls(state.source)} on average in ${seen.said} (${seen.flips}/${seen.results}). `,
        h("button", { class: "link", onclick: clear }, "Forget them")]));
    show(law, h("h2", `How many ${rolls(state.source)}`), drawn(all, drawnFull ? 300 : 120),
      quiet(`A wide bar is the exact chance of this many ${rolls(state.source)}, a narrow one the observed share, with its count${bars.length > records.length ? `; ${bars.at(-1).name} is ${bars.at(-1).t} or more` : ""}. The mean of the wide ones is the cost`,
        mine ? ["; ", cellOf(priced, row, "variance", "Variance"), " is their variance."] : "."),
      h("details", { open: opened }, h("summary", "Exact chances, and files to save"),
        saveButtons(`d${state.n}`, () => paperPicture({ title: `How many ${rolls(state.source)} a ${task()} takes`, from: `flipcost ${told.version}: ${told.command}`,
        keys: [["later", "exact chance"], ...(seen.results > 0 ? [["seen", `seen in ${seen.said}`]] : [])].map(([kind, text]) => key("law", s("rect", { class: kind, x: 2, y: 1, width: 24, height: 10 }), text)),
        drawn: (units) => drawn(units - 48, 320) }), async () => (seen.results === 0 ? told
        : { columns: [...told.columns, { name: "seen" }], rows: withRest(told.records, seen).map(({ name, times, probability_exact, probability }, i) => [...(told.rows[i] ?? [name, probability_exact, probability, "", ""]), times]) })),
        table(`Chances of the number of ${rolls(state.source)}`, [{ name: rolls(state.source) }, { name: "exactly so many", number: true }, { name: "more", number: true }, ...(seen.results === 0 ? [] : [{ name: "seen", number: true }, { name: `expected of ${seen.results}`, number: true }])], rows)));
  }

  /** On paper: lines for a person's own results, in two columns. */
  const worksheet = () => h("div", { class: "print-only worksheet" }, h("h2", `Your own results: a ${task()}`),
    ownRows(`${capital(rolls(state.source))}, and their results`, [rolls(state.source), "result", "how many"]),
    h("p", `My mean: ______ ${rolls(state.source)}.`));
  const unanswered = () => h("div", { class: "print-only unanswered" }, h("div", h("p", h("b", `How many ${rolls(state.source)} does your die take on average?`)),
    h("p", `1/${bracketed(state.n)} ${two() ? "in binary" : `to the base ${bracketed(state.source)}`}: 0.${" __".repeat(8)} …`)), two() ? blankTree() : null);

  /** A tree to fill in, with a line at each leaf. */
  const blankTree = () => treePicture(Array.from({ length: 2 ** (BLANK_LEVELS + 1) - 1 }, (_, node) => {
    const depth = Math.floor(Math.log2(node + 1));
    return { node, parent: node === 0 ? null : (node - 1) >> 1, depth, face: 2 - node % 2, kind: depth === BLANK_LEVELS ? "outcome" : "roll", outcome: " ".repeat(6), colour: "blank", state: "to fill in", probability_exact: "" };
  }), { name: (face) => "HT"[face - 1], room: 400, label: `A tree of ${BLANK_LEVELS} levels to fill in` });

  const setSides = () => n.set(state.n);

  /** Redraws what a flip changes. */
  async function drawFlips() {
    const told = await runs.flipping(drawFlipping, drawFlips);
    if (told === false) for (const name of ["chart", "tree", "bars", "law"]) runs[name].clear();
    if (!told) return;
    await Promise.all([
      runs.tree((options) => drawTree(told, options)),
      runs.bars((options) => drawBars(told, options)),
      runs.law(drawLaw),
      runs.chart((options) => drawChart(told, options)),
    ]);
  }

  async function draw() {
    drawSources();
    const fair = await first(runs, "headline", check, draw);
    if (fair === null) return;
    stage.hidden = !fair;
    if (!fair) {
      stop();
      flipping.dataset.decided = "yes";
      return;
    }
    const flips = drawFlips();
    const told = await runs.headline(drawHeadline, draw);
    if (told) {
      show(foot, worksheet(), unanswered(), paper(told.told, two()));
      drawMethods(told.told);
      drawProse(told);
      if (!prose.isConnected) show(why, h("h2", "Why not less?"), prose);
    } else if (told === false) for (const name of ["methods", "prose", "why"]) runs[name].clear();
    await flips;
    if (told && /^\d+$/.test(state.n) && /^\d+$/.test(state.source)) {
      const { drawWhy } = await import("./why.js");
      await runs.why((options) => drawWhy(why, prose, state, told, options));
    } else if (told) show(why, h("h2", "Why not less?"), prose);
    else runs.why.clear();
  }

  return {
    update(given) {
      stop();
      state = { n: ungrouped(given.n ?? "6"), source: ungrouped(given.source ?? "2"), flips: given.flips ?? "", method: given.method ?? "fast-dice-roller" };
      forget();
      setSides();
      if (state.flips === "" && own.all.length === 0 && !still && !taken) {
        play.on = true;
        played = [];
        play.timer = setTimeout(step, 2 * SLOW);
      }
      return draw();
    },
    leave: () => {
      stop();
      removeEventListener("keydown", keys);
      removeEventListener("beforeprint", prepareForPrint);
      for (const kind of SCREEN) removeEventListener(kind, fit);
    },
  };
}
