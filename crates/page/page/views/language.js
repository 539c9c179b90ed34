// How many bits library functions draw for one result, how biased they are, and when that is
// noticed.

import { callsOf, matching, readBits, readCall, callWarning, wordsOf } from "../calls.js";
import { block, inItsPlace, isWindows, WITH_CODE } from "../instead.js";
import { about, answered, ask, asker, brief, capital, cellOf, die, entropyOf, field, first, grouped, h, link, number, orNone, plainly, quiet, raised, ratio, Refusal, s, section, short, show, table, target, tens, typed, ungrouped } from "../parts.js";
import { pictureText, save, shareMenu, svgToPng } from "../share.js";

/** Results a second in a search for a bias, and the grades of when it is noticed. */
const RATE = 1e9;
const YEAR = 365.25 * 86400;
const GRADES = [["a second", 1, "worst"], ["a day", 86400, "worst"], ["a year", YEAR, "seen"], ["the age of the universe", 13.8e9 * YEAR, "late"], ["ever", Infinity, "late"]];
const SPANS = [[1, "second"], [60, "minute"], [3600, "hour"], [86400, "day"], [YEAR, "year"], [1e6 * YEAR, "million years"], [1e9 * YEAR, "billion years"]];
/** The number of rows that are shown at first. */
const FEW = 15;
/** Other functions of libraries: [title, the question for a die of n, columns with their names, what the table is about]. */
const OTHERS = [
  [() => "A shuffle of 52 cards", () => ({ ask: "shuffle", cards: 52, libraries: true }), [["bits_drawn", "bits drawn"], ["total_variation_at_most", "from uniform, at most"], ["orders", "orders it can reach"]], "Bits for a whole shuffle, and how far its orders are from equally likely"],
  [() => "A number between 0 and 1", () => ({ ask: "libraries-doubles" }), [["values", "different values"], ["probability_a_exact", "chance of 0 itself"], ["gives_b", "can it give b? (of 1 to 2)"]], "Doubles, equally likely"],
  [(n) => `A chance of 1 in ${short(n)}`, (n) => ({ ask: "libraries-bernoulli", target: `1/(${n})` }), [["probability_exact", "chance that comes"], ["detect", "someone notices after"]], "What is compared with a random number, and the resulting chance"],
  [() => "Random bits with % n", null],
];
/** Sizes in bits of a random word whose remainder is shown. */
const WIDTHS = [7, 8, 15, 16, 24, 31, 32, 48, 53, 63, 64];
const ORDERS = ["bits", "bias", "language"];

/** Bits of a generator's state, if they are fewer than the orders of 52 cards need. */
const STATES = [[/^java-collections-shuffle$|^perl-/, 48], [/splittable|fastrand/, 64], [/v8|spidermonkey|javascriptcore/, 128]];

/** Writes a large power of two as a power. */
const power = (text) => (/^\d{12,}$/.test(text) && /^10+$/.test(BigInt(text).toString(2)) ? `2^${BigInt(text).toString(2).length - 1}` : short(text));
/** Writes large powers of two, and 1 divided by one, as powers. */
const powers = (text) => power(text.replace(/\d{12,}$/, power)).replace(/^1\/2\^/, "2^-");
/** The grade of a bias that is noticed after this many results, or null for an unknown number. */
const grade = (detect) => (detect === null || detect === "inf" ? null : GRADES.find(([, seconds]) => Number(detect) <= seconds * RATE));
/** The grade in words, with the time. */
const seenWhen = (detect) => `${grade(detect) === GRADES.at(-1) ? "" : "seen "}${when(detect)}`;
function when(detect) {
  const seconds = Number(detect) / RATE;
  if (seconds > GRADES.at(-2)[1]) return "not within the age of the universe";
  if (seconds < 1) return "within a second";
  const [span, name] = SPANS.findLast(([least]) => seconds >= least);
  const count = Number((seconds / span).toPrecision(seconds / span < 10 ? 1 : 2));
  return `after ${count < 10000 ? count : count.toLocaleString("en").replaceAll(",", "\u202f")} ${count === 1 || name.includes(" ") ? name : `${name}s`}`;
}
/** A probability with enough decimals to differ from the intended one. */
function distinctDecimals(exact, wanted) {
  const digits = (fraction, places) => {
    const [a, b = "1"] = fraction.split("/");
    return String(BigInt(a) * 10n ** BigInt(places) / BigInt(b)).padStart(places, "0");
  };
  let places = 4;
  while (places < 80 && digits(exact, places - 1) === digits(wanted, places - 1)) places += 1;
  return `0.${digits(exact, places)}`;
}
/** A label: fair, or how biased. */
const tag = (kind, ...inside) => h("span", { class: `tag ${kind}` }, inside);
/** The columns of the cost of a die. */
const COST = ["expected_exact", "expected", "entropy", "toll"];
/** Whether the function is fair, and whether it has numbers: n may be too large for its type. */
const isFair = (record) => record.total_variation_exact === "0";
const isKnown = (record) => record.words !== null;

export function view(place, remember) {
  let state = { n: "6", word: "", by: "bits", turned: "", open: "", all: "", more: "" };
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  const n = target({ value: state.n, label: "A die of n =", id: "language-n", change: (value, passing) => change({ n: value }, passing) });
  const word = h("input", { id: "language-word", size: 36, "aria-describedby": "language-about" });
  const write = typed(word, (text, passing) => {
    const call = readCall(text);
    change({ word: call.text === "" ? "" : text, open: "", ...(call.n ? { n: call.n } : {}) }, passing);
  });
  const read = h("p", { class: "hint", role: "status" });
  const warning = h("p", { class: "warned", role: "status" });
  const unknown = h("p", { class: "warned", role: "status" });
  word.addEventListener("input", () => word.value.trim() === "" && change({ word: "", open: "" }, true));
  const headline = h("div", { class: "headline" });
  const list = section("Libraries", "card wide");
  const card = section("A card to share", "card wide no-print");
  const openFolds = () => state.more.split(",").filter(Boolean);
  const fold = (name, open) => {
    if (open === openFolds().includes(name)) return;
    state = { ...state, more: [...openFolds().filter((other) => other !== name), ...(open ? [name] : [])].sort().join(",") };
    remember(state, true);
  };
  const others = OTHERS.map(([title, query, columns, caption], i) => {
    const [summary, box] = [h("summary"), h("div")];
    const run = asker(box);
    const name = String(i);
    const more = h("details", { ontoggle: () => {
      if (more.open) run((options) => (query ? drawOther(box, caption, query(state.n), columns, options) : drawWidths(box, options)));
      fold(name, more.open);
    } }, summary, box);
    return { more, name: () => {
      summary.textContent = title(state.n);
      if (openFolds().includes(name)) more.open = true;
    } };
  });
  const rest = section("Shuffles, numbers and chances", "card wide others no-print", h("h2", "What else it draws"), others.map(({ more }) => more));
  show(place,
    h("h1", "How does your language roll dice?"),
    h("p", { class: "lead" }, "The random bits that real libraries draw for one result, exactly; how far from fair the results are, and how soon this shows."),
    h("div", { class: "controls" }, n.element, field("Languages or functions", word, h("span", { class: "hint", id: "language-about" }, "Such as rand() % 6, golang, C#, go rust, python randrange; several with commas."), read, warning, unknown)),
    headline, h("div", { class: "grid" }, list, rest, card));
  const runs = { headline: asker(headline), list: asker(list), card: asker(card) };
  /** The greatest bias first, or the least; a second click on a heading reverses the order. */
  const descending = () => (state.by === "bias") !== (state.turned === "yes");

  /** The requested languages, or null for all. */
  let languages = null;
  /** All lines from the engine for this n. */
  let all = [];
  /** The requested random bits, if there is no die. */
  let raw = null;

  /** After how many results someone notices, from the engine's text. */
  const detect = (said) => ({ infinite: "never: it is fair", "-": "too few results for this test" })[said] ?? `about ${tens(said)} results`;

  /** Whether the typed call matches a kind that is not a die, such as a shuffle. */
  const isOf = (kind) => kind.test(readCall(state.word).text);
  const SHUFFLES = /\b_?(shuf|shuff|shuffl|shuffled?|perm|permutation|fisher|yates)\b/i;

  /** The languages that the words name, by the table or by other names that the engine knows. */
  async function languagesOf(all, words, options) {
    const known = new Map();
    for (const word of words) {
      const same = all.find(({ language }) => language.toLowerCase() === word.toLowerCase());
      const told = same || !/\w/.test(word) ? null : await orNone(ask({ ask: "libraries", target: "6", word }, options));
      const names = new Set(told?.records.map(({ language }) => language) ?? []);
      const complete = names.size === 1 && all.filter(({ language }) => names.has(language)).length === told.records.length;
      // A library whose name occurs in some lines is not a name of its language.
      const named = all.some((record) => `${record.function} ${record.id}`.toLowerCase().split(/[^a-z\d]+/).includes(word.toLowerCase()));
      if (same || complete && !named) known.set(word, same ? [same.language] : [...names]);
    }
    return known;
  }

  const fairOnly = (text) => `This view is about fair dice: n is a whole number, such as 6 or 52, but ${short(text)} is not. For weights, ask flipcost libraries --target ${/^[\d:]+$/.test(text) ? short(text) : "1:2:3"}`;

  /** The ids of functions that the typed words name, or else those that the engine finds. */
  async function matchingIds(all, options) {
    const { text } = readCall(state.word);
    if (text === "") return null;
    if (/^\d+([:,]\d+)+$|^\d*d\d+$/.test(text)) throw new Refusal(fairOnly(text));
    const idsOf = (records) => new Set(records.map(({ id }) => id));
    const linesOf = (names) => idsOf(all.filter(({ language }) => names.includes(language)));
    if (raw) return raw.language ? linesOf([raw.language]) : null;
    const words = wordsOf(text);
    const known = await languagesOf(all, words, options);
    if (isOf(SHUFFLES)) return linesOf([...known.values()].flat());
    const found = /^(un)?(fair|biased)$/i.test(text) ? [] : matching(all, text, known);
    // if there are several calls, the ones that are not found
    const parts = text.includes("(") ? callsOf(text) : words;
    const lost = parts.filter((part) => /[a-z]/i.test(part) && matching(all, part, known).length === 0 && !readBits(part, all));
    if (found.length > 0 && lost.length > 0) unknown.textContent = `Nothing here is called ${lost.join(", ")}.`;
    if (found.length > 0) return idsOf(found);
    // The beginning of a typed word, or a word of a rule; else the engine says what would be right.
    for (const part of words.filter((word) => /\w/.test(word))) {
      const told = await orNone(ask({ ask: "libraries", target: state.n, word: part }, options));
      if (told) return idsOf(told.records);
    }
    return idsOf((await ask({ ask: "libraries", target: state.n, word: text }, options)).records);
  }

  async function work(options) {
    if (/[:,]|\dd\d/.test(state.n)) throw new Refusal(fairOnly(state.n));
    const told = answered(await ask({ ask: "libraries", target: state.n }, options));
    const optimum = answered(await ask({ ask: "cost", target: state.n, algorithms: ["fast-dice-roller"], columns: COST }, options));
    all = told.records.map((record, i) => ({ ...record, row: i }));
    const bare = callsOf(state.word).map((call) => readBits(call, all));
    raw = bare.every(Boolean) ? bare.shift() ?? null : null;
    const call = readCall(state.word);
    const warns = callWarning(state.word, call.n);
    warning.textContent = raw ? "" : warns;
    // A remainder of k bits gives at most 2^k results: sets k as `most` where n is larger.
    const cut = all.filter((record) => !isKnown(record) && /%/.test(record.function));
    if (cut.length > 0) {
      const small = answered(await ask({ ask: "libraries", target: "2" }, options));
      for (const record of cut) record.most = small.records.find(({ id, word_bits }) => id === record.id && word_bits <= 32)?.word_bits;
    }
    const wanted = await matchingIds(all, options);
    // the calls without numbers, next to other calls
    const beside = bare.filter(Boolean).map(({ name }) => name);
    if (beside.length > 0) unknown.textContent += ` ${beside.join(", ")}: random bits, not a die; see "Random bits with % n" below.`;
    const shuffles = isOf(SHUFFLES);
    const rows = wanted ? all.filter(({ id }) => wanted.has(id)) : all;
    const bits = (record) => record.bits_drawn ?? null;
    const order = {
      bits: (a, b) => bits(a) - bits(b),
      bias: (a, b) => a.total_variation - b.total_variation,
      language: (a, b) => a.language.localeCompare(b.language) || a.id.localeCompare(b.id),
    }[state.by];
    // Rows without a number come last in both orders.
    const none = (record) => ({ bits: bits(record) === null, bias: !isKnown(record), language: false })[state.by];
    const down = descending();
    rows.sort((a, b) => none(a) - none(b) || (none(a) ? 0 : down ? order(b, a) : order(a, b)));
    const able = rows.filter(isKnown);
    const biased = able.filter((record) => !isFair(record));
    const early = biased.filter((record) => grade(record.detect)?.[2] === "worst");
    const most = Math.max(...rows.map((record) => record.bits_drawn ?? 0), 1);
    const top = rows.find((record) => record.bits_drawn === most);
    const dearest = top ? about(most, top.bits_drawn_exact, false, told).replace(/^≈ (\S+) \+ .*/, "a little over $1") : brief(most);
    if (shuffles) fold("0", true);
    else if (raw && !raw.language) fold("3", true);
    list.hidden = shuffles || raw !== null;
    card.hidden = shuffles || (raw !== null && !raw.bits);
    languages = wanted?.size > 0 ? new Set(rows.map(({ language }) => language)) : null;
    for (const { more, name } of others) {
      name();
      if (more.open) more.dispatchEvent(new Event("toggle"));
    }
    if (shuffles) {
      show(headline, h("p", { class: "answer" }, "Shuffles are below: what one of 52 cards draws, and how far its orders are from equally likely."));
      return;
    }
    const bias = raw?.bits && await ask({ ask: "bias", target: state.n, words: raw.bits }, options);
    // The requested calls, in the engine's order.
    const asked = wanted && !raw && /[(%]/.test(call.text) ? [...wanted].flatMap((id) => able.find((record) => record.id === id) ?? []) : [];
    const biasedCalls = languages?.size === 1 ? asked.filter((record) => !isFair(record)).reverse() : [];
    // Windows has separate functions: the first of its lines, and the first other line.
    const worse = !raw ? [...new Map(biasedCalls.map((record) => [isWindows(record.version), record])).values()].reverse()
      : bias && !isFair(bias.records[0]) ? [{ language: raw.language, word_bits: raw.bits, version: /rand_s|GenRandom/i.test(raw.name) ? "Microsoft" : "" }] : [];
    const instead = await Promise.all(worse.map((record) => inItsPlace(record, state.n, raw?.language === "JavaScript" ? [] : all, options)));
    const counted = !raw && able.length > 0;
    show(headline,
      h("p", { class: "answer" }, `A ${die(state.n)} needs `, cellOf(optimum, 0, "expected", "Least expected bits"),
        raw ? " random bits at least." : counted ? ` random bits at least. The libraries below draw up to ${dearest} for one result.` : " random bits at least. None of the libraries below can draw a number so large."),
      h("p", counted ? `${biased.length || "None"} of ${able.length} ${biased.length < 2 ? "is" : "are"} biased for this n${biased.length === 0 ? "" : early.length === 0 ? ", none so much that the bias is seen within a day" : `, ${early.length} so much that it is seen within a day`}. ` : "",
        counted && rows.length > able.length ? `${rows.length - able.length} cannot take an n so large${rows.some(({ most }) => most) ? ", or never give most of its results" : ""}. ` : "",
        "No method gets below log₂ n, which is ", cellOf(optimum, 0, "entropy", "Entropy in bits", { exact: entropyOf(optimum.records), form: "decimal" }), " bits."),
      raw ? h("p", `${raw.name} gives random bits, not a die. ${!bias ? warns ?? "For a power of two % is fair." : `With % n, ${raw.bits} bits are ${worse.length > 0 ? `biased: someone notices after ${detect(bias.said[0].detect)}. Redraw values that do not divide evenly:` : "fair for this n."}`}`)
        : null,
      worse.map((record, i) => [raw ? null : h("p", "In place of ", h("b", record.language), ` ${record.function} (${record.version}):`), h("div", raw || record.language === "JavaScript" ? instead[i] : [instead[i]].flat()[0])]));
    // Random bits also get a card.
    if (bias) runs.card(async () => drawCard([], { ...bias.records[0], language: raw.language ?? "Random bits", function: raw.name, version: `${raw.bits} bits, with % n`, id: `${raw.bits}-bits` }));
    if (raw) return;
    drawList({ told, rows, most });
    // The card has what the sentence above says about the worst call.
    const worst = asked.toSorted((a, b) => b.total_variation - a.total_variation)[0];
    runs.card(async () => drawCard(able, worst));
  }

  /** The remainder of words of any size. */
  async function drawWidths(box, options) {
    const widths = [...new Set([...WIDTHS, raw?.bits].filter(Boolean))].sort((a, b) => a - b);
    const told = await Promise.all(widths.map((words) => ask({ ask: "bias", target: state.n, words }, options)));
    show(box, table("x % n for a random number x of this many bits", [{ name: "bits of x" }, { name: "distance from fair", number: true }, { name: "someone notices after" }],
      told.map((answer, i) => {
        const [record] = answer.records;
        const cells = isFair(record) ? [tag("fair", "fair"), ""]
          : [cellOf(answer, 0, "total_variation", `${widths[i]} bits with % n, total variation`, { form: "decimal" }), detect(answer.said[0].detect)];
        return Object.assign([String(widths[i]), ...cells], { class: widths[i] === raw?.bits && "chosen" });
      })),
    quiet("The same holds for urandom(1)[0] % n, a byte, and for all fair bits. The command: ", h("code", told[1].command)));
  }

  /** The rows of the requested languages or words, or all. */
  async function drawOther(box, caption, query, columns, options) {
    const told = answered(await ask(query, options));
    const ends = query.ask === "libraries-doubles" ? await ask({ ...query, target: "1,2" }, options) : null;
    const { text } = readCall(state.word);
    const wanted = new Set(query.ask === "shuffle" && isOf(SHUFFLES) ? matching(told.records, text, await languagesOf(all, wordsOf(text), options)) : []);
    const rows = told.records.map((record, i) => [record, told.said[i]]).filter(([record]) => (wanted.size > 0 ? wanted.has(record) : !languages || languages.has(record.language)));
    const cell = (record, said, name) => {
      if (name === "gives_b") {
        const exact = ends.records.find(({ id }) => id === record.id)?.probability_b_exact;
        return exact === undefined ? "" : exact === "0" ? "never" : ["yes: ", powers(exact)];
      }
      if (name === "orders") {
        const bits = STATES.find(([ids]) => ids.test(record.id))?.[1];
        return bits ? `2^${bits} at most` : "";
      }
      if (record[name] === null) return "";
      if (name === "detect") return detect(said[name]);
      if (name === "total_variation_at_most" && record[name] === 0) return tag("fair", "fair");
      if (name === "probability_exact") return record.total_variation_exact === "0" ? "exactly that" : distinctDecimals(record[name], query.target.replace(/[()]/g, ""));
      return plainly(powers(said[name]));
    };
    columns = columns.filter(([name]) => name !== "orders" || rows.some(([record]) => cell(record, null, name) !== ""));
    const cells = rows.map(([record, said]) => [[h("b", record.language), ` ${record.function}`, h("br"), h("span", { class: "hint" }, record.version)], ...columns.map(([name]) => cell(record, said, name))]);
    const hint = { shuffle: "52 cards have 52! ≈ 2^226 orders. Even if each draw is fair, a generator with s bits of state reaches at most 2^s of them. The table shows this if s is known and 2^s is less.",
      "libraries-doubles": "A number from a to b by a + (b − a) u should stay below b; from 1 to 2 some round up to 2 itself." }[query.ask];
    const [only] = query.ask === "shuffle" && languages?.size === 1 ? languages : [];
    const advice = WITH_CODE.includes(only) ? await orNone(ask({ ask: "advise", shuffle: 52, source: "word:32", language: only.toLowerCase() }, options)) : null;
    const batches = advice?.records.find(({ method, code }) => code && method === "greedy-batches");
    show(box, rows.length === 0 ? h("p", "No function of these languages is known here", query.ask === "shuffle" ? ": shuffle by Fisher & Yates, each draw by a fair die of what is left." : ".")
      : table(caption, [{ name: "function" }, ...columns.map(([, name]) => ({ name, number: true }))], cells),
    batches ? [h("p", `Exactly fair, ≈ ${batches.expected.toPrecision(6)} words of 32 bits for 52 cards:`), block(`Code in ${only}`, batches.code)] : null,
    hint ? quiet(hint) : null,
    quiet("More of it: ", h("code", told.command), ends ? [" and ", h("code", ends.command)] : null));
  }

  function drawList({ told, rows, most }) {
    const down = descending();
    const head = (name, by, isNumber) => ({
      name,
      number: isNumber,
      sort: state.by !== by ? null : down ? "descending" : "ascending",
      shown: [h("button", { class: "link", onclick: () => change({ by, turned: state.by === by && !state.turned ? "yes" : "" }) }, name),
        state.by === by ? h("span", { "aria-hidden": "true" }, down ? " ▼" : " ▲") : null],
    });
    const few = state.all === "" && rows.length > FEW + 5 ? rows.slice(0, FEW) : rows;
    const lines = few.flatMap((record) => {
      const biased = isKnown(record) && !isFair(record);
      const seen = biased ? grade(record.detect)?.[2] : null;
      const said = told.said[record.row];
      const opened = state.open === record.id;
      const cells = [
        [h("button", { class: "link unfold", "aria-expanded": String(opened), onclick: () => change({ open: opened ? "" : record.id }) }, h("b", record.language), " ", record.function), h("br"), h("span", { class: "hint" }, h("code", record.id), ` (${record.version})`)],
        !isKnown(record) ? "n too large" : record.bits_drawn === null ? "not whole bits" : plainly(said.bits_drawn ?? brief(record.bits_drawn)),
        h("span", { class: "bar", style: { width: "6rem" }, "aria-hidden": "true" }, h("span", { style: { width: `${100 * ratio(record.bits_drawn ?? 0) / most}%` } })),
        biased ? tag(seen ?? "worst", seen ? seenWhen(record.detect) : "biased") : isKnown(record) ? tag("fair", "fair") : record.most ? tag("worst", raised(`2^${record.most} of n at most`)) : "",
        biased ? detect(said.detect) : "",
      ];
      cells.class = record.most || (biased && (seen ?? "worst") === "worst") ? "biased" : null;
      const more = h("div", { class: "unfolded" });
      if (!opened) return [cells];
      asker(more)((options) => unfold(more, record, options));
      return [cells, [more]];
    });
    const made = table(`What is drawn for one result of a ${die(state.n)}`,
      [head("function", "language"), head("bits drawn", "bits", true), { name: "", shown: h("span", { class: "bar-head" }, `0 to ${brief(most)} bits`) }, head("bias", "bias"), { name: "someone notices after" }],
      lines, "libraries");
    // An unfolded part is as wide as the table.
    for (const more of made.querySelectorAll(".unfolded")) more.closest("tr").replaceChildren(h("td", { colspan: 5 }, more));
    show(list, made,
      few.length < rows.length ? h("p", { class: "after no-print" }, h("button", { onclick: () => change({ all: "yes" }) }, `Show all ${rows.length}`)) : null,
      quiet("How soon the bias shows, at 10⁹ results a second: by a chi-square test of all results with size 0.01 and power 0.9, an asymptotic number. Only the bias of the method counts: the bits are taken as ideal, even past a generator's period. ", told.notes.join(" ").replace(/^n is too large for the type.*$/, "")));
  }

  /** The reason for a function's bias, its waste, the source for that, and a replacement. */
  async function unfold(more, record, options) {
    if (!isKnown(record)) return show(more, h("p", record.most ? raised(`The remainder of a number below 2^${record.most} is below 2^${record.most}, so larger results never come.`) : "This n is too large for the type of the function."));
    const one = await ask({ ask: "libraries", target: state.n, word: record.id }, options);
    const rule = await orNone(ask({ ask: "list-algorithms", algorithm: record.id }, options));
    const cost = await orNone(ask({ ask: "cost", target: state.n, algorithms: [record.id], columns: COST }, options));
    const at = one.records.findIndex(({ id }) => id === record.id);
    const fair = isFair(record);
    const instead = fair && !WITH_CODE.includes(record.language) ? null : await inItsPlace(record, state.n, all, options);
    const why = one.notes.find((note) => / cases, /.test(note));
    const fact = (name, ...is) => h("div", h("dt", name), h("dd", ...is));
    return show(more, h("dl", { class: "facts" },
      rule ? fact("What it does", rule.records[0].rule) : null,
      fair ? null : fact("Why it is biased", why ? raised(`${capital(why)}.`) : "Its words do not divide evenly."),
      fair ? null : fact("How much", "the total variation distance from a fair die is ", cellOf(one, at, "total_variation", `${record.id}, total variation`), record.ratio_exact ? ["; its most likely result is ", number({ exact: record.ratio_exact, answer: one, row: at, label: `${record.id}, ratio` }), " times as likely as its least likely one"] : null),
      fair ? null : fact("Somebody notices after", record.detect === null ? detect(one.said[at].detect) : `about ${record.detect.length > 26 ? tens(record.detect) : grouped(record.detect)} results; at 10⁹ a second ${when(record.detect)}`),
      record.bits_drawn === null ? null : fact("Bits drawn", cellOf(one, at, "bits_drawn", `${record.id}, bits drawn`)),
      cost && cost.records[0].toll !== null ? fact("Bits above the entropy", cellOf(cost, 0, "toll", `${record.id}, bits above the entropy`), " for each result") : null,
      fact("Version", `${record.version}, ${record.file}`),
      fact("How this is known", ({ source: "its source was read", copy: "a fork or a copy of its source was read", run: "it was run: its words were counted or replayed", memory: "written down from memory" })[record.checked] ?? record.checked),
      instead && fact(fair ? "Code" : "In its place", instead)));
  }

  /** A card with one number, one picture and one link: for the unfolded function, else for the requested or most biased one. */
  function drawCard(able, called) {
    const record = able.find(({ id }) => id === state.open) ?? called ?? [...able].sort((a, b) => b.total_variation - a.total_variation)[0];
    if (!record) return show(card);
    const fair = isFair(record);
    const kind = fair ? "fair" : grade(record.detect)?.[2] ?? "worst";
    const most = Math.log10(GRADES.at(-2)[1] * RATE) + 6;
    const noticed = record.detect === null ? null : fair ? Infinity : Number(record.detect);
    const big = fair ? "exactly fair" : record.detect === null ? "biased" : seenWhen(record.detect);
    const [named, sides] = [`${record.language}: ${record.function}`, `a d${short(state.n)}`];
    const what = `${named} (${record.version}), ${sides}`;
    const results = fair ? ["Every result has the same probability."] : [`Somebody notices after ${record.detect === null ? "few" : tens(record.detect)} results,`, "drawn at 10⁹ a second."];
    /** The picture as it is saved; or `small`, readable on a phone. */
    const drawn = (small) => {
      const [width, height, left, line] = small ? [560, 460, 34, 310] : [1200, 630, 90, 455];
      const right = width - left;
      const x = (count) => left + (right - left) * Math.min(Math.max(Math.log10(count) / most, 0), 1);
      const [title, sub, large, first] = small ? [56, 90, 168, 218] : [112, 176, 290, 356];
      // On a phone the version has a separate line, so that letters are large enough.
      const cut = (text) => (text.length > 46 ? `${text.slice(0, 45)}…` : text);
      const subs = small ? [cut(named), cut(`${record.version}, ${sides}`)] : [what];
      const size = (text, largest) => ({ fontSize: `${Math.min(largest, Math.floor((right - left) / (0.62 * text.length)))}px` });
      return s("svg", { viewBox: `0 0 ${width} ${height}`, class: small ? "share-card small" : "share-card", role: "img", "aria-label": `How biased is your rand()? ${what}: ${big}` },
        s("rect", { class: "ground", x: 0, y: 0, width, height }),
        s("text", { class: "title", x: left, y: title }, "How biased is your rand()?"),
        subs.map((text, i) => s("text", { class: "sub", x: left, y: sub + 28 * i, style: size(text, small ? 21 : 32) }, text)),
        s("text", { class: `big ${kind}`, x: left, y: large, style: size(big, small ? 46 : 84) }, capital(big)),
        (small ? results : [results.join(" ")]).map((text, i) => s("text", { class: "sub", x: left, y: first + 28 * i }, text)),
        s("line", { class: "axis", x1: left, x2: right, y1: line, y2: line }),
        GRADES.slice(0, -1).map(([name, seconds], i) => s("g", {}, s("line", { class: "axis", x1: x(seconds * RATE), x2: x(seconds * RATE), y1: line - 12, y2: line + 12 }),
          s("text", { class: "mark", x: small && i === 3 ? right : x(seconds * RATE), y: line + (small ? [38, 62, 38, 86] : [46, 76, 46, 46])[i], "text-anchor": small && i === 3 ? "end" : "middle" }, name))),
        noticed === null ? null : s("circle", { class: `dot ${kind}`, cx: x(noticed), cy: line, r: small ? 11 : 17 }),
        s("text", { class: "foot", x: left, y: small ? 436 : 582 }, small ? "flipcost" : `flipcost: exact numbers about dice and randomness. ${link().why ? "" : link().text.slice(0, 70)}`));
    };
    const name = `rand-${record.id}-${String(state.n).replace(/\W/g, "_").slice(0, 20)}`;
    const words = () => `How biased is your rand()? ${what}: ${big}. ${results.join(" ")}`;
    return show(card, h("h2", "A card to share"), list.hidden ? null : quiet("Open a row of the table to show its function here."), drawn(place.clientWidth < 600),
      h("div", { class: "choice after" }, h("button", { onclick: () => save(`${name}.svg`, pictureText(drawn(false)), "image/svg+xml") }, "Save SVG"),
        h("button", { onclick: async () => save(`${name}.png`, await svgToPng(pictureText(drawn(false)), 1200)) }, "Save PNG"), shareMenu({ name: () => name, sentence: words, card: () => drawn(false) })));
  }

  function draw() {
    n.set(state.n);
    write(state.word);
    const call = readCall(state.word);
    read.textContent = call.n !== null && call.n === state.n ? `Read as ${call.text} with n = ${short(call.n)}.` : "";
    unknown.textContent = "";
    first(runs, "headline", work, draw).then((told) => told !== null && (rest.hidden = told === false));
  }

  return {
    update(given) {
      const n = given.n ?? readCall(given.word ?? "").n ?? "6";
      state = { n: ungrouped(n).replace(/^d(?=\d+$)/i, ""), word: given.word ?? "", by: ORDERS.includes(given.by) ? given.by : "bits", turned: given.turned === "yes" ? "yes" : "", open: given.open ?? "", all: given.all === "yes" ? "yes" : "", more: /^[0-3](,[0-3])*$/.test(given.more ?? "") ? given.more : "" };
      draw();
    },
  };
}
