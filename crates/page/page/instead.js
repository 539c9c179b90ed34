// Replacements for a function that is not fair: the library's own fair function, and code in the
// same language.

import { ask, copyButton, h, orNone, short } from "./parts.js";

/** Fair library functions with calls: [name, text, or two]. */
const OWN = {
  "openbsd-arc4random-uniform": ["arc4random_uniform of BSD, macOS, and glibc since 2.36", (n, last) => `#include <stdint.h>\n#include <stdlib.h>\n\nstatic uint32_t die(void) { return arc4random_uniform(${n}u); } /* 0 to ${last} */`],
  "rust-rand-unbiased32": ["rand with its feature unbiased, in Cargo.toml and in the program", () => `[dependencies]\nrand = { version = "0.10", features = ["unbiased"] }`, (n, last) => `fn die() -> u32 { rand::random_range(0..${n}u32) } // 0 to ${last}`],
  "go-math-rand-v2": ["math/rand/v2", (n, last) => `import "math/rand/v2"\n\nfunc die() int { return rand.IntN(${n}) } // 0 to ${last}`],
  "go-math-rand": ["math/rand", (n, last) => `import "math/rand"\n\nfunc die() int { return rand.Intn(${n}) } // 0 to ${last}`],
  "go-crypto-rand": ["crypto/rand", (n, last) => `import (\n\t"crypto/rand"\n\t"math/big"\n)\n\n// 0 to ${last}\nfunc die() (*big.Int, error) {\n\tn, _ := new(big.Int).SetString("${n}", 10)\n\treturn rand.Int(rand.Reader, n)\n}`],
  "java-securerandom": ["SecureRandom", (n, last) => `int result = new java.security.SecureRandom().nextInt(${n}); // 0 to ${last}`],
  "cpython-secrets": ["secrets", (n, last) => `import secrets\n\nresult = secrets.randbelow(${n})  # 0 to ${last}`],
  "node-randomint": ["in Node", (n, last) => `import { randomInt } from "node:crypto";\n\nconst result = randomInt(${n}); // 0 to ${last}`],
  "dotnet-getint32": ["RandomNumberGenerator", (n, last) => `int result = System.Security.Cryptography.RandomNumberGenerator.GetInt32(${n}); // 0 to ${last}`],
  "php-random-int": ["random_int", (n, last) => `$result = random_int(0, ${last});`],
  "r-sample-rejection": ["sample, since R 3.6", (n) => `result <- sample(${n}, 1) # 1 to ${n}`],
};
export const WITH_CODE = ["C", "Rust", "Go", "Java", "Python", "JavaScript"];
/** Functions that ordinary programs cannot call: those of the kernel or a database. */
const ELSEWHERE = /^(linux|postgres)-/;
/** How to draw a random whole number in languages without code here, and its bits. */
const DRAWN = { Bash: ["$(od -An -N2 -tu2 /dev/urandom)", 16], Perl: ["int(rand(2**48))", 48], SQL: ["random() & 0x7fffffffffffffff", 63] };

export const isWindows = (version) => version?.startsWith("Microsoft");

export const block = (name, text) => {
  const pre = h("pre", { class: "sheet", tabindex: 0, role: "region", "aria-label": name }, text);
  return h("div", { class: "code" }, copyButton(name, `${text}\n`, pre), pre);
};

/** The engine's code in this language, which takes random words; for a browser, with a source of words. */
async function code({ language, version, word_bits }, n, options) {
  const bits = BigInt(n) >= 2n ** 32n || word_bits === 64 ? 64 : 32;
  const told = await orNone(ask({ ask: "advise", target: n, source: `word:${bits}`, language: language.toLowerCase() }, options));
  const text = told?.records.find((line) => line.code && line.total_variation_exact === "0")?.code;
  if (!text) return null;
  const filled = (head, body) => `${head}\n${text.replace(/(\w+) (next.*);(.*)/, `static $1 $2 {$3\n    $1 x;\n    if (${body}) abort();\n    return x;\n}`)}`;
  if (isWindows(version) && bits === 32) return ["from ", h("code", "rand_s"), ":", block("Code in C", filled("#define _CRT_RAND_S\n#include <stdlib.h>", "rand_s(&x)").replace("uint32_t x;", "unsigned x;"))];
  if (language === "C" && version && !isWindows(version)) return ["in portable C, from ", h("code", "getentropy"), ":", block("Code in C", filled("#define _DEFAULT_SOURCE\n#include <stdlib.h>\n#include <unistd.h>", "getentropy(&x, sizeof x)"))];
  if (language !== "JavaScript") return [`from any source of ${bits} random bits, in ${language}:`, block(`Code in ${language}`, text)];
  const next = bits === 32 ? "BigInt(crypto.getRandomValues(new Uint32Array(1))[0])" : "crypto.getRandomValues(new BigUint64Array(1))[0]";
  const result = BigInt(n) < 2n ** 53n ? "Number(die(next))" : "die(next)";
  return ["in browsers, from crypto.getRandomValues:", block("Code in JavaScript", `${text}\n\nconst next = () => ${next};\nconst result = ${result};`)];
}

/** The rule in words, with the numbers for this n. */
function rule({ language, word_bits }, n) {
  const [drawn, bits] = DRAWN[language] ?? [null, language && word_bits < 32 ? 32 : word_bits];
  const [sides, all] = [BigInt(n), 2n ** BigInt(bits)];
  const none = language ? `flipcost knows no fair function and no code for ${language}. ` : "";
  if (sides > all) return `${none}n is above 2^${bits}: join several random numbers, and redraw values that do not divide evenly.`;
  const over = all % sides === 0n ? "" : ` Draw again while x is ${all - all % sides} or more: that is the largest multiple of ${n} up to 2^${bits}.`;
  return [none, "In words: draw a random whole number x from 0 to ", `2^${bits} − 1`, drawn ? [", as ", h("code", drawn), " is"] : null, `.${over} Then the remainder of x divided by ${n} is the result, from 0 to ${sides - 1n}.`];
}

/** The replacement for a line of the table; `all` are its lines. */
export async function inItsPlace(record, target, all, options) {
  const n = /^\d+$/.test(target) ? target : (await orNone(ask({ ask: "decimals", of: target, digits: 1 }, options)))?.records[0].decimals;
  if (!/^\d+$/.test(n ?? "") || BigInt(n) < 2n) return `There is nothing to draw for n = ${short(target)}.`;
  const fair = all.filter((line) => line.language === record.language && line.total_variation_exact === "0" && !ELSEWHERE.test(line.id));
  // A fair function has its own code. For others, use the code of the next version of the function,
  // or of the first fair function of its language.
  const known = fair.filter(({ id }) => OWN[id] && !isWindows(record.version));
  const own = known.find(({ id }) => id === record.id) ?? known.find(({ id }) => record.id?.startsWith(id)) ?? known[0];
  const program = WITH_CODE.includes(record.language) ? await code(record, n, options) : null;
  const parts = [];
  if (own) {
    const [name, ...texts] = OWN[own.id];
    parts.push(["Exactly fair, ", name, ":", texts.map((text) => block(name, text(n, String(BigInt(n) - 1n))))]);
  } else if (fair.length > 0 && !isWindows(record.version)) {
    fair.sort((a, b) => a.bits_drawn - b.bits_drawn);
    parts.push(["Exactly fair, in ", record.language, ": ", fair.slice(0, 3).map((line, i) => [i > 0 ? ", or " : "", h("code", line.function)]), "."]);
  }
  if (program) parts.push([parts.length > 0 ? "Or " : "Exactly fair, ", ...program]);
  // musl does not have arc4random_uniform.
  if (own && program && /musl/.test(record.version)) {
    parts.reverse();
    parts[0][0] = "Exactly fair, ";
    parts[1][0] = "Or, ";
  }
  return (parts.length > 0 ? parts : [rule(record, n)]).map((part) => h("div", part));
}
