// The page in a browser, in both ways of running it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { DIST, PROGRAM, WAYS, launch } from "./ways.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["die", "all", "table", "weights", "loaded", "language", "supply", "studies"];
/** A text of each view that appears only with an answer. */
const SAYS = {
  die: "A fair d6 from a coin takes 11/3",
  all: "The toll is",
  table: "A d7 from a d6 takes 72/35",
  loaded: "a fair bit takes",
  weights: "The least is 1538/513",
  language: "A d6 needs 11/3",
  supply: "138 flips suffice for 30 results of n = 6",
  studies: "The studies",
};
const flipcost = (...words) => execFileSync(PROGRAM, words, { encoding: "utf8" });

for (const [name, way] of Object.entries(WAYS)) {
  describe(`the page by ${name}`, { timeout: 600_000 }, () => {
    let host, browser;
    before(async () => {
      host = await way();
      browser = await launch();
    });
    after(async () => {
      await browser?.close();
      host?.close();
    });

    /** Opens a view, waits for this text, and collects the complaints of the console. */
    async function open(address, says, options = {}) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", bypassCSP: options.axe ?? false, ...options });
      const complaints = [];
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(host.url + address);
      if (says) await page.getByText(says, { exact: false }).first().waitFor({ timeout: 60_000 }).catch(() => {
        throw new Error(`${address} does not say "${says}"`);
      });
      return { page, complaints };
    }
    /** Waits until nothing is computed and nothing has changed for a moment. */
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
          // The studies are not among the files here, so the browser reports a 404.
          const real = complaints.filter((told) => !(view === "studies" && told.includes("404")));
          assert.deepEqual(real, []);
          assert.equal(await page.locator(".refusal").count(), 0);
          assert.equal(await page.locator("[placeholder]").count(), 0);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${view} is wider than ${width} px`);
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
          await page.close();
        }
      });
    }

    test("HTT on the d6 leads to the states that `flipcost roll 6 --trace` prints", async () => {
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
      // The buttons have the same effect as the keys.
      await page.getByRole("button", { name: "Undo" }).click();
      await page.locator(".flipping .result code", { hasText: states[1] }).waitFor();
      await page.close();
    });

    test("a d7 from a coin: the shares fill to 1/7, the price is exact", async () => {
      const { page } = await open("#/die?n=7&flips=HHH", "A fair d7 from a coin takes");
      assert.match(await text(page), /takes\s+24\/7 ≈ 3\.42857/);
      await page.locator(".shares li").first().waitFor();
      assert.deepEqual(await page.locator(".shares button").allInnerTexts(), Array(7).fill("1/8"));
      await page.close();
    });

    test("at 10^18 the exact toll of the point is shown", async () => {
      const { page } = await open("#/all?from=1&to=10^18&n=10^18", "The toll is");
      const toll = JSON.parse(flipcost("cost", "10^18", "-a", "fast-dice-roller", "--columns", "toll", "--format", "json"))[0].toll;
      const shown = await page.locator(".answer .number").first().innerText();
      assert.equal(shown, `≈ ${Number(toll).toPrecision(6)}`);
      // After zooming in, the picture still contains the point and its bounds.
      await page.getByRole("button", { name: "Zoom in" }).click();
      await page.waitForFunction(() => !location.hash.includes("from=1&"));
      await page.locator("rect.band.enclosed").first().waitFor();
      await page.close();
    });

    test("the footer has the version, and the head has what pages that link here show", async () => {
      const { page } = await open("", SAYS.die);
      assert.equal(await page.locator("footer .version").innerText(), flipcost("--version").trim());
      for (const name of ["title", "description"]) {
        assert.ok(await page.locator(`meta[property="og:${name}"]`).getAttribute("content"));
      }
      await page.close();
    });

    // Old links are in letters, books and slides: however the page changes, they must lead where
    // they always led.
    for (const [link, said] of Object.entries(JSON.parse(readFileSync(new URL("links.json", import.meta.url), "utf8")))) {
      test(`an old link: ${link}`, async () => {
        const { page, complaints } = await open(link);
        await page.waitForFunction((said) => document.querySelector("main").innerText.replace(/\s+/g, " ").includes(said), said, { timeout: 60_000 });
        assert.equal(await page.locator(".refusal").count(), 0);
        assert.ok(await page.getByText("There is no page called").isHidden());
        assert.deepEqual(complaints, []);
        await page.close();
      });
    }

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

    test("the dialog of a number has all its forms", async () => {
      const { page } = await open("#/die?n=6", "A fair d6 from a coin takes");
      await page.locator(".headline .number").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("3.66666666666666666666666666666666666666666666666667").waitFor();
      await dialog.getByText("Lumbroso").first().waitFor();
      const said = await dialog.innerText();
      for (const part of ["11/3", "flipcost cost 6", "flipcost decimals 11/3 --digits 50", "#/die?n=6", "@misc{flipcost,"]) assert.ok(said.includes(part), said);
      await page.keyboard.press("Escape");
      assert.equal(await dialog.isVisible(), false);
      await page.close();
      const large = (await open("#/die?n=52!", "It cannot cost less")).page;
      await large.locator(".headline .number").first().click();
      await large.getByRole("dialog").getByText("too many to be written").waitFor();
      await large.keyboard.press("Escape");
      await large.getByRole("button", { name: /^Entropy bound/ }).click();
      await large.getByRole("dialog").getByText(`Seen on ${new Date().toISOString().slice(0, 4)}`).waitFor();
      await large.close();
    });

    test("weights can be dragged, and a bad target gets one sentence", async () => {
      const { page } = await open("#/weights", "The least is");
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

    test("a single weight is one outcome, and a die of one side is not rolled", async () => {
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

    test("a mistyped number gets one short sentence, and an emptied field gets none", async () => {
      const { page } = await open("#/die?n=x", "cannot be used");
      await settled(page);
      assert.equal(await page.locator(".refusal").count(), 1);
      assert.match(await page.locator(".headline").innerText(), /^Sides: "x" cannot be used/);
      assert.doesNotMatch(await text(page), /JSON object|`target`/);
      assert.equal(await page.locator(".card:visible, .answer").count(), 0);
      await page.getByRole("textbox", { name: "Sides", exact: true }).fill("");
      await page.keyboard.press("Enter");
      await page.getByText("A fair d6 from a coin takes").waitFor();
      await settled(page);
      assert.equal(await page.locator(".refusal").count(), 0);
      await page.close();
    });

    test("a bad number at the table: one sentence at the top, and no old answer", async () => {
      const { page, complaints } = await open("#/table", "A d7 from a d6 takes");
      const field = page.getByRole("textbox", { name: "namely" });
      for (const [bad, good] of [["7.5", "13"], ["1x4", "10"], ["x", "7"]]) {
        await settled(page);
        await field.fill(bad);
        await page.keyboard.press("Enter");
        await page.locator(".headline .refusal", { hasText: `"${bad}" cannot be used` }).waitFor();
        await settled(page);
        assert.equal(await page.locator(".refusal").count(), 1);
        assert.equal(await page.locator(".card:visible, .answer").count(), 0);
        assert.doesNotMatch(await text(page), /A d\d+ from/);
        await field.fill(good);
        await page.keyboard.press("Enter");
        await page.getByText(`A d${good} from a d6 takes`).waitFor();
        await page.getByRole("heading", { name: `How to roll a d${good}` }).waitFor();
        assert.equal(await page.locator(".refusal").count(), 0);
      }
      await page.getByRole("button", { name: "cards" }).click();
      await page.getByText("5 of 52 cards take").waitFor();
      await field.fill("4.5");
      await page.keyboard.press("Enter");
      await page.locator(".headline .refusal", { hasText: "Cards: 4.5 cannot be used" }).waitFor();
      await settled(page);
      assert.equal(await page.locator(".card:visible, .answer").count(), 0);
      assert.deepEqual(complaints, []);
      await page.close();
    });

    test("commas between groups of three digits are part of a number of sides", async () => {
      for (const [hash, says, label, n] of [["#/die?n=1,000", "A fair d1000 from a coin takes", "Sides", "1000"], ["#/die?n=12,345,678", "A fair d12345678 from a coin takes", "Sides", "12345678"], ["#/table?of=1,000", "A d1000 from a d6 takes", "namely", "1000"]]) {
        const { page } = await open(hash, says);
        const field = page.getByRole("textbox", { name: label, exact: true });
        assert.equal(await field.inputValue(), n);
        await field.fill("2,000");
        await page.keyboard.press("Enter");
        await page.getByText(says.replace(/d\d+/, "d2000")).waitFor();
        assert.match(page.url(), /=2000(&|$)/);
        await page.close();
      }
      const { page } = await open("#/table?need=weights&of=1:200", "The weights 1:200 from a d6 take");
      await page.close();
    });

    test("a target that is not a fair die gets one sentence with a link to the loaded die", async () => {
      for (const [n, query] of [["3d6", "3d6"], ["1:2:3", "1%3A2%3A3"], ["1,2", "1%2C2"]]) {
        const { page, complaints } = await open(`#/die?n=${n}`, "is not a fair die");
        await settled(page);
        assert.equal(await page.locator(".card:visible").count(), 0);
        assert.equal(await page.locator(".headline > *").count(), 1);
        assert.deepEqual(complaints, []);
        const link = page.locator(".headline a");
        assert.equal(await link.getAttribute("href"), `#/loaded?weights=${query}`);
        await link.click();
        await page.getByText("The least is").waitFor();
        await page.close();
      }
      // Equal weights are a fair die.
      const fair = await open("#/die?n=1:1:1", "A fair d3 from a coin takes");
      await fair.page.close();
      const { page } = await open("#/table?of=3d6", "3d6 from a d6 takes");
      await settled(page);
      assert.doesNotMatch(await text(page), /d\(3d6\)/);
      assert.equal(await page.locator(".refusal").count(), 0);
      await page.getByRole("button", { name: "Cheapest", exact: true }).click();
      await page.getByRole("heading", { name: "The cheapest way, as a tree" }).waitFor();
      await page.close();
    });

    test("an answer without rows says why", async () => {
      for (const hash of ["#/loaded?weights=zipf:n=10^6", "#/table?need=weights&of=zipf:n=10^6"]) {
        const { page, complaints } = await open(hash);
        await page.locator(".refusal").first().waitFor();
        await settled(page);
        assert.equal(await page.locator(".refusal").count(), 1);
        assert.doesNotMatch(await text(page), /undefined|TypeError/);
        assert.deepEqual(complaints, []);
        await page.close();
      }
    });

    test("only values that no double is near are left out", async () => {
      const { page, complaints } = await open("#/loaded?weights=10^400:1", "The least is");
      await settled(page);
      assert.doesNotMatch(await text(page), /undefined|null|NaN|TypeError/);
      assert.deepEqual(complaints, []);
      await page.close();
    });

    test("a cost near 1 is shown as ≈ 1, and long numbers are shortened", async () => {
      const { page } = await open("#/die?n=6&source=2^64", "≈ 1 roll on average");
      await page.close();
      const digits = "7".repeat(300);
      for (const [hash, says] of [[`#/die?n=${digits}`, "A fair d777777777777…77777777 from a coin takes"], [`#/table?of=${digits}`, "too large to plan"], [`#/die?n=x${digits}`, "cannot be used"]]) {
        const long = await open(hash, says);
        await settled(long.page);
        assert.doesNotMatch(await long.page.locator(".headline").innerText(), /\d{60}/);
        await long.page.close();
      }
    });

    test("a question that was stopped can be asked again", async () => {
      const { page } = await open("#/die", "A fair d6");
      const [stopped, again] = await page.evaluate(async () => {
        const { asker } = await import("./parts.js");
        const place = document.querySelector("main").appendChild(document.createElement("div"));
        let times = 0;
        const run = asker(place);
        const told = run(({ signal }) => (times += 1) > 1 ? "told" : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
        const find = async (name) => {
          for (;;) {
            const button = [...place.querySelectorAll("button")].find((button) => button.textContent === name);
            if (button) return button;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        };
        (await find("Stop")).click();
        const first = await told;
        (await find("Try again")).click();
        return [first, times];
      });
      assert.deepEqual([stopped, again], [false, 2]);
      await page.close();
    });

    test("a notice names an unknown page, and at least one die stays chosen", async () => {
      const { page } = await open("#/dice?n=7", "There is no page called “dice”, so this is the first one.");
      await page.getByText("A fair d7 from a coin takes").waitFor();
      await page.getByRole("link", { name: "At the table" }).click();
      await page.getByText("A d7 from a d6 takes").waitFor();
      assert.equal(await page.getByText("There is no page called").isVisible(), false);
      await page.getByRole("button", { name: "d6", exact: true }).click();
      await page.getByText("One die is needed").waitFor();
      await page.close();
    });

    test("a number that is written as an expression is shown in brackets", async () => {
      const { page } = await open("#/die?n=%202*3*5%20", "A fair d(2*3*5) from a coin takes");
      await page.getByText("probability 1/(2*3*5)").waitFor();
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
      await page.getByRole("button", { name: /^More:/ }).click();
      await page.getByRole("button", { name: "throw away and repeat", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.locator("tr.chosen", { hasText: "rejection" }).waitFor();
      await settled(page);
      assert.equal(await focused(), "throw away and repeat");
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

    test("languages: the row with the worst bias shows no null, and no large number is cut off", async () => {
      const { page } = await open("#/language?n=3*2^29&all=yes", "random bits at least");
      await page.locator("tr", { hasText: "c-rand-mod-glibc" }).getByText("too few results for this test").waitFor();
      await page.locator("tr", { hasText: "rust-rand-random-range32" }).getByText("about 1.2 × 10²⁶ results").waitFor();
      assert.doesNotMatch(await text(page), /null/);
      await page.close();
    });

    test("a long question is stopped", async () => {
      const { page } = await open("#/die", "A fair d6");
      const stopped = await page.evaluate(async () => {
        const { ask } = await import("./parts.js");
        const control = new AbortController();
        let told = 0;
        setTimeout(() => control.abort(), 1500);
        const long = { ask: "roll", test: true, target: "6", count: 1000000000, seed: 1 };
        const name = await ask(long, { signal: control.signal, progress: () => (told += 1) }).then(() => "answered", (error) => error.name);
        const next = await ask({ ask: "cost", target: "6", columns: ["n"] });
        return { name, told, next: next.rows.length > 0 };
      });
      assert.equal(stopped.name, "AbortError");
      assert.ok(stopped.told > 0 && stopped.next);
      await page.close();
    });

    test("the questions of a view are stopped when it is left", async () => {
      const sides = name === "the server" ? "4987" : "997";
      const { page } = await open(`#/table?of=${sides}&dice=6,10,12,20`);
      const asked = new Set();
      page.on("request", (request) => request.method() === "POST" && asked.add(request));
      for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => asked.delete(request));
      await page.reload();
      await page.getByText(`A d${sides} from`).first().waitFor({ timeout: 180_000 });
      const of = () => [...asked].filter((request) => request.postData().includes(sides));
      const before = of();
      if (name === "the server") assert.ok(before.length > 0);
      await page.getByRole("link", { name: "The studies" }).click();
      await page.waitForTimeout(500);
      assert.deepEqual(of().map((request) => request.postData()), []);
      // The view asks nothing later, and the next view has its answer soon.
      await page.getByRole("link", { name: "A die" }).click();
      await page.getByText(SAYS.die).first().waitFor({ timeout: 4_000 });
      assert.deepEqual(of().map((request) => request.postData()), []);
      await page.close();
    });

    test("recycling is in the table view: several targets from one die, step by step; at most eight views", async () => {
      const { page } = await open("#/recycle?targets=4,13&source=6", "The jar is empty");
      assert.match(page.url(), /#\/table\?dice=6&of=4%2C13/);
      await page.getByRole("button", { name: "To the end" }).click();
      await page.waitForFunction(() => document.querySelectorAll("ol[aria-label=Results] li").length === 2);
      const [four, thirteen] = (await page.locator("ol[aria-label=Results] li").allInnerTexts()).map(Number);
      assert.ok(four >= 1 && four <= 4 && thirteen >= 1 && thirteen <= 13);
      assert.ok(await page.locator("nav a").count() <= 8);
      await page.close();
    });

    test("an address can request the lines of other methods", async () => {
      const { page } = await open("#/all?from=1&to=100&n=100&methods=interval,rejection", "The toll is");
      // Every n up to 100 is a point of both.
      await page.waitForFunction(() => [...document.querySelectorAll("polyline.method")].map((line) => line.points.numberOfItems).join() === "100,100", null, { timeout: 60_000 });
      await page.getByRole("button", { name: "throw away and repeat (rejection)", exact: true }).click();
      await page.waitForFunction(() => document.querySelectorAll("polyline.method").length === 1);
      assert.match(page.url(), /methods=interval(&|$)/);
      await page.close();
    });

    test("two dice thrown together: the grid, and the chance of another throw", async () => {
      const { page } = await open("#/table?dice=6,10&need=die&of=13&way=together", "The chance that a throw is needed");
      await page.locator("table.grid66").waitFor();
      // 52 of the 60 pairs give a result.
      assert.match(await page.getByRole("table", { name: "The chance that a throw is needed" }).locator("tbody tr").first().innerText(), /^2\s+2\/15/);
      assert.equal(await page.locator("table.grid66 td", { hasText: /^13$/ }).count(), 4);
      assert.equal(await page.locator("table.grid66 td", { hasText: /^–$/ }).count(), 8);
      await page.close();
    });

    test("the powers of two are among the points of a method", async () => {
      const { page } = await open("#/all?from=1&to=10^4&n=100&methods=interval", "The toll is");
      const [axis] = await page.locator(".plot text", { hasText: /^0(\.0)?$/ }).evaluateAll((texts) => texts.map((text) => text.parentNode.querySelector("line").getAttribute("y1")));
      // 1, 2, 4, ..., 8192: the toll of each is 0.
      await page.waitForFunction((y) => {
        const points = [...document.querySelectorAll(".plot g > circle.method")];
        return points.filter((point) => Math.abs(point.getAttribute("cy") - y) < 1e-3).length === 14;
      }, Number(axis), { timeout: 60_000 });
      // The legend draws a line in the same way as the picture.
      const strokes = await page.evaluate(() => [".curve .method.interval", ".swatch .method.interval"].map((sign) => getComputedStyle(document.querySelector(sign)).stroke));
      assert.equal(strokes[0], strokes[1]);
      await page.close();
    });

    test("≈ comes before a value near a whole number, and not before an exact whole number", async () => {
      const shown = async (hash, says, which) => {
        const { page } = await open(hash, says);
        await settled(page);
        const texts = await page.locator(which).allInnerTexts();
        await page.close();
        return texts;
      };
      assert.equal((await shown("#/die?n=6&source=2^64", "A fair d6 from a d(2^64) takes", ".headline .answer .number"))[0], "≈ 1");
      assert.match((await shown("#/die?n=6&source=6", "A fair d6 from a d6 takes", ".headline .answer"))[0], /takes 1 roll on average/);
      // The cost, the entropy and the toll of a power of two.
      assert.deepEqual(await shown("#/die?n=8", "A fair d8 from a coin takes", ".headline .number, .words .number"), ["3", "3", "0"]);
      // A toll is below 2, however near it is.
      assert.equal((await shown(`#/loaded?weights=1${"0".repeat(30)}:1`, "The least is", "td:nth-child(3) .number"))[0], "≈ 2");
      assert.ok((await shown("#/die?n=100&method=rejection", "A fair d100 from a coin takes", ".headline .number"))[0].startsWith("224/25 = 8.96"));
    });

    test("a source of many faces: its face is typed in, and the path is listed", async () => {
      const { page } = await open("#/die?n=7&source=100", "Nothing is rolled yet");
      const field = page.getByRole("textbox", { name: "It shows" });
      await field.fill("101");
      await page.keyboard.press("Enter");
      await page.getByText("a d100 shows 1 to 100").waitFor();
      assert.doesNotMatch(page.url(), /flips=/);
      const [, result] = flipcost("roll", "7", "--source", "100", "--input", "99,5", "--trace").match(/^(\d+)  \(/m);
      for (const face of ["99", "5"]) {
        await field.fill(face);
        await page.keyboard.press("Enter");
        await page.locator(".flipping .token", { hasText: face }).waitFor();
      }
      assert.equal(await page.locator(".result strong").innerText(), result);
      assert.match(page.url(), /flips=99%2C5/);
      await page.locator(".path li", { hasText: `outcome ${result}` }).waitFor();
      await page.close();
    });

    test("a tree of many faces shows only as much as is readable", async () => {
      const { page } = await open("#/die?n=7&source=20&flips=20,20", "2 rolls, not decided yet");
      await page.locator(".growing svg.tree").waitFor();
      await settled(page);
      assert.ok(await page.locator(".growing svg.tree .node").count() < 80);
      assert.equal(await page.locator(".growing svg.tree .node.here").count(), 1);
      await page.close();
    });

    test("going back undoes a choice; flips and a dragged slider add no entries to the history", async () => {
      const { page } = await open("#/die?n=6", "A fair d6 from a coin takes");
      await page.getByRole("button", { name: "a d10", exact: true }).click();
      await page.getByText("A fair d6 from a d10 takes").waitFor();
      for (const face of ["9", "10"]) {
        await page.getByRole("button", { name: face, exact: true }).click();
        await page.locator(".flipping .token", { hasText: face }).waitFor();
      }
      await page.getByRole("slider", { name: "Sides, by slider" }).focus();
      for (const n of [7, 8]) {
        await page.keyboard.press("ArrowRight");
        await page.getByText(`A fair d${n} from a d10 takes`).waitFor();
      }
      await page.goBack();
      await page.getByText("A fair d6 from a coin takes").waitFor();
      assert.equal(await page.getByRole("button", { name: "a coin", exact: true }).getAttribute("aria-pressed"), "true");
      await page.goForward();
      await page.getByText("A fair d8 from a d10 takes").waitFor();
      await page.close();
    });

    test("weights: the recipe that is printed and guided is named first, and the cheapest way beside it", async () => {
      const { page } = await open("#/table?dice=20&need=weights&of=2d6", "2d6 from a d20 takes");
      const [tree] = JSON.parse(flipcost("plan", "2d6", "--dice", "20", "--format", "json"));
      const costs = await page.locator(".headline .number").allTextContents();
      assert.ok(costs[0].startsWith("200/99") && costs[1].startsWith(tree.expected_exact), costs.join(" "));
      await page.getByRole("button", { name: "Cheapest", exact: true }).click();
      await page.getByRole("heading", { name: "The cheapest way, as a tree" }).waitFor();
      await page.close();
    });

    test("the recipe fits on a phone, and nothing of it is cut off", async () => {
      for (const hash of ["#/table", "#/table?of=97", "#/table?of=13&dice=6,10", "#/table?need=shuffle&of=5+of+52"]) {
        const { page } = await open(hash, "Print this sheet", { viewport: { width: 375, height: 800 } });
        await settled(page);
        const cut = await page.locator(".sheet-card").last().evaluate((sheet) => [...sheet.querySelectorAll("p, li, dd, td, th, pre, .scroll")].filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0).map((part) => part.textContent.slice(0, 60)));
        assert.deepEqual(cut, [], hash);
        await page.close();
      }
    });

    test("on a narrow phone nothing covers a number's forms", async () => {
      const { page } = await open("#/die?n=1000003", "A fair d1000003 from a coin takes", { viewport: { width: 320, height: 640 } });
      await page.locator(".headline .number").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Citation").waitFor();
      const covered = await dialog.evaluate((box) => {
        const rects = [...box.querySelectorAll("h2, button, dt, dd")].map((part) => [part, part.getBoundingClientRect()]);
        const apart = ([a, p], [b, q]) => a.contains(b) || b.contains(a) || p.right <= q.left + 1 || q.right <= p.left + 1 || p.bottom <= q.top + 1 || q.bottom <= p.top + 1;
        // Parts that are scrolled out of the list are not visible.
        const list = box.querySelector("dl").getBoundingClientRect();
        const seen = rects.filter(([part, rect]) => !part.closest("dl") || rect.top >= list.top && rect.bottom <= list.bottom);
        return seen.flatMap((one, i) => seen.slice(i + 1).filter((other) => !apart(one, other)).map((other) => `${one[0].textContent} / ${other[0].textContent}`));
      });
      assert.deepEqual(covered, []);
      // A text has the whole width, and the close button is visible.
      const { room, text, close } = await dialog.evaluate((box) => ({ room: box.querySelector("dd").clientWidth, text: Math.min(...[...box.querySelectorAll("dd code")].map((code) => code.getBoundingClientRect().width)), close: [...box.querySelectorAll("button")].find((button) => button.textContent === "Close").getBoundingClientRect().bottom }));
      assert.ok(text >= room - 1 && close < 640, `${text} of ${room}, Close at ${close}`);
      assert.ok(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth));
      await page.close();
    });

    test("bars are visible in the system's forced colors", async () => {
      const { page } = await open("#/die?n=6&flips=HTT", "The die shows", { forcedColors: "active" });
      await page.locator(".shares .bar span").first().waitFor();
      const [bar, filled, canvas] = await page.evaluate(() => [".shares .bar", ".shares .bar span", "body"].map((part) => getComputedStyle(document.querySelector(part)).backgroundColor));
      assert.ok(filled !== bar && filled !== canvas, `${filled}, ${bar}, ${canvas}`);
      await page.close();
    });

    test("every view prints on few pages, a recipe on one", async () => {
      for (const [hash, says, most] of [["#/die?n=6", "A fair d6", 2], ["#/die?n=20&source=6", "A fair d20", 1], ["#/all", "The toll is", 2], ["#/weights", "The least is", 1], ["#/loaded", "a fair bit takes", 2], ["#/table?need=shuffle&of=5+of+52", "5 of 52 cards take", 1], ["#/table?need=shuffle&of=52", "A shuffle of 52 cards takes", 2], ["#/table?need=bits&of=128", "128 random bits take", 1]]) {
        const { page } = await open(hash, says);
        await settled(page);
        const pdf = await page.pdf({ format: "A4" });
        const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
        assert.ok(pages <= most, `${hash}: ${pages} pages`);
        await page.close();
      }
    });

    test("printing gives the sheet alone: instructions first, with its address, on one page of A4 or Letter", async () => {
      const { page } = await open("#/table", "A d7 from a d6 takes");
      await page.locator(".faces-table").first().waitFor();
      await page.emulateMedia({ media: "print" });
      for (const gone of [page.locator("header"), page.locator(".walk"), page.getByRole("heading", { name: "At the table" })]) assert.equal(await gone.isVisible(), false);
      for (const there of [page.locator(".faces-table").first(), page.locator(".from")]) assert.equal(await there.isVisible(), true);
      for (const format of ["A4", "Letter"]) {
        const pdf = await page.pdf({ format });
        assert.equal(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1);
      }
      await page.close();
    });
  });
}

test("without a network, after the first visit", { timeout: 600_000 }, async () => {
  const host = await WAYS.files();
  const browser = await launch();
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
    await page.goto(`${host.url}#/weights`);
    await page.getByText("The least is").waitFor({ timeout: 60_000 });
    await page.goto(`${host.url}#/rule`);
    await page.locator(".headline", { hasText: "It is proved" }).waitFor({ timeout: 60_000 });
  } finally {
    await browser.close();
    host.close();
  }
});

test("the first view needs only the first part of the module, which has at most 1.5 MB", { timeout: 600_000 }, async () => {
  const host = await WAYS.files();
  const browser = await launch();
  try {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const asked = [];
    context.on("request", (request) => request.url().endsWith(".wasm.gz") && asked.push(new URL(request.url()).pathname));
    const page = await context.newPage();
    await page.goto(host.url);
    await page.getByText(/on average in 2 results/).waitFor({ timeout: 60_000 });
    assert.deepEqual(asked, ["/engine.wasm.gz"]);
    assert.ok(gunzipSync(readFileSync(join(DIST, "engine.wasm.gz"))).length <= 1_500_000);
    await page.goto(`${host.url}#/rule`);
    await page.locator(".headline", { hasText: "It is proved" }).waitFor({ timeout: 60_000 });
    assert.deepEqual(asked, ["/engine.wasm.gz", "/rest.wasm.gz"]);
  } finally {
    await browser.close();
    host.close();
  }
});

test("the sources of the page have at most 400 kB", () => {
  const folder = new URL("../../crates/page/page/", import.meta.url);
  const sizes = readdirSync(folder, { recursive: true }).map((name) => statSync(new URL(name, folder))).filter((file) => file.isFile()).map(({ size }) => size);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(all <= 400 * 1024, String(all));
});

/** Reproducible random targets: small and large dice, expressions, words and near them, weights, dice formulas. */
function targets(count) {
  let seed = 1;
  const below = (n) => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  const die = () => [String(2 + below(100)), String(2 + below(2 ** 20)), `${1 + below(9)}*2^${below(40)}`, `2^${1 + below(63)}${below(2) ? "+1" : "-1"}`, `10^${1 + below(18)}+${below(100)}`, `${2 + below(20)}!`, `${1 + below(9)}e${below(12)}`][below(7)];
  const weights = () => [Array.from({ length: 2 + below(4) }, () => 1 + below(99)).join(":"), `${1 + below(4)}d${2 + below(10)}`, `1/${2 + below(50)}:1/3:0.${1 + below(9)}`, `binomial:n=${1 + below(8)},p=1/${2 + below(6)}`][below(4)];
  return Array.from({ length: count }, () => ({ die: die(), weights: weights(), source: ["2", "6", "10", "20"][below(4)] }));
}

/** The addresses of a target in each view. */
const ADDRESSES = {
  die: ({ die, source }) => ({ n: die, source }),
  all: ({ die, source }) => ({ from: "1", to: source === "2" ? "1000" : die, n: die }),
  table: ({ die, weights, source }) => (source === "2" ? { need: "weights", of: weights, dice: "6" } : { need: "die", of: die, dice: source === "20" ? "6,10" : "6" }),
  weights: ({ weights }) => ({ weights }),
  language: ({ die }) => ({ n: die }),
};

test("no text is null, undefined, NaN or empty, for 300 random targets in every view", { timeout: 1_800_000 }, async (context) => {
  const host = await WAYS.server();
  const browser = await launch();
  const wrong = await Promise.all(Object.entries(ADDRESSES).map(async ([view, address]) => {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const fetched = window.fetch;
      window.pending = 0;
      window.fetch = (...given) => {
        window.pending += 1;
        return fetched(...given).finally(() => setTimeout(() => (window.pending -= 1), 20));
      };
    });
    await page.goto(`${host.url}#/${view}`);
    const hashes = targets(300).map((target) => `#/${view}?${new URLSearchParams(address(target))}`);
    return page.evaluate(async (hashes) => {
      const pause = (time) => new Promise((done) => setTimeout(done, time));
      const wrong = [];
      for (const hash of hashes) {
        location.hash = hash;
        await pause(20);
        for (let waited = 0; waited < 2000 && (window.pending > 0 || document.querySelector("main .busy")); waited += 1) await pause(10);
        const main = document.querySelector("main");
        const spoken = [...main.querySelectorAll("[aria-label], [title]")].flatMap((element) => [element.getAttribute("aria-label"), element.getAttribute("title")]);
        const bad = [main.innerText, ...spoken].map((text) => text?.match(/.{0,40}\b(null|NaN|undefined|Infinity|object Object)\b.{0,20}/)?.[0]).filter(Boolean);
        const empty = [...main.querySelectorAll("button, h1, h2, dt, dd, li, caption, .answer, .number, .tag, td.n")].filter((element) => element.textContent.trim() === "" && !element.getAttribute("aria-label") && !element.querySelector("svg, img, input") && element.offsetParent !== null);
        if (bad.length + empty.length > 0) wrong.push(`${hash}: ${[...bad, ...empty.map((element) => element.outerHTML.slice(0, 100))].slice(0, 3).join(" | ")}`);
      }
      return wrong;
    }, hashes);
  }));
  await browser.close();
  host.close();
  context.diagnostic(`${wrong.flat().length} of 1800 pages`);
  assert.deepEqual(wrong.flat(), []);
});

/** Two hundred questions of most kinds, with their pictures if there are any. */
function questions() {
  const list = [];
  for (const n of [2, 3, 5, 6, 7, 10, 11, 13, 19, 20, 52, 97, 100, 365, 1000, 1024, 10007, "10^18+9", "52!"]) {
    const target = String(n);
    list.push({ ask: "cost", target }, { ask: "cost", target, source: "6", digits: 30 }, { ask: "show", view: "flowchart", target, source: "10" }, { ask: "show", target, rolls: "HTHTTHHTHH" }, { ask: "bias", target }, { ask: "libraries", target });
  }
  for (const target of ["2", "3", "5", "6", "7", "12", "20", "4:7:8", "1:2:3", "2d6"]) {
    list.push({ ask: "show", view: "tree", target, depth: 4, ...(/\D/.test(target) ? { algorithm: "knuth-yao" } : {}) }, { ask: "distribution", target, algorithm: /\D/.test(target) ? "knuth-yao" : "fast-dice-roller", upto: 20 }, { ask: "plan", target, dice: "6,10" }, { ask: "show", view: "table", target, ...(/\D/.test(target) ? { algorithm: "fldr" } : {}), source: "6" }, { ask: "bias", target, flips: 12 }, { ask: "roll", target, seed: 7, count: 20, ...(/\D/.test(target) ? { algorithm: "knuth-yao" } : {}) });
  }
  for (const rolls of [0, 3, 6]) list.push({ ask: "show", view: "leaves", target: "6", upto: rolls }, { ask: "show", view: "leaves", target: "1:2:3", upto: rolls, algorithm: "fldr" });
  for (const to of ["100", "10^5", "10^12", "10^18"]) list.push({ ask: "toll-extremes", from: "1", to }, { ask: "toll-extremes", from: "7", to, parts: 20, of: "expected" });
  list.push({ ask: "toll-extremes", from: "1", to: "10^4", of: "cycle-rounds" }, { ask: "batch", targets: ["4", "13"], source: "6" }, { ask: "batch", targets: ["4", "13"], source: "6", trace: true, seed: 3 },
    { ask: "shuffle", cards: 52 }, { ask: "advise", bits: 128, source: "6" }, { ask: "advise", shuffle: 10, source: "6" }, { ask: "roll", test: true, target: "6", count: 10000, seed: 1 }, { ask: "cost", target: "1..300" },
    { ask: "sequence", id: "A136043", terms: 100 }, { ask: "sequence", id: "mr:x=1/29" }, { ask: "cost", target: "2..100", sources: "2..20", algorithms: ["bounded"], columns: ["source", "n", "possible", "worst_case", "missing_prime"] }, { ask: "cost", target: "2..12", sources: "2,6", best: true }, { ask: "list-algorithms" }, { ask: "list-columns" }, { ask: "cite", what: "interval" }, { ask: "decimals", of: "11/3" }, { ask: "decimals", of: "sqrt(2)" },
    ...["let v = 1; let c = 0; loop { while v < n { v *= 2; c = 2 * c + flip(); } if c < n { return c; } v -= n; c -= n; }", "return (4 * flip() + 2 * flip() + flip()) % n;", "let x = 0; while x != -1 { x += 2 * flip() - 1; } return 0;", "return g(0);", "let a = \"x\"; loop { a += a; }", "let x = 1; loop { x *= x + 1; }", "x", "("].flatMap((body) => ["2", "6"].map((n) => ({ ask: "rule-check", rule: `my.rhai\nfn g(x) { g(x + 1) } fn rule(n, m) { ${body} }`, targets: n, source: "2" }))),
    { ask: "rule-new" }, { ask: "list-algorithms", algorithm: "interval", as_rule: true },
    { ask: "cost", target: "0" }, { ask: "no" }, { ask: "plan", target: "10^9", dice: "6" }, { ask: "law", formula: "a+b", dice: "6,6" }, { ask: "plan", factoring: true, target: "7" });
  return list;
}

test("both ways of running the page give the same bytes", { timeout: 600_000 }, async () => {
  const asked = [...questions().map((query) => ["ask", query]), ...["6", "11", "7"].map((target) => ["picture", { ask: "show", view: "flowchart", target }]), ["picture", { ask: "show", view: "tree", target: "4:7:8", algorithm: "knuth-yao", depth: 4 }], ["picture", { ask: "plan", target: "13", dice: "6,10" }]];
  assert.ok(asked.length >= 200, `${asked.length} questions`);
  const told = {};
  for (const [name, way] of Object.entries(WAYS)) {
    const host = await way();
    const browser = await launch();
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
