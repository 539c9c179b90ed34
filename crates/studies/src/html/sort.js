// Links to the other views of the page if they are published with the studies, and to the list of
// the studies.
const [root, below] = location.pathname.split("/studies/");
if (below !== undefined) {
  import(`${root}/names.js`).then(({ VIEWS }) => {
    const link = (name, title) => Object.assign(document.createElement("a"), { href: `${root}/#/${name}`, textContent: title });
    document.querySelector("nav").replaceChildren(...VIEWS.map(([name, title]) => link(name, title)));
    document.querySelector("nav a:last-child").setAttribute("aria-current", "page");
    document.querySelector(".name a").href = `${root}/`;
    for (const way of document.querySelectorAll(".way a")) way.href = `${root}/#/studies`;
  }, () => {});
}

// Sorts tables: a press on a header sorts by its column, another press reverses the order.
for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = (row) => row.cells[column]?.textContent ?? "";
      const order = new Intl.Collator("en", { numeric: true }).compare;
      const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * order(text(a), text(b)));
      body.replaceChildren(...rows);
    });
  });
}
