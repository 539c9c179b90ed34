// Everything that leaves the page: files, pictures, and the current sentence with its link.

import { h, link, orNone, picture, s, show } from "./parts.js";

const put = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));

/** Saves a file with this name. */
export function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The rows of an answer as CSV, unchanged. */
const toCsv = (told) => [told.columns.map(({ name }) => name), ...told.rows]
  .map((row) => row.map((cell) => (/[",\n]/.test(String(cell ?? "")) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? ""))).join(",")).join("\n") + "\n";

const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor"];

/** A drawn picture as the text of an SVG file, with its background and current colours. */
function svgText(svg) {
  const copy = svg.cloneNode(true);
  const [drawn, copied] = [svg, copy].map((one) => [one, ...one.querySelectorAll("*")]);
  drawn.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of DRAWN) copied[i].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "style"]) copied[i].removeAttribute(name);
  });
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ");
  copy.prepend(s("rect", { x, y, width, height, fill: getComputedStyle(svg.closest(".light") ?? document.body).backgroundColor }));
  put(copy, { xmlns: svg.namespaceURI, width, height });
  return new XMLSerializer().serializeToString(copy);
}

/** Converts a picture to PNG, this many pixels wide. */
export async function svgToPng(text, width = 1200) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = new Image();
  await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject, src: address }));
  const height = Math.round(width * image.height / image.width);
  const canvas = Object.assign(h("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  URL.revokeObjectURL(address);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The width of a picture for a paper, and of its chart. */
const [PAPER, CHART] = [1200, 860];

/**
 * A chart for a paper: on white, with a title, its legend and the origin of its numbers; `drawn`
 * gives the chart for a width, `keys` the elements of the legend.
 */
export function paperPicture({ title, keys = [], drawn, from }) {
  const chart = drawn(CHART);
  const signs = [];
  let [x, y] = [40, 84];
  for (const key of keys) {
    const words = key.textContent.trim();
    const sign = key.querySelector("svg").cloneNode(true);
    const width = 66 + 9.2 * words.length;
    if (x > 40 && x + width > PAPER - 40) [x, y] = [40, y + 28];
    put(sign, { x, y: y - 14, width: 42, height: 18 });
    signs.push(sign, s("text", { x: x + 50, y }, words));
    x += width;
  }
  const top = keys.length > 0 ? y + 24 : 64;
  const [, , width, height] = chart.getAttribute("viewBox").split(" ").map(Number);
  const tall = Math.max(Math.round((PAPER - 60) * height / width), 500);
  put(chart, { x: 30, y: top, width: PAPER - 60, height: tall });
  for (const mark of chart.querySelectorAll(".pick, .pick-dot, .drag")) mark.remove();
  // The whole command, so that a reader can repeat it.
  const lines = from.match(/.{1,128}(?=[\s,;]|$)[\s,;]*|.{1,128}/g) ?? [];
  return s("svg", { viewBox: `0 0 ${PAPER} ${top + tall + 26 + 24 * lines.length}`, class: "paper" }, s("text", { class: "title", x: 40, y: 46 }, title), signs, chart,
    lines.map((line, i) => s("text", { class: "foot", x: 40, y: top + tall + 34 + 24 * i }, line.trimEnd())));
}

/** Buttons that save a picture (returned by a function) and the rows of its answer. */
export const saveButtons = (name, drawn, told) => {
  const text = () => pictureText(drawn().cloneNode(true), "light");
  return h("div", { class: "choice saves no-print", role: "group", "aria-label": "Save" },
    drawn && h("button", { onclick: () => save(`${name}.svg`, text(), "image/svg+xml") }, "SVG"),
    drawn && h("button", { onclick: async () => save(`${name}.png`, await svgToPng(text(), 2 * PAPER)) }, "PNG"),
    told && h("button", { onclick: async () => save(`${name}.csv`, toCsv(await told()), "text/csv") }, "CSV"));
};

/** A line for a name on paper. */
export const nameLine = () => h("p", { class: "print-only name-line" }, "Name ", h("span"));

/**
 * The end of a printed sheet: what H and T mean, if a coin is flipped, and the sheet's address, as
 * a QR code if others can open it.
 */
export function paper(answer, coin) {
  const { text, why } = link();
  const code = h("span");
  if (!why) orNone(picture({ link: text }, "The address of this page as a code")).then((image) => image && show(code, image));
  return h("div", { class: "print-only from" }, code, h("div", coin && h("p", h("b", "H"), " is heads, ", h("b", "T"), " is tails."),
    h("p", `flipcost ${answer.version}. The numbers: `, h("code", answer.command), "."),
    !why && h("p", `The page: ${text}`)));
}

/** Font sizes of steps on a card (largest, smallest, largest in two columns), and their room. */
const [LARGE, SMALL, COLUMNS, WIDE, TALL] = [40, 15, 26, 1080, 330];

/** The lines of a recipe with their places on a card, in one or two columns, as large as possible; rows of tables are not folded. */
function cardLines(text) {
  const pen = h("canvas").getContext("2d");
  pen.font = '10px system-ui, "DejaVu Sans", sans-serif';
  const isRow = (line) => /^ +\S+ {2,}\S/.test(line);
  const ems = (line) => (isRow(line) ? 0.62 * line.length : pen.measureText(line).width / 10);
  // An indented line continues the one before.
  const whole = text.replace(/\n +(?! |\S+ {2,})/g, " ").split("\n").filter((line) => line.trim() !== "");
  for (let size = LARGE; ; size -= 1) {
    const most = Math.floor(TALL / (1.35 * size));
    for (const columns of size > COLUMNS ? [1] : [1, 2]) {
      const wide = (WIDE - 40 * (columns - 1)) / columns;
      const lines = whole.flatMap((line) => (isRow(line) ? [line] : line.split(" ").reduce((all, word) => {
        const longer = `${all.at(-1)} ${word}`;
        return all.length > 0 && ems(longer) * size <= wide ? [...all.slice(0, -1), longer] : [...all, word];
      }, [])));
      // A column does not begin with a row of a table, and the columns are balanced.
      const ends = Array.from({ length: most }, (_, i) => i + 1).filter((end) => lines.length - end <= (columns - 1) * most && !isRow(lines[end] ?? ""));
      const [end = most] = ends.sort((a, b) => Math.abs(2 * a - lines.length) - Math.abs(2 * b - lines.length));
      if (size > SMALL && (ends.length === 0 || lines.some((line) => ems(line) * size > wide))) continue;
      const shown = ends.length === 0 ? [...lines.slice(0, most - 1), "…"] : lines;
      return shown.map((line, i) => ({ line, size, mono: isRow(line), x: i < end || columns === 1 ? 60 : 100 + wide, y: 228 + size * (0.8 + 1.35 * (i < end || columns === 1 ? i : i - end)) }));
    }
  }
}

/** A card to share, 1200 by 630: a title, a large line, one below it, and a drawing or the steps of a recipe. */
export function shareCard({ title, big, sub, drawing = null, steps = "" }) {
  const words = drawing ? 620 : 1080;
  const size = (text, largest) => `${Math.min(largest, Math.floor(words / (0.6 * Math.max(text.length, 1))))}px`;
  const text = (kind, y, content, largest) => s("text", { class: kind, x: 60, y, style: { fontSize: size(content, largest) } }, content);
  const picture = drawing?.cloneNode(true);
  if (picture) {
    picture.removeAttribute("style");
    put(picture, { x: 700, y: 40, width: 460, height: 520 });
    for (const node of picture.querySelectorAll(".later")) node.classList.remove("later");
  }
  const lines = cardLines(steps);
  const [y, far, head, most] = lines.length === 0 ? [230, 90, 54, 76] : [90, 62, 44, 54];
  return s("svg", { viewBox: "0 0 1200 630", class: "share-card" }, s("rect", { class: "ground", x: 0, y: 0, width: 1200, height: 630 }),
    text("title", y, title, head), text("big", y + far, big, most), text("sub", y + far + 48, sub, 30),
    lines.map(({ line, size, mono, x, y }) => s("text", { class: mono ? "mono" : null, x, y, "xml:space": "preserve", style: { fontSize: `${size}px` } }, line)),
    picture, s("text", { class: "foot", x: 60, y: 600 }, `flipcost ${link().why ? "" : link().text.slice(0, 80)}`));
}

/** A picture as SVG text; one that is not on the page is added to it for a moment. */
export function pictureText(svg, kind = "") {
  if (svg.isConnected) return svgText(svg);
  const place = document.body.appendChild(h("div", { class: `offstage ${kind}` }, svg));
  const text = svgText(svg);
  place.remove();
  return text;
}

const closeMenus = (except) => {
  for (const menu of document.querySelectorAll("details.share[open]")) if (!menu.contains(except)) menu.open = false;
};
addEventListener("click", (event) => closeMenus(event.target));
addEventListener("keydown", (event) => event.key === "Escape" && closeMenus(null));

/**
 * A menu that shares the view: `sentence` returns the words, to which a public link is added, and
 * `card` a picture, if there is one. It uses the system's share menu if there is one, else the
 * clipboard or a file; `more` is one more choice.
 */
export function shareMenu({ name, sentence, card = null, more = null }) {
  const said = h("p", { class: "hint", role: "status" });
  const words = () => [sentence().replace(/\s+/g, " ").trim(), link().why ? "" : link().text].join(" ").trim();
  const png = () => svgToPng(pictureText(card()));
  const fileName = () => `${name().replace(/\W+/g, "-").slice(0, 40)}.png`;
  const copy = async (content, done) => {
    try {
      await content();
      said.textContent = `${done}${link().why ? " It has no link: this page is on your machine only." : ""}`;
    } catch (error) {
      // If the browser refuses, a person can copy the words.
      if (error.name !== "AbortError") said.textContent = words();
    }
  };
  const keep = async () => save(fileName(), await png());
  const copyPicture = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png() })]);
      said.textContent = "The picture is copied.";
    } catch {
      await keep();
      said.textContent = "The picture is saved: this browser cannot copy it.";
    }
  };
  const shareAll = async () => {
    const file = card && new File([await png()], fileName(), { type: "image/png" });
    const files = file && navigator.canShare?.({ files: [file] }) ? { files: [file] } : {};
    await navigator.share({ title: document.title, text: words(), ...files });
  };
  const button = (text, onclick) => h("button", { onclick }, text);
  const menu = h("div", { class: "share-menu" },
    navigator.share && button("Send it…", () => copy(shareAll, "It is sent.")),
    button(link().why ? "Copy the sentence" : "Copy the sentence and its link", () => copy(() => navigator.clipboard.writeText(words()), "Copied.")),
    card && button("Copy the picture", copyPicture),
    card && button("Save the picture", keep), more, said);
  // Keeps it on the screen.
  const place = () => {
    menu.style.left = "0";
    menu.style.left = `${Math.min(0, document.documentElement.clientWidth - 8 - menu.getBoundingClientRect().right)}px`;
  };
  return h("details", { class: "share no-print", ontoggle: place }, h("summary", "Share"), menu);
}
