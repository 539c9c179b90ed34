// Removes the custom sections of a WebAssembly module, such as names and notes of tools, which
// engines do not need.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.argv[2];
const bytes = readFileSync(file);
const kept = [bytes.subarray(0, 8)];
for (let at = 8; at < bytes.length;) {
  const begin = at;
  const kind = bytes[at++];
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const part = bytes[at++];
    length += (part & 127) * 2 ** shift;
    if (part < 128) break;
  }
  at += length;
  if (kind !== 0) kept.push(bytes.subarray(begin, at));
}
writeFileSync(file, Buffer.concat(kept));
