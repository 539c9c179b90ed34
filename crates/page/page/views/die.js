// One die from one source: flip, and see the tree, the flow chart and the distribution answer.

import { answered, ask, asker, bracketed, code, die, entropyOf, EXPRESSION, first, h, number, orNone, ratio, roll, rolls, rollsFor, s, short, show, sureToll, table, target, ticks, ungrouped } from "../parts.js";

const SOURCES = [["2", "a coin"], ["4", "a d4"], ["6", "a d6"], ["8", "a d8"], ["10", "a d10"], ["12", "a d12"], ["20", "a d20"]];
/** Nodes of a tree that are asked for, and lines of it that can be read. */
const MOST_NODES = 600;
const MOST_LINES = 36;
/** Faces that have a button each. */
const MOST_FACES = 20;
const MOST_BARS = 60;
const MOST_LEVELS = 8;
const MOST_ROUNDS = 14;
const MOST_FLIPS = 400;
/** Flips of a tree whose leaves are read for the sum of one result, and terms of it that are said. */
const SUM_FLIPS = 16;
const MOST_TERMS = 3;

export function view(place, remember) {
  let state = { n: "6", source: "2", flips: "", method: "fast-dice-roller" };
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  /** Flips are many: the way back leads to before them, and Undo takes back one. */
  const flipped = (flips) => change({ flips }, true);

  const n = target({ value: state.n, label: "Sides", id: "die-n", change: (value, passing) => change({ n: value, flips: "" }, passing) });
  const sources = h("div", { class: "choice", role: "group", "aria-label": "Source" });
  const other = h("input", { type: "text", size: 5, id: "die-source", autocomplete: "off", "data-asks": "source", "data-called": "A die of other sides" });
  other.addEventListener("change", () => change({ source: ungrouped(other.value.trim()) || "2", flips: "" }));
  const headline = h("div", { class: "headline" });
  const flipping = h("section", { class: "card flipping", "aria-label": "Roll it" });
  const chart = h("section", { class: "card", "aria-label": "Flow chart" });
  const tree = h("section", { class: "card", "aria-label": "Decision tree" });
  const bars = h("section", { class: "card", "aria-label": "How the leaves fill the outcomes" });
  const law = h("section", { class: "card", "aria-label": "Distribution" });
  const methods = h("section", { class: "card wide", "aria-label": "Methods" });
  const title = h("h1", {});
  const lead = h("p", { class: "lead" });
  show(place, title, lead,
    h("div", { class: "controls" }, n.element, h("div", { class: "field" }, h("span", { class: "label" }, "made from"), sources),
      h("div", { class: "field" }, h("label", { for: "die-source" }, "or a die of other sides:"), other)),
    headline,
    h("div", { class: "grid" }, h("div", { class: "stack" }, flipping, chart, law), h("div", { class: "stack" }, tree, bars), methods));

  const runs = Object.fromEntries(Object.entries({ headline, flipping, chart, tree, bars, law, methods }).map(([name, element]) => [name, asker(element)]));

  function press(face) {
    const two = state.source === "2";
    flipped(two ? state.flips + face : [state.flips, face].filter(Boolean).join(","));
  }

  function undo() {
    flipped(state.source === "2" ? state.flips.slice(0, -1) : state.flips.split(",").slice(0, -1).join(","));
  }

  function keys(event) {
    if (event.target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toUpperCase();
    const decided = flipping.dataset.decided === "yes";
    if (state.source === "2" && (key === "H" || key === "T") && !decided) press(key);
    else if (state.source !== "2" && /^[1-9]$/.test(key) && Number(key) <= Number(state.source) && !decided) press(key);
    else if (key === "BACKSPACE") undo();
    else if (key === "ESCAPE") flipped("");
    else return;
    event.preventDefault();
  }
  addEventListener("keydown", keys);

  /** A face of the fast dice roller, from a seed of the machine's own randomness. */
  async function fall() {
    const told = await ask({ ask: "roll", target: state.source, seed: crypto.getRandomValues(new Uint32Array(1))[0] });
    const face = told.records[0].result;
    press(state.source === "2" ? (face === 1 ? "H" : "T") : String(face));
  }

  const common = () => ({ target: state.n, source: state.source, algorithm: state.method });
  const uniform = () => state.method === "fast-dice-roller";
  /** Has every face of the source a button? */
  const buttons = () => /^\d+$/.test(state.source) && Number(state.source) <= MOST_FACES;

  function drawSources() {
    const known = SOURCES.some(([m]) => m === state.source);
    show(sources, SOURCES.map(([m, name]) => h("button", {
      type: "button",
      "aria-pressed": String(m === state.source),
      onclick: () => change({ source: m, flips: "" }),
    }, name)));
    other.value = known ? "" : state.source;
    const two = state.source === "2";
    title.textContent = `Roll any die with a ${die(state.source)}`;
    lead.textContent = `Choose a die. ${two ? "Flip" : "Roll"} a real ${die(state.source)} and ${buttons() ? "press" : "enter"} what it shows, or let the page ${two ? "flip" : "roll"}. Every step is fair, and the price is exact.`;
  }

  /** Is it a die at all, and a fair one? The answer has no n if it is not. */
  async function check(options) {
    const told = await ask({ ask: "cost", target: state.n, source: state.source, algorithms: ["fast-dice-roller"], columns: ["n"] }, options);
    const n = answered(told).records[0].n;
    if (n === null) {
      show(headline, h("p", { class: "answer" }, `${short(state.n)} is not a fair die: its results are not equally likely. `,
        h("a", { href: `#/loaded?weights=${encodeURIComponent(state.n)}` }, "Make it as a loaded die"), "."));
      return false;
    }
    // 1:1:1 and 1d3 are a d3.
    if (!EXPRESSION.test(state.n)) {
      state.n = String(n);
      remember(state, true);
      setSides();
    }
    return true;
  }

  /** The first terms of the sum of what one result has, such as 1/8 + 1/64 + …: its leaves in the tree. */
  async function sumOf(options) {
    if (!/^\d+$/.test(state.n) || Number(state.n) > MOST_BARS || state.source !== "2") return null;
    const told = await orNone(ask({ ask: "show", view: "tree", ...common(), algorithm: "fast-dice-roller", depth: SUM_FLIPS }, options));
    const leaves = told?.records.filter((record) => record.outcome === 1).map((record) => record.probability_exact) ?? [];
    const more = leaves.length > MOST_TERMS || told?.records.some((record) => record.depth === SUM_FLIPS);
    return leaves.length < 2 && !more ? null : [...leaves.slice(0, MOST_TERMS), more ? "…" : null].filter(Boolean).join(" + ");
  }

  async function drawHeadline(options) {
    const told = answered(await ask({ ask: "cost", target: state.n, source: state.source }, options));
    const sum = await sumOf(options);
    const best = told.records[0];
    const mine = told.records.find((record) => record.algorithm === state.method) ?? best;
    const row = told.records.indexOf(mine);
    const optimal = told.records.find((record) => record.algorithm === "fast-dice-roller");
    const cost = number({ exact: mine.expected_exact, decimal: mine.expected, answer: told, row, column: "expected", label: `Expected ${rolls(state.source)}`, cite: state.method });
    const bound = number({ exact: entropyOf(told.records), decimal: mine.entropy, answer: told, row, column: "entropy", label: "Entropy bound", form: "decimal" });
    const toll = number({ decimal: mine.toll, answer: told, row, column: "toll", label: "Toll", form: "decimal", sure: sureToll(told.records, mine) });
    const worst = mine.worst_case === "inf" ? "there is no upper limit, but long runs are ever less likely" : `never more than ${mine.worst_case}`;
    const [n, each] = [bracketed(state.n), roll(state.source)];
    const cheapest = mine === optimal || mine.expected_exact && mine.expected_exact === optimal?.expected_exact;
    const [name, base] = [short(state.n), short(state.source)];
    const why = cheapest
      ? [`It cannot cost less. Any method is a tree of ${rolls(state.source)}: a place of it that is t ${rolls(state.source)} deep is reached with probability 1/${bracketed(state.source)}^t. `,
        `Each of the ${name} results needs places that add up to exactly the probability 1/${n}. ${state.source === "2" ? "The binary digits of" : `The digits to the base ${base} of`} 1/${n} say which places are the cheapest${sum ? `: 1/${n} = ${sum}${sum.endsWith("…") ? "" : "."}` : "."} `,
        "This method has exactly these places (Knuth and Yao 1976)."]
      : ["No method takes less than ", optimal ? number({ exact: optimal.expected_exact, decimal: optimal.expected, answer: told, row: told.records.indexOf(optimal), column: "expected", label: "Least cost" }) : bound, ` ${rolls(state.source)} on average.`];
    show(headline,
      h("p", { class: "answer", title: name === state.n ? null : state.n }, `A fair d${n} from a ${die(state.source)} takes `, cost, ` ${rollsFor(state.source, cost)} on average; ${worst}.`),
      mine.expected_exact === "0" ? h("p", {}, "There is one result: nothing is rolled.") : [
        h("p", {}, why),
        h("p", {}, "One result holds ", bound, ` ${rollsFor(state.source, bound)} of randomness: its entropy, the logarithm of ${name} to the base ${base}. It is a simpler lower limit, of one form for all dice, and is reached only where n is a power of ${base === "2" ? "two" : base}. What is paid above it is the toll: `, toll, ` ${rollsFor(state.source, toll)}.`)]);
    return told;
  }

  function drawMethods(told) {
    const rows = told.records.map((record, i) => {
      const cells = [
        h("button", { type: "button", class: "link", "aria-pressed": String(record.algorithm === state.method), onclick: () => change({ method: record.algorithm, flips: "" }) }, record.algorithm),
        number({ exact: record.expected_exact, decimal: record.expected, answer: told, row: i, column: "expected", label: `${record.algorithm}, expected`, cite: record.algorithm }),
        number({ decimal: record.toll, answer: told, row: i, column: "toll", label: `${record.algorithm}, toll`, form: "decimal", sure: sureToll(told.records, record) }),
        record.worst_case === "inf" ? "no limit" : String(record.worst_case),
      ];
      cells.class = record.algorithm === state.method ? "chosen" : null;
      return cells;
    });
    show(methods, h("h2", {}, "Methods, best first"),
      table(`Methods for a d${bracketed(state.n)} from a ${die(state.source)}`, [
        { name: "method" }, { name: `expected ${rolls(state.source)}`, number: true }, { name: "toll", number: true }, { name: "never more than", number: true },
      ], rows));
  }

  async function drawFlipping(options) {
    const told = await ask({ ask: "show", ...common(), rolls: state.flips }, options);
    const last = told.records.at(-1);
    const decided = last.outcome !== null;
    const before = told.records.at(-2);
    const over = !decided && uniform() && before && last.of_round === 0;
    flipping.dataset.decided = decided ? "yes" : "no";
    const two = state.source === "2";
    const faces = two ? [["H", "Heads"], ["T", "Tails"]] :
      buttons() ? Array.from({ length: Number(state.source) }, (_, i) => [String(i + 1), String(i + 1)]) : [];
    const tokens = told.records.slice(1).map((record) => h("li", { class: "token" }, record.face));
    const status = decided
      ? h("p", { class: "result", role: "status" }, "The die shows ", h("strong", {}, String(last.outcome)), ` after ${last.rolls} ${rollsFor(state.source, last.rolls)}.`)
      : h("p", { class: "result", role: "status" }, last.rolls === 0 ? `Nothing is ${two ? "flipped" : "rolled"} yet. ` : over ? `Not decided yet: all ${rolls(state.source)} of round ${before.round} are made. ${last.round > before.round ? `Round ${last.round} begins. ` : `It goes on with round ${last.round} again. `}` : "Not decided yet. ",
        "Now ", code(last.state ?? ""), uniform() ? ": c is the number that you carry, one of v numbers from 0 that are equally likely by now." : ".");
    show(flipping,
      h("h2", {}, two ? "Flip" : "Roll"),
      h("div", { class: "faces", role: "group", "aria-label": "What it shows" },
        faces.map(([face, name]) => h("button", { type: "button", class: two ? "coin" : "face", disabled: decided, onclick: () => press(face) }, name)),
        buttons() ? null : entry(decided),
        h("button", { type: "button", disabled: decided, onclick: fall }, two ? "Flip for me" : "Roll for me"),
        h("button", { type: "button", disabled: state.flips === "", onclick: undo }, "Undo"),
        h("button", { type: "button", disabled: state.flips === "", title: `Forget all ${rolls(state.source)}`, onclick: () => flipped("") }, decided ? "Again" : "Start again")),
      h("ol", { class: "tokens", "aria-label": `The ${rolls(state.source)} so far` }, tokens),
      status,
      h("p", { class: "hint" }, two ? "Keys: H and T flip, Backspace takes the last one back, Escape forgets all flips." : `Keys: ${buttons() ? "1 to 9 are faces, " : ""}Backspace takes the last one back, Escape forgets all rolls.`));
    return told;
  }

  /** A field for what a source of many faces shows. A face that it does not have is not rolled. */
  function entry(decided) {
    const field = h("input", { type: "text", inputmode: "numeric", size: 6, id: "die-face", autocomplete: "off", disabled: decided });
    const wrong = h("span", { class: "refusal", role: "alert", "data-old": "yes" });
    const enter = async (event) => {
      event.preventDefault();
      const face = field.value.trim();
      if (face === "") return;
      try {
        await ask({ ask: "show", ...common(), rolls: [state.flips, face].filter(Boolean).join(",") });
        press(face);
      } catch (error) {
        wrong.textContent = `${error.message}.`;
      }
    };
    return h("form", { class: "field", onsubmit: enter }, h("label", { for: "die-face" }, "It shows"), field, h("button", { disabled: decided }, "Enter"), wrong);
  }

  async function drawChart(followed, options) {
    if (!uniform()) {
      show(chart, h("h2", {}, "By hand"), h("p", {}, "The steps by hand are written here for the method fast-dice-roller only. ",
        h("button", { type: "button", class: "link", onclick: () => change({ method: "fast-dice-roller", flips: "" }) }, "Choose it"), ` to see them, or follow ${state.method} in the tree.`));
      return;
    }
    const two = state.source === "2";
    const carry = h("p", {}, `Carry a number c, at first 0. For every ${roll(state.source)}: `, code(`c = ${bracketed(state.source)} × c + ${two ? "flip" : "face − 1"}`),
      two ? ", where heads counts 0 and tails counts 1 (the first face and the second, each less 1)." : ".");
    const told = await ask({ ask: "show", view: "flowchart", target: state.n, source: state.source }, options).catch((error) => {
      if (error.name === "AbortError") throw error;
      show(chart, h("h2", {}, "By hand"), carry, h("p", { class: "hint" }, `${error.message[0].toUpperCase()}${error.message.slice(1)}.`));
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
        h("span", { class: "step" }, h("b", {}, `Round ${record.round}`), ` ${record.before === 1 ? "begin with c = 0" : `c is one of ${record.before}`}`),
        h("span", { class: "step" }, `${record.rolls} ${rollsFor(state.source, record.rolls)} `, h("span", { class: "dots", "aria-hidden": "true" }, dots), ` then c is one of ${record.after}`),
        h("span", { class: "step" }, "c < ", String(record.threshold), h("b", {}, record.threshold === Number(state.n) || String(record.threshold) === state.n ? `: the die shows c + 1.` : `: the die shows c mod ${bracketed(state.n)} + 1.`),
          record.after === record.threshold ? null : ` Else take ${record.threshold} from c, ${next}.`))];
    });
    show(chart, h("h2", {}, "By hand"),
      carry,
      h("ol", { class: "chart" }, list),
      // Where the rounds close is said in the chart itself.
      h("p", { class: "hint" }, told.notes.filter((note) => !/ before the cycle|^no cycle/.test(note)).join(" ")));
  }

  /** The tree to a depth, or to less if that has too many nodes; none if one roll has too many faces. */
  async function wholeTree(depth, options) {
    const one = await ask({ ask: "show", view: "tree", ...common(), depth: 1 }, options);
    // What has more faces than lines is not drawn: only the path is.
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
    // None where it is too much for a page: one roll has too many faces.
    const told = await orNone(wholeTree(Math.min(Math.max(made + 1, 3), MOST_LEVELS), options));
    const list = h("ol", { class: "path", "aria-label": "The path so far" }, followed.records.slice(1).map((record) => h("li", {},
      h("span", { class: "token" }, record.face), " ", record.outcome === null ? code(record.state) : h("b", {}, `outcome ${record.outcome}`))));
    if (!told) {
      show(tree, h("h2", {}, "The path"), h("p", {}, `One ${roll(state.source)} has too many faces: a tree of them cannot be read. ${made === 0 ? "Once you roll, the path that you take is here." : "This is the path that you took."}`), list);
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
    // All branches as deep as they can be read, and deeper only those beside the path.
    const depth = told.records.at(-1).depth;
    const lines = (d) => told.records.filter((node) => node.depth === d || node.depth < d && node.kind === "outcome").length;
    let full = depth;
    while (full > 1 && lines(full) > MOST_LINES) full -= 1;
    const drawn = told.records.filter((node) => node.depth <= full || path.has(node.parent));
    const pruned = drawn.length < told.records.length;
    const beyond = made > path.size - 1;
    const box = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tree" }, treePicture(drawn, path, at, state.source, followed, (place.clientWidth < 760 ? place.clientWidth : place.clientWidth / 2 - 8) - 36));
    show(tree, h("h2", {}, "Tree"), box,
      h("p", { class: "hint" }, told.notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}`.replace(/: a greater `depth`.*/, "")).join(". "), ".",
        pruned ? ` Below ${full} ${rollsFor(state.source, full)} only what is beside your path is drawn.` : ""),
      beyond ? [h("p", {}, "The path goes on where the tree is not drawn:"), list] : null);
    // Where the path is stays in sight.
    const here = box.querySelector(".here").getBoundingClientRect().left - box.getBoundingClientRect().left;
    if (here > box.clientWidth - 70) box.scrollLeft = here - box.clientWidth * 0.6;
  }

  async function drawBars(followed, options) {
    const t = Math.max(followed.records.at(-1).rolls, 0);
    const small = /^\d+$/.test(state.n) && Number(state.n) <= MOST_BARS;
    if (!small) {
      show(bars, h("h2", {}, "Fair shares"), h("p", {}, `Each of the outcomes fills up to exactly 1/${bracketed(state.n)}. The bars are drawn for up to ${MOST_BARS} of them.`));
      return;
    }
    const told = await ask({ ask: "show", view: "leaves", ...common(), upto: Math.min(t, 12) }, options);
    const list = told.records.map((record, i) => h("li", {},
      h("span", { class: "outcome" }, String(record.outcome)),
      h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: { width: `${100 * ratio(record.decided_exact) / ratio(record.probability_exact)}%` } })),
      number({ exact: record.decided_exact, decimal: record.decided, answer: told, row: i, column: "decided", label: `Outcome ${record.outcome}, decided within ${t} ${rollsFor(state.source, t)}`, form: "exact" })));
    show(bars, h("h2", {}, "Fair shares"),
      h("p", {}, `What the leaves of the tree hold after ${t} ${rollsFor(state.source, t)}. Each outcome fills up to exactly `, h("b", {}, `1/${state.n}`), ", no more and no less: that is why the die is fair."),
      h("ul", { class: "shares" }, list));
  }

  async function drawLaw(followed, options) {
    const query = { ask: "distribution", target: state.n, source: state.source, algorithm: state.method };
    let told = await ask(query, options);
    if (!told.records.some((record) => record.probability > 0)) told = await ask({ ...query, upto: MOST_FLIPS }, options);
    const t = followed.records.at(-1).rolls;
    // Long runs before the first decision are left out.
    const first = Math.max(told.records.findIndex((record) => record.probability > 0) - 2, 0);
    const records = told.records.slice(first, first + 40);
    const highest = Math.max(...records.map((record) => ratio(record.probability)), 1e-9);
    // As many units as pixels: the letters are as large as others.
    const card = place.clientWidth < 760 ? place.clientWidth : place.clientWidth / 2 - 8;
    const all = Math.min(card - 84, 420), left = 44, top = 20, height = 120, width = Math.min(all / records.length, 30);
    const y = (value) => top + height * (1 - value / highest);
    const picture = s("svg", { viewBox: `0 0 ${left + all + 4} ${top + height + 36}`, class: "law", role: "img", "aria-label": `Chances of each number of ${rolls(state.source)}: the table below has the numbers` },
      s("text", { x: 2, y: 9 }, "chance"),
      ticks(0, highest, 4).map(({ value, text }) => s("g", {}, s("line", { class: "grid-line", x1: left, x2: left + all, y1: y(value), y2: y(value) }), s("text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }, text))),
      records.map((record, i) => {
        const made = record.t <= t;
        const tall = Math.max(height * ratio(record.probability) / highest, 0.5);
        return s("g", {},
          s("rect", { x: left + i * width + 1, y: top + height - tall, width: width - 3, height: tall, class: record.t === t ? "now" : made ? "made" : "later" }, s("title", {}, `${record.t}: ${record.probability_exact}`)),
          i % (records.length > 20 ? 5 : 1) === 0 ? s("text", { x: left + i * width + width / 2 - 1, y: top + height + 14, "text-anchor": "middle" }, String(record.t)) : null);
      }),
      s("text", { x: left + records.length * width / 2, y: top + height + 30, "text-anchor": "middle" }, `${rolls(state.source)} until the result`));
    const rows = records.map((record, i) => [String(record.t),
      number({ exact: record.probability_exact, decimal: record.probability, answer: told, row: first + i, column: "probability", label: `Chance of exactly ${record.t}` }),
      number({ exact: record.survival_exact, decimal: record.survival, answer: told, row: first + i, column: "survival", label: `Chance of more than ${record.t}` })]);
    const costs = await ask({ ask: "cost", target: state.n, source: state.source }, options);
    const row = costs.records.findIndex((record) => record.algorithm === state.method);
    const mine = costs.records[row];
    show(law, h("h2", {}, `How many ${rolls(state.source)}`), picture,
      h("p", { class: "hint" }, `A bar is the chance of exactly so many ${rolls(state.source)}. Their mean is the cost above`,
        mine ? ["; ", number({ exact: mine.variance_exact, decimal: mine.variance, answer: costs, row, column: "variance", label: "Variance", form: "decimal" }), " is their variance."] : "."),
      h("details", {}, h("summary", {}, "Exact chances"),
        table(`Chances of the number of ${rolls(state.source)}`, [{ name: rolls(state.source) }, { name: "exactly so many", number: true }, { name: "more", number: true }], rows)));
  }

  const setSides = () => n.set(state.n);

  async function draw() {
    drawSources();
    const fair = await first(runs, "headline", (options) => check(options), draw);
    if (fair === null) return;
    if (!fair) {
      flipping.dataset.decided = "yes";
      return;
    }
    const followed = runs.flipping((options) => drawFlipping(options), draw);
    runs.headline((options) => drawHeadline(options), draw).then((told) => (told ? drawMethods(told) : told === false && runs.methods.clear()));
    const told = await followed;
    if (told === false) for (const name of ["chart", "tree", "bars", "law"]) runs[name].clear();
    if (!told) return;
    runs.chart((options) => drawChart(told, options));
    runs.tree((options) => drawTree(told, options));
    runs.bars((options) => drawBars(told, options));
    runs.law((options) => drawLaw(told, options));
  }

  return {
    update(given) {
      state = { n: ungrouped(given.n ?? "6"), source: ungrouped(given.source ?? "2"), flips: given.flips ?? "", method: given.method ?? "fast-dice-roller" };
      setSides();
      draw();
    },
    leave: () => removeEventListener("keydown", keys),
  };
}

/** The tree from left to right: a level a column, a leaf a line. */
function treePicture(records, path, at, source, followed, room) {
  const nodes = new Map(records.map((record) => [record.node, { ...record, children: [] }]));
  for (const node of nodes.values()) if (node.parent !== null) nodes.get(node.parent).children.push(node);
  const line = 21;
  const depth = Math.max(...records.map((node) => node.depth));
  // As long as its longest leaf: the letters keep their size, and what is too wide scrolls. Steps are
  // shorter where the whole tree has room then.
  const beside = Math.max(...records.map((node) => (node.kind === "outcome" ? 7 * (node.probability_exact.length + String(node.outcome).length) : 0)));
  const column = Math.min(Math.max(Math.floor((room - 50 - beside) / depth), 58), 86);
  let next = 0;
  const place = (node) => {
    node.x = node.depth * column;
    if (node.children.length === 0) {
      node.y = next * line;
      next += 1;
    } else {
      node.children.forEach(place);
      node.y = (node.children[0].y + node.children.at(-1).y) / 2;
    }
  };
  place(nodes.get(0));
  const name = (node) => (source === "2" ? "HT"[node.face - 1] : node.face);
  const edges = [...nodes.values()].slice(1).map((node) => {
    const parent = nodes.get(node.parent);
    const on = path.has(node.node);
    return s("g", { class: on ? "edge on" : "edge" },
      s("path", { d: `M${parent.x} ${parent.y}C${parent.x + column / 2} ${parent.y} ${node.x - column / 2} ${node.y} ${node.x} ${node.y}` }),
      s("text", { x: node.x - 20, y: node.y - 3, "text-anchor": "middle" }, String(name(node))));
  });
  const points = [...nodes.values()].map((node) => {
    // A node whose rolls are left out is open, as one at which the tree is cut off.
    const kind = node.kind === "outcome" ? "leaf" : node.children.length === 0 ? "open" : "inner";
    const wide = Math.max(22, 10 + 7 * String(node.outcome ?? "").length);
    return s("g", { class: `node ${kind}${path.has(node.node) ? " on" : ""}${node.node === at ? " here" : ""}`, transform: `translate(${node.x} ${node.y})` },
      s("title", {}, `${node.state ?? `outcome ${node.outcome}`}, probability ${node.probability_exact}`),
      kind === "leaf" ? s("rect", { x: -wide / 2, y: -9, width: wide, height: 18, rx: 4 }) : s("circle", { r: kind === "open" ? 3 : 4 }),
      kind === "leaf" ? s("text", { y: 4, "text-anchor": "middle" }, String(node.outcome)) : null,
      kind === "leaf" ? s("text", { x: wide / 2 + 5, y: 4, class: "weight" }, node.probability_exact) : null);
  });
  const last = followed.records.at(-1);
  const said = last.outcome !== null ? `the path ends at outcome ${last.outcome}` : `the path is at ${last.state}`;
  const wide = depth * column + 50 + beside;
  return s("svg", {
    viewBox: `-14 -14 ${wide} ${Math.max(next * line, line) + 10}`,
    class: "tree",
    style: { minWidth: `${wide}px`, maxWidth: `${Math.round(1.35 * wide)}px` },
    role: "img",
    "aria-label": `Decision tree of ${depth} levels; ${said}`,
  }, edges, points);
}
