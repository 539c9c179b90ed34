// Parses a call that somebody types from a program, such as rand() % 52: finds the number of
// results, and the rows of the table of functions that the call may mean.

const closed = (a, b) => BigInt(b) - BigInt(a) + 1n;
const open = (a, b) => BigInt(b) - BigInt(a);
/** Whether all bits of the number are ones. */
const isMask = (a) => (BigInt(a) & (BigInt(a) + 1n)) === 0n;
/** Calls of a range that includes its upper end. */
const CLOSED = /(randint|mt_rand|random_int|\brand|\brandom|distribution\w*(<\w*>)?(\s+\w+)?|\buniform)\s*$/;
/** Notations of a number of results: the pattern, and how many results it has; `before` is the text before it. */
const FORMS = [
  [/round\s*\(.*?random\(\)\s*\*\s*(\d+)/i, (a) => BigInt(a) + 1n],
  [/(\d+)\s*\.\.=\s*(\d+)/, closed],
  [/(\d+)\s*\.\.<\s*(\d+)/, open],
  [/(\d+)\s*\.\.\.\s*(\d+)/, (a, b, before) => (/in:\s*$/.test(before) ? closed : open)(a, b)],
  [/(\d+)\s*\.\.\s*(\d+)/, (a, b, before) => (/(range|fastrand::\w+|new)\s*\(\s*$/.test(before) ? open : closed)(a, b)],
  [/\.\.\s*(\d+)/, BigInt],
  [/(?<=\(\s*)(\d+)\s*:\s*(\d+)(?=\s*\))/, closed],
  [/RAND_MAX\s*\/\s*(\d+)/, BigInt],
  [/[%*]\s*(-?\d+)/, BigInt],
  [/&\s*(\d+)/, (a) => (isMask(a) ? BigInt(a) + 1n : null)],
  [/(\d+)(?:\.0*)?\s*\*(?=.*rand)/i, BigInt],
  [/(?<=\(\s*)(\d+)\s*,\s*(\d+)(?=\s*[,)])/, (a, b, before) => (CLOSED.test(before.replace(/\(\s*$/, "")) && !/\b(np|numpy|jax)\b/.test(before) ? closed : open)(a, b)],
  [/(?<!seed\s*|srand\s*)(?<=\(\s*)(\d+)(?=\s*\))/, BigInt],
  [/(?<=\brand(?:om)?\s+)(\d+)/, BigInt],
];

/** Writes numbers such as 10**6, 2^16, 1_000_000, 1e6, 0xff in digits. */
const plainNumbers = (text) => text
  .replace(/\b\d+(?:[_'’]\d{3})+\b/g, (number) => number.replace(/\D/g, ""))
  .replace(/\b0x([\da-f]{1,32})\b/gi, (number) => String(BigInt(number)))
  .replace(/\b(\d{1,9})\s*(?:\*\*|\^)\s*(\d{1,3})\b/g, (whole, base, power) => (Number(power) * String(base).length <= 400 ? String(BigInt(base) ** BigInt(power)) : whole))
  .replace(/\b(\d{1,9})e(\d{1,2})\b/gi, (_, digits, power) => `${digits}${"0".repeat(Number(power))}`);

/** A warning that does not depend on the function that is called, or null. */
export function callWarning(text, n) {
  if (/\bgen_range\b/.test(text)) return "The rows here are of random_range, its name since rand 0.9. The gen_range of rand 0.8 redraws values that do not divide evenly: it is fair.";
  const [, mask] = /&\s*(\d+)/.exec(text) ?? [];
  if (mask && !isMask(mask)) return `x & ${mask} is not x % n: it keeps some bits of x, and gives ${2n ** BigInt(BigInt(mask).toString(2).replaceAll("0", "").length)} different results.`;
  if (/sort\w*\s*\(.*rand/i.test(text)) return "Sorting by random comparisons is not a fair shuffle: k fair comparisons give every order a probability that is a multiple of 1/2^k, but from n = 3 on 1/n! is not such a multiple. Shuffle by Fisher & Yates: swap each place with one of those that are left, drawn fairly.";
  if (/round\s*\(.*rand/i.test(text)) return "Rounding gives the first and the last result half the chance of the others: multiply by the number of results and take the floor, as in the rows here.";
  if (n !== null && /^\d+$/.test(n) && BigInt(n) > 0n && isMask(BigInt(n) - 1n)) return null;
  if (/RAND_MAX/.test(text)) return "No scaling of one rand() is fairer than rand() % n in the rows here.";
  return /\).*%/.test(text) ? "The remainder (%) of random bits is biased whatever function they are from, unless n divides the number of their values, which is nearly always a power of two." : null;
}

/** The variable to which a result is assigned, and the end of a line. */
const AROUND = /(?<=^|;)[^(;=]*?(?<![.<>!])(?:<-|=)(?!=)\s*|;?\s*(?:\/\/.*)?$/g;

/** The number of results of a typed call (or a number alone), and the text with n in its place. */
export function readCall(typed) {
  const text = /[a-z]/i.test(typed) && typed.length <= 200 ? plainNumbers(typed).replace(AROUND, "") : typed;
  if (/^\d+$/.test(text)) return { n: text, text: "" };
  if (!/[a-z]/i.test(text) || text.length > 200 || (!/[%&*]/.test(text) && RAW.some(([form]) => form.test(text)))) return { n: null, text };
  for (const [form, count] of FORMS) {
    const found = [...text.matchAll(new RegExp(form, `g${form.flags}`))].at(-1);
    if (!found) continue;
    const before = text.slice(0, found.index);
    const n = count(found[1], found[2] ?? before, before);
    if (n === null) continue;
    const read = `${before}${found[0].replace(/&\s*\d+/, "% n").replace(/\d.*\d|\d/, "n")}${text.slice(found.index + found[0].length)}`;
    // rand with two numbers is PHP's, which calls mt_rand.
    return { n: String(n), text: found[2] ? read.replace(/\brand\(\s*n/, "mt_rand(n") : read };
  }
  return { n: null, text };
}

/** Calls that give random bits and not a die: the call, its bits, and its language. */
const RAW = [
  [/(?<!\/dev\/)\burandom\s*\((\d+)\)|\btoken_bytes\s*\((\d+)\)/i, (bytes) => 8 * bytes, "Python"],
  [/\b(?:getrandbits|randbits)\s*\((\d+)\)/i, Number, "Python"],
  [/\brandomBytes\s*\((\d+)\)/, (bytes) => 8 * bytes, "JavaScript"],
  [/\brandom_bytes\s*\((\d+)\)/, (bytes) => 8 * bytes, "PHP"],
  [/\b(?:rand_s|(?:BCrypt|Rtl|Crypt)GenRandom)\b|\barc4random(?=\()/i, () => 32, "C"],
  [/\bgetrandom\b|\/dev\/u?random\b/, () => 8, "C"],
  [/getRandomValues/i, (_, text) => Number(/int(\d+)\w*array/i.exec(text)?.[1] ?? 32), "JavaScript"],
];
/** The random bits of such a call as { bits, language, name }, or null. A call with % that is not in the table has no language. */
export function readBits(text, records) {
  for (const [form, bits, language] of RAW) {
    const found = form.exec(text);
    const count = found && bits(found[1] ?? found[2], text);
    if (count > 0 && count <= 4096) return { bits: count, language, name: found[0] };
  }
  const call = readCall(text).text;
  const [, name, type, given] = /(\w+)(::<\w+>)?\(([^()]*)\)(?:\s+as\s+\w+)?\)?\s*%/.exec(call) ?? [];
  if (!name || (!type && records.some((record) => (given || record.function.includes("%")) && calls(record.function, name)))) return null;
  return { bits: name === "lrand48" ? 31 : Number(/(?:u|nt)(8|16|31|32|63|64)(?!\d)/i.exec(call)?.[1] ?? 0), name };
}

/** Other and shorter names of functions, with the name in the table. */
const OTHER_NAMES = { gen_range: "random_range", np: "RandomState", rand_range: "random_range", randomint: "randomInt", uniform_int: "uniform_int_distribution" };
/** The words of a call: names, with their punctuation. A single letter without a call is a language. */
export function wordsOf(text) {
  if (/new\s+Random\(\w*\)\.nextInt/.test(text)) return ["Java", "util", "nextInt"];
  if (/RAND_MAX/.test(text)) return ["C", "rand", "%"];
  // glibc and musl have the same rand.
  if (/(?<![\w.]|select\s+)random\(\)\s*%/i.test(text)) return ["C", "glibc", "%"];
  const words = (text.match(/[a-z_][\w]*(?:[#+]+)?|[%*]/gi) ?? []).map((word) => OTHER_NAMES[word] ?? word);
  return [...new Set(words)].filter((word) => word !== "n" && (/^[%*]$/.test(word) ? /[a-z]/i.test(text) : word.length > 1 || !text.includes("(")));
}

/** The words of a row of the table. */
const lineWords = (text) => new Set(text.match(/[a-z_]\w*|[%*]/gi));
/** Whether a text calls a function of this name, and does not only name a library. */
const calls = (text, name) => new RegExp(`\\b${name}\\b(?![./]|::?[a-z]|\\s+\\w\\w)`, "i").test(text);

/** Splits several calls at the commas between them. */
export const callsOf = (text) => text.split(/[,;](?![^(]*\))/).map((part) => part.trim()).filter((part) => /[a-z]/i.test(part));

/**
 * The rows that share the most words with a text, exact case first, and only rows of the languages
 * that the text names. `languages` maps words to languages.
 */
export function matching(records, text, languages) {
  const exact = records.filter(({ id }) => id === text.trim());
  if (exact.length > 0) return exact;
  const parts = callsOf(text);
  if (parts.length > 1) return [...new Set(parts.flatMap((part) => matching(records, part, languages)))];
  const words = wordsOf(text);
  const named = new Set(words.flatMap((word) => languages.get(word) ?? []));
  const rest = words.filter((word) => !languages.has(word) && !/^\w$/.test(word));
  const called = new Set(rest.filter((word) => new RegExp(`\\b${word.replace(/\W/g, "\\$&")}\\(|^\\(${word.replace(/\W/g, "\\$&")} `).test(text)));
  // Functions of jax match only if the text names jax.
  const scored = records.filter(({ id, language }) => (named.size === 0 || named.has(language)) && (called.size === 0 || /jax/.test(text) || !/^jax/.test(id))).map((record) => {
    const own = lineWords(record.function);
    const all = new Set([...own, ...lineWords(`${record.id.replaceAll("-", " ")} ${record.version}`)].map((word) => word.toLowerCase()));
    const has = rest.filter((word) => (called.has(word) ? calls(record.function, word) : all.has(word.toLowerCase())));
    const names = has.filter((word) => /\w/.test(word)).length;
    return { record, score: names === 0 ? 0 : 100 * names + 10 * (has.length - names) + has.filter((word) => own.has(word)).length };
  });
  const groups = named.size === 0 ? [scored] : [...named].map((name) => scored.filter(({ record }) => record.language === name));
  return groups.flatMap((group) => {
    const most = Math.max(...group.map(({ score }) => score), 0);
    return most === 0 && named.size === 0 ? [] : group.filter(({ score }) => score === most).map(({ record }) => record);
  });
}
