// Shows the engine's recipe, a text, as paragraphs, steps and tables that can be selected and
// printed.

import { h, scroller } from "./parts.js";

/** Faces in a row; a wider table continues below. */
const FACES = 10;

/** The lines of a paragraph; an indented line continues the one before. */
const joined = (lines) => lines.reduce((all, line) => (/^\s/.test(line) && all.length > 0 ? [...all.slice(0, -1), `${all.at(-1)} ${line.trim()}`] : [...all, line.trim()]), []);

/** The first line of a table: the faces of the roll, or of the second roll. */
const HEAD = /^\s*(face|first)\s/;

/** Runs of neighbouring faces with the same result. */
function runsOf(heads, cells) {
  const runs = [];
  cells.forEach((cell, i) => {
    if (cell === runs.at(-1)?.cell) runs.at(-1).to = heads[i];
    else runs.push({ from: heads[i], to: heads[i], cell });
  });
  return runs;
}

/** The rows of a table: a head for each group of faces, and what each face leads to. */
function faces(title, lines) {
  const rows = new Map();
  const heads = [];
  let corner = "";
  for (const line of lines) {
    const [name, ...cells] = line.trim().split(/\s+/);
    if (HEAD.test(line)) {
      heads.push(...cells);
      corner = name;
    }
    else rows.set(name, [...(rows.get(name) ?? []), ...cells]);
  }
  const runs = rows.size === 1 ? runsOf(heads, [...rows.values()][0]) : heads;
  if (heads.length > FACES && 2 * runs.length <= heads.length) {
    return h("section", { class: "faces-table" }, h("h3", title), h("table", { class: "grid66" }, h("tbody", runs.map(({ from, to, cell }) =>
      h("tr", h("th", { scope: "row" }, from === to ? from : `${from}–${to}`), h("td", { class: /^\d+$/.test(cell) ? "result-cell" : null }, cell))))));
  }
  const parts = Array.from({ length: Math.ceil(heads.length / FACES) }, (_, i) => i * FACES);
  return h("section", { class: "faces-table" }, h("h3", title),
    scroller(title, parts.map((from) => h("table", { class: "grid66" },
      h("thead", h("tr", h("th", { scope: "col" }, corner), heads.slice(from, from + FACES).map((face) => h("th", { scope: "col" }, face)))),
      h("tbody", [...rows].map(([name, cells]) => h("tr", h("th", { scope: "row" }, name), cells.slice(from, from + FACES).map((cell) => h("td", { class: /^\d+$/.test(cell) ? "result-cell" : null }, cell)))))))));
}

/** The tables of a recipe by name: the die to roll, and what each face leads to. */
export function tableLines(text) {
  const lines = new Map();
  let die = null;
  for (const line of text.split("\n")) {
    const head = line.match(/^[A-Z]+: (?:roll the d(\d+)|flip the coin)/);
    const [name, ...cells] = line.trim().split(/\s+/);
    if (head) die = head[1] ?? "2";
    else if (die && /^[A-Z]+\d*$/.test(name)) lines.set(name, { die, cells: [...(lines.get(name)?.cells ?? []), ...cells] });
  }
  return lines;
}

/** Follows rolls through the tables: the die to roll next, or the result. */
export function followTables(text, made) {
  const lines = tableLines(text);
  const dice = [];
  let at = lines.values().next().value;
  for (const face of made) {
    dice.push(at.die);
    const cell = at.cells[face - 1];
    if (!cell?.startsWith("[")) return { next: null, result: cell, dice };
    at = lines.get(cell.slice(1, -1));
  }
  return { next: at.die, result: null, dice };
}

/** A step that is numbered by letters. */
const LETTERED = /^[A-Z]{1,2}\s{2,}/;

/** A fact: a name and its value. */
export const isFact = (line) => /^[a-z][^\s]*( [^\s]+)*\s{2,}\S/.test(line);

/** The instructions of a recipe and its facts, as elements, without the first line, its title. */
export function recipe(text) {
  // The title of a method comes before a sentence.
  const [title, ...paragraphs] = text.trim().split(/\n\s*\n/);
  const facts = [];
  const steps = [];
  for (const paragraph of [title.split("\n").slice(1).join("\n"), ...paragraphs]) {
    const lines = paragraph.split("\n").filter((line) => line.trim() !== "");
    const table = lines.findIndex((line) => HEAD.test(line));
    const sentences = (some) => steps.push(...joined(some).map((line) => h("p", line)));
    if (lines.length === 0) continue;
    if (table >= 0) {
      sentences(lines.slice(0, Math.max(table - 1, 0)));
      steps.push(faces(lines.slice(Math.max(table - 1, 0), table).join(" ").trim(), lines.slice(table)));
    } else if (lines.filter((line) => /^\S/.test(line)).every(isFact)) {
      facts.push(...joined(lines).map((line) => line.split(/\s{2,}/)));
    } else if (!LETTERED.test(lines[0]) && lines.slice(1).some((line) => /^ {4}/.test(line))) {
      steps.push(h("pre", { class: "sheet wraps", tabindex: 0 }, lines.join("\n")));
    } else if (/^\d+\.?\s/.test(lines[0])) {
      steps.push(h("ol", { class: "recipe" }, joined(lines).map((line) => h("li", line.replace(/^\d+\.?\s+/, "")))));
    } else if (LETTERED.test(lines[0])) {
      steps.push(h("dl", { class: "recipe" }, joined(lines).flatMap((line) => [h("dt", line.match(/^\S+/)[0]), h("dd", line.replace(/^\S+\s+/, ""))])));
    } else sentences(lines);
  }
  return { steps, facts: facts.length > 0 ? h("dl", { class: "facts" }, facts.map(([name, ...is]) => h("div", h("dt", name), h("dd", is.join(" ").split(/(?<=\/)/).flatMap((part) => [part, h("wbr")]))))) : null };
}
