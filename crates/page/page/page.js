// The views and their addresses: the state of a view follows the # of the address.

import { VIEWS } from "./names.js";
import { answeredAll, h, leaveView, short, show, tellGone } from "./parts.js";

const main = document.getElementById("main");
const nav = document.querySelector("nav");
let shown = null;
let view = null;
const notice = h("p", { class: "lost", role: "status", hidden: true });

/** Views that moved into another one; old addresses lead there. */
const MOVED = {
  weights: ({ weights = "", method = "" }) => ["loaded", { weights: weights || "4:7:8", method }],
  recycle: ({ source = "6", targets = "4,13,4,13", ...rest }) => ["table", { dice: source, of: targets.replace(/([\w)])\s+(?=[\w(])/g, "$1,"), ...rest }],
};

/** The view and the state of an address such as #/die?n=6&source=2. */
function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const known = VIEWS.some(([name]) => name === path);
  const state = Object.fromEntries([...new URLSearchParams(query ?? "")].map(([key, value]) => [key, value.trim()]));
  const there = MOVED[path]?.(state);
  if (there) {
    const [name, moved] = there;
    history.replaceState(null, "", address(name, moved));
    return read();
  }
  return { name: known ? path : "die", state, lost: known ? "" : path };
}

/** The address of a state, without empty values. */
function address(name, state) {
  const given = Object.entries(state).filter(([, value]) => (value ?? "") !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${name}${query ? `?${query}` : ""}`;
}

async function go() {
  const { name, state, lost } = read();
  notice.hidden = lost === "";
  notice.textContent = `There is no page called “${short(lost)}”, so this is the first one.`;
  if (name === shown && view) {
    view.update(state);
    return;
  }
  shown = name;
  document.title = `${VIEWS.find(([known]) => known === name)[1]} · flipcost`;
  for (const link of nav.querySelectorAll("a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view?.leave?.();
  leaveView();
  view = null;
  nav.querySelector("[aria-current]").scrollIntoView?.({ block: "nearest", inline: "start" });
  const place = h("div", { class: `view view-${name} fresh` });
  show(main, notice, place);
  const made = await load(name);
  if (shown !== name || !made) return;
  // A choice adds an entry to the history; a passing change, such as a slider's, does not.
  const remember = (changed, passing) => {
    const next = address(name, changed);
    if (shown !== name) return;
    // Only a person's choice hides the notice, not defaults that a view writes.
    if (!passing) notice.hidden = true;
    if (passing || next === location.hash) history.replaceState(null, "", next);
    else history.pushState(null, "", next);
  };
  view = made.view(place, remember);
  view.update(state);
  await answeredAll();
  place.classList.remove("fresh");
}

/** After a failure, the file is requested under another name, because a browser remembers the failure. */
let tried = 0;
const load = (name) => import(`./views/${name}.js${tried > 0 ? `?${tried}` : ""}`).catch((error) => {
  tried += 1;
  tellGone(error, go);
  return null;
});

document.querySelector(".version").before(h("button", { onclick: () => print() }, "Print this page"));
show(nav, VIEWS.map(([name, title]) => h("a", { href: `#/${name}`, "data-view": name }, title)));
// Hides words that are only partly visible in the scrolling row; a sign shows that there are more.
const whole = new IntersectionObserver((seen) => seen.forEach(({ target, intersectionRatio }) => target.classList.toggle("cut", intersectionRatio < 0.98)), { root: nav, threshold: 0.98 });
for (const link of nav.children) whole.observe(link);
// The address holds the state of a view, so the skip link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => {
  // An open dialog belongs to the previous view.
  document.querySelector("dialog[open]")?.close();
  go();
});
// After the first view, the other views are loaded, in case the server stops.
go().then(() => setTimeout(() => VIEWS.forEach(([name]) => import(`./views/${name}.js`).catch(() => {})), 1500));
