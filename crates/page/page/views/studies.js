// The studies, each on its own page. A server computes one when it is opened; a static host has all
// of them.

import { asker, h, show } from "../parts.js";

export function view(place) {
  /** A link to a study, which waits until the study is computed. */
  function item(study) {
    const href = `studies/${study.name}.html`;
    const waiting = h("div");
    const open = (event) => {
      event.preventDefault();
      const begun = performance.now();
      const far = h("p", { class: "hint", role: "status" });
      const tell = () => (far.textContent = `Computing, ${Math.round((performance.now() - begun) / 1000)} s so far: most take a few seconds, some a minute.`);
      tell();
      const clock = setInterval(tell, 1000);
      asker(waiting)(async ({ signal }) => {
        show(waiting, far);
        const there = await fetch(href, { signal }).finally(() => clearInterval(clock));
        if (!there.ok) throw new Error("This study could not be computed.");
        location.assign(href);
      });
    };
    return h("li", h("a", { href, onclick: study.question && open }, study.title), study.question ? h("p", { class: "hint" }, study.question) : `: ${study.verdicts}`, waiting);
  }

  async function update() {
    const there = await fetch("studies/list.json").catch(() => null);
    const list = there?.ok ? await there.json() : null;
    show(place,
      h("h1", "The studies"),
      h("p", { class: "lead" }, "Every article and paper that was computed again: its figures, its claims, and whether they were reproduced."),
      list
        ? [list[0]?.question ? h("p", "A study is computed when you open it: most take a few seconds, some a minute.") : null, h("ul", { class: "studies" }, list.map(item))]
        : !there ? h("p", "The list of the studies cannot be reached: flipcost has stopped, or there is no network. ", h("button", { onclick: update }, "Try again"))
        : h("p", "The pages of the studies are not beside this page. ", h("code", "flipcost explore"), " shows them: it computes each when it is opened."));
  }
  return { update };
}
