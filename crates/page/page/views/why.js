// The pictures that show why a die costs no less: the digits of 1/n light the leaves of the
// cheapest tree, next to the tree of rejection; and a tree that a person draws, with its price.

import { ask, cellOf, choice, h, number, option, orNone, quiet, raised, rollsFor, scroller, show } from "../parts.js";
import { keep, kept } from "../law.js";
import { lowest } from "../pairs.js";
import { PLAIN } from "../words.js";
import { colour, treePicture } from "../tree.js";

const DEPTH = 5;
const MOST_LINES = 26;
/** The largest number of outcomes of a person's own tree. */
const MOST_PLACED = 8;

export async function drawWhy(place, words, { n, source }, { told: costs }, options) {
  const why = await orNone(ask({ ask: "show", view: "why", target: n, source }, options));
  const title = h("h2", "Why not less?");
  if (!why) return show(place, title, words);
  const [record] = why.records;
  // A digit above 9 is shown as a number.
  const digits = [...record.digits.slice(2).matchAll(/\d+(?=\])|\w/g)].map(([digit]) => (/\d/.test(digit) ? digit : String(parseInt(digit, 36))));
  const goesOn = record.digits.endsWith("...");
  const nameOf = (face) => (source === "2" ? "HT"[face - 1] : face);
  /** The pressed place stays lit. */
  let stays = null;
  const keepLit = (t) => light(stays = stays === t ? null : t);
  const light = (t = stays) => {
    for (const element of place.querySelectorAll("[data-depth], [data-place]")) element.classList.toggle("lit", t !== null && (element.dataset.depth ?? element.dataset.place) === String(t));
  };
  const cells = digits.map((digit, i) => h(digit === "0" ? "span" : "button", {
    class: "digit", "data-place": i + 1,
    ...(digit === "0" ? {} : { title: `Leaves of depth ${i + 1}`, onpointerenter: () => light(i + 1), onfocus: () => light(i + 1), onclick: () => keepLit(i + 1), onpointerleave: () => light(), onblur: () => light() }),
  }, digit, h("span", { class: "unseen" }, " at place "), h("small", String(i + 1))));
  // The second tree is one attempt of the method that throws away and repeats.
  const trees = (await Promise.all([["fast-dice-roller", DEPTH], retryMethod(Number(n), Number(source))].map(async ([algorithm, levels]) => {
    const again = algorithm !== "fast-dice-roller";
    const depth = Math.min(DEPTH, levels);
    const told = await orNone(ask({ ask: "show", view: "tree", target: n, source, algorithm, depth }, options));
    const row = costs.records.findIndex((one) => one.algorithm === algorithm);
    const leaves = told?.records.filter((node) => node.kind === "outcome" || node.depth === depth).length;
    const nodes = told?.records.map((node) => (again && node.kind === "undecided" ? { ...node, kind: "outcome", outcome: "↺", colour: "back" } : node));
    if (!told || row < 0 || leaves > MOST_LINES) return null;
    const wide = place.clientWidth || Math.min(innerWidth - 60, 1240);
    const room = (wide > 900 ? wide / 4 : wide > 600 ? wide / 2 : wide) - 40;
    const picture = treePicture(nodes, { name: nameOf, room: again && source === "2" ? room * depth / DEPTH : room, label: `Tree of ${algorithm}, ${depth} levels` });
    // On a full screen both have the same scale.
    picture.style.setProperty("--units", picture.getAttribute("viewBox").split(" ")[2]);
    return h("figure", {},
      h("figcaption", PLAIN[algorithm], h("br"), cellOf(costs, row, "expected", `${algorithm}, expected`), ` ${rollsFor(source, costs.records[row].expected_exact)}`),
      scroller(`Tree of ${algorithm}`, picture),
      again && nodes.some(({ outcome }) => outcome === "↺") ? quiet("↺: begin again.") : null);
  }))).filter(Boolean);
  const [first, ...rest] = why.text.trim().split("\n");
  const game = source === "2" && Number(n) >= 3 && Number(n) <= MOST_PLACED ? drawOwnTree(n, costs) : null;
  show(place, title, h("div", { class: "halves" }, h("div", {},
    h("p", raised(first.replace(record.digits, `0.${digits.map((digit) => (digit.length > 1 ? `[${digit}]` : digit)).join("")}${goesOn ? "..." : ""}`))),
    h("p", { class: "digits" }, h("span", { class: "digit" }, `1/${n} =`), h("span", { class: "digit" }, "0."), cells, goesOn ? h("span", { class: "digit" }, "…") : null),
    trees.length > 0 ? h("div", { class: "trees" }, trees) : null,
    rest.map((line) => h("p", raised(line)))), words), game);
  // A leaf lights its digit, and all leaves of its depth.
  for (const leaf of place.querySelectorAll("[data-depth]")) {
    leaf.addEventListener("pointerenter", () => light(leaf.dataset.depth));
    leaf.addEventListener("pointerleave", () => light());
  }
}

/** The method that throws away and repeats, and the rolls of one attempt; for a power of the source, the method that never repeats. */
function retryMethod(n, source) {
  let rolls = 1;
  while (source ** rolls < n) rolls += 1;
  return [source ** rolls === n ? "rejection-ceil" : "rejection", rolls];
}

/** The storage key of a person's own tree. */
const KEPT = "flipcost-beat";

/** A person's own tree: each place holds "split", "again" or an outcome, or is still open. */
function drawOwnTree(n, costs) {
  const row = costs.records.findIndex((record) => record.algorithm === "fast-dice-roller");
  const least = costs.records[row];
  const box = h("div", { class: "beat" });
  const picture = scroller("Your tree");
  const verdict = h("p", { class: "result", role: "status" });
  const palette = choice("What is placed");
  const empty = () => new Map(["", "H", "T"].map((at) => [at, "split"]));
  const [of, there] = kept(KEPT) ?? [];
  let placed = of === n ? new Map(there) : empty();
  let pen = "1";
  let asked = 0;
  const outcomes = Array.from({ length: Number(n) }, (_, i) => String(i + 1));

  function pens() {
    show(palette, [["split", "flip again here"], ...outcomes.map((outcome) => [outcome, outcome]), ["again", "begin again"]].map(([value, text]) =>
      option(text, pen === value, () => {
        pen = value;
        pens();
      }, { class: outcomes.includes(value) && `pen ${colour(value)}` })));
  }
  const set = (at) => {
    if (pen === "split" && at.length >= DEPTH) return tell(`Here a tree has at most ${DEPTH} levels.`);
    for (const other of placed.keys()) if (other.startsWith(at) && other !== at) placed.delete(other);
    if (placed.get(at) === pen && at !== "") placed.delete(at);
    else placed.set(at, pen);
    // Selects the next outcome.
    if (outcomes.includes(pen)) pen = outcomes.find((outcome) => ![...placed.values()].includes(outcome)) ?? pen;
    pens();
    draw();
    return undefined;
  };
  const tell = (...text) => show(verdict, ...text);

  /** The places and their contents, from the root. */
  function places() {
    const all = [];
    const go = (at) => {
      const what = placed.get(at);
      all.push({ at, what });
      if (what === "split") for (const face of "HT") go(at + face);
    };
    go("");
    return all;
  }
  const sum = (list) => {
    const by = new Map();
    for (const { at } of list) by.set(at.length, (by.get(at.length) ?? 0) + 1);
    return [...by].sort(([a], [b]) => a - b).map(([depth, count]) => (depth === 0 ? String(count) : `${count}/${2 ** depth}`)).join(" + ") || "0";
  };
  const weight = (list) => list.reduce((all, { at }) => all + 2 ** (DEPTH - at.length), 0);

  function draw() {
    const all = places();
    const number = new Map(all.map(({ at }, i) => [at, i]));
    const records = all.map(({ at, what }) => ({
      node: number.get(at), parent: at === "" ? null : number.get(at.slice(0, -1)), depth: at.length, face: at === "" ? null : "HT".indexOf(at.at(-1)) + 1,
      kind: what === undefined || what === "split" ? "roll" : "outcome", outcome: what === "again" ? "↺" : what, colour: what === "again" ? "back" : null,
      state: at === "" ? "the root" : `after ${at}: ${what ?? "open"}`, probability_exact: at === "" ? "1" : `1/${2 ** at.length}`, at, what,
    }));
    const focused = picture.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label")?.split(":")[0] : null;
    picture.replaceChildren(treePicture(records, {
      name: (face) => "HT"[face - 1], room: Math.min(picture.clientWidth || 600, 700), label: "Your tree: press a place to put there what is chosen above",
      press: (node) => ({
        role: "button", tabindex: 0, "aria-label": `${node.at === "" ? "The root" : `After ${node.at}`}: ${node.what ?? "open"}`,
        onclick: () => set(node.at),
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          set(node.at);
        },
      }),
    }));
    if (focused) [...picture.querySelectorAll("[role=button]")].find((one) => one.getAttribute("aria-label").split(":")[0] === focused)?.focus();
    keep(KEPT, [n, [...placed]]);
    judge(all);
  }

  async function judge(all) {
    const mine = (asked += 1);
    const open = all.filter(({ what }) => what === undefined);
    const shares = outcomes.map((outcome) => [outcome, all.filter(({ what }) => what === outcome)]);
    if (open.length > 0) return tell(`${open.length === 1 ? "One place is" : `${open.length} places are`} still open: a path that ends there gives nothing.`);
    const none = shares.filter(([, list]) => list.length === 0).map(([outcome]) => outcome);
    if (none.length === outcomes.length) return tell("Wrong: it never ends.");
    if (none.length > 0) return tell(`Wrong: no path leads to ${none.length === 1 ? none[0] : `${none.slice(0, -1).join(", ")} or ${none.at(-1)}`}.`);
    const [one] = shares;
    const other = shares.find(([, list]) => weight(list) !== weight(one[1]));
    if (other) return tell(`Wrong: this die is not fair. ${one[0]} has the probability ${sum(one[1])}, and ${other[0]} has ${sum(other[1])}.`);
    // The expected flips of one attempt, divided by the chance that it gives a result.
    const price = lowest(weight(all.filter(({ what }) => what === "split")), weight(shares.flatMap(([, list]) => list)));
    const [over, under] = [price, least.expected_exact].map((exact) => [...exact.split("/"), "1"].map(Number));
    const more = lowest(over[0] * under[1] - under[0] * over[1], over[1] * under[1]);
    const value = async (exact, label) => {
      const told = await ask({ ask: "decimals", of: exact, digits: 5 });
      return number({ exact, decimal: Number(told.records[0].decimals), answer: told, label });
    };
    const [cost, above] = [await value(price, "The cost of your tree"), await value(more, "More than the least")];
    if (mine !== asked) return undefined;
    return tell("Fair! It costs ", cost, " flips on average: ", ...(more === "0" ? ["the least possible. "] : [above, ` more than ${least.expected_exact}. `]),
      all.some(({ what }) => what === "again") ? "A deeper tree comes closer; none costs less." : "");
  }

  /** Fills in a method's tree to this depth; undecided places start again. */
  async function fill(algorithm, depth) {
    const told = await ask({ ask: "show", view: "tree", target: n, source: "2", algorithm, depth });
    const ways = new Map([[0, ""]]);
    placed = new Map();
    for (const node of told.records) {
      const at = node.parent === null ? "" : ways.get(node.parent) + "HT"[node.face - 1];
      ways.set(node.node, at);
      placed.set(at, node.kind === "outcome" ? String(node.outcome) : node.kind === "undecided" ? "again" : "split");
    }
    draw();
  }

  pens();
  show(box,
    h("p", `Make a tree for a d${n}: choose an outcome, then press a place of the tree. Every outcome needs the same probability; “begin again” goes back to the root.`),
    palette, picture, verdict,
    h("div", { class: "choice" },
      h("button", { onclick: () => fill(...retryMethod(Number(n), 2)) }, "Throw away and repeat"),
      h("button", { onclick: () => fill("fast-dice-roller", DEPTH) }, `The best of ${DEPTH} levels`),
      h("button", { onclick: () => {
        placed = empty();
        pen = "1";
        pens();
        draw();
      } }, "Empty it")));
  draw();
  return h("details", { class: "try", ontoggle: () => draw() }, h("summary", `Try to beat ${least.expected_exact}`), box);
}
