// One die from one source: flip, and see the tree, the flow chart and the distribution answer.

import { ask, asker, bracketed, brief, code, die, h, number, ratio, REFUSED, roll, rolls, s, show, table, target } from "../parts.js";

const SOURCES = [["2", "a coin"], ["4", "a d4"], ["6", "a d6"], ["8", "a d8"], ["10", "a d10"], ["12", "a d12"], ["20", "a d20"]];
const MOST_NODES = 260;
const MOST_BARS = 60;
const MOST_LEVELS = 8;
const MOST_ROUNDS = 14;
const MOST_FLIPS = 400;

export function view(place, remember) {
  let state = { n: "6", source: "2", flips: "", method: "fast-dice-roller" };
  const change = (changed) => {
    state = { ...state, ...changed };
    remember(state);
    draw();
  };

  const n = target({ value: state.n, label: "Sides", id: "die-n", change: (value) => change({ n: value, flips: "" }) });
  const sources = h("div", { class: "choice", role: "group", "aria-label": "Source" });
  const other = h("input", { type: "text", size: 5, id: "die-source", autocomplete: "off", "aria-label": "Another source, its sides" });
  other.addEventListener("change", () => change({ source: other.value.trim() || "2", flips: "" }));
  const headline = h("div", { class: "headline" });
  const flipping = h("section", { class: "card flipping", "aria-label": "Roll it" });
  const chart = h("section", { class: "card", "aria-label": "Flow chart" });
  const tree = h("section", { class: "card", "aria-label": "Decision tree" });
  const bars = h("section", { class: "card", "aria-label": "How the leaves fill the outcomes" });
  const law = h("section", { class: "card", "aria-label": "Distribution" });
  const methods = h("section", { class: "card wide", "aria-label": "Methods" });
  show(place,
    h("h1", {}, "Roll any die with a coin"),
    h("p", { class: "lead" }, "Choose a die. Flip a real coin and press what it shows, or let the page flip. Every step is fair, and the price is exact."),
    h("div", { class: "controls" }, n.element, h("div", { class: "field" }, h("span", { class: "label" }, "made from"), sources, other)),
    headline,
    h("div", { class: "grid" }, h("div", { class: "stack" }, flipping, tree), h("div", { class: "stack" }, chart, bars, law), methods));

  const runs = Object.fromEntries(Object.entries({ headline, flipping, chart, tree, bars, law, methods }).map(([name, element]) => [name, asker(element)]));

  function press(face) {
    const two = state.source === "2";
    const flips = two ? state.flips + face : [state.flips, face].filter(Boolean).join(",");
    change({ flips });
  }

  function undo() {
    change({ flips: state.source === "2" ? state.flips.slice(0, -1) : state.flips.split(",").slice(0, -1).join(",") });
  }

  function keys(event) {
    if (event.target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toUpperCase();
    const decided = flipping.dataset.decided === "yes";
    if (state.source === "2" && (key === "H" || key === "T") && !decided) press(key);
    else if (state.source !== "2" && /^[1-9]$/.test(key) && Number(key) <= Number(state.source) && !decided) press(key);
    else if (key === "BACKSPACE") undo();
    else if (key === "ESCAPE") change({ flips: "" });
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

  function drawSources() {
    const known = SOURCES.some(([m]) => m === state.source);
    show(sources, SOURCES.map(([m, name]) => h("button", {
      type: "button",
      "aria-pressed": String(m === state.source),
      onclick: () => change({ source: m, flips: "" }),
    }, name)));
    other.value = known ? "" : state.source;
    other.placeholder = "other";
  }

  async function drawHeadline(options) {
    const told = await ask({ ask: "cost", target: state.n, source: state.source }, options);
    const best = told.records[0];
    const mine = told.records.find((record) => record.algorithm === state.method) ?? best;
    const row = told.records.indexOf(mine);
    const optimal = told.records.find((record) => record.algorithm === "fast-dice-roller");
    const cost = number({ exact: mine.expected_exact, decimal: mine.expected, answer: told, row, column: "expected", label: `Expected ${rolls(state.source)}`, cite: state.method });
    const bound = number({ decimal: mine.entropy, answer: told, row, column: "entropy", label: "Entropy bound", form: "decimal" });
    const toll = number({ decimal: mine.toll, answer: told, row, column: "toll", label: "Toll", form: "decimal" });
    const worst = mine.worst_case === "inf" ? "there is no upper limit, but long runs are ever less likely" : `never more than ${mine.worst_case}`;
    show(headline,
      h("p", { class: "answer" }, `A fair d${bracketed(state.n)} from a ${die(state.source)} takes `, cost, ` ${rolls(state.source)} on average; ${worst}.`),
      mine === optimal || mine.expected_exact && mine.expected_exact === optimal?.expected_exact
        ? h("p", {}, `It cannot cost less: each of the ${state.n} results needs the probability 1/${bracketed(state.n)}, a result that is reached after t ${rolls(state.source)} has one `,
          `of ${bracketed(state.source)}^t equally likely paths, and this method gives each result its paths as early as they fit (Knuth and Yao 1976). `,
          h("br"), `No method at all gets below the entropy, `, bound, ` ${rolls(state.source)} (log of ${state.n} to the base ${state.source}). The toll is what is paid above it: `, toll, ` ${rolls(state.source)}.`)
        : h("p", {}, `The least that any method takes is `,
          optimal ? number({ exact: optimal.expected_exact, decimal: optimal.expected, answer: told, row: told.records.indexOf(optimal), column: "expected", label: "Least cost" }) : bound,
          `; this one pays `, toll, ` above the entropy bound of `, bound, ` ${rolls(state.source)}.`));
    return told;
  }

  function drawMethods(told) {
    const rows = told.records.map((record, i) => {
      const cells = [
        h("button", { type: "button", class: "link", "aria-pressed": String(record.algorithm === state.method), onclick: () => change({ method: record.algorithm, flips: "" }) }, record.algorithm),
        number({ exact: record.expected_exact, decimal: record.expected, answer: told, row: i, column: "expected", label: `${record.algorithm}, expected`, cite: record.algorithm }),
        number({ decimal: record.toll, answer: told, row: i, column: "toll", label: `${record.algorithm}, toll`, form: "decimal" }),
        record.worst_case === "inf" ? "none" : String(record.worst_case),
      ];
      cells.class = record.algorithm === state.method ? "chosen" : null;
      return cells;
    });
    show(methods, h("h2", {}, "Methods, best first"),
      table(`Methods for a d${bracketed(state.n)} from a ${die(state.source)}`, [
        { name: "method" }, { name: `expected ${rolls(state.source)}`, number: true }, { name: "toll", number: true }, { name: "most", number: true },
      ], rows));
  }

  async function drawFlipping(options) {
    const told = await ask({ ask: "follow", ...common(), rolls: state.flips }, options);
    const last = told.records.at(-1);
    const decided = last.outcome !== null;
    flipping.dataset.decided = decided ? "yes" : "no";
    const two = state.source === "2";
    const faces = two ? [["H", "Heads"], ["T", "Tails"]] :
      Array.from({ length: Math.min(Number(state.source) || 0, 20) }, (_, i) => [String(i + 1), String(i + 1)]);
    const tokens = told.records.slice(1).map((record) => h("li", { class: "token" }, record.face));
    const status = decided
      ? h("p", { class: "result", role: "status" }, "The die shows ", h("strong", {}, String(last.outcome)), ` after ${last.rolls} ${last.rolls === 1 ? roll(state.source) : rolls(state.source)}.`)
      : h("p", { class: "result", role: "status" }, last.rolls === 0 ? `Nothing is ${two ? "flipped" : "rolled"} yet. ` : "Not decided yet. ",
        uniform() ? [`Now `, code(last.state), ": c is one of v numbers, each equally likely."] : ["Now ", code(last.state ?? ""), "."]);
    show(flipping,
      h("h2", {}, two ? "Flip" : "Roll"),
      h("div", { class: "faces", role: "group", "aria-label": "What it shows" },
        faces.map(([face, name]) => h("button", { type: "button", class: two ? "coin" : "face", disabled: decided, onclick: () => press(face) }, name)),
        h("button", { type: "button", disabled: decided, onclick: fall }, two ? "Flip for me" : "Roll for me"),
        h("button", { type: "button", disabled: state.flips === "", onclick: undo }, "Undo"),
        h("button", { type: "button", disabled: state.flips === "", onclick: () => change({ flips: "" }) }, decided ? "Again" : "Start again")),
      h("ol", { class: "tokens", "aria-label": `The ${rolls(state.source)} so far` }, tokens),
      status,
      h("p", { class: "hint" }, two ? "Keys: H and T flip, Backspace takes one back, Escape starts again." : "Keys: 1 to 9 are faces, Backspace takes one back, Escape starts again."));
    return told;
  }

  async function drawChart(followed, options) {
    if (!uniform()) {
      show(chart, h("h2", {}, "By hand"), h("p", {}, `The flow chart below is that of the fast dice roller. `,
        h("button", { type: "button", class: "link", onclick: () => change({ method: "fast-dice-roller", flips: "" }) }, "Choose it"), ` to see the place where you are, or follow ${state.method} in the tree.`));
      return;
    }
    const two = state.source === "2";
    const value = two ? "heads is 0, tails is 1" : "the face less 1";
    const carry = h("p", {}, `Carry a number c, at first 0. For every ${roll(state.source)}: `, code(`c = ${bracketed(state.source)} × c + ${two ? "flip" : "face − 1"}`), `, where ${value}.`);
    const told = await ask({ ask: "flowchart", target: state.n, source: state.source }, options).catch((error) => {
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
        h("span", { class: "step" }, `${record.rolls} ${record.rolls === 1 ? roll(state.source) : rolls(state.source)} `, h("span", { class: "dots", "aria-hidden": "true" }, dots), ` then c is one of ${record.after}`),
        h("span", { class: "step" }, "c < ", String(record.threshold), h("b", {}, record.threshold === Number(state.n) || String(record.threshold) === state.n ? `: the die shows c + 1.` : `: the die shows c mod ${bracketed(state.n)} + 1.`),
          record.after === record.threshold ? null : ` Else take ${record.threshold} from c, ${next}.`))];
    });
    show(chart, h("h2", {}, "By hand"),
      carry,
      h("ol", { class: "chart" }, list),
      h("p", { class: "hint" }, told.notes.join(" ")));
  }

  async function drawTree(followed, options) {
    const made = followed.records.at(-1).rolls;
    const wanted = Math.min(Math.max(made + 1, 3), MOST_LEVELS);
    let told = null;
    for (let depth = wanted; depth >= 1 && !told; depth -= 1) {
      const answer = await ask({ ask: "tree", ...common(), depth }, options).catch((error) => {
        if (depth > 1 && error.name !== "AbortError") return null;
        throw error;
      });
      if (answer && (answer.rows.length <= MOST_NODES || depth === 1)) told = answer;
    }
    if (told.rows.length > MOST_NODES) {
      show(tree, h("h2", {}, "Tree"), h("p", {}, `One ${roll(state.source)} has ${told.rows.length - 1} faces: too many branches to draw.`));
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
    show(tree, h("h2", {}, "Tree"), treePicture(told, path, at, state.source, followed),
      h("p", { class: "hint" }, told.notes.join(" ").replace(/: a greater --depth.*/, "."), made + 1 > wanted ? " Deeper levels are not drawn." : ""));
  }

  async function drawBars(followed, options) {
    const t = Math.max(followed.records.at(-1).rolls, 0);
    const small = /^\d+$/.test(state.n) && Number(state.n) <= MOST_BARS;
    if (!small) {
      show(bars, h("h2", {}, "Fair shares"), h("p", {}, `Each of the outcomes fills up to exactly 1/${bracketed(state.n)}. The bars are drawn for up to ${MOST_BARS} of them.`));
      return;
    }
    const told = await ask({ ask: "leaves", ...common(), rolls: Math.min(t, 12) }, options);
    const list = told.records.map((record, i) => h("li", {},
      h("span", { class: "outcome" }, String(record.outcome)),
      h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: { width: `${100 * ratio(record.decided_exact) / ratio(record.probability_exact)}%` } })),
      number({ exact: record.decided_exact, decimal: record.decided, answer: told, row: i, column: "decided", label: `Outcome ${record.outcome}, decided within ${t} ${rolls(state.source)}`, form: "exact" })));
    show(bars, h("h2", {}, "Fair shares"),
      h("p", {}, `What the leaves of the tree hold after ${t} ${t === 1 ? roll(state.source) : rolls(state.source)}. Each outcome fills up to exactly `, h("b", {}, `1/${state.n}`), ", no more and no less: that is why the die is fair."),
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
    const width = Math.min(420 / records.length, 30), height = 120;
    const picture = s("svg", { viewBox: `-4 -8 ${Math.max(records.length * width, 420) + 8} ${height + 40}`, class: "law", role: "img", "aria-label": `Chances of ${rolls(state.source)}: the table below has the numbers` },
      records.map((record, i) => {
        const tall = height * ratio(record.probability) / highest;
        const made = record.t <= t;
        return s("g", {},
          s("rect", { x: i * width + 1, y: height - tall, width: width - 3, height: Math.max(tall, 0.5), class: record.t === t ? "now" : made ? "made" : "later" }, s("title", {}, `${record.t}: ${record.probability_exact}`)),
          i % (records.length > 20 ? 5 : 1) === 0 ? s("text", { x: i * width + width / 2 - 1, y: height + 13, "text-anchor": "middle" }, String(record.t)) : null);
      }),
      s("text", { x: records.length * width / 2, y: height + 27, "text-anchor": "middle" }, rolls(state.source)));
    const rows = records.map((record, i) => [String(record.t),
      number({ exact: record.probability_exact, decimal: record.probability, answer: told, row: first + i, column: "probability", label: `Chance of exactly ${record.t}` }),
      number({ exact: record.survival_exact, decimal: record.survival, answer: told, row: first + i, column: "survival", label: `Chance of more than ${record.t}` })]);
    show(law, h("h2", {}, `How many ${rolls(state.source)}`), picture,
      h("p", { class: "hint" }, meanLine(told.text)),
      h("details", {}, h("summary", {}, "Exact chances"),
        table(`Chances of the number of ${rolls(state.source)}`, [{ name: rolls(state.source) }, { name: "exactly so many", number: true }, { name: "more", number: true }], rows)));
  }

  async function draw() {
    drawSources();
    const followed = runs.flipping((options) => drawFlipping(options));
    runs.headline((options) => drawHeadline(options)).then((told) => (told ? drawMethods(told) : place.querySelector(REFUSED) && show(methods)));
    const told = await followed;
    if (!told) {
      for (const element of [chart, tree, bars, law]) show(element);
      return;
    }
    runs.chart((options) => drawChart(told, options));
    runs.tree((options) => drawTree(told, options));
    runs.bars((options) => drawBars(told, options));
    runs.law((options) => drawLaw(told, options));
  }

  return {
    update(given) {
      state = { n: given.n ?? "6", source: given.source ?? "2", flips: given.flips ?? "", method: given.method ?? "fast-dice-roller" };
      n.set(state.n);
      draw();
    },
    leave: () => removeEventListener("keydown", keys),
  };
}

/** The sentence with mean and variance, its decimals cut. */
const meanLine = (text) => (text ?? "").trim().replace(/\d+\.\d{5,}/g, (value) => brief(value));

/** The tree from left to right: a level a column, a leaf a line. */
function treePicture(told, path, at, source, followed) {
  const nodes = told.records.map((record) => ({ ...record, children: [] }));
  for (const node of nodes) if (node.parent !== null) nodes[node.parent].children.push(node);
  const line = 21, column = 86;
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
  place(nodes[0]);
  const depth = Math.max(...nodes.map((node) => node.depth));
  const name = (node) => (source === "2" ? "HT"[node.face - 1] : node.face);
  const edges = nodes.slice(1).map((node) => {
    const parent = nodes[node.parent];
    const on = path.has(node.node);
    return s("g", { class: on ? "edge on" : "edge" },
      s("path", { d: `M${parent.x} ${parent.y}C${parent.x + column / 2} ${parent.y} ${node.x - column / 2} ${node.y} ${node.x} ${node.y}` }),
      s("text", { x: node.x - 20, y: node.y - 3, "text-anchor": "middle" }, String(name(node))));
  });
  const points = nodes.map((node) => {
    const kind = node.kind === "outcome" ? "leaf" : node.kind === "undecided" ? "open" : "inner";
    return s("g", { class: `node ${kind}${path.has(node.node) ? " on" : ""}${node.node === at ? " here" : ""}`, transform: `translate(${node.x} ${node.y})` },
      s("title", {}, `${node.state ?? `outcome ${node.outcome}`}, probability ${node.probability_exact}`),
      kind === "leaf" ? s("rect", { x: -11, y: -9, width: 22, height: 18, rx: 4 }) : s("circle", { r: kind === "open" ? 3 : 4 }),
      kind === "leaf" ? s("text", { y: 4, "text-anchor": "middle" }, String(node.outcome)) : null,
      kind === "leaf" ? s("text", { x: 16, y: 4, class: "weight" }, node.probability_exact) : null);
  });
  const last = followed.records.at(-1);
  const said = last.outcome !== null ? `the path ends at outcome ${last.outcome}` : `the path is at ${last.state}`;
  return s("svg", {
    viewBox: `-14 -14 ${depth * column + 74} ${Math.max(next * line, line) + 10}`,
    class: "tree",
    role: "img",
    "aria-label": `Decision tree of ${depth} levels; ${said}`,
  }, edges, points);
}
