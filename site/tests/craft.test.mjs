// A die that plays, fields that answer while somebody types, and the page without its server, in
// both ways of running the page where both are possible.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { WAYS, ask, launch, openPage } from "./ways.mjs";

/** Sums up the layout shifts that no action of a person caused. */
const watchShifts = () => {
  window.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shifted += entry.hadRecentInput ? 0 : entry.value))).observe({ type: "layout-shift", buffered: true });
};

// Tested with the server only, since the layout is the same in both ways; page.test.mjs opens both.
for (const [name, way] of Object.entries(WAYS).filter(([name]) => name === "server")) {
  describe(`the craft of the page by ${name}`, { timeout: 900_000 }, () => {
    let host, browser;
    before(async () => {
      host = await way();
      browser = await launch();
    });
    after(async () => {
      await browser?.close();
      host?.close();
    });
    const open = (address, says, options = {}) => openPage(browser, host.url + address, says, { reducedMotion: "reduce", script: watchShifts, ...options });

    test("a click right after typing counts, by mouse and by touch", async () => {
      for (const hasTouch of [false, true]) {
        const page = await open("#/die", "A fair d6 from a coin takes", { hasTouch, viewport: { width: hasTouch ? 375 : 1280, height: 800 } });
        const press = (button) => (hasTouch ? button.tap() : button.click());
        await page.locator("#die-n").fill("11");
        await press(page.getByRole("button", { name: "a d20", exact: true }));
        await page.getByText("A fair d11 from a d20 takes").waitFor();
        await page.close();
        const flips = await open("#/die", "A fair d6 from a coin takes", { hasTouch, viewport: { width: hasTouch ? 375 : 1280, height: 800 } });
        await flips.locator("#die-n").fill("12");
        await press(flips.getByRole("button", { name: "Heads" }));
        await flips.getByText("A fair d12 from a coin takes").waitFor();
        await flips.locator(".token", { hasText: "H" }).waitFor();
        await flips.close();
        const jar = await open("#/recycle", "what is left is kept", { hasTouch });
        await jar.locator("#table-of").fill("5,7");
        await press(jar.getByRole("button", { name: "d10", exact: true }));
        await jar.waitForFunction(() => location.hash.startsWith("#/table") && location.hash.includes("dice=6%2C10") && location.hash.includes("of=5%2C7"));
        await jar.close();
      }
    });

    test("a field answers while somebody types, and one stretch of typing is one step of the history", async () => {
      const page = await open("#/die?n=6", "A fair d6 from a coin takes");
      await page.locator("#die-n").fill("");
      await page.locator("#die-n").pressSequentially("13", { delay: 400 });
      await page.getByText("A fair d13 from a coin takes").waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.id), "die-n");
      await page.goBack();
      await page.getByText("A fair d6 from a coin takes").waitFor();
      await page.close();
    });

    test("words in the field of a die are read as at a terminal", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes");
      for (const [words, says] of [["d7 from a d6", "A fair d7 from a d6 takes"], ["a card", "A fair d52 from a d6 takes"], ["1e6", "A fair d(1e6) from a d6 takes"], ["3d6", "3d6 is not a fair die"], ["1 in 20", "1:19 is not a fair die"]]) {
        await page.locator("#die-n").fill(words);
        await page.getByText(says).waitFor();
      }
      await page.locator("#die-n").fill("5 of 52");
      await page.waitForFunction(() => location.hash.startsWith("#/table?need=shuffle&of=52"));
      await page.close();
      const other = await open("#/die", "A fair d6 from a coin takes");
      await other.locator("#die-n").fill("a d7 from d6 and d10");
      await other.waitForFunction(() => location.hash.startsWith("#/table?dice=") && location.hash.includes("of=7"));
      await other.close();
    });

    test("for a loaded or unknown source the page says what the engine says, and nothing false", async () => {
      for (const source of ["p=1/3", "unknown:2"]) {
        const page = await open(`#/die?${new URLSearchParams({ n: "6", source })}`, ask({ ask: "cost", target: "6", source }).summary);
        const text = await page.locator("main").innerText();
        assert.doesNotMatch(text, /No method takes less than +rolls|to the base p=|d\(|no formula/);
        assert.equal(await page.locator(".refusal").count(), 0);
        assert.ok(await page.locator(".stage").isHidden());
        await page.close();
      }
    });

    test("the die plays when the page opens, but not for people who prefer reduced motion", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes", { reducedMotion: "no-preference" });
      await page.locator(".flipping .token").first().waitFor();
      await page.getByText(/on average in \d+ result/).waitFor();
      // Pressing a button takes over from automatic play.
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Play" }).waitFor();
      const tokens = await page.locator(".flipping .token").count();
      await page.waitForTimeout(2000);
      assert.equal(await page.locator(".flipping .token").count(), tokens);
      await page.close();
      const still = await open("#/die", "A fair d6 from a coin takes");
      await still.waitForTimeout(3000);
      assert.equal(await still.locator(".flipping .token").count(), 0);
      await still.close();
    });

    test("a key takes over from automatic play", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes", { reducedMotion: "no-preference" });
      await page.locator(".flipping .token").first().waitFor();
      await page.keyboard.press("t");
      await page.getByRole("button", { name: "Play" }).waitFor();
      // flips of automatic play are not this person's flips
      assert.match(page.url(), /flips=T(&|$)/);
      await page.close();
    });

    test("flips and tree are visible together on a phone, and the buttons for heads and tails stay in place", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes", { viewport: { width: 375, height: 812 } });
      await page.locator("svg.tree").first().waitFor();
      const seen = await page.evaluate(() => [".faces .coin", "svg.tree .leaf"].map((sign) => document.querySelector(sign).getBoundingClientRect().bottom));
      assert.ok(seen.every((bottom) => bottom <= 812), String(seen));
      for (const key of "htt") await page.keyboard.press(key);
      const result = page.locator(".result", { hasText: "The die shows 4 after 3 flips." });
      await result.waitFor();
      assert.ok(await result.evaluate((text) => text.getBoundingClientRect().bottom <= document.querySelector(".faces .coin").getBoundingClientRect().top));
      await page.evaluate(() => scrollTo(0, 2000));
      assert.ok(await page.getByRole("button", { name: "Heads" }).evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight));
      await page.close();
    });

    test("the next flip after a result begins the next result", async () => {
      const page = await open("#/die?flips=HTT", "The die shows");
      await page.getByRole("button", { name: "Heads" }).click();
      await page.waitForFunction(() => /flips=H(&|$)/.test(location.hash));
      assert.equal(await page.locator(".flipping .token").count(), 1);
      await page.close();
    });

    test("a person's results are kept over a reload, another view and other sides; Undo takes back the last one; results of automatic play are not kept", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes", { reducedMotion: "no-preference" });
      await page.getByText(/on average in \d+ result/).waitFor();
      for (const key of "hhh") await page.keyboard.press(key);
      const seen = (text) => page.locator(".tally", { hasText: text }).waitFor();
      await seen("(3/1)");
      await page.keyboard.press("Backspace");
      await seen("There are no results yet");
      assert.equal(await page.locator(".law rect.seen").count(), 0);
      await page.keyboard.press("h");
      await seen("(3/1)");
      await page.reload();
      await seen("(3/1)");
      await page.keyboard.press("Backspace");
      await seen("There are no results yet");
      await page.keyboard.press("h");
      await seen("(3/1)");
      await page.getByRole("link", { name: "All dice" }).click();
      await page.getByText("The toll is").first().waitFor();
      await page.getByRole("link", { name: "A die", exact: true }).click();
      await seen("(3/1)");
      for (const [n, text] of [["5", "There are no results yet"], ["6", "(3/1)"]]) {
        await page.locator("#die-n").fill(n);
        await page.getByText(`A fair d${n} from a coin takes`).waitFor();
        await seen(text);
      }
      await page.getByText("Exact chances").click();
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
      const chunks = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk);
      const lines = String(Buffer.concat(chunks)).trim().split("\n").map((line) => line.split(","));
      assert.equal(lines[0].at(-1), "seen");
      assert.deepEqual(lines.filter((cells) => cells.at(-1) !== "0").slice(1).map(([t, ...cells]) => [t, cells.at(-1)]), [["3", "1"]]);
      await page.getByRole("button", { name: "Forget them" }).click();
      await page.reload();
      await page.locator(".flipping").getByText("ot decided yet").or(page.getByText("There are no results yet")).first().waitFor();
      assert.ok(!(await page.locator(".tally").innerText()).includes("(3/1)"));
      await page.close();
    });

    test("flips and tree fill the screen of a projector", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes");
      await page.getByRole("button", { name: "Full screen" }).click();
      await page.waitForFunction(() => document.fullscreenElement?.classList.contains("stage"));
      await page.keyboard.press("h");
      await page.locator(".stage:fullscreen .token", { hasText: "H" }).waitFor();
      await page.close();
      for (const [width, height] of [[1280, 720], [1920, 1080]]) {
        for (const n of [6, 8, 20]) {
          const page = await open(`#/die?n=${n}`, n <= 8 ? "Try to beat" : "Any method is a tree", { viewport: { width, height } });
          await page.getByRole("button", { name: "1000 results at once" }).click();
          await page.getByText("in 1000 results").waitFor();
          await page.getByRole("button", { name: "Full screen" }).click();
          await page.waitForFunction(() => document.fullscreenElement?.classList.contains("stage"));
          for (const key of "ttthh") {
            const before = await page.locator(".flipping .token").count();
            await page.keyboard.press(key);
            await page.waitForFunction((before) => document.querySelectorAll(".flipping .token").length !== before, before);
          }
          for (const panel of ["Tree", "How many", "Fair shares", ...(n <= 8 ? ["Why not less", "Try to beat it"] : [])]) {
          await page.locator(".panels button", { hasText: panel }).click();
          await page.locator(".panels [aria-pressed=true]", { hasText: panel }).waitFor();
          if (panel === "Try to beat it") {
            await page.getByRole("button", { name: "The best of 5 levels" }).click();
            await page.locator(".stage .beat .result", { hasText: "Fair!" }).waitFor();
          }
          const { cut, tall, letters } = await page.evaluate(() => {
            const stage = document.querySelector(".stage");
            const seen = [...stage.querySelectorAll("button, p, svg, h2, h3, .thrown, .token")].filter((part) => part.getClientRects().length > 0);
            const outside = seen.filter((part) => {
              const { left, top, right, bottom, height } = part.getBoundingClientRect();
              return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1 || height < 4;
            });
            const share = (part) => part.getBoundingClientRect().height / innerHeight;
            return { cut: [...outside.map((part) => part.outerHTML.slice(0, 80)), ...(stage.scrollHeight > stage.clientHeight + 1 ? ["the stage scrolls"] : [])], tall: Math.max(...[...stage.querySelectorAll("svg.tree, section.card svg.law")].map(share)), letters: parseFloat(getComputedStyle(stage.querySelector(".faces button")).fontSize) / innerHeight };
          });
          assert.deepEqual(cut, [], `${n} at ${width} by ${height}: ${panel}`);
          if (panel === "Fair shares") assert.deepEqual(await page.locator(".leaves .seen-results li").count(), n);
          else if (panel === "Why not less") {
            const sizes = await page.locator(".stage .trees svg.tree").evaluateAll((all) => all.map((svg) => 11 * svg.getBoundingClientRect().width / svg.getAttribute("viewBox").split(" ")[2]));
            assert.ok(sizes.length === 2 && sizes[0] >= 16 && Math.abs(sizes[0] - sizes[1]) < 0.1, String(sizes));
          } else assert.ok(tall > (panel === "How many" ? 0.4 : 0.5), `${panel}: the picture has ${tall} of the height`);
          assert.ok(letters > 15 / 720, `letters have ${letters} of the height`);
          }
          assert.equal(await page.locator(".stage svg.means").count(), 1);
          await page.evaluate(() => document.exitFullscreen());
          if (n <= 8) await page.locator(".why .beat").waitFor({ state: "attached" });
          await page.close();
        }
      }
    });

    test("a thousand results at once: the observed shares over the exact ones, and the observed mean", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes");
      await page.getByRole("button", { name: "1000 results at once" }).click();
      await page.getByText("in 1000 results").waitFor();
      assert.ok(await page.locator(".law rect.seen").count() >= 3);
      const [, total, mean] = [null, ...(await page.locator(".tally").innerText()).match(/^([\d.]+) .*\((\d+)\/1000\)/).slice(1).reverse()];
      assert.equal(mean, ask({ ask: "decimals", of: `${total}/1000`, digits: 3 }).rows[0][1]);
      await page.getByText("mean 11/3").waitFor();
      await page.close();
    });

    test("counts are beside the bars, with the exact expected count of each outcome", async () => {
      const page = await open("#/die", "A fair d6 from a coin takes");
      await page.getByRole("button", { name: "1000 results at once" }).click();
      await page.getByText("1000 results: seen, and expected").waitFor();
      const counts = await page.locator(".seen-results li > span:last-child").allInnerTexts();
      assert.equal(counts.length, 6);
      assert.equal(counts.map(Number).reduce((a, b) => a + b), 1000);
      await page.getByText("expected 166 2/3 times (1000/6)").waitFor();
      // The same for each number of flips, in the picture and in the table.
      await page.getByText("Exact chances").click();
      const rows = await page.locator("[aria-label='Distribution'] tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText)));
      const three = rows.find(([flips]) => flips === "3");
      assert.equal(three[4], "750");
      assert.equal(rows.find(([flips]) => flips === "5")[4], "187 1/2");
      assert.equal(await page.locator(".law .seen-count").first().textContent(), three[3]);
      // All results are counted: the last row is for all results that took more flips.
      assert.deepEqual([rows.at(-1)[0], rows.at(-1)[2]], ["12+", "–"]);
      assert.match(rows.at(-1)[1], /^1\/1024/);
      assert.equal(rows.reduce((all, row) => all + Number(row[3]), 0), 1000);
      await page.close();
    });

    test("results of automatic play are not printed; the axis of the mean does not begin below 0", async () => {
      const page = await open("#/die?n=6", "A fair d6 from a coin takes", { reducedMotion: "no-preference" });
      await page.locator(".law rect.seen").first().waitFor({ state: "attached" });
      assert.deepEqual(await page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        return [document.querySelectorAll(".law .seen, .on, .made").length, document.querySelectorAll(".law rect").length > 3];
      }), [0, true]);
      await page.close();
      const nine = await open("#/die?n=6", "in 1 result", { script: () => sessionStorage.setItem("flipcost-seen 6 2 fast-dice-roller", JSON.stringify({ all: [[9, "1"]], last: null })) });
      assert.deepEqual(await nine.locator(".means .spread").evaluateAll((all) => all.slice(0, 2).map((text) => text.textContent)), ["9.0", "0"]);
      await nine.close();
    });

    test("the space bar does not leave the full screen, and Escape is not mentioned there", async () => {
      const page = await open("#/die?n=6", "A fair d6 from a coin takes");
      await page.getByRole("button", { name: "Full screen" }).click();
      await page.waitForFunction(() => document.activeElement === document.fullscreenElement);
      await page.keyboard.press("h");
      await page.keyboard.press("Space");
      await page.waitForFunction(() => document.querySelectorAll(".flipping .token").length === 1);
      assert.ok(await page.evaluate(() => Boolean(document.fullscreenElement)));
      assert.doesNotMatch(await page.locator(".stage .keys").innerText(), /Escape/);
      await page.close();
    });

    test("every letter of a tree is readable, in the light and the dark color scheme", async () => {
      for (const colorScheme of ["light", "dark"]) {
        const page = await open("#/die?flips=HT", "Try to beat 11/3", { colorScheme });
        await page.waitForTimeout(600);
        const faint = await page.evaluate(() => {
          const rgb = (text) => text.match(/[\d.]+/g).map(Number);
          const light = (colour) => colour.slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((all, part, i) => all + part * [0.2126, 0.7152, 0.0722][i], 0);
          const card = rgb(getComputedStyle(document.querySelector(".card")).backgroundColor);
          const opacity = (element) => (element.closest("svg") ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);
          return [...document.querySelectorAll("svg.tree text")].map((text) => {
            const rect = text.parentElement.querySelector("rect");
            const fill = rect && !text.classList.contains("weight") ? getComputedStyle(rect).fill : "none";
            const ground = fill === "none" ? card : rgb(fill);
            const part = opacity(text);
            const own = rgb(getComputedStyle(text).fill).map((value, i) => part * value + (1 - part) * ground[i]);
            const [high, low] = [light(own), light(ground)].sort((a, b) => b - a);
            return [(high + 0.05) / (low + 0.05), text.textContent];
          }).filter(([contrast]) => !(contrast >= 4.5));
        });
        assert.deepEqual(faint, []);
        await page.close();
      }
    });

    test("a digit of 1/6 lights the leaves of its depth, and a leaf its digit", async () => {
      const page = await open("#/die", "Why not less?");
      const digit = page.getByRole("button", { name: "at place 3" });
      await digit.focus();
      assert.equal(await page.locator(".trees figure:first-child .leaf.lit").count(), 6);
      // Lit leaves are visibly different.
      assert.ok(await page.locator(".trees .leaf.lit rect").evaluateAll((all) => all.every((rect) => parseFloat(getComputedStyle(rect).strokeWidth) >= 3)));
      await page.locator(".trees [data-depth='5'] rect").first().hover();
      await page.locator(".digit.lit", { hasText: "5" }).waitFor();
      await page.close();
    });

    test("a digit above 9 is written as a number, and there are that many leaves at its depth", async () => {
      for (const [source, digits] of [["20", "0.36[13]6"], ["100", "0.[16][66]"]]) {
        const page = await open(`#/die?n=6&source=${source}`, `1/6 = ${digits}`);
        const shown = await page.locator(".digits .digit[data-place]").evaluateAll((all) => all.map((cell) => cell.firstChild.data));
        const [, depths] = ask({ ask: "show", view: "why", target: "6", source }).rows[0].slice(2);
        assert.deepEqual(shown, [...depths.matchAll(/\((\d+) lea/g)].map(([, leaves]) => leaves));
        await page.close();
      }
    });

    test("on paper there are twenty lines for a person's own results, and no ids of methods", async () => {
      const page = await open("#/die", "Methods, best first");
      await page.emulateMedia({ media: "print" });
      const rows = await page.locator(".worksheet tbody tr").evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height * 25.4 / 96));
      assert.ok(rows.length === 10 && rows.every((mm) => mm >= 8.5), String(rows));
      assert.ok((await page.locator(".worksheet tbody").innerText()).includes("20"));
      assert.ok(!/fast-dice-roller|base-conversion/.test(await page.locator("main").innerText()));
      await page.close();
    });

    test("on paper without answers there are the rule and lines to fill in, and no cost", async () => {
      const page = await open("#/die?n=6", "Any method is a tree");
      await page.locator(".headline").getByText("Share", { exact: true }).click();
      await page.getByLabel("with answers on paper").uncheck();
      await page.emulateMedia({ media: "print" });
      const sheet = await page.locator("main").innerText();
      assert.match(sheet, /Your own results: a d6 from a coin/);
      assert.match(sheet, /Round 1/);
      assert.doesNotMatch(sheet, /11\/3|toll|Why not less|fast-dice-roller/);
      assert.match(sheet, /How many flips does your die take on average\?\s+1\/6 in binary: 0\. __/);
      assert.equal(await page.locator(".unanswered .leaf:visible").count(), 16);
      assert.equal((await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1);
      await page.close();
    });

    test("a long run says how many flips it has, and that bubbles are left out; automatic play pauses behind another panel", async () => {
      const page = await open(`#/die?flips=${"T".repeat(31)}`, "31 flips, not decided yet");
      assert.match(await page.locator(".flipping .tokens").textContent(), /^…T+$/);
      await page.getByRole("button", { name: "Play" }).click();
      await page.locator(".stage button.full").click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await page.getByRole("button", { name: "Why not less" }).click();
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      // Read in one step: while the machine plays it is redrawn, and a removed element
      // has no height.
      const height = () => page.evaluate(() => document.querySelector(".machine").offsetHeight);
      const before = await height();
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      assert.ok(before > 0);
      assert.equal(await height(), before);
      await page.close();
    });

    test("beat 11/3: for a wrong tree the page says why, for a fair one its cost", async () => {
      const page = await open("#/die", "Try to beat 11/3");
      const verdict = page.locator(".beat .result");
      await page.getByText("Try to beat 11/3").click();
      await page.getByRole("button", { name: "Throw away and repeat", exact: true }).click();
      await verdict.getByText("Fair! It costs 4 flips").waitFor();
      await page.getByRole("button", { name: "The best of 5 levels" }).click();
      await verdict.getByText("Fair! It costs 56/15 ≈ 3.73333 flips on average: 1/15 ≈ 0.06667 more than 11/3").waitFor();
      await page.getByRole("button", { name: "Empty it" }).click();
      await verdict.getByText("4 places are still open").waitFor();
      for (const place of ["HH", "HT", "TH", "TT"]) {
        await page.getByRole("button", { name: `After ${place}: open` }).focus();
        await page.keyboard.press("Enter");
      }
      await verdict.getByText("no path leads to 5 or 6").waitFor();
      await page.close();
    });

    test("throw away and repeat: the picture has every result, and the tree has the cost of the method", async () => {
      for (const n of [3, 4, 6, 8]) {
        const page = await open(`#/die?n=${n}`, "Try to beat");
        // For a power of two nothing is thrown away.
        const algorithm = [4, 8].includes(n) ? "rejection-ceil" : "rejection";
        const [[exact]] = ask({ ask: "cost", target: String(n), algorithms: [algorithm], columns: ["expected_exact"] }).rows;
        await page.getByText("Try to beat").click();
        await page.getByRole("button", { name: "Throw away and repeat", exact: true }).click();
        await page.locator(".beat .result", { hasText: `Fair! It costs ${exact} ` }).waitFor();
        const shown = new Set(await page.getByRole("img", { name: /^Tree of rejection/ }).locator(".leaf text:not(.weight)").allTextContents());
        for (let outcome = 1; outcome <= n; outcome += 1) assert.ok(shown.has(String(outcome)), `${n}: ${[...shown]}`);
        await page.close();
      }
    });

    test("at most 45 controls on the whole page besides numbers; rare sources and costlier methods are folded", async () => {
      for (const [hash, says] of [["#/die", "More: 2 that cost the same, 5 that cost more"], ["#/die?n=20&flips=HTHH", "More: 7 that cost more"], ["#/die?n=7&source=6", "Methods, best first"]]) {
        const page = await open(hash, says);
        const controls = await page.locator("body :is(button, a[href], input, select, summary)").evaluateAll((all) => all.filter((one) => one.checkVisibility() && !one.matches(".number")).length);
        assert.ok(controls <= 45, `${hash}: ${controls}`);
        await page.close();
      }
      // Rare sources are shown on demand.
      const page = await open("#/die", "Methods, best first");
      await page.getByRole("button", { name: "More dice" }).click();
      await page.getByRole("button", { name: "a d8", exact: true }).click();
      await page.getByText("A fair d6 from a d8 takes").waitFor();
      await page.locator("#die-source").fill("7");
      await page.getByText("A fair d6 from a d7 takes").waitFor();
      await page.close();
    });

    test("all shares are shown, with the meanings of v and c beside them", async () => {
      for (const [n, width] of [[20, 1280], [60, 1280], [20, 375]]) {
        const page = await open(`#/die?n=${n}`, "Fair shares", { viewport: { width, height: 800 } });
        const list = page.locator(".shares").first();
        await page.locator(".shares li").nth(n - 1).waitFor();
        assert.equal(await page.locator(".shares li").count(), n);
        assert.ok(await list.evaluate((box) => box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1), `${n} at ${width}`);
        assert.match(await page.locator(".flipping .result").innerText(), /Now v = 1, c = 0: c is one of v equally likely numbers\.$/);
        await page.close();
      }
    });

    test("no column is left half empty beside a long one", async () => {
      for (const [hash, says, left, right] of [["#/die", "Try to beat", ".halves > :first-child > p:first-child", ".halves .trees"], ["#/die", "Fair shares", ".law", ".leaves"]]) {
        const page = await open(hash, says);
        const [a, b] = [left, right].map((part) => page.locator(part).first());
        assert.ok((await b.boundingBox()).x > (await a.boundingBox()).x);
        await page.close();
      }
      const page = await open("#/die", "Try to beat");
      const halves = await page.locator(".halves").evaluate((box) => [box.querySelector(".trees"), box.querySelector(".words")].map((part) => part.getBoundingClientRect().bottom - box.getBoundingClientRect().top).concat(box.clientHeight));
      assert.ok(Math.min(halves[0], halves[1]) > halves[2] / 2, String(halves));
      const cards = await page.locator(".view-die > .grid > .card").evaluateAll((all) => all.map((card) => card.offsetHeight));
      assert.equal(new Set(cards).size, 1, String(cards));
      await page.goto(`${host.url}#/rule`);
      await page.locator(".view-rule svg.tree").waitFor();
      const columns = await page.locator(".view-rule > .grid").evaluate((box) => [box.querySelector("svg.tree").closest(".card"), box.querySelector(".verdict").lastElementChild].map((part) => part.getBoundingClientRect().bottom - box.getBoundingClientRect().top));
      assert.ok(Math.min(...columns) > Math.max(...columns) / 2, String(columns));
      await page.close();
    });

    test("a notice says that a page does not exist, also during automatic play, until somebody acts", async () => {
      for (const reducedMotion of ["reduce", "no-preference"]) {
        const page = await open("#/no/such?n=7&source=coin", "A fair d7 from a coin takes", { reducedMotion });
        await page.waitForTimeout(2500);
        const notice = page.getByText("There is no page called “no/such”, so this is the first one.");
        assert.ok(await notice.isVisible());
        await page.getByRole("button", { name: "a d6", exact: true }).click();
        await page.getByText("A fair d7 from a d6 takes").waitFor();
        assert.ok(!await notice.isVisible());
        await page.close();
      }
    });

    test("a small difference from a whole number is written as a decimal", async () => {
      const page = await open("#/die?n=2^30-1", "≈ 30.0000000279 flips on average");
      assert.doesNotMatch(await page.locator("main").innerText(), /\de-\d/);
      await page.close();
      const less = await open("#/die?n=2^30%2B1", "≈ 31.9999999721 flips on average");
      await less.close();
      const table = await open("#/language", "30.000000112");
      assert.doesNotMatch(await table.locator("main").innerText(), /\de-\d/);
      await table.close();
    });

    test("a phone prints the recipe, too; a d20 from a d6 on one page", async () => {
      for (const [hash, most] of [["#/die", 2], ["#/die?n=20&source=6", 1]]) {
        const page = await open(hash, "A fair", { viewport: { width: 375, height: 812 } });
        await page.locator("[aria-label='Flow chart'] .chart li").first().waitFor({ state: "attached" });
        await page.emulateMedia({ media: "print" });
        assert.ok(await page.getByText("Round 1", { exact: true }).isVisible());
        const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g).length;
        assert.ok(pages <= most, `${hash}: ${pages}`);
        await page.close();
      }
    });

    test("no box of the views Loaded and Your language is split between printed pages", async () => {
      for (const [hash, says, box, most] of [["#/loaded", "Many bits at once", ".coin > .grid > div", 1], ["#/loaded?weights=4:7:8", "The cheapest tree", ".card", 1], ["#/language?word=c&open=c-rand-mod-msvc", "In its place", ".headline, .code, .libraries tr", 3]]) {
        for (const width of [375, 1280]) {
          const page = await open(hash, says, { viewport: { width, height: 812 } });
          await page.locator(box.split(",")[0]).first().waitFor();
          await page.emulateMedia({ media: "print" });
          const split = await page.locator(box).evaluateAll((all) => all.filter((part) => part.checkVisibility() && getComputedStyle(part).breakInside !== "avoid").map((part) => part.outerHTML.slice(0, 60)));
          assert.deepEqual(split, [], hash);
          const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g).length;
          assert.ok(pages <= most, `${hash}: ${pages}`);
          await page.close();
        }
      }
    });

    test("every method has steps by hand and an explanation", async () => {
      for (const method of ["rejection", "interval", "factoring"]) {
        const page = await open(`#/die?method=${method}`, "By hand");
        const { rule } = Object.fromEntries(ask({ ask: "list-algorithms", algorithm: method }).rows.map((row) => ["rule", row[4]]));
        await page.locator("[aria-label='Flow chart']").getByText(rule.slice(1, 40)).waitFor();
        await page.close();
      }
      const page = await open("#/die", "Methods, best first");
      await page.getByRole("button", { name: /^More:/ }).click();
      await page.locator(".term", { hasText: "interval" }).hover();
      await page.getByRole("tooltip").getByText("Han & Hoshi").waitFor();
      await page.locator(".methods-card .term", { hasText: "toll" }).focus();
      await page.getByRole("tooltip").getByText("less the entropy of one result").waitFor();
      await page.close();
    });

    test("the layout does not shift, on load and during automatic play", async (context) => {
      for (const width of [375, 800, 1440]) {
        const page = await open("#/die", "A fair d6 from a coin takes", { reducedMotion: "no-preference", viewport: { width, height: 850 } });
        await page.getByText(/on average in 2 results/).waitFor();
        const shifted = await page.evaluate(() => window.shifted);
        context.diagnostic(`${width} px: ${shifted.toFixed(4)}`);
        assert.ok(shifted < 0.05, `${width}: ${shifted}`);
        await page.close();
      }
    });

    test("the layout of the loaded die and of the table does not shift on load", async (context) => {
      for (const [hash, says] of [["#/loaded", "Many bits at once"], ["#/table", "that is proved"]]) {
        for (const width of [375, 800, 1440]) {
          const page = await open(hash, says, { viewport: { width, height: 850 } });
          await page.waitForTimeout(2000);
          const shifted = await page.evaluate(() => window.shifted);
          context.diagnostic(`${hash}, ${width} px: ${shifted.toFixed(4)}`);
          assert.ok(shifted < 0.05, `${hash}, ${width}: ${shifted}`);
          await page.close();
        }
      }
    });

    test("on a phone nothing is cut off, too small or split", async () => {
      const page = await open("#/die", "Fair shares", { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
      // No link in the header is partly visible.
      assert.deepEqual(await page.locator("nav a:not(.cut)").allInnerTexts(), ["A die", "All dice", "At the table"]);
      // The explanations are folded.
      assert.ok(await page.evaluate(() => document.documentElement.scrollHeight) < 2700);
      await page.getByRole("button", { name: "See why" }).click();
      await page.getByText("Any method is a tree").waitFor();
      const wrong = await page.evaluate(() => {
        const seen = (element) => element.offsetParent !== null || element.ownerSVGElement;
        const small = [...document.querySelectorAll("main button, main input, main summary")].filter(seen).filter((element) => element.getBoundingClientRect().height < 23.5).map((element) => `small: ${element.textContent || element.id}`);
        const tiny = [...document.querySelectorAll("main *")].filter((element) => seen(element) && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).filter((element) => parseFloat(getComputedStyle(element).fontSize) < 11).map((element) => `tiny: ${element.textContent}`);
        const cut = [...document.querySelectorAll(".methods, .keys")].filter((element) => element.scrollWidth > element.parentElement.clientWidth + 1).map((element) => `cut: ${element.className}`);
        const keys = [...document.querySelectorAll(".keys")].filter(seen).map(() => "keys are told of on a phone");
        return [...small, ...tiny, ...cut, ...keys, ...(document.documentElement.scrollWidth > innerWidth ? ["wider than the phone"] : [])];
      });
      assert.deepEqual(wrong, []);
      await page.close();
      // Every face has a button within reach of the thumb, in rows.
      const d20 = await open("#/die?source=20&n=97", "Fair shares", { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
      const faces = await d20.locator(".faces button").evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()).map(({ left, right, width, height, top }) => ({ inside: left >= 0 && right <= innerWidth && width >= 44 && height >= 44, top })));
      assert.ok(faces.length === 21 && faces.every(({ inside }) => inside));
      assert.equal(new Set(faces.map(({ top }) => top)).size, 3);
      await d20.close();
    });

    test("the footer is at the bottom of the page", async () => {
      const page = await open("#/studies", "The studies", { viewport: { width: 1440, height: 1600 } });
      await page.waitForFunction(() => Math.abs(document.querySelector("footer").getBoundingClientRect().bottom - innerHeight) < 2);
      await page.close();
    });

    test("the link of a local page is only the part after the address, with an explanation", async () => {
      const page = await open("#/die?n=7", "A fair d7 from a coin takes");
      await page.locator(".headline .number").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("This page is on your machine only").waitFor();
      assert.doesNotMatch(await dialog.innerText(), /127\.0\.0\.1/);
      await page.close();
      const known = await open("#/die?n=7", "A fair d7 from a coin takes");
      await known.evaluate(() => document.head.insertAdjacentHTML("beforeend", '<link rel="canonical" href="https://dice.example/flipcost/">'));
      await known.locator(".headline .number").first().click();
      await known.getByRole("dialog").getByText("https://dice.example/flipcost/#/die?n=7", { exact: true }).waitFor();
      await known.close();
    });

    test("sharing: the sentence, with its link if the address is public, and a picture", async () => {
      for (const [hash, sentence] of [["#/die?n=7", "A fair d7 from a coin takes 24/7 ≈ 3.42857 flips on average"], ["#/table?of=100&dice=10", "A d100 from a d10 takes 2 rolls on average, as tens and units"], ["#/table?need=shuffle&of=5+of+52", "5 of 52 cards take"]]) {
        const page = await open(hash, sentence.slice(0, 20));
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await page.locator("details.share summary").first().click();
        await page.getByRole("button", { name: "Copy the sentence" }).click();
        await page.getByRole("status").getByText("Copied. It has no link").waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.ok(copied.startsWith(sentence) && !copied.includes("#/"), copied);
        await page.getByRole("button", { name: "Copy the picture" }).click();
        await page.getByRole("status").getByText("The picture is copied.").waitFor();
        assert.deepEqual(await page.evaluate(async () => (await navigator.clipboard.read())[0].types), ["image/png"]);
        const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the picture" }).click()]);
        const chunks = [];
        for await (const chunk of await file.createReadStream()) chunks.push(chunk);
        const png = Buffer.concat(chunks);
        assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator("details.share[open]").count(), 0);
        await page.close();
      }
      // The menu is inside the screen, wherever its button is.
      for (const [hash, says] of [["#/die", "It cannot cost less"], ["#/table", "A d7 from a d6 takes"], ["#/language", "A card to share"], ["#/supply", "What suffices"], ["#/rule", "It is proved"]]) {
        for (const width of [375, 1440]) {
          const page = await open(hash, says, { viewport: { width, height: 812 } });
          await page.locator("details.share summary").first().click();
          // The message of the menu does not make it wider.
          await page.locator("details.share[open] button", { hasText: "Copy the sentence" }).click();
          await page.locator("details.share[open] p", { hasText: /./ }).waitFor();
          await page.waitForFunction(() => {
            const { left, right } = document.querySelector("details.share[open] .share-menu").getBoundingClientRect();
            return left >= 0 && right <= innerWidth && document.documentElement.scrollWidth <= innerWidth;
          });
          await page.close();
        }
      }
      // The system's share menu gets both the sentence and the picture.
      const page = await open("#/die?n=7", "A fair d7 from a coin takes", { script: () => {
        navigator.canShare = () => true;
        navigator.share = async (given) => (window.sent = { text: given.text, types: given.files.map(({ type }) => type) });
      } });
      await page.evaluate(() => document.head.insertAdjacentHTML("beforeend", '<link rel="canonical" href="https://dice.example/flipcost/">'));
      await page.locator("details.share summary").first().click();
      await page.getByRole("button", { name: "Send it…" }).click();
      await page.waitForFunction(() => window.sent);
      const sent = await page.evaluate(() => window.sent);
      assert.ok(/^A fair d7 from a coin takes 24\/7.* https:\/\/dice\.example\/flipcost\/#\/die\?n=7$/.test(sent.text) && sent.types[0] === "image/png", JSON.stringify(sent));
      await page.close();
    });

    test("a chart is saved as SVG, PNG and CSV", async () => {
      const page = await open("#/die", "How many flips");
      await page.getByText("Exact chances").click();
      for (const [kind, begin] of [["SVG", "<svg"], ["PNG", "\x89PNG"], ["CSV", "t,"]]) {
        const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: kind, exact: true }).first().click()]);
        const chunks = [];
        for await (const chunk of await file.createReadStream()) chunks.push(chunk);
        assert.ok(Buffer.concat(chunks).toString("latin1").startsWith(begin), kind);
        // The picture has a title and a legend for its bars.
        if (kind === "SVG") assert.match(String(Buffer.concat(chunks)), /How many flips a d6 from a coin takes[^]*exact chance[^]*flipcost distribution 6/);
      }
      await page.close();
    });
  });
}

test("without the server: one sentence, the last good state in grey, and a button to try again", { timeout: 600_000 }, async () => {
  const host = await WAYS.server();
  const browser = await launch();
  const page = await browser.newPage({ reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
  await page.goto(host.url);
  await page.getByText("Try to beat 11/3").waitFor();
  await page.waitForTimeout(3000);
  const port = new URL(host.url).port;
  await host.close();
  await page.waitForTimeout(500);
  await page.getByRole("button", { name: "Tails" }).click();
  await page.getByRole("alert").getByText(`flipcost explore --port ${port}`).waitFor();
  await page.getByText("A fair d6 from a coin takes").waitFor();
  assert.ok(await page.evaluate(() => document.body.classList.contains("gone")));
  // A view that was not opened before also says so; then the server is started again.
  await page.getByRole("link", { name: "Loaded" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("alert").getByText("tries again by itself").waitFor();
  const again = await WAYS.server(port);
  await page.getByText("a fair bit takes").first().waitFor();
  assert.ok(!await page.evaluate(() => document.body.classList.contains("gone")));
  await browser.close();
  again.close();
});

test("a drag asks at most ten questions a second, and the newest answer is drawn", { timeout: 600_000 }, async () => {
  const host = await WAYS.server();
  const browser = await launch();
  const page = await browser.newPage({ reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
  const times = [];
  page.on("request", (request) => request.method() === "POST" && times.push(Date.now()));
  await page.goto(host.url);
  await page.getByText("Try to beat 11/3").waitFor();
  const box = await page.locator("#die-n-slider").boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 12, y);
  await page.mouse.down();
  times.length = 0;
  const begun = Date.now();
  for (let i = 0; i < 60; i += 1) {
    await page.mouse.move(box.x + 12 + i * 2, y);
    await page.waitForTimeout(30);
  }
  const seconds = (Date.now() - begun) / 1000;
  assert.ok(times.length <= 10 * (seconds + 1), `${times.length} questions in ${seconds} s`);
  await page.mouse.up();
  const n = await page.locator("#die-n-slider").inputValue();
  await page.getByText(`A fair d${n} from a coin takes`).waitFor();
  await browser.close();
  host.close();
});

test("the server compresses its responses, and does not resend files that the browser has", { timeout: 60_000 }, async () => {
  const host = await WAYS.server();
  const first = await fetch(host.url + "style.css");
  const mark = first.headers.get("etag");
  assert.equal(first.headers.get("content-encoding"), "gzip");
  assert.ok(mark);
  const again = await fetch(host.url + "style.css", { headers: { "If-None-Match": mark } });
  assert.equal(again.status, 304);
  const refused = await fetch(host.url + "ask", { method: "POST", body: '{"ask":"cost","target":"0"}' });
  assert.equal(refused.status, 422);
  host.close();
});
