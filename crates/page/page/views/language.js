// What the libraries of languages draw for one result, how biased they are, and when that is seen.

import { about, answered, ask, asker, brief, die, entropyOf, first, h, link, number, orNone, ratio, s, short, show, table, target, typed, ungrouped } from "../parts.js";
import { pictureText, save, shareMenu, svgToPng } from "../share.js";

/** Results that are drawn in a second where a bias is looked for, and the grades of when it is seen. */
const RATE = 1e9;
const YEAR = 365.25 * 86400;
const GRADES = [["in a second", 1, "worst"], ["in a day", 86400, "worst"], ["in a year", YEAR, "seen"], ["before the sun dies", 5e9 * YEAR, "late"], ["not before the sun dies", Infinity, "late"]];
/** Lines that are shown until all are asked for. */
const FEW = 20;
/** What else the libraries make: [title, the question for a die of n, columns and what they are called, what the table is of]. */
const OTHERS = [
  [() => "A shuffle of 52 cards", () => ({ ask: "shuffle", cards: 52, libraries: true }), [["bits_drawn", "bits drawn"], ["total_variation_at_most", "from uniform, at most"]], "Bits for a whole shuffle, and how far its orders are from equally likely"],
  [() => "A number between 0 and 1", () => ({ ask: "libraries-doubles" }), [["values", "different values"], ["probability_a_exact", "chance of 0 itself"]], "Doubles, equally likely"],
  [(n) => `A chance of 1 in ${short(n)}`, (n) => ({ ask: "libraries-bernoulli", target: `1/(${n})` }), [["probability_exact", "chance that comes"], ["detect", "someone notices after"]], "What is compared with a random number, and what comes of it"],
];
const ORDERS = ["bits", "bias", "language"];

/** A large power of two as one. */
const power = (text) => (/^\d{12,}$/.test(text) && /^10+$/.test(BigInt(text).toString(2)) ? `2^${BigInt(text).toString(2).length - 1}` : short(text));
/** When a bias is seen that so many results show; null where the engine has no number. */
const grade = (detect) => (detect === null || detect === "inf" ? null : GRADES.find(([, seconds]) => Number(detect) <= seconds * RATE));
/** Biased, or with no number of its own. */
const isFair = (record) => record.total_variation_exact === "0";
const isKnown = (record) => record.words !== null;

export function view(place, remember) {
  let state = { n: "6", word: "", by: "bits", turned: "", open: "", all: "" };
  const change = (changed, passing) => {
    state = { ...state, ...changed };
    remember(state, passing);
    draw();
  };
  const n = target({ value: state.n, label: "A die of n =", id: "language-n", change: (value, passing) => change({ n: value }, passing) });
  const word = h("input", { type: "text", id: "language-word", size: 24, autocomplete: "off", spellcheck: "false", "aria-describedby": "language-about" });
  const write = typed(word, (text, passing) => change({ word: text, open: "" }, passing));
  word.addEventListener("input", () => word.value.trim() === "" && change({ word: "", open: "" }, true));
  const headline = h("div", { class: "headline" });
  const list = h("section", { class: "card wide", "aria-label": "Libraries" });
  const card = h("section", { class: "card wide no-print", "aria-label": "A card to share" });
  const others = OTHERS.map(([title, query, columns, caption]) => {
    const [summary, box] = [h("summary", {}), h("div", {})];
    const run = asker(box);
    const more = h("details", { ontoggle: () => more.open && run((options) => drawOther(box, caption, query(state.n), columns, options)) }, summary, box);
    return { more, name: () => (summary.textContent = title(state.n)) };
  });
  show(place,
    h("h1", {}, "How does your language roll dice?"),
    h("p", { class: "lead" }, "The random bits that real libraries draw for one result, exactly, how far from fair they are, and when somebody sees it."),
    h("div", { class: "controls" }, n.element, h("div", { class: "field" }, h("label", { for: "language-word" }, "Languages or functions"), word, h("span", { class: "hint", id: "language-about" }, "Such as rand() % 6, golang, C#, go rust, python randrange."))),
    headline, h("div", { class: "grid" }, list, h("section", { class: "card wide others", "aria-label": "Shuffles, numbers and chances" }, h("h2", {}, "What else it draws"), others.map(({ more }) => more)), card));
  const runs = { headline: asker(headline), list: asker(list), card: asker(card) };
  /** The greatest bias first, else the least; a second click on a head turns it round. */
  const descending = () => (state.by === "bias") !== (state.turned === "yes");

  /** The languages that are meant, or null for all. */
  let languages = null;

  /** When someone notices, from what the engine says of it. */
  const detect = (said) => ({ infinite: "never: it is fair", "-": "so few that the test says nothing of them" })[said] ?? `about ${said.replace("≈ ", "")} results`;

  /** The ids that are meant, word by word: the engine knows a text as a whole, or its words, all at once or beside each other. */
  async function meant(all, options) {
    const text = state.word;
    if (text === "") return null;
    const find = async (word) => {
      const told = await orNone(ask({ ask: "libraries", target: state.n, word }, options));
      return told && new Set(told.records.map(({ id }) => id));
    };
    const generic = text.replace(/\b\d+\b/g, "n");
    const whole = (/^\d+$/.test(text) ? null : await find(text)) ?? (generic === "n" || generic === text ? null : await find(generic));
    if (whole) return whole;
    const words = text.split(/[\s,;()*%]+/).map((part) => part.trim()).filter((part) => /[a-z#+]/i.test(part) && part !== "n");
    const sets = [];
    for (const part of words) {
      const found = await find(part);
      if (found) sets.push(found);
    }
    if (sets.length === 0) await ask({ ask: "libraries", target: state.n, word: text }, options); // says what would be right
    const both = [...sets[0]].filter((id) => sets.every((set) => set.has(id)));
    return new Set(both.length > 0 ? both : sets.flatMap((set) => [...set]));
  }

  async function work(options) {
    const told = answered(await ask({ ask: "libraries", target: state.n }, options));
    const optimum = answered(await ask({ ask: "cost", target: state.n, algorithms: ["fast-dice-roller"], columns: ["expected_exact", "expected", "entropy", "toll"] }, options));
    const best = optimum.records[0];
    const all = told.records.map((record, i) => ({ ...record, row: i }));
    const wanted = await meant(all, options);
    const rows = wanted ? all.filter(({ id }) => wanted.has(id)) : all;
    const bits = (record) => record.bits_drawn ?? null;
    const order = {
      bits: (a, b) => bits(a) - bits(b),
      bias: (a, b) => a.total_variation - b.total_variation,
      language: (a, b) => a.language.localeCompare(b.language) || a.id.localeCompare(b.id),
    }[state.by];
    // What has no number stands last in either order.
    const none = (record) => ({ bits: bits(record) === null, bias: !isKnown(record), language: false })[state.by];
    const down = descending();
    rows.sort((a, b) => none(a) - none(b) || (none(a) ? 0 : down ? order(b, a) : order(a, b)));
    const able = rows.filter(isKnown);
    const biased = able.filter((record) => !isFair(record));
    const early = biased.filter((record) => grade(record.detect)?.[2] === "worst");
    const most = Math.max(...rows.map((record) => record.bits_drawn ?? 0), 1);
    const top = rows.find((record) => record.bits_drawn === most);
    const dearest = top ? about(most, top.bits_drawn_exact, false, told).replace(/^≈ (\S+) \+ .*/, "a little over $1") : brief(most);
    const are = (count) => (count === 1 ? "is" : "are");
    show(headline,
      h("p", { class: "answer" }, `A ${die(state.n)} needs `, number({ exact: best.expected_exact, decimal: best.expected, answer: optimum, row: 0, column: "expected", label: "Least expected bits" }),
        able.length > 0 ? ` random bits at least. The libraries below draw up to ${dearest} for one result.` : " random bits at least. None of the libraries below can draw a number so large."),
      h("p", {}, able.length > 0 ? `${biased.length} of ${able.length} ${are(biased.length)} biased for this n${biased.length === 0 ? "" : early.length === 0 ? ", none so much that it is seen within a day" : `, ${early.length} so much that it is seen within a day`}. ` : "",
        rows.length > able.length && able.length > 0 ? `${rows.length - able.length} cannot take an n so large. ` : "",
        "No method gets below log₂ n, which is ", number({ exact: entropyOf(optimum.records), decimal: best.entropy, answer: optimum, row: 0, column: "entropy", label: "Entropy in bits", form: "decimal" }), " bits."));
    languages = wanted && new Set(rows.map(({ language }) => language));
    for (const { more, name } of others) {
      name();
      if (more.open) more.dispatchEvent(new Event("toggle"));
    }
    drawList({ told, all, rows, most });
    runs.card(async () => drawCard(told, able));
  }

  /** Those of the languages that are meant, or of all. */
  async function drawOther(box, caption, query, columns, options) {
    const told = answered(await ask(query, options));
    const rows = told.records.map((record, i) => [record, told.said[i]]).filter(([{ language }]) => !languages || languages.has(language));
    const cells = rows.map(([record, said]) => [[h("b", {}, record.language), ` ${record.function}`, h("br"), h("span", { class: "hint" }, record.version)], ...columns.map(([name]) => (record[name] === null ? "" : name === "detect" ? detect(said[name]) : name === "total_variation_at_most" && record[name] === 0 ? h("span", { class: "tag fair" }, "fair") : power(said[name])))]);
    show(box, rows.length === 0 ? h("p", {}, "No function of these languages is known here.")
      : table(caption, [{ name: "function" }, ...columns.map(([, name]) => ({ name, number: true }))], cells),
    h("p", { class: "hint" }, "More of it: ", h("code", {}, told.command)));
  }

  function drawList({ told, all, rows, most }) {
    const down = descending();
    const head = (name, by, isNumber) => ({
      name,
      number: isNumber,
      sort: state.by !== by ? null : down ? "descending" : "ascending",
      shown: [h("button", { type: "button", class: "link", onclick: () => change({ by, turned: state.by === by && !state.turned ? "yes" : "" }) }, name),
        state.by === by ? h("span", { "aria-hidden": "true" }, down ? " ▼" : " ▲") : null],
    });
    const few = state.all === "" && rows.length > FEW + 5 ? rows.slice(0, FEW) : rows;
    const lines = few.flatMap((record) => {
      const fair = isKnown(record) && isFair(record);
      const seen = isKnown(record) && !fair ? grade(record.detect) : null;
      const said = told.said[record.row];
      const opened = state.open === record.id;
      const cells = [
        [h("button", { type: "button", class: "link unfold", "aria-expanded": String(opened), onclick: () => change({ open: opened ? "" : record.id }) }, h("b", {}, record.language), " ", record.function), h("br"), h("span", { class: "hint" }, h("code", {}, record.id), ` (${record.version})`)],
        !isKnown(record) ? "n too large" : record.bits_drawn === null ? "not whole bits" : said.bits_drawn ?? brief(record.bits_drawn),
        h("span", { class: "bar", style: { width: "6rem" }, "aria-hidden": "true" }, h("span", { style: { width: `${100 * ratio(record.bits_drawn ?? 0) / most}%` } })),
        !isKnown(record) ? "" : fair ? h("span", { class: "tag fair" }, "fair") : [h("span", { class: `tag ${seen?.[2] ?? "worst"}` }, seen ? `seen ${seen[0]}`.replace("seen not", "not seen") : "biased")],
        !isKnown(record) || fair ? "" : detect(said.detect),
      ];
      cells.class = seen?.[2] === "worst" || (isKnown(record) && !fair && !seen) ? "biased" : null;
      const more = h("div", { class: "unfolded" });
      if (!opened) return [cells];
      asker(more)((options) => unfold(more, record, all, options));
      return [cells, [more]];
    });
    const made = table(`What is drawn for one result of a ${die(state.n)}`,
      [head("function", "language"), head("bits drawn", "bits", true), { name: "", shown: h("span", { class: "bar-head" }, `0 to ${brief(most)} bits`) }, head("bias", "bias"), { name: "someone notices after" }],
      lines, "libraries");
    // What is unfolded is as wide as the table.
    for (const more of made.querySelectorAll(".unfolded")) more.closest("tr").replaceChildren(h("td", { colspan: 5 }, more));
    show(list, made,
      few.length < rows.length ? h("p", { class: "after" }, h("button", { type: "button", onclick: () => change({ all: "yes" }) }, `Show all ${rows.length}`)) : null,
      h("p", { class: "hint" }, "When somebody sees the bias: a test of all results with size 0.01 and power 0.9, an asymptotic number, at 10^9 results a second. ", told.notes.join(" ").replace(/^n is beyond.*$/, "")));
  }

  /** Why a function is as it is, what it wastes, where that is from, and what to write in its place. */
  async function unfold(more, record, all, options) {
    if (!isKnown(record)) return show(more, h("p", {}, "This n is beyond the type of the function."));
    const one = await ask({ ask: "libraries", target: state.n, word: record.id }, options);
    const rule = await orNone(ask({ ask: "list-algorithms", algorithm: record.id }, options));
    const cost = await orNone(ask({ ask: "cost", target: state.n, algorithms: [record.id], columns: ["expected_exact", "expected", "entropy", "toll"] }, options));
    const at = one.records.findIndex(({ id }) => id === record.id);
    const fair = isFair(record);
    const others = all.filter((other) => other.language === record.language && isKnown(other) && isFair(other)).sort((a, b) => a.bits_drawn - b.bits_drawn);
    const instead = !fair && others.length === 0 && record.word_bits !== null ? await orNone(ask({ ask: "list-algorithms", algorithm: "modulo-reject", as_rule: true }, options)) : null;
    const pseudo = !fair && others.length === 0 && !instead && record.word_bits !== null ? await orNone(ask({ ask: "advise", target: state.n, source: `word:${record.word_bits}`, prefer: "simple" }, options)) : null;
    const why = one.notes.find((note) => / cases /.test(note));
    const fact = (name, ...is) => h("div", {}, h("dt", {}, name), h("dd", {}, ...is));
    return show(more, h("dl", { class: "facts" },
      rule ? fact("What it does", rule.records[0].rule) : null,
      fair ? null : fact("Why it is biased", why ? `${why[0].toUpperCase()}${why.slice(1)}.` : "Its words cannot be shared out evenly."),
      fair ? null : fact("How much", "the total variation distance from a fair die is ", number({ exact: record.total_variation_exact, decimal: record.total_variation, answer: one, row: at, label: `${record.id}, total variation` }), record.ratio_exact ? ["; its most likely result is ", number({ exact: record.ratio_exact, answer: one, row: at, label: `${record.id}, ratio` }), " times as likely as its least likely one"] : null),
      fair ? null : fact("Somebody notices after", detect(one.said[at].detect)),
      record.bits_drawn === null ? null : fact("Bits drawn", number({ exact: record.bits_drawn_exact, decimal: record.bits_drawn, answer: one, row: at, label: `${record.id}, bits drawn` })),
      cost && cost.records[0].toll !== null ? fact("Bits above the entropy", number({ decimal: cost.records[0].toll, answer: cost, row: 0, column: "toll", label: `${record.id}, bits above the entropy` }), " for each result") : null,
      fact("Version", `${record.version}, ${record.file}`),
      fact("How this is known", ({ source: "its source was read", copy: "a fork or a copy of its source was read", run: "it was run: its words were counted or replayed", memory: "written down from memory" })[record.checked] ?? record.checked),
      fair ? null : others.length > 0 ? fact("In its place", others.slice(0, 3).map((other, i) => [i > 0 ? ", or " : "", h("code", {}, other.function)]), `: exactly fair, in ${record.language}`)
        : instead || pseudo ? fact("In its place", "draw again what does not share out evenly:", h("pre", { class: "sheet wraps", tabindex: 0 }, (instead?.text ?? pseudo.text).trim())) : null));
  }

  /** One number, one picture, one link: of the function that is unfolded, else of the most biased one that is shown. */
  function drawCard(told, able) {
    const record = able.find(({ id }) => id === state.open) ?? [...able].sort((a, b) => b.total_variation - a.total_variation)[0];
    if (!record) return show(card);
    const fair = isFair(record);
    const seen = fair ? null : grade(record.detect);
    const said = told.said[record.row].detect.replace("≈ ", "");
    const most = Math.log10(GRADES.at(-2)[1] * RATE) + 6;
    const noticed = record.detect === null ? null : fair ? Infinity : Number(record.detect);
    const big = fair ? "exactly fair" : record.detect === null ? "biased" : `seen ${seen[0]}`.replace("seen not", "not seen");
    /** As it is saved; or `small`, with letters that a phone shows. */
    const drawn = (small) => {
      const [width, left, line] = small ? [560, 34, 330] : [1200, 90, 440];
      const right = width - left;
      const x = (results) => left + (right - left) * Math.min(Math.max(Math.log10(results) / most, 0), 1);
      const [title, what, large, first] = small ? [60, 100, 170, 214] : [110, 168, 290, 340];
      const when = fair ? ["Every result has the same probability."] : [`Somebody notices after ${record.detect === null ? "few" : said} results`, "at 10^9 a second."];
      return s("svg", { viewBox: `0 0 ${width} ${small ? 460 : 630}`, class: small ? "share-card small" : "share-card", role: "img", "aria-label": `How biased is your rand()? ${record.language}, ${record.function}, a d${short(state.n)}: ${big}` },
        s("rect", { class: "ground", x: 0, y: 0, width, height: small ? 460 : 630 }),
        s("text", { class: "title", x: left, y: title }, "How biased is your rand()?"),
        s("text", { class: "sub", x: left, y: what }, `${record.language}: ${record.function}`.slice(0, small ? 36 : 60) + `, a d${short(state.n)}`),
        s("text", { class: `big ${seen?.[2] ?? (fair ? "fair" : "worst")}${big.length > 18 ? " long" : ""}`, x: left, y: large }, big[0].toUpperCase() + big.slice(1)),
        (small ? when : [when.join(", ")]).map((text, i) => s("text", { class: "sub", x: left, y: first + 28 * i }, text)),
        s("line", { class: "axis", x1: left, x2: right, y1: line, y2: line }),
        GRADES.slice(0, -1).map(([name, seconds], i) => s("g", {}, s("line", { class: "axis", x1: x(seconds * RATE), x2: x(seconds * RATE), y1: line - 12, y2: line + 12 }),
          s("text", { class: "mark", x: x(seconds * RATE), y: line + (small ? [40, 64][i % 2] : 44), "text-anchor": "middle" }, name.replace(/^(in|before) /, "")))),
        noticed === null ? null : s("circle", { class: `dot ${seen?.[2] ?? "fair"}`, cx: x(noticed), cy: line, r: small ? 11 : 17 }),
        s("text", { class: "foot", x: left, y: small ? 436 : 575 }, small ? "flipcost" : `flipcost: exact numbers about dice and randomness. ${link().why ? "" : link().text.slice(0, 70)}`));
    };
    const name = `rand-${record.id}-${String(state.n).replace(/\W/g, "_").slice(0, 20)}`;
    const words = () => `How biased is your rand()? ${record.language}, ${record.function}, a d${short(state.n)}: ${big}.`;
    return show(card, h("h2", {}, "A card to share"), h("p", { class: "hint" }, "Unfold a line to choose its function."), drawn(place.clientWidth < 600),
      h("div", { class: "choice after" }, h("button", { type: "button", onclick: () => save(`${name}.svg`, pictureText(drawn(false)), "image/svg+xml") }, "Save SVG"),
        h("button", { type: "button", onclick: async () => save(`${name}.png`, await svgToPng(pictureText(drawn(false)), 1200)) }, "Save PNG"), shareMenu({ name: () => name, sentence: words, card: () => drawn(false) })));
  }

  function draw() {
    n.set(state.n);
    write(state.word);
    first(runs, "headline", work, draw);
  }

  return {
    update(given) {
      state = { n: ungrouped(given.n ?? "6"), word: given.word ?? "", by: ORDERS.includes(given.by) ? given.by : "bits", turned: given.turned === "yes" ? "yes" : "", open: given.open ?? "", all: given.all === "yes" ? "yes" : "" };
      draw();
    },
  };
}
