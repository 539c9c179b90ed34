// The page in a browser, in both ways of running it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { PROGRAM, WAYS } from "./ways.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["die", "all", "table", "loaded", "language", "recycle", "studies"];
/** A text of each view that only an answer brings. */
const SAYS = {
  die: "A fair d6 from a coin takes 11/3",
  all: "The toll is",
  table: "A d7 from a d6 takes 72/35",
  loaded: "The least is 1538/513",
  language: "A d6 needs 11/3",
  recycle: "what is left is kept",
  studies: "The studies",
};
const flipcost = (...words) => execFileSync(PROGRAM, words, { encoding: "utf8" });

for (const [name, way] of Object.entries(WAYS)) {
  describe(`the page by ${name}`, { timeout: 600_000 }, () => {
    let host, browser;
    before(async () => {
      host = await way();
      browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
    });
    after(async () => {
      await browser?.close();
      host?.close();
    });

    /** A view, once it says what it should; what the console complained of. */
    async function open(address, says, options = {}) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: options.axe ?? false, ...options });
      const complaints = [];
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(host.url + address);
      if (says) await page.getByText(says, { exact: false }).first().waitFor({ timeout: 60_000 }).catch(() => {
        throw new Error(`${address} does not say "${says}"`);
      });
      return { page, complaints };
    }
    /** Nothing is computed any more, and nothing has changed for a moment. */
    const settled = (page) => page.waitForFunction(() => {
      const main = document.querySelector("main");
      const now = main.innerHTML;
      const same = main.before === now && !main.querySelector(".busy");
      main.before = now;
      return same;
    }, null, { polling: 250, timeout: 60_000 });
    const text = (page) => page.locator("main").innerText();

    for (const view of VIEWS) {
      test(`${view}: no complaint, no sideways scrolling, no violation of axe`, async (context) => {
        for (const [width, colorScheme] of [[375, "dark"], [1280, "light"]]) {
          const { page, complaints } = await open(`#/${view}`, view === "studies" ? SAYS.studies : null, { viewport: { width, height: 800 }, colorScheme, axe: true });
          await page.waitForFunction((says) => document.querySelector("main").innerText.replace(/\s+/g, " ").includes(says), SAYS[view], { timeout: 60_000 });
          if (view === "die") context.diagnostic(`first view after ${await page.evaluate(() => Math.round(performance.now()))} ms`);
          await settled(page);
          // The studies are not beside the page here, which the browser remarks on.
          const real = complaints.filter((told) => !(view === "studies" && told.includes("404")));
          assert.deepEqual(real, []);
          assert.equal(await page.locator(".refusal").count(), 0);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} is wider than ${width} px`);
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
          await page.close();
        }
      });
    }

    test("HTT on the d6 leads where `flipcost roll 6 --trace` says", async () => {
      const said = flipcost("roll", "6", "--input", "HTT", "--trace");
      const result = said.match(/^(\d+)  \(3 flips\)/m)[1];
      const states = [...said.matchAll(/->  (v = \d+, c = \d+)/g)].map((found) => found[1]);
      const { page } = await open("#/die?n=6", "Nothing is flipped yet");
      for (const [key, state] of [["h", states[0]], ["t", states[1]]]) {
        await page.keyboard.press(key);
        await page.locator(".flipping .result code", { hasText: state }).waitFor();
      }
      assert.equal(await page.locator(".chart .here .made").count(), 2);
      await page.keyboard.press("t");
      await page.locator(".result", { hasText: "The die shows" }).waitFor();
      assert.equal(await page.locator(".result strong").innerText(), result);
      assert.equal(await page.locator(".tree .leaf.here text").first().textContent(), result);
      assert.match(page.url(), /flips=HTT/);
      // Buttons do as keys do.
      await page.getByRole("button", { name: "Undo" }).click();
      await page.locator(".flipping .result code", { hasText: states[1] }).waitFor();
      await page.close();
    });

    test("a d7 from a coin: the shares fill to 1/7, the price is exact", async () => {
      const { page } = await open("#/die?n=7&flips=HHH", "A fair d7 from a coin takes");
      assert.match(await text(page), /takes\s+24\/7 ≈ 3\.4285…/);
      await page.locator(".shares li").first().waitFor();
      assert.deepEqual(await page.locator(".shares button").allInnerTexts(), Array(7).fill("1/8"));
      await page.close();
    });

    test("at 10^18 the exact toll of the point is shown", async () => {
      const { page } = await open("#/all?from=1&to=10^18&n=10^18", "The toll is");
      const toll = JSON.parse(flipcost("cost", "10^18", "-a", "fast-dice-roller", "--columns", "toll", "--format", "json"))[0].toll;
      const shown = await page.locator(".answer .number").first().innerText();
      assert.ok(String(toll).startsWith(shown.replace("…", "")), `${shown} and ${toll}`);
      // Zoomed in, the part still has the point, and the picture its bounds.
      await page.getByRole("button", { name: "Zoom in" }).click();
      await page.waitForFunction(() => !location.hash.includes("from=1&"));
      await page.locator("rect.band.enclosed").first().waitFor();
      await page.close();
    });

    test("an address restores its view", async () => {
      const { page } = await open("#/table?dice=6%2C10&need=die&of=13", "A d13 from a d6 and a d10 takes");
      assert.match(await text(page), /7540540\/3599999/);
      await page.getByRole("button", { name: "d10", exact: true }).click();
      await page.getByText("A d13 from a d6 takes").waitFor();
      const address = page.url();
      await page.close();
      const again = await browser.newPage();
      await again.goto(address);
      await again.getByText("A d13 from a d6 takes").waitFor();
      assert.equal(await again.getByRole("button", { name: "d6", exact: true }).getAttribute("aria-pressed"), "true");
      await again.close();
    });

    test("a number in all its forms", async () => {
      const { page } = await open("#/die?n=6", "A fair d6 from a coin takes");
      await page.locator(".headline .number").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("3.66666666666666666666666666666666666666666666666667").waitFor();
      await dialog.getByText("Lumbroso").first().waitFor();
      const said = await dialog.innerText();
      for (const part of ["11/3", "flipcost cost 6", "#/die?n=6"]) assert.ok(said.includes(part), said);
      await page.keyboard.press("Escape");
      assert.equal(await dialog.isVisible(), false);
      await page.close();
    });

    test("weights are dragged, a bad target is one sentence", async () => {
      const { page } = await open("#/loaded", "The least is");
      const slider = page.getByRole("slider", { name: "Weight of outcome 1" });
      await slider.focus();
      await page.keyboard.press("ArrowUp");
      await page.getByText("Expected coin flips for 5:7:8").waitFor();
      assert.match(page.url(), /weights=5%3A7%3A8/);
      await page.getByRole("textbox", { name: "Weights" }).fill("4:x");
      await page.keyboard.press("Enter");
      await page.locator(".refusal").first().waitFor();
      await page.close();
    });

    test("one weight is one outcome, a die of one side is not rolled", async () => {
      const { page } = await open("#/loaded?weights=5", "The least is");
      assert.match(await text(page), /The least is\s+0 flips/);
      await page.close();
      const table = await open("#/table?of=1&dice=6,10", "nothing is rolled");
      await settled(table.page);
      assert.doesNotMatch(await text(table.page), /undefined/);
      assert.equal(await table.page.locator(".refusal").count(), 0);
      await table.page.close();
      const back = await open("#/recycle?targets=4,13&step=-5", "The jar is empty");
      assert.equal(await back.page.locator(".refusal").count(), 0);
      await back.page.close();
    });

    test("a mistyped number is one short sentence, and an emptied field none", async () => {
      const { page } = await open("#/die?n=x", "is not a target");
      await settled(page);
      assert.equal(await page.locator(".refusal").count(), 1);
      assert.doesNotMatch(await text(page), /JSON object/);
      assert.equal(await page.locator(".headline").isVisible(), false);
      await page.getByRole("textbox", { name: "Sides", exact: true }).fill("");
      await page.keyboard.press("Enter");
      await page.getByText("A fair d6 from a coin takes").waitFor();
      await settled(page);
      assert.equal(await page.locator(".refusal").count(), 0);
      await page.close();
    });

    test("a number that is written as an expression stands in brackets", async () => {
      const { page } = await open("#/die?n=%202*3*5%20", "A fair d(2*3*5) from a coin takes");
      assert.match(await text(page), /probability 1\/\(2\*3\*5\)/);
      assert.equal(await page.getByRole("textbox", { name: "Sides", exact: true }).inputValue(), "2*3*5");
      await page.close();
    });

    test("the focus stays on the control that was pressed", async () => {
      const { page } = await open("#/die?n=7", "Nothing is flipped yet");
      const focused = () => page.evaluate(() => document.activeElement.textContent);
      await page.getByRole("button", { name: "Tails" }).focus();
      await page.keyboard.press("Enter");
      await page.locator(".token").first().waitFor();
      assert.equal(await focused(), "Tails");
      await page.getByRole("button", { name: "a d6" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("A fair d7 from a d6 takes").waitFor();
      await settled(page);
      assert.equal(await focused(), "a d6");
      await page.getByRole("button", { name: "rejection", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.locator("tr.chosen", { hasText: "rejection" }).waitFor();
      await settled(page);
      assert.equal(await focused(), "rejection");
      await page.close();
    });

    test("languages: by exact name, and sorted both ways", async () => {
      const { page } = await open("#/language?word=c", "random bits at least");
      await settled(page);
      assert.deepEqual([...new Set(await page.locator(".libraries tbody th b").allInnerTexts())], ["C"]);
      for (const [order, turned] of [["descending", ""], ["ascending", "yes"]]) {
        await page.getByRole("button", { name: "bias", exact: true }).click();
        await page.locator(`th[aria-sort=${order}]`, { hasText: "bias" }).waitFor();
        assert.equal(new URLSearchParams(page.url().split("?")[1]).get("turned") ?? "", turned);
        assert.equal(await page.evaluate(() => document.activeElement.textContent), "bias");
      }
      await page.close();
    });

    test("a long question is stopped", async () => {
      const { page } = await open("#/die", "A fair d6");
      const stopped = await page.evaluate(async () => {
        const { ask } = await import("./parts.js");
        const control = new AbortController();
        let told = 0;
        setTimeout(() => control.abort(), 1500);
        const long = { ask: "simulate", target: "6", trials: 1000000000, seed: 1 };
        const name = await ask(long, { signal: control.signal, progress: () => (told += 1) }).then(() => "answered", (error) => error.name);
        const next = await ask({ ask: "cost", target: "6", columns: ["n"] });
        return { name, told, next: next.rows.length > 0 };
      });
      assert.equal(stopped.name, "AbortError");
      assert.ok(stopped.told > 0 && stopped.next);
      await page.close();
    });

    test("lines of other methods, by an address", async () => {
      const { page } = await open("#/all?from=1&to=100&n=100&methods=interval,rejection", "The toll is");
      // Every n up to 100 is a point of both.
      await page.waitForFunction(() => [...document.querySelectorAll("polyline.method")].map((line) => line.points.numberOfItems).join() === "100,100", null, { timeout: 60_000 });
      await page.getByRole("button", { name: "rejection", exact: true }).first().click();
      await page.waitForFunction(() => document.querySelectorAll("polyline.method").length === 1);
      assert.match(page.url(), /methods=interval(&|$)/);
      await page.close();
    });

    test("two dice thrown together: the grid, and the chance of another throw", async () => {
      const { page } = await open("#/table?dice=6,10&need=die&of=13", "needed with the chance");
      // 52 of the 60 pairs give a result.
      assert.match(await text(page), /needed with the chance 2\/15/);
      assert.equal(await page.locator("table.grid66 td", { hasText: /^13$/ }).count(), 4);
      assert.equal(await page.locator("table.grid66 td", { hasText: /^–$/ }).count(), 8);
      await page.close();
    });

    test("paper gets the sheet alone", async () => {
      const { page } = await open("#/table", "A d7 from a d6 takes");
      await page.locator("img.picture").waitFor();
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("header").isVisible(), false);
      assert.equal(await page.locator("img.picture").isVisible(), true);
      assert.equal(await page.getByRole("heading", { name: "At the table" }).isVisible(), false);
      const pdf = await page.pdf({ format: "A4" });
      assert.equal(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1);
      await page.close();
    });
  });
}

test("without a network, after the first visit", { timeout: 600_000 }, async () => {
  const host = await WAYS.files();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(host.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller, null, { timeout: 120_000 });
    await context.setOffline(true);
    await host.close();
    await page.goto(`${host.url}#/die?n=7`);
    await page.reload();
    await page.getByText("A fair d7 from a coin takes").waitFor({ timeout: 60_000 });
    await page.goto(`${host.url}#/loaded`);
    await page.getByText("The least is").waitFor({ timeout: 60_000 });
  } finally {
    await browser.close();
    host.close();
  }
});

/** Two hundred questions, of most kinds, and their pictures where there are some. */
function questions() {
  const list = [];
  for (const n of [2, 3, 5, 6, 7, 10, 11, 13, 19, 20, 52, 97, 100, 365, 1000, 1024, 10007, "10^18+9", "52!"]) {
    const target = String(n);
    list.push({ ask: "cost", target }, { ask: "cost", target, source: "6", digits: 30 }, { ask: "flowchart", target, source: "10" }, { ask: "follow", target, rolls: "HTHTTHHTHH" }, { ask: "bias", target }, { ask: "libraries", target });
  }
  for (const target of ["2", "3", "5", "6", "7", "12", "20", "4:7:8", "1:2:3", "2d6"]) {
    list.push({ ask: "tree", target, depth: 4, ...(/\D/.test(target) ? { algorithm: "knuth-yao" } : {}) }, { ask: "distribution", target, algorithm: /\D/.test(target) ? "knuth-yao" : "fast-dice-roller", upto: 20 }, { ask: "plan", target, dice: "6,10" }, { ask: "table", target, ...(/\D/.test(target) ? { algorithm: "fldr" } : {}), source: "6" }, { ask: "frontier", target, to: 12 }, { ask: "roll", target, seed: 7, count: 20, ...(/\D/.test(target) ? { algorithm: "knuth-yao" } : {}) });
  }
  for (const rolls of [0, 3, 6]) list.push({ ask: "leaves", target: "6", rolls }, { ask: "leaves", target: "1:2:3", rolls, algorithm: "fldr" });
  for (const to of ["100", "10^5", "10^12", "10^18"]) list.push({ ask: "band", from: "1", to }, { ask: "band", from: "7", to, parts: 20, of: "expected" });
  list.push({ ask: "band", from: "1", to: "10^4", of: "cycle-rounds" }, { ask: "batch", targets: ["4", "13"], source: "6" }, { ask: "batch", targets: ["4", "13"], source: "6", trace: true, seed: 3 },
    { ask: "shuffle", cards: 52 }, { ask: "advise", bits: 128, source: "6" }, { ask: "advise", shuffle: 10, source: "6" }, { ask: "simulate", target: "6", trials: 10000, seed: 1 }, { ask: "sweep", from: 1, to: 300 },
    { ask: "sequence", id: "A136043", terms: 100 }, { ask: "mr", x: "1/29" }, { ask: "bounded" }, { ask: "compare", sources: "2,6", targets: "2..12" }, { ask: "algorithms" }, { ask: "columns" }, { ask: "cite", what: "interval" }, { ask: "decimals", of: "11/3" }, { ask: "decimals", of: "sqrt(2)" },
    { ask: "cost", target: "0" }, { ask: "no" }, { ask: "plan", target: "10^9", dice: "6" }, { ask: "law", formula: "a+b", dice: "6,6" }, { ask: "recipe", target: "7" });
  return list;
}

test("both ways answer the same bytes", { timeout: 600_000 }, async () => {
  const asked = [...questions().map((query) => ["ask", query]), ...["6", "11", "7"].map((target) => ["picture", { ask: "flowchart", target }]), ["picture", { ask: "tree", target: "4:7:8", algorithm: "knuth-yao", depth: 4 }], ["picture", { ask: "plan", target: "13", dice: "6,10" }]];
  assert.ok(asked.length >= 200, `${asked.length} questions`);
  const told = {};
  for (const [name, way] of Object.entries(WAYS)) {
    const host = await way();
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
    const page = await browser.newPage();
    await page.goto(host.url);
    told[name] = await page.evaluate(async (asked) => {
      const engine = await import("./engine.js");
      const texts = [];
      for (const [how, query] of asked) texts.push((await engine[how === "ask" ? "ask" : "picture"](query)).text);
      return texts;
    }, asked);
    await browser.close();
    host.close();
  }
  let answered = 0;
  for (const [i, [, query]] of asked.entries()) {
    assert.equal(told.files[i], told.server[i], JSON.stringify(query));
    answered += told.server[i].startsWith('{"error"') ? 0 : 1;
  }
  assert.ok(answered >= 200, `${answered} of ${asked.length} questions have an answer`);
});
