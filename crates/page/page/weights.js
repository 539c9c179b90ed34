// A loaded die in a view: drag the weights, and see what each method pays for them.

import { answered, ask, asker, cellOf, entropyOf, first, h, number, quiet, ratio, rollsFor, scroller, section, short, shortForm, show, table, tollIn, typed } from "./parts.js";
import { methodName, PLAIN } from "./words.js";
import { colour, treePicture } from "./tree.js";

const MOST = 24;
const LARGEST = 20;
/** The largest number of lines of a readable tree. */
const MOST_LINES = 28;
export const USUAL = "4:7:8";

/** The part of a view: in its state, `weights` are the weights, and `method` the method whose tree is shown. */
export function weights(place, remember) {
  let state;
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  const field = h("input", { id: "loaded-weights", size: 26, "data-asks": "target", "data-called": "Weights" });
  const write = typed(field, (text, passing) => change({ weights: text }, passing), { usual: USUAL });
  const sliders = h("div", { class: "weights", role: "group", "aria-label": "Weights" });
  const headline = h("div", { class: "headline" });
  const toTable = h("a", "At the table");
  const methods = section("Methods");
  const tree = section("Tree");
  const elements = [
    h("p", { class: "lead" }, "Drag the weights. From fair coin flips each outcome gets exactly the probability weight / sum. The entropy is the randomness in one result: no method takes fewer flips on average. The cost above it is the toll."),
    h("p", { class: "no-print" }, toTable, " rolls these weights with the dice that you own."),
    h("section", { class: "card" }, sliders,
      h("div", { class: "controls" }, h("div", { class: "field" }, h("label", { for: "loaded-weights" }, "Weights"), field),
        h("button", { onclick: () => edit((list) => list.length < MOST && list.push("1")) }, "One more"),
        h("button", { onclick: () => edit((list) => list.length > 2 && list.pop()) }, "One less"))),
    headline, h("div", { class: "grid" }, methods, tree)];
  const runs = { headline: asker(headline), methods: asker(methods), tree: asker(tree) };
  /** The flips of a result on the tree of these weights. */
  let [flips, decided, flippedFor] = ["", false, ""];
  const flip = (face) => {
    flips = (decided ? "" : flips) + face;
    return runs.tree(drawTree);
  };
  /** A single weight is one outcome, not the sides of a die. */
  const law = () => (/^\d+$/.test(state.weights) ? `${state.weights}:0` : state.weights);
  const plain = () => (/^\d+([:,]\d+)*$/.test(state.weights) ? state.weights.split(/[:,]/) : null);

  function edit(work, passing) {
    const list = plain() ?? ["1", "2", "3"];
    work(list);
    change({ weights: list.join(":") }, passing);
  }

  function drawSliders() {
    const list = plain();
    if (!list || list.length > MOST) return show(sliders, quiet("Sliders are here for up to 24 weights that are written as 4:7:8."));
    // Changes the sliders in place, since one of them may be dragged.
    const there = sliders.querySelectorAll("input");
    if (there.length === list.length) {
      sliders.querySelectorAll("output").forEach((output, i) => (output.textContent = short(list[i])));
      there.forEach((slider, i) => {
        if (Number(slider.max) < Number(list[i])) slider.max = list[i];
        if (slider.value !== list[i]) slider.value = list[i];
      });
      return undefined;
    }
    return show(sliders, list.map((weight, i) => h("div", { class: "weight" },
      h("output", short(weight)),
      h("input", { type: "range", min: 0, max: Math.max(LARGEST, ...list.map(Number)), value: weight, "aria-label": `Weight of outcome ${i + 1}`, oninput: (event) => edit((now) => (now[i] = event.target.value), true) }),
      h("span", String(i + 1)))));
  }

  async function drawMethods(options) {
    const told = answered(await ask({ ask: "cost", target: law() }, options));
    const best = told.records[0];
    if (!told.records.some((record) => record.algorithm === state.method)) {
      state.method = best.algorithm;
      remember(state, true);
    }
    const most = Math.max(...told.records.map((record) => ratio(record.expected)));
    const least = cellOf(told, 0, "expected", "Least expected flips", { cite: best.algorithm });
    const entropy = cellOf(told, 0, "entropy", "Entropy", { exact: entropyOf(told.records), form: "decimal" });
    show(headline, h("p", { class: "answer" }, "The least is ", least, ` ${rollsFor("2", least)} (${PLAIN[best.algorithm] ?? best.algorithm}); the entropy is `, entropy, ` ${rollsFor("2", entropy)}.`));
    const bar = (record, kind) => h("span", { class: `bar marked ${kind}`, "aria-hidden": "true" }, h("span", { style: { width: `${100 * ratio(record.expected) / most}%` } }), h("i", { style: { left: `${100 * ratio(record.entropy) / most}%` } }));
    show(methods, h("h2", "What each method pays"),
      table(`Expected coin flips for ${short(state.weights)}`, [{ name: "method" }, { name: "expected", number: true }, { name: "toll", number: true }, { name: "bar: flips; line: the entropy" }],
        told.records.map((record, i) => {
          const cells = [[methodName(record.algorithm, { pressed: record.algorithm === state.method, choose: () => change({ method: record.algorithm }) }), bar(record, "below")],
            cellOf(told, i, "expected", `${record.algorithm}, expected`, { cite: record.algorithm, form: shortForm() }),
            tollIn(told, i, `${record.algorithm}, toll`),
            bar(record, "aside")];
          cells.class = record.algorithm === state.method ? "chosen" : null;
          return cells;
        }), "bars"),
      h("p", { class: "hint below" }, "The bar under a method: its flips; the line in it: the entropy."),
      quiet(told.notes.join(" ")), quiet("The command: ", h("code", told.command)));
    return told;
  }

  /** Draws the tree as deep as its lines are readable. */
  async function drawTree(options) {
    const told = (depth) => ask({ ask: "show", view: "tree", target: law(), algorithm: state.method, depth }, options);
    const lines = ({ records }) => records.filter((node) => node.kind !== "roll").length;
    let depth = innerWidth < 480 ? 4 : 6;
    let answer = await told(depth);
    while (depth > 1 && lines(answer) > MOST_LINES) answer = await told(depth -= 1);
    const [beyond, name] = [answer.records.some(({ kind }) => kind === "undecided"), PLAIN[state.method] ?? state.method];
    if (flippedFor !== `${law()} ${state.method}`) [flips, flippedFor] = ["", `${law()} ${state.method}`];
    const last = (await ask({ ask: "show", target: law(), algorithm: state.method, rolls: flips }, options)).records.at(-1);
    decided = last.outcome !== null;
    const path = new Set([0]);
    let at = 0;
    for (const face of flips) {
      at = answer.records.find((node) => node.parent === at && "HT"[node.face - 1] === face)?.node;
      if (at === undefined) break;
      path.add(at);
    }
    const leaves = state.method === "knuth-yao" ? (await ask({ ask: "show", view: "leaves", target: law(), algorithm: state.method, upto: depth }, options)).records.filter(({ probability_exact: exact }) => exact?.includes("/") && exact.length < 20).slice(0, MOST) : [];
    /** In the cheapest tree, the leaves of an outcome are the digits of its probability. */
    const digits = leaves.map(({ outcome, decided_exact: by, probability_exact: exact }) => [outcome, exact, by === exact ? "" : "…", Array.from({ length: depth }, (_, i) => String(answer.records.filter((node) => node.kind === "outcome" && node.outcome === outcome && node.depth === i + 1).length))]);
    const picture = treePicture(answer.records, { path, at, name: (face) => "HT"[face - 1], room: (tree.clientWidth || place.clientWidth / (innerWidth > 1080 ? 2 : 1)) - 52, label: `Decision tree of ${state.method} for ${short(state.weights)}, ${depth} levels` });
    show(tree, h("h2", state.method === "knuth-yao" ? "The cheapest tree" : `The tree of “${name}”`), scroller("Picture of the tree", picture),
      answer.records.length > 1 && [h("div", { class: "choice no-print" }, [["H", "Heads"], ["T", "Tails"]].map(([face, name]) => h("button", { class: "coin", onclick: () => flip(face) }, name))),
      h("p", { class: "no-print", role: "status" }, flips === "" ? "Nothing is flipped yet." : [`${flips}: `, decided ? ["outcome ", h("strong", String(last.outcome)), ` after ${last.rolls} ${rollsFor("2", last.rolls)}.`] : "not decided yet."])],
      digits.length > 0 && [h("p", "A digit 1 at place t of a binary probability is a leaf of depth t:"),
        h("ul", { class: "binary" }, digits.map(([outcome, exact, more, places]) => h("li", h("b", { class: colour(outcome) }, String(outcome)), ` ${exact} = `, h("code", `0.${places.join("")}${more}`))))],
      quiet(`Every flip leads to the next place. A box has an outcome and its probability.${beyond ? ` The picture shows the first ${depth} flips; at an open circle the tree goes on.` : ""}`));
  }

  async function draw() {
    write(state.weights);
    toTable.href = `#/table?${new URLSearchParams({ need: "weights", of: state.weights })}`;
    drawSliders();
    const told = await first(runs, "headline", drawMethods, draw);
    if (told) runs.tree(drawTree);
  }

  return {
    elements,
    draw(given) {
      state = { weights: given.weights, method: given.method || "knuth-yao" };
      draw();
    },
  };
}
