// Asks the instrumented module the questions of the first view, and writes a profile of the
// functions that ran: node site/first.mjs INSTRUMENTED.wasm PROFILE. `wasm-split` puts these
// functions into the first part of the module, which a browser fetches with the page.
import { readFileSync, writeFileSync } from "node:fs";

/** What "A die" asks for a die of n from a source, by hand and while it plays. */
const die = (target, source) => {
  const about = { target, source, algorithm: "fast-dice-roller" };
  const flips = Array.from({ length: 2 ** 6 - 1 }, (_, i) => (i + 1).toString(2).slice(1).replaceAll("0", "H").replaceAll("1", "T"));
  const rolls = source === "2" ? flips : ["", "1", "1,2", "2,2,1"];
  return [
    { ask: "cost", target, source, algorithms: ["fast-dice-roller"], columns: ["n"] },
    { ask: "cost", target, source },
    ...rolls.map((rolls) => ({ ask: "show", ...about, rolls })),
    ...[1, 3, 5, 8].map((depth) => ({ ask: "show", view: "tree", ...about, depth })),
    { ask: "show", view: "tree", ...about, algorithm: "rejection", depth: 5 },
    ...Array.from({ length: 13 }, (_, upto) => upto).map((upto) => ({ ask: "show", view: "leaves", ...about, upto })),
    { ask: "distribution", ...about },
    { ask: "show", view: "flowchart", target, source },
    { ask: "show", view: "why", target, source },
    ...[7, 4294967295].map((seed) => ({ ask: "roll", ...about, count: 20, seed, trace: true })),
    { ask: "roll", ...about, count: 1000, seed: 7 },
    ...Array.from({ length: 200 }, (_, i) => `${3 + (i * 11) % 97}/${1 + i % 29}`).map((of) => ({ ask: "decimals", of, digits: 3 })),
    { ask: "decimals", of: "11/3", digits: 50 },
    { ask: "list-algorithms", algorithm: "rejection" },
  ];
};
const QUESTIONS = [die("6", "2"), die("7", "2"), die("20", "2"), die("100", "2"), die("7", "6"), die("52", "10"), { ask: "cite" }].flat();

const [watched, profile] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(watched));
const nothing = new Proxy({}, { get: () => () => null });
const imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ module: from }) => [from, nothing]));
const engine = new WebAssembly.Instance(module, imports).exports;
for (const query of QUESTIONS) {
  const bytes = new TextEncoder().encode(JSON.stringify(query));
  const at = engine.question(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  engine.answer(0);
  engine.body();
  engine.length();
}
const length = engine.__write_profile(0, 0);
const at = engine.question(length);
engine.__write_profile(at, length);
writeFileSync(profile, new Uint8Array(engine.memory.buffer, at, length));
