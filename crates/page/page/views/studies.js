// The studies: pages of their own, which need no engine.

import { h, show } from "../parts.js";

export function view(place) {
  async function update() {
    const there = await fetch("studies/list.json").catch(() => null);
    const list = there?.ok ? await there.json() : null;
    show(place,
      h("h1", {}, "The studies"),
      h("p", { class: "lead" }, "Every article and paper that was computed anew: its figures, its claims, and whether they were reproduced."),
      list
        ? h("ul", { class: "studies" }, list.map((study) => h("li", {},
          h("a", { href: `studies/${study.name}.html` }, study.title), `: ${study.verdicts}`)))
        : h("div", { class: "card" },
          h("p", {}, "The pages of the studies are not beside this page. You can make them on your own machine, in two steps."),
          h("ol", {},
            h("li", {}, "Go to the folder with flipcost's source code (it has the folder ", h("code", {}, "analysis"), "), and let the program compute all studies anew. It writes their pages into a folder ", h("code", {}, "studies"), ". This can take a while.",
              h("pre", { class: "sheet", tabindex: 0 }, "flipcost reproduce --html studies")),
            h("li", {}, "Start this page with that folder, and open the address that it prints.",
              h("pre", { class: "sheet", tabindex: 0 }, "flipcost explore --studies studies")))));
  }
  return { update };
}
