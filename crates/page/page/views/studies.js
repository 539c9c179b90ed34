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
          h("p", {}, "The pages of the studies are not beside this page. These commands write and show them:"),
          h("pre", { class: "sheet", tabindex: 0 }, "flipcost reproduce --html studies\nflipcost explore --studies studies")));
  }
  return { update };
}
