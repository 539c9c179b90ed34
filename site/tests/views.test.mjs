// Tests of the views for the table, languages, all dice, a loaded coin, supplies and a person's own
// rule: what each does for the person who uses it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { PROGRAM, WAYS, ask, launch, openPage } from "./ways.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const records = (told) => told.rows.map((row) => Object.fromEntries(told.columns.map(({ name }, i) => [name, row[i]])));

// Tested with the static files only, since both ways give the same bytes; page.test.mjs opens both.
for (const [name, way] of Object.entries(WAYS).filter(([name]) => name === "files")) {
  describe(`the views by ${name}`, { timeout: 1_200_000 }, () => {
    let host, browser;
    before(async () => {
      host = await way();
      browser = await launch();
    });
    after(async () => {
      await browser?.close();
      host?.close();
    });
    const open = (address, says, options = {}) => openPage(browser, host.url + address, says, options);
    /** Unfolds the counts of each kind of dice, and the field for other dice. */
    const moreDice = (page) => page.getByText("Several of a kind, or other dice").click();
    const saved = async (page, button) => {
      const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
      return readFileSync(await download.path());
    };

    test("at the table a click right after typing counts, and the field answers while somebody types", async () => {
      const page = await open("#/table", "A d7 from a d6 takes");
      await page.locator("#table-of").fill("");
      await page.locator("#table-of").pressSequentially("13", { delay: 50 });
      await page.getByText("A d13 from a d6 takes").waitFor();
      await page.locator("#table-of").fill("100");
      await page.getByRole("button", { name: "cards", exact: true }).click();
      await page.getByText("5 of 52 cards take").waitFor();
      await page.close();
      const all = await open("#/all", "The toll is");
      await all.locator("#all-to").fill("1000");
      await all.getByRole("button", { name: "expected flips", exact: true }).click();
      await all.waitForFunction(() => location.hash.includes("of=expected") && location.hash.includes("to=1000"));
      await all.close();
    });

    test("roll with me: the dice in the order of the recipe, kept over a reload, usable with one thumb", async () => {
      const page = await open("#/table?of=13&dice=6,10", "Roll a d10.", { viewport: { width: 375, height: 720 }, hasTouch: true });
      assert.ok(await page.locator(".walk-faces button").evaluateAll((all) => all.every((button) => button.offsetHeight >= 44)));
      for (const made of [1, 2]) {
        await page.getByRole("button", { name: "0 (10)", exact: true }).tap();
        await page.waitForFunction((made) => document.querySelectorAll(".walk .token").length === made, made);
      }
      await page.getByText("Roll a d6.").waitFor();
      const walked = records(ask({ ask: "plan", target: "13", dice: "6,10", rolls: "10,10" }));
      assert.equal(walked.at(-1).die, "6");
      await page.reload();
      await page.getByText("Roll a d6.").waitFor();
      await page.getByRole("button", { name: "1", exact: true }).tap();
      const result = records(ask({ ask: "plan", target: "13", dice: "6,10", rolls: "10,10,1" })).at(-1).outcome;
      await page.locator(".walk-result", { hasText: new RegExp(`^${result}$`) }).waitFor();
      await page.close();
    });

    test("roll with me: weights need a roll; the guided recipe is that of the sheet", async () => {
      for (const [dice, of] of [["6", "1:2:3"], ["6", "2d6"], ["10", "1:2:3:4"], ["2", "1:1:2"], ["6", "1:0:2"]]) {
        const page = await open(`#/table?dice=${dice}&need=weights&of=${of}`, `Nothing is ${dice === "2" ? "flipped" : "rolled"} yet.`);
        await page.locator(".walk-faces button").first().click();
        const { outcome } = records(ask({ ask: "plan", target: of, dice, rolls: "1" })).at(-1);
        await page.locator(outcome === null ? ".walk-step" : ".walk-result", { hasText: outcome === null ? "Step 2" : outcome }).waitFor();
        await page.close();
      }
      // Cost, recipe and guide belong together: the dice of a formula are rolled as written,
      // and names are results.
      const dice = await open("#/table?dice=6&of=3d6&rolls=2,3,4", "3d6 from a d6 takes 3 rolls on average by a simple recipe");
      await dice.locator(".walk-result", { hasText: /^9$/ }).waitFor();
      await dice.close();
      const names = await open(`#/table?dice=6&need=weights&of=${encodeURIComponent("goblin 1, orc=2, bat: 3")}&rolls=6`, "The weights goblin 1, orc=2, bat: 3 from a d6 take 1 roll");
      await names.locator(".walk-result", { hasText: /^bat$/ }).waitFor();
      assert.match(await names.locator("section.sheet-card").innerText(), /goblin\s+orc\s+orc\s+bat/);
      await names.close();
      for (const text of ["goblin 1 orc 2 bat 3", "1 goblin, 2 orc, 3 bat"]) {
        const same = await open(`#/table?dice=6&need=weights&of=${encodeURIComponent(text)}&rolls=6`, `The weights ${text} from a d6 take 1 roll`);
        await same.locator(".walk-result", { hasText: /^bat$/ }).waitFor();
        await same.close();
      }
      for (const [way, rolls] of [["simple", "20,7"], ["cheapest", "20,7"]]) {
        const page = await open(`#/table?dice=20&of=97&way=${way}&rolls=${rolls}`, "Done, after 2 rolls.");
        const { outcome } = records(ask({ ask: "plan", target: "97", dice: "20", cheapest: way === "cheapest", rolls })).at(-1);
        assert.equal(await page.locator(".walk-result").innerText(), outcome);
        if (way === "simple") assert.equal(outcome, "97"); // the sheet makes 10 and 7 into 10 (10 - 1) + 7
        // The table of another recipe is not shown.
        assert.equal(await page.locator("[aria-label='Look-up table']").isVisible(), false);
        await page.close();
      }
      const again = await open("#/table?dice=20&of=97&way=simple&rolls=10,8,4", "So far:");
      assert.deepEqual(await again.locator(".walk .token").allTextContents(), ["10 thrown away", "8 thrown away", "4"]);
      await again.getByRole("button", { name: "Undo" }).click();
      await again.getByText("That is too much: go back. Roll a d20.").waitFor();
      await again.close();
      for (const [of, need, says] of [["53 of 52", "shuffle", "cannot be used"], ["100%", "die", "cannot be used"]]) {
        const page = await open(`#/table?need=${need}&of=${encodeURIComponent(of)}`, says);
        await page.close();
      }
    });

    test("two d10 are tens and units, 00 is 100; the current step is named, and nothing moves", async () => {
      const page = await open("#/table?of=97&dice=10", "A d97 from a d10 takes", { viewport: { width: 375, height: 720 } });
      await page.getByText("as tens and units").waitFor();
      assert.match(await page.locator("section.sheet-card").innerText(), /00 is 100\.[^]*above 97, roll both again/);
      const undo = page.locator(".walk").getByRole("button", { name: "Undo" });
      const heights = new Set();
      for (const [face, says, far] of [["90", "Roll a d10 for the units.", "90"], ["8", "98 is too much: roll the tens again.", "90 thrown away, 8 thrown away"], ["30", "Step 4. Roll a d10 for the units.", "90 thrown away, 8 thrown away, 30"], ["5", "Done, after 4 rolls.", "90 thrown away, 8 thrown away, 30, 5"]]) {
        await page.getByRole("button", { name: face, exact: true }).click();
        await page.locator(".walk-say", { hasText: says }).waitFor();
        assert.equal((await page.locator(".walk .token").allTextContents()).join(", "), far);
        heights.add(await undo.evaluate((button) => button.offsetTop));
      }
      assert.equal(await page.locator(".walk-result").innerText(), "35");
      assert.equal(heights.size, 1, [...heights].join());
      await page.close();
      const whole = await open("#/table?of=100&dice=10,10&rolls=10,10", "A d100 from two d10 takes");
      await whole.locator(".walk-result", { hasText: /^100$/ }).waitFor();
      // Each result has the same number of faces, and the cost follows from the chance of a
      // result.
      for (const [m, n, length] of [[10, 100, 2], [10, 97, 2], [10, 50, 2], [10, 20, 2], [6, 36, 2], [6, 31, 2], [20, 201, 2], [4, 9, 2], [10, 1000, 3], [10, 501, 3], [10, 250, 3]]) {
        const { counts, cost } = await whole.evaluate(async ([m, n, length]) => {
          const { followReading, readingCost, rollsAsOne } = await import("./pairs.js");
          const reading = rollsAsOne(String(n), [m]);
          const counts = {};
          for (let i = 0; i < m ** length; i += 1) {
            const { result } = followReading(reading, Array.from({ length }, (_, k) => String(1 + Math.floor(i / m ** k) % m)));
            if (result !== null) counts[result] = (counts[result] ?? 0) + 1;
          }
          return { counts, cost: readingCost(reading) };
        }, [m, n, length]);
        const each = Math.floor(m ** length / n);
        assert.deepEqual(Object.keys(counts).map(Number), Array.from({ length: n }, (_, i) => i + 1));
        assert.deepEqual([...new Set(Object.values(counts))], [each]);
        // The rolls of one attempt, divided by the chance that it gives a result.
        const [a, b = 1] = cost.split("/").map(Number);
        assert.equal(a * n * each, b * length * m ** length);
      }
      await whole.close();
      for (const [rolls, result] of [["1,10,5", "105"], ["10,10,10", "1000"]]) {
        const digits = await open(`#/table?of=1000&dice=10&rolls=${rolls}`, "takes 3 rolls on average, as digits");
        await digits.locator(".walk-result", { hasText: new RegExp(`^${result}$`) }).waitFor();
        await digits.close();
      }
      const percent = await open("#/table?of=d%25&dice=d%25", "A d100 from two d10 takes 2 rolls");
      assert.equal(await percent.locator("#table-of").inputValue(), "100");
      await percent.close();
    });

    test("roll with me: the cheapest way of weights is one die alone, to its result; the sheet stays the simple recipe", async () => {
      const page = await open("#/table?dice=6,10,10,20&of=3d6", "takes 3 rolls on average by a simple recipe");
      await page.locator("section.sheet-card", { hasText: "Roll the dice of 3d6" }).waitFor();
      await page.getByRole("button", { name: "Cheapest", exact: true }).click();
      await page.locator(".headline .answer", { hasText: "≈ 1.42079 rolls on average with the d20 alone" }).waitFor();
      await page.locator(".walk", { hasText: "Cheapest: ≈ 1.42079 rolls on average with the d20 alone." }).waitFor();
      await page.locator("section.sheet-card", { hasText: "This sheet is the simple recipe, which takes 3 rolls" }).waitFor();
      for (const face of ["13", "20", "3"]) {
        await page.locator(".walk-faces").getByRole("button", { name: face, exact: true }).click();
        const made = face === "13" ? "13" : face === "20" ? "13,20" : "13,20,3";
        const { outcome } = records(ask({ ask: "show", target: "3d6", source: "20", algorithm: "knuth-yao", rolls: made })).at(-1);
        await page.locator(outcome === null ? ".walk-step" : ".walk-result", { hasText: outcome ?? `Step ${made.split(",").length + 1}.` }).waitFor();
        if (outcome !== null) break;
      }
      await page.close();
      const scaled = await open(`#/table?dice=20&need=weights&of=${encodeURIComponent("goblin 1.5, orc 2")}&way=cheapest&rolls=1`, "In whole numbers the weights are 3:4.");
      await scaled.locator(".walk-result", { hasText: /^goblin$/ }).waitFor();
      await scaled.close();
      for (const [asked, says] of [["need=weights&of=goblin", "type weights such as 1:2:3, names as in goblin 1, orc 2"], ["of=x", "type a number, such as 7, 100 or 2*3*5"], ["of=goblin,orc", "choose weights"]]) {
        const wrong = await open(`#/table?${asked}`, says);
        await wrong.close();
      }
    });

    test("names of equal weights are results, and weights are read as people write them", async () => {
      for (const [of, name] of [["Anna 1, Bob 1, Cid 1", "Anna"], ["Anna, Bob, Cid", "Anna"], ["Anna 50%, Bob 50%", "Bob"], ["goblin 0,5; orc 0,5", "orc"], ["1/2 goblin, .5 orc", "orc"], ["1 1 1", "1"], [".5 .5", "2"]]) {
        const page = await open(`#/table?dice=6&need=weights&of=${encodeURIComponent(of)}&rolls=4`, "take 1 roll");
        await page.locator(".walk-result", { hasText: new RegExp(`^${name}$`) }).waitFor();
        await page.close();
      }
      const page = await open("#/table?need=weights&of=0,5", "can be read in two ways");
      await page.close();
    });

    test("an unusable part of an address is reported once, and no answer is shown beside it", async () => {
      const page = await open("#/table?dice=2&of=97", "A d97 from a coin takes");
      for (const [asked, says] of [["dice=99999,abc&need=die&of=7", "abc is not a die"], ["need=xx", "xx, which is not one of"]]) {
        await page.evaluate((asked) => (location.hash = `#/table?${asked}`), asked);
        await page.locator(".headline .refusal", { hasText: says }).waitFor();
        assert.equal(await page.locator(".refusal").count(), 1);
        assert.equal(await page.locator(".card:visible").count(), 0);
      }
      assert.deepEqual(page.complaints, []);
      await page.close();
    });

    test("a cheapest recipe that is as short as the simple one is the only one; a bound is rounded down; the rolled result is shared", async () => {
      const page = await open("#/table?dice=6,10,10,20&of=1000", "takes 3 rolls on average; never more than 3");
      assert.deepEqual(await page.locator(".ways button").allInnerTexts(), ["Cheapest", "Together"]);
      await page.close();
      const bound = await open("#/table?dice=6,10,10,20&of=30", "No method that rolls these dice one at a time takes fewer than ≈ 1.99999");
      await bound.close();
      const rolled = await open("#/table?dice=20&of=13&rolls=20,20,7", "Done, after 3 rolls.", { script: "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => (window.copied = text) } })" });
      await rolled.locator(".sheet-card details.share summary").click();
      await rolled.getByRole("button", { name: /^Copy the sentence/ }).click();
      await rolled.waitForFunction(() => window.copied?.startsWith("I rolled a d13 with a d20: 7. A d13 from a d20 takes"));
      await rolled.close();
    });

    test("among throws of equal cost the fewest dice come first; a throw with few steps comes before the best of all", async () => {
      for (const [of, says] of [["100", "takes 1 throw of the two d10 on average."], ["1000", "takes 1 throw of the two d10 and the d20 on average."], ["97", "takes 100/97 ≈ 1.03093 throws of the two d10 on average, rerolling anything above 97."]]) {
        const page = await open(`#/table?dice=6,10,10,20&of=${of}&way=together`, says);
        await page.close();
      }
      // One die alone costs the same.
      const one = await open("#/table?dice=6,10,10,20&of=3&way=together", "takes 1 roll on average");
      assert.equal(await one.getByRole("button", { name: "Together", exact: true }).count(), 0);
      await one.close();
      const page = await open("#/table?dice=6,10,10,20&of=97&way=together&rolls=9,8,10", "What are the units?");
      await page.locator(".walk-faces").getByRole("button", { name: "9", exact: true }).click();
      await page.locator(".walk-result", { hasText: /^9$/ }).waitFor();
      await page.close();
    });

    test("bits by hand: as many bits of each roll as the die gives, and their exact cost", async () => {
      for (const [dice, of, cost] of [["20", "8", "4 bits for each roll, it takes 5/2 = 2.5."], ["3", "2", "a bit for each roll, it takes 3."], ["6", "5", "2 bits for each roll, it takes 9/2 = 4.5."]]) {
        const page = await open(`#/table?dice=${dice}&need=bits&of=${of}`, `With the sheet, ${cost}`);
        if (dice === "20") assert.match(await page.locator("section.sheet-card").innerText(), /Roll again above 16\.[^]*Bits of a face[^]*bits\s+1010\s+1011\s+1100\s+1101\s+1110\s+1111/);
        await page.close();
      }
    });

    test("long weights are shown whole, or their number is given", async () => {
      for (const [of, says] of [["goblin 0.5, orc 1.25, bat 3", "The weights goblin 0.5, orc 1.25, bat 3 from a d6 take"], ["goblin 0.5, orc 1.25, bat 3, imp 4, dragon 12, elf 2, witch 9", "7 weights (goblin, orc, bat, imp, …) from a d6 take"]]) {
        const page = await open(`#/table?need=weights&of=${encodeURIComponent(of)}`, says);
        await page.close();
      }
    });

    test("of many dice, as many are thrown together as the engine accepts", async () => {
      const page = await open("#/table?dice=20,20,20,20,20,20,20,20&of=97", "Thrown together they take");
      await page.close();
    });

    test("a grey card accepts no rolls", async () => {
      const page = await open("#/table?dice=20&of=13", "Nothing is rolled yet.");
      const seven = page.locator(".walk-faces").getByRole("button", { name: "7", exact: true });
      await page.evaluate(() => document.body.classList.add("gone"));
      await seven.click();
      await page.waitForTimeout(300);
      assert.doesNotMatch(page.url(), /rolls/);
      await page.evaluate(() => {
        document.body.classList.remove("gone");
        dispatchEvent(new Event("hashchange"));
      });
      await page.waitForTimeout(300);
      await seven.click();
      await page.waitForFunction(() => location.hash.includes("rolls=7"));
      await page.close();
    });

    test("weights get the best rule's sheet if it is no longer than the other; a difference is a fraction", async () => {
      const page = await open("#/table?dice=10&need=weights&of=1:2:3", "The weights 1:2:3 from a d10 take 10/9");
      const cells = page.locator(".faces-table tbody td");
      await cells.first().waitFor();
      assert.equal((await cells.allInnerTexts()).join(), "1,2,2,2,3,3,3,3,3,[B],1,1,1,1,1,1,2,2,2,[B]");
      for (const face of ["0 (10)", "0 (10)", "7"]) await page.locator(".walk-faces").getByRole("button", { name: face, exact: true }).click();
      await page.locator(".walk-result", { hasText: /^2$/ }).waitFor();
      await page.getByText("No method takes fewer rolls on average: that is proved.").waitFor();
      await page.close();
      // 127/92 - 35/27.
      const gap = await open("#/table?dice=6&need=weights&of=2:3:4", "The cheapest way takes");
      const [high, low, more] = await gap.locator(".headline p .number").allInnerTexts();
      const value = (text) => text.split(" ")[0].split("/").map(Number).reduce((a, b) => a / b);
      assert.match(more, /^(\d+\/\d+|≈ .*)$/);
      if (more.includes("/")) assert.ok(Math.abs(value(high) - value(low) - value(more)) < 1e-12);
      await gap.close();
    });

    test("only the chosen way is shown, and the answer names a die that does not help", async () => {
      const page = await open("#/table?dice=2,6&of=7&way=cheapest", "The coin does not help the cheapest recipe, which rolls the d6 alone.");
      const [chances, sheet] = [page.getByRole("table", { name: "The chance that a roll is needed" }), page.locator("main section.sheet-card")];
      await chances.waitFor();
      // The d6 is rolled twice, and again for one of 36 pairs.
      assert.match(await chances.locator("tbody tr").first().innerText(), /^3\s+1\/36/);
      assert.equal(await page.getByText("5/12").count(), 0);
      // The recipe has its own table, with the second face above each column.
      assert.deepEqual(await sheet.locator(".faces-table tbody td").allInnerTexts(), Array.from({ length: 36 }, (_, i) => (i === 35 ? "again" : String(i % 7 + 1))));
      assert.equal(await sheet.getByText("alone").count(), 0);
      await page.getByRole("button", { name: "Together", exact: true }).click();
      const card = page.locator("section[aria-label='Look-up table'] table");
      await card.waitFor();
      assert.deepEqual(await card.locator("tbody td").allInnerTexts(), [1, 2, 3, 4, 5, 6, 7, "–", "–", "–", "–", "–"].map(String));
      assert.match(await page.getByRole("table", { name: "The chance that a throw is needed" }).locator("tbody tr").first().innerText(), /^2\s+5\/12/);
      await page.close();
    });

    test("different dice are also thrown together; the choice is above the card that it changes", async () => {
      const page = await open("#/table?dice=2,20&of=7", "Thrown together they take", { viewport: { width: 375, height: 720 } });
      // 35 of the 40 results count; the recipe that also uses the others has six steps.
      assert.match(await page.locator(".headline").innerText(), /8\/7 ≈ 1\.14286 throws of the coin and the d20, rerolling anything above 35/);
      await page.getByRole("button", { name: "Together", exact: true }).click();
      await page.getByText("Throw the coin and the d20 together.").waitFor();
      assert.ok(await page.evaluate(() => document.querySelector(".ways").getBoundingClientRect().bottom <= document.querySelector(".walk").getBoundingClientRect().top));
      await page.close();
    });

    test("roll with me: dice thrown together are entered one by one, as the faces of one throw", async () => {
      const page = await open("#/table?of=7&dice=6,10,10&way=fewest", "Throw the d6 and the two d10 together.", { viewport: { width: 375, height: 720 } });
      const enter = (face) => page.locator(".walk-faces").getByRole("button", { name: face, exact: true }).click();
      await enter("6");
      await page.getByText("What does the first d10 show?").waitFor();
      await enter("0 (10)");
      await page.getByText("What does the second d10 show?").waitFor();
      await enter("0 (10)");
      await page.getByText("Again: throw the d6 and the two d10 together.").waitFor();
      for (const face of ["1", "2", "3"]) await enter(face);
      const throws = ["6", "10", "10,10", "6,10", "6,10,10"];
      // The faces 6, 10, 10 make the number 600, and 1, 2, 3 make 13.
      const { outcome } = records(ask({ ask: "plan", target: "7", throws, rolls: "600,13" })).at(-1);
      await page.locator(".walk-result", { hasText: new RegExp(`^${outcome}$`) }).waitFor();
      await page.getByText("Done, after 2 throws.").waitFor();
      // After unfolding, all dice to choose from are visible, and so is the last roll.
      await page.getByText("I have a d6 and two d10").click();
      assert.ok(await page.locator(".controls .choice button").evaluateAll((all) => all.every((button) => button.getBoundingClientRect().right <= innerWidth)));
      assert.equal(await page.locator("#table-own").inputValue(), "");
      await page.close();
      const long = await open(`#/table?of=7&dice=6&rolls=${Array(13).fill("6").join()}`, "So far: …", { viewport: { width: 375, height: 720 } });
      assert.ok(await long.locator(".walk .token").last().evaluate((token) => token.getBoundingClientRect().right <= token.parentElement.getBoundingClientRect().right + 1));
      await long.close();
    });

    test("cards by hand: the die with the most sides is used, and the sheet says its own cost", async () => {
      const page = await open("#/table?dice=6,10,20&need=shuffle&of=4", "Here you roll only the d20, and the cost is for the d20.");
      await page.getByText("Roll a d20.").first().waitFor();
      const { expected } = records(ask({ ask: "shuffle", cards: 4, source: "20" })).find(({ algorithm }) => algorithm === "keep");
      const cost = page.locator("section.sheet-card p", { hasText: "With this sheet it takes" }).locator(".number");
      assert.ok(Math.abs(Number((await cost.innerText()).replace("≈ ", "")) - expected) < 1e-5);
      await page.close();
      // One recipe for all cards takes fewer rolls than a recipe for each card.
      const five = await open("#/table?dice=10&need=cards&of=5+of+52", "With this sheet it takes");
      assert.match(await five.locator("section.sheet-card").innerText(), /With this sheet it takes ≈ 10\.1724/);
      assert.equal(await five.locator("section.sheet-card li").count(), 6);
      await five.getByRole("button", { name: "Deal for me" }).click();
      await five.locator(".walk-cards li").nth(4).waitFor();
      assert.equal(new Set(await five.locator(".walk-cards li").allInnerTexts()).size, 5);
      await five.close();
      const rolled = await open("#/table?dice=6&of=7", "Nothing is rolled yet.");
      await rolled.getByRole("button", { name: "Roll for me" }).click();
      await rolled.locator(".walk-result", { hasText: /^[1-7]$/ }).waitFor();
      await rolled.close();
    });

    test("lists are in the order of their costs", async () => {
      for (const [hash, says] of [["#/table?dice=10&need=bits&of=128&more=yes", "128 random bits take ≈ 39.3359 rolls"], ["#/table?dice=6&need=shuffle&of=52&more=yes", "A shuffle of 52 cards"]]) {
        const page = await open(hash, says);
        const cells = page.locator("[aria-label='For programmers'] tbody td:nth-child(2)");
        await cells.first().waitFor();
        const costs = (await cells.allInnerTexts()).map((text) => Number(text.replace("≈ ", "")));
        assert.deepEqual(costs, costs.toSorted((a, b) => a - b));
        await page.close();
      }
    });

    test("5 of 52: the rolls lead to five named cards; a shuffle of 5 cards gives an order", async () => {
      const page = await open("#/table?need=shuffle&of=deal+2+from+52&rolls=3,1,6,2,4", "Your cards, in order, are");
      assert.deepEqual(await page.locator(".walk-cards li").allInnerTexts(), ["king of diamonds ♦", "3 of clubs ♣"]);
      assert.deepEqual(records(ask({ ask: "shuffle", cards: 52, draw: 2, deal: true, source: "6", input: "3,1,6,2,4" })).map(({ card }) => Number(card)), [26, 3]);
      await page.close();
      const five = await open("#/table?need=shuffle&of=5&rolls=1,2,3", "Your cards, in order, are");
      assert.deepEqual(await five.locator(".walk-cards li").allInnerTexts(), records(ask({ ask: "shuffle", cards: 5, deal: true, source: "6", input: "1,2,3" })).map(({ card }) => `card ${card}`));
      await five.getByRole("heading", { name: "Shuffle 5 cards with a d6" }).waitFor();
      assert.equal(await five.locator("table.by-hand tbody tr").count(), 4);
      await five.close();
      for (const of of ["5 of 52", "52,5", "deal 5 from 52"]) {
        const deal = await open(`#/table?need=shuffle&of=${encodeURIComponent(of)}`, "5 of 52 cards take");
        await deal.locator("table.by-hand tbody tr").first().waitFor();
        // The steps for people have no long number, and the code is hidden.
        assert.doesNotMatch(await deal.locator("main").innerText(), /\d{30}/);
        assert.equal(await deal.locator("pre:visible").count(), 0);
        await deal.close();
      }
    });

    test("simple beside cheapest, simple first if the other has many steps; own dice; several sheets on a page", async () => {
      const page = await open("#/table?of=97&dice=20", "A d97 from a d20 takes");
      await page.getByText("by a simple recipe").waitFor();
      assert.match(await page.locator(".headline .answer").innerText(), /200\/97/);
      assert.match(await page.locator(".headline").innerText(), /≈ 0\.0257897 less/);
      await page.getByRole("button", { name: "Cheapest", exact: true }).click();
      await page.waitForFunction(() => location.hash.includes("way=cheapest") && document.querySelector(".headline .answer")?.innerText.includes("2.03607"));
      await moreDice(page);
      await page.locator("#table-own").fill("d3, d30");
      await page.locator("#table-own").press("Enter");
      await page.getByText("A d97 from a d3, a d20 and a d30 takes").waitFor();
      await page.close();
      const several = await open("#/table?of=7,13", "A d7 and a d13 from a d6: one sheet each");
      await several.getByRole("heading", { name: "A d13 from a d6" }).waitFor();
      assert.doesNotMatch(await several.locator("main").innerText(), /weights 7/);
      await several.close();
      // The sheets, the cheapest methods and the jar, each with its cost: 72/35 + 33/13 for the sheets.
      for (const says of ["With these sheets they take ≈ 4.5956 rolls on average in all.", "By the cheapest method for each they take ≈ 4.37944; if what is left over is kept for the next one, as in the jar, ≈ 3.25374."]) {
        const costs = await open("#/table?of=7,13", says);
        await costs.close();
      }
      const best = await open("#/table?of=7", "that is proved");
      await best.close();
    });

    test("at the table unreadable input is reported, and the buttons follow the field", async () => {
      const page = await open("#/table?of=7&dice=6", "A d7 from a d6 takes");
      const own = page.locator("#table-own");
      await moreDice(page);
      for (const [typed, says] of [["-5", "-5 is not a die"], ["d3,,d4", "between two commas a die is missing"], ["d1", "a d1 has nothing to roll"], ["1000!", "1000! is not a die"], ["9".repeat(400), "has too many sides"], ["20d6", "20d6 is too many: 8 dice at most"]]) {
        await own.fill(typed);
        await page.getByText(says).waitFor();
        assert.equal(await own.inputValue(), typed);
        assert.equal(await own.getAttribute("aria-invalid"), "true");
        assert.match(page.url(), /dice=6(&|$)/);
      }
      const pressed = () => page.locator("[aria-label='Dice that you own'] button[aria-pressed=true]").allInnerTexts();
      await own.fill("d8");
      await page.getByText("A d7 from a d6 and a d8 takes").waitFor();
      assert.deepEqual(await pressed(), ["d6", "d8"]);
      await own.fill("d30");
      await page.getByText("A d7 from a d6 and a d30 takes").waitFor();
      assert.deepEqual(await pressed(), ["d6", "d30"]);
      await page.locator("#table-of").fill("2,3,,5");
      await page.getByText("several dice are numbers separated by commas").waitFor();
      for (const [need, of] of [["bits", "9".repeat(400)], ["shuffle", "9".repeat(400)], ["bits", "1000!"], ["die", "10^1000000"]]) {
        const large = await open(`#/table?need=${need}&of=${of}`);
        await large.locator(".refusal").first().waitFor();
        assert.doesNotMatch(await large.locator("main").innerText(), /\{"|null|\d{40}/);
        await large.close();
      }
      await page.close();
      const fold = await open("#/table?need=shuffle&of=5+of+52", "The cards that are dealt");
      await fold.getByText("For programmers").click();
      await fold.waitForFunction(() => location.hash.includes("more=yes"));
      await fold.reload();
      await fold.getByLabel("The method as pseudocode").waitFor();
      await fold.close();
    });

    test("a table of many faces has ten in a row", async () => {
      const page = await open("#/table?of=7&dice=30", "How to roll a d7");
      const heads = await page.locator(".faces-table").first().locator("thead tr").evaluateAll((rows) => rows.map((row) => row.cells.length - 1));
      assert.deepEqual(heads, [10, 10, 10]);
      await page.close();
    });

    test("languages are found by what people type", async () => {
      for (const [typed, ids] of [["rand() % 6", /^(c-rand-mod-\w+ ?)+$/], ["golang", /^(go-[\w-]+ ?)+$/], ["C#", /^(dotnet-[\w-]+ ?)+$/], ["python randrange", /cpython-randbelow/], ["Math.floor(Math.random() * n)", /^(js-math-random-[\w-]+ ?)+$/]]) {
        const page = await open("#/language", "random bits at least");
        await page.locator("#language-word").pressSequentially(typed, { delay: 5 });
        await page.waitForFunction(([typed, ids]) => new URLSearchParams(location.hash.split("?")[1]).get("word") === typed
          && new RegExp(ids).test([...document.querySelectorAll(".libraries tbody code")].map((code) => code.textContent).join(" ")), [typed, ids.source]);
        assert.ok(await page.locator(".libraries tbody tr").count() < 12, typed);
        await page.close();
      }
      const page = await open("#/language", "random bits at least");
      for (const [typed, n, ids] of [["rand()%100", "100", ["c-rand-mod-glibc", "c-rand-mod-msvc"]], ["Math.random()*52", "52", /^(js-math-random-[\w-]+ ?)+$/], ["randrange(7)", "7", ["cpython-randbelow"]], ["rng.random_range(1..=8)", "8", /^(rust-rand-[\w-]+ ?)+$/],
        ["gen_range(0..9)", "9", /^(rust-rand-[\w-]+ ?)+$/], ["rand.IntN(52)", "52", ["go-math-rand-v2"]], ["random.nextInt(6)", "6", /java-random-nextint/], ["randint(1, 20)", "20", /cpython-randbelow/], ["rand(1,12)", "12", /^(?!.*go-)/], ["math.random", "12", ["lua-54-random"]], ["typescript", "12", /^(node-randomint|js-[\w-]+)( (node-randomint|js-[\w-]+))+$/]]) {
        await page.locator("#language-word").fill(typed);
        await page.waitForFunction((typed) => new URLSearchParams(location.hash.split("?")[1]).get("word") === typed, typed);
        await page.getByText(`A d${n} needs`).waitFor();
        assert.equal(await page.locator("#language-n").inputValue(), n, typed);
        const all = async () => (await page.locator(".libraries tbody code").allInnerTexts()).sort();
        if (Array.isArray(ids)) {
          await page.waitForFunction((count) => document.querySelectorAll(".libraries tbody code").length === count, ids.length);
          assert.deepEqual(await all(), ids, typed);
        } else {
          await page.waitForFunction((ids) => new RegExp(ids).test([...document.querySelectorAll(".libraries tbody code")].map((code) => code.textContent).join(" ")), ids.source);
        }
      }
      await page.locator("#language-word").fill("random.shuffle");
      await page.locator(".others details[open] tbody th", { hasText: "CPython" }).first().waitFor();
      assert.ok(await page.locator(".libraries").isHidden());
      await page.locator("#language-word").fill("crypto.getRandomValues");
      await page.locator(".headline pre", { hasText: "crypto.getRandomValues(new Uint32Array(1))" }).waitFor();
      await page.locator("#language-word").fill("os.urandom(1)[0] % 52");
      await page.locator(".headline", { hasText: "urandom(1) gives random bits, not a die. With % n, 8 bits are biased: someone notices after about 16000 results." }).waitFor();
      await page.locator(".headline pre", { hasText: "secrets.randbelow(52)" }).waitFor();
      await page.getByText("Random bits with % n").click();
      await page.locator(".others tr", { hasText: /^8.*0\.0144231about 16000 results$/ }).waitFor();
      await page.locator("#language-word").fill("randrange, gibberish");
      await page.getByText("Nothing here is called gibberish.").waitFor();
      await page.locator("#language-word").fill("1:2:3");
      await page.getByText("This view is about fair dice").waitFor();
      await page.close();
      const linked = await open("#/language?word=Math.random()*52", "A d52 needs");
      assert.equal(await linked.locator("#language-n").inputValue(), "52");
      await linked.getByText("A chance of 1 in 52", { exact: true }).click();
      await linked.waitForFunction(() => location.hash.includes("more=2"));
      await linked.reload();
      await linked.locator(".others details[open]", { hasText: "A chance of 1 in 52" }).locator("tbody tr").first().waitFor();
      await linked.close();
      const both = await open("#/language?word=go+rust", "random bits at least");
      assert.deepEqual([...new Set(await both.locator(".libraries tbody th b").allInnerTexts())].sort(), ["Go", "Rust"]);
      await both.close();
    });

    test("a biased row unfolds: why, how much, what to write instead; grades; few stops of the tab key", async () => {
      const page = await open("#/language", "random bits at least");
      const lines = records(ask({ ask: "libraries", target: "6" }));
      const biased = lines.filter((line) => line.total_variation_exact && line.total_variation_exact !== "0");
      // 10^9 results in each of the 86400 seconds of a day.
      const early = biased.filter((line) => BigInt(line.detect) <= 86_400n * 10n ** 9n);
      assert.ok(early.length < 6 && biased.length > 10);
      assert.ok((await page.locator(".headline").innerText()).includes(`${biased.length} of ${lines.filter(({ words }) => words !== null).length} are biased for this n, ${early.length} so much that it is seen within a day`));
      await page.getByRole("button", { name: `Show all ${lines.length}` }).click();
      await page.waitForFunction((all) => document.querySelectorAll(".libraries tbody tr").length === all, lines.length);
      assert.equal(await page.locator("tr.biased").count(), early.length);
      assert.ok(await page.locator(".libraries button").count() < lines.length + 10);
      await page.locator("tr", { hasText: "c-rand-mod-msvc" }).getByRole("button").click();
      await page.getByText("2^15 mod 6 = 2: of 2^15 cases, 2 of the results get 5462 each, and 4 get 5461 each").waitFor();
      const unfolded = await page.locator(".unfolded").innerText();
      const { detect } = lines.find(({ id }) => id === "c-rand-mod-msvc");
      const [{ code }] = records(ask({ ask: "advise", target: "6", source: "word:32", language: "c" }));
      for (const part of ["1/24576", "written down from memory", "rand_s", String(detect).replace(/\B(?=(\d{3})+$)/g, "\u202f"), "after 3 seconds"]) assert.ok(unfolded.includes(part), unfolded);
      assert.doesNotMatch(unfolded, /get_random_u32_below|arc4random/);
      await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => (window.copied = text) } }));
      await page.getByRole("button", { name: "Copy: Code in C" }).click();
      await page.waitForFunction(() => window.copied);
      assert.equal(await page.evaluate(() => window.copied), `#define _CRT_RAND_S\n#include <stdlib.h>\n${code.replace("uint32_t next(void); /* 32 random bits */", "static uint32_t next(void) { /* 32 random bits */\n    unsigned x;\n    if (rand_s(&x)) abort();\n    return x;\n}")}\n`);
      assert.match(await page.locator("svg.share-card").textContent(), /C: rand\(\) % n \(Microsoft C\), a d6Seen after 3 secondsSomebody notices after 3 × 10⁹ results/);
      assert.match(page.url(), /open=c-rand-mod-msvc/);
      for (const [id, says] of [["go-crypto-rand-old", "rand.Int(rand.Reader"], ["rust-rand-random-range32", 'features = ["unbiased"]'], ["js-math-random-v8-53", "crypto.getRandomValues(new BigUint64Array(1))[0]"], ["bash-random-mod", "flipcost knows no fair function and no code for Bash"], ["perl-int-rand", "Draw again while x is 281474976710652 or more"], ["sqlite-abs-random-mod", "no fair function and no code for SQL"]]) {
        await page.locator("tr", { hasText: id }).getByRole("button").click();
        await page.locator(".unfolded", { hasText: says }).waitFor();
      }
      const png = await saved(page, page.getByRole("button", { name: "Save PNG" }));
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
      assert.match(String(await saved(page, page.getByRole("button", { name: "Save SVG" }))), /^<svg[^]*How biased is your rand\(\)\?/);
      await page.close();
      const large = await open("#/language?n=52!", "random bits at least");
      await large.getByText("cannot take an n so large").waitFor();
      assert.doesNotMatch(await large.locator(".headline").innerText(), /[1-9]\d of \d+ are biased/);
      await large.close();
      const phone = await open("#/language", "random bits at least", { viewport: { width: 375, height: 800 } });
      assert.ok(await phone.evaluate(() => document.documentElement.scrollHeight) < 4000);
      assert.ok(await phone.evaluate(() => [...document.querySelectorAll(".scroll")].every((box) => box.scrollWidth <= box.clientWidth)));
      await phone.close();
    });

    test("the article's chart: every n, all values at the pointer, two kinds of axes, CSV, SVG and PNG, the command", async () => {
      const page = await open("#/all", "The toll is");
      await page.getByRole("button", { name: "The article's chart: 1 to 1000" }).click();
      await page.waitForFunction(() => document.querySelectorAll("polyline.line").length === 4 && [...document.querySelectorAll("polyline.line")].every((line) => line.points.numberOfItems === 1000));
      const csv = String(await saved(page, page.getByRole("button", { name: "CSV" }))).trim().split("\n");
      assert.equal(csv.length, 3001);
      const command = await page.locator("code", { hasText: "flipcost cost 1..1000" }).innerText();
      const told = execFileSync(PROGRAM, [...command.split(" ").slice(1), "--format", "csv"], { encoding: "utf8" }).trim().split("\n");
      assert.deepEqual(csv.map((line) => line.split(",").slice(0, 3).join()), told.map((line) => line.split(",").slice(0, 3).join()));
      assert.match(String(await saved(page, page.getByRole("button", { name: "SVG" }))), /<polyline/);
      assert.equal((await saved(page, page.getByRole("button", { name: "PNG" }))).subarray(1, 4).toString(), "PNG");
      await page.locator("svg.curves[role=img]").first().focus();
      await page.keyboard.press("End");
      const values = await page.locator("[role=status]:has(+ .curve)").innerText();
      for (const part of ["n = 1000", "10.24", "11.9375", "≈ 9.96578"]) assert.ok(values.includes(part), values);
      const log = await page.locator("polyline.line").first().getAttribute("points");
      await page.getByRole("button", { name: "linear axis" }).click();
      await page.waitForFunction((log) => document.querySelector("polyline.line") && document.querySelector("polyline.line").getAttribute("points") !== log, log);
      await page.getByText("The picture as a table").click();
      await page.waitForFunction(() => document.querySelectorAll("details tbody tr").length === 1000);
      // Rounds are drawn as points, the range is kept, and the cyclic n are marked.
      await page.getByRole("button", { name: "rounds of the cycle (A136043)" }).click();
      await page.waitForFunction(() => document.querySelectorAll("circle.dot").length >= 1000 && location.hash.includes("to=1000"));
      assert.equal(await page.locator(".curve circle.marked").count(), records(ask({ ask: "cost", target: "3..1000", algorithms: ["fast-dice-roller"], columns: ["n", "period"] })).filter(({ n, period }) => Number(period) === Number(n) - 1).length);
      await page.close();
    });

    test("all dice: points if not every n is drawn, an axis that fits, no toll of 2, an address of the shown state", async () => {
      const page = await open("#/all?from=1&to=10^18&methods=interval,foo&n=2^59%2B1&scale=foo", "The toll is just below 2 flips");
      await page.getByText(/^Points are exact values at \d+ n, all powers of two among them\.$/).waitFor();
      assert.doesNotMatch(page.url(), /foo/);
      // The toll of interval is also below 2.
      assert.equal(await page.locator(".plot[tabindex] text", { hasText: /^(2\.5|3|4)(\.0)?$/ }).count(), 0);
      assert.equal(await page.locator("polyline.method").count(), 0);
      await page.close();
      const chart = await open("#/all?from=900&to=1000&of=compare&n=996", "n = 996");
      assert.deepEqual((await chart.locator("dl.values dd").allInnerTexts()).slice(0, 4), ["≈ 10.1834", "≈ 10.2811", "11.9375", "≈ 9.96000"]);
      await chart.getByRole("button", { name: /^rounds of the cycle/ }).click();
      await chart.locator("dl.values .key", { hasText: "cyclic n" }).waitFor();
      assert.equal(await chart.locator(".plot[tabindex] text", { hasText: /^0$/ }).count(), 1);
      await chart.close();
    });

    test("all dice: a range is limited to what a series can draw, and the page says so", async () => {
      const page = await open("#/all?from=1&to=10^18&n=10^18", "The toll is");
      for (const [series, to, says] of [["rounds of the cycle (A136043)", "10^7", "The range ends at 10^7: the rounds of a range are known up to there."],
        ["methods, every n", "4000", "The range ends at 4000: every n is drawn, for at most 4000 of them."]]) {
        await page.getByRole("button", { name: series }).click();
        await page.getByText(says).waitFor();
        assert.equal(await page.locator("#all-to").inputValue(), to);
        await page.locator(".wide svg.plot").first().waitFor();
        assert.equal(await page.locator(".refusal").count(), 0);
      }
      await page.close();
    });

    test("all dice: one doubling, and the chosen point is inside the picture", async () => {
      const page = await open("#/all?from=1&to=10^18&n=7", "zoom to one doubling");
      await page.getByRole("button", { name: "zoom to one doubling" }).click();
      await page.waitForFunction(() => /from=2%5E40&to=2%5E41.*&n=\d+/.test(location.hash));
      const n = BigInt(new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("n"));
      assert.ok(n > 2n ** 40n && n < 2n ** 41n, String(n));
      assert.ok(await page.getByRole("button", { name: "one doubling, 2^40 to 2^41" }).getAttribute("aria-pressed"));
      await page.close();
      const rounds = await open("#/all?of=cycle-rounds&from=1&to=1000&n=10^30", "rolls would have to be counted");
      assert.equal(await rounds.getByRole("button", { name: "1 to 10^3" }).getAttribute("aria-pressed"), "true");
      assert.equal(await rounds.locator(".curve polyline.line").count(), 1);
      await rounds.close();
    });

    test("all dice: keys zoom again and again", async () => {
      for (const of of ["compare", "toll"]) {
        const page = await open(`#/all?from=1&to=1000&of=${of}&n=379`, "The toll is");
        await page.locator("svg.plot[tabindex]").first().focus();
        const wide = () => page.evaluate(() => {
          const state = new URLSearchParams(location.hash.split("?")[1]);
          return state.get("to") - state.get("from");
        });
        for (let k = 0; k < 3; k += 1) {
          const before = await wide();
          await page.keyboard.press("+");
          await page.waitForFunction((before) => {
            const state = new URLSearchParams(location.hash.split("?")[1]);
            const [from, to] = [state.get("from"), state.get("to")];
            return to - from < before && document.activeElement.getAttribute("aria-label")?.includes(`from ${from} to ${to}`);
          }, before);
        }
        await page.close();
      }
    });

    test("typed calls: powers, masks, libraries; warnings about a remainder and about a random sort", async () => {
      const page = await open("#/language", "random bits at least");
      const field = page.locator("#language-word");
      for (const [typed, says] of [["random.randrange(10**6)", "with n = 1000000."], ["rand() & 7", "with n = 8."], ["rand() % 6", "The remainder (%)"], ["a.sort(() => Math.random() - 0.5)", "not a fair shuffle"],
        ["(int)(rand() / (RAND_MAX + 1.0) * 52)", "with n = 52.No scaling of one rand()"], ["rand() / (RAND_MAX / 6 + 1)", "with n = 6.No scaling"]]) {
        await field.fill(typed);
        await page.locator(".controls", { hasText: says }).waitFor();
      }
      await field.fill("rand() % 8");
      await page.locator(".controls", { hasText: "with n = 8" }).waitFor();
      assert.doesNotMatch(await page.locator(".controls").first().innerText(), /The remainder/);
      for (const [typed, ids] of [["6.0 * rand() / (RAND_MAX + 1.0)", "c-rand-mod-msvc c-rand-mod-glibc"], ["random() % 100", "c-rand-mod-glibc"], ["rand(1,6)", "php-mt-rand-legacy php-mt-rand"]]) {
        await field.fill(typed);
        await page.waitForFunction((ids) => [...document.querySelectorAll("table.libraries tbody th code")].map((code) => code.textContent).join(" ") === ids, ids);
      }
      await field.fill("jax");
      await page.waitForFunction(() => [...document.querySelectorAll("table.libraries tbody tr")].length === 2);
      await page.close();
    });

    test("how much is enough: an emptied field is empty, one result needs nothing, a class", async () => {
      const page = await open("#/supply?n=3329&count=256&source=word:12&method=rejection&block=112", "560 words");
      await page.locator("#supply-block").fill("");
      await page.waitForFunction(() => /^467 words/.test(document.querySelector(".headline").textContent));
      await page.getByRole("button", { name: /^A class/ }).click();
      await page.getByText("suffice for 30 results of n = 6").waitFor();
      // Shared rolls, and separate rolls: 1 - (1 - 2^-16)^30 <= 2^-10 < 1 - (1 - 2^-14)^30.
      const said = await page.locator(".headline").innerText();
      assert.match(said, /\(1 in 1,024\)/);
      assert.match(said, /That is 23\/5 = 4.6 each\. With separate flips, 17 each are enough for all 30/);
      // The curve reaches to about twice the chosen exponent.
      await page.waitForFunction(() => [...document.querySelectorAll("svg.curves text")].some(({ textContent }) => textContent === "-20"));
      assert.equal(await page.locator("svg.curves text", { hasText: /^-([3-9]|\d\d)\d$/ }).count(), 0);
      await page.close();
      const one = await open("#/supply?n=1&count=22&source=word:32", "suffice for 22 results of n = 1");
      assert.doesNotMatch(await one.locator("main").textContent(), /NaN|Infinity/);
      assert.deepEqual(one.complaints, []);
      await one.close();
    });

    test("all dice: a drag zooms in every series and keeps the point; the range stays; a linear axis; the lines are in the CSV", async () => {
      const page = await open("#/all?of=compare&from=1&to=200&n=5", "The toll is");
      const drag = async () => {
        await page.locator(".curve svg").waitFor();
        const box = await page.locator(".curve svg").boundingBox();
        await page.mouse.move(box.x + box.width * 0.5, box.y + 200);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.7, box.y + 200, { steps: 4 });
        await page.mouse.up();
      };
      // The point returns to the address once its answer has come.
      const range = async () => {
        const found = await page.waitForFunction(() => {
          const query = new URLSearchParams(location.hash.split("?")[1]);
          const numbers = ["from", "to", "n"].map((name) => Number(query.get(name)));
          return numbers.every((number) => number > 0) && numbers;
        });
        return found.jsonValue();
      };
      let before = await range();
      for (const series of ["methods, every n", "flips above log₂ n", "expected flips", "rounds of the cycle (A136043)"]) {
        await page.getByRole("button", { name: series, exact: true }).click();
        await page.locator("#all-to").fill("200");
        await page.locator("#all-to").press("Enter");
        await page.locator("#all-from").fill("1");
        await page.locator("#all-from").press("Enter");
        await page.waitForFunction(() => location.hash.includes("from=1&to=200"));
        // Waits for the picture of this range, not one that is about to be redrawn.
        await page.waitForTimeout(700);
        await page.waitForFunction(() => !document.querySelector(".stale, .busy"));
        await drag();
        await page.waitForFunction(() => !location.hash.includes("from=1&to=200"));
        before = await range();
        const [from, to, n] = before;
        assert.ok(from > 1 && to < 200 && from <= n && n <= to, `${series}: ${before}`);
      }
      await page.getByRole("button", { name: "methods, every n" }).click();
      await page.locator("polyline.line").first().waitFor();
      assert.deepEqual(await range(), before);
      await page.getByRole("button", { name: "Zoom out" }).click();
      await page.waitForFunction(() => location.hash.includes("from=1&to=200"));
      await page.locator("svg.curves[role=img]").first().focus();
      await page.keyboard.press("+");
      await page.waitForFunction(() => !location.hash.includes("from=1&to=200"));
      await page.getByRole("button", { name: "All", exact: true }).click();
      await page.waitForFunction(() => location.hash.includes("from=1&to=1000") && document.querySelector("polyline.line")?.points.numberOfItems === 1000);
      await page.getByText("The picture as a table").click();
      await page.locator("details tbody tr").first().waitFor();
      assert.ok(await page.locator("details > .scroll").last().evaluate((box) => box.clientHeight < 500 && box.scrollHeight > box.clientHeight));
      assert.equal(await page.locator("details tbody tr").nth(7).locator("td").last().innerText(), "3");
      await page.close();

      const toll = await open("#/all?to=200&methods=interval,rejection", "Lines join the exact values");
      await toll.getByText("The command for the methods:").waitFor();
      const bars = await toll.locator(".curve .band").evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("x"))));
      await toll.getByRole("button", { name: "linear axis" }).click();
      await toll.waitForFunction((x) => Number(document.querySelectorAll(".band")[9]?.getAttribute("x")) < x / 2, bars[9]);
      await toll.getByText("The command for the methods:").waitFor();
      const csv = String(await saved(toll, toll.getByRole("button", { name: "CSV" }))).split("\n");
      for (const [series, count] of [["optimal", bars.length], ["interval", 200], ["rejection", 200]]) assert.equal(csv.filter((line) => line.startsWith(`${series},`)).length, count, series);
      await toll.close();
      const far = await open("#/all?to=10^18", "The axis is logarithmic above 2^53");
      assert.ok(await far.getByRole("button", { name: "linear axis" }).isDisabled());
      await far.close();
    });

    test("a saved chart is ready for a paper: large, light, with title and legend, without the pointer's line", async () => {
      for (const hash of ["#/all?of=compare&from=1&to=100", "#/all?from=1&to=100&methods=interval"]) {
        const page = await open(hash, "The toll is", { colorScheme: "dark", viewport: { width: 375, height: 812 } });
        await page.locator(".curve svg .pick").waitFor({ state: "attached" });
        const svg = String(await saved(page, page.getByRole("button", { name: "SVG" })));
        assert.match(svg, /^<svg[^>]*width="1200"/);
        assert.match(svg, /<rect x="0" y="0" width="1200" height="\d+" fill="rgb\(255, 255, 255\)/);
        assert.match(svg, /n from 1 to 100<\/text>/);
        assert.match(svg, />narrow down an interval \(interval\)<\/text>/);
        assert.doesNotMatch(svg, /<circle/);
        const png = await saved(page, page.getByRole("button", { name: "PNG" }));
        assert.ok(png.readUInt32BE(16) >= 1200 && png.readUInt32BE(20) >= 600);
        // The picture is on the first screen.
        assert.ok((await page.locator(".curve svg").boundingBox()).y < 500);
        await page.close();
      }
    });

    test("a weight's slider that is pressed beside its knob is not replaced, and its drag goes on", async () => {
      const page = await open("#/weights", "What each method pays");
      const slider = page.locator(".weight input").first();
      await slider.evaluate((element) => (window.pressedOne = element));
      const box = await slider.boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 20);
      await page.mouse.down();
      await page.waitForFunction(() => Number(window.pressedOne.value) > 12);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.6, { steps: 5 });
      await page.waitForFunction(() => Number(window.pressedOne.value) < 12 && window.pressedOne.isConnected);
      await page.mouse.up();
      await page.waitForFunction(() => location.hash.includes(`weights=${window.pressedOne.value}%3A7%3A8`));
      await page.close();
    });

    test("how much is enough: a method is named once, its command can be run, the curve reaches the answer", async () => {
      const page = await open("#/supply?n=197..256&count=1&source=word:8&method=rejection-ceil&block=136&offset=8", "60 by rejection-ceil: throw away and repeat, by powers.");
      await page.getByRole("button", { name: "rejection-ceil", exact: true }).hover();
      await page.getByRole("tooltip").getByText("roll k dice, k the least with m^k >= n").waitFor();
      await page.getByText("The probability that 264 are not enough is ≈ 2^-364.64.").waitFor();
      await page.locator("[role=status]:has(+ .curve)", { hasText: "264 bytes" }).waitFor();
      const command = await page.locator(".commands code").textContent();
      assert.match(command, /^flipcost supply 197\.\.256 /);
      const rows = execFileSync(PROGRAM, [...command.split(" ").slice(1), "--format", "csv"], { encoding: "utf8" }).trim().split("\n");
      assert.ok(rows.at(-1).includes(",264,"));
      await page.close();
      const coins = await open("#/supply?n=6", "What suffices");
      assert.doesNotMatch(await coins.locator("main").innerText(), /no number/);
      await coins.close();
    });

    test("how much is enough: a slider, a curve, the standards", async () => {
      const page = await open("#/supply", "138 flips suffice for 30 results of n = 6 together, except with probability 2^-10");
      await page.getByText("(≈ 1 in 1,800)").waitFor();
      for (const [given, says] of [["1 in 20", "122 flips suffice for 30 results of n = 6 together, except with probability 1/20."], ["2^-12", "142 flips suffice"], ["3", "Failure probability: a probability lies between 0 and 1."]]) {
        await page.locator("#supply-failure").fill(given);
        await page.getByText(says).waitFor();
      }
      const once = await open("#/supply?n=2&count=1", "1 flip suffices for n = 2");
      await once.close();
      for (const count of ["abc", "0", "-3"]) {
        await page.locator("#supply-failure").fill("1/100");
        await page.locator("#supply-count").fill("30");
        await page.getByText("130 flips suffice").waitFor();
        await page.locator("#supply-count").fill(count);
        await page.getByText("How many: write a whole number from 1 on.").waitFor();
      }
      await page.getByRole("button", { name: /^ML-KEM/ }).click();
      await page.getByText("suffice for 256 results of n = 3329 together, except with probability 2^-128").first().waitFor();
      await page.getByText("What suffices, except with a probability").waitFor();
      assert.equal(await page.locator(".headline .number").first().innerText(), "560");
      await page.locator("#supply-k").focus();
      await page.keyboard.press("Home");
      await page.waitForFunction(() => location.hash.includes("k=1&") || location.hash.includes("k=1"));
      await page.getByRole("button", { name: "ML-DSA (FIPS 204), RejNTTPoly" }).click();
      await page.waitForFunction(() => document.querySelector(".headline")?.innerText.includes("8380417"));
      await page.locator("polyline.line").first().waitFor();
      await page.close();
    });

    test("a loaded die and a loaded coin are one view; at most 30 controls in each view; the tree fits", async () => {
      const old = await open("#/loaded?weights=4:7:8", "The least is");
      await old.locator("svg.tree").waitFor();
      assert.ok(await old.locator("svg.tree").evaluate((svg) => svg.getBoundingClientRect().width <= svg.closest(".scroll").clientWidth));
      assert.equal(await old.locator("nav [aria-current]").innerText(), "Loaded");
      assert.ok(await old.locator("nav a").count() <= 8);
      // Opens the old address of the loaded die, then the coin, and goes back.
      await old.evaluate(() => (location.hash = "#/weights?weights=1:2:3"));
      await old.getByText("Expected coin flips for 1:2:3").waitFor();
      assert.match(old.url(), /#\/loaded\?weights=1%3A2%3A3$|#\/loaded\?weights=1%3A2%3A3&method=/);
      await old.getByRole("button", { name: "a coin", exact: true }).click();
      await old.getByText("a fair bit takes").waitFor();
      await old.goBack();
      await old.getByText("Expected coin flips for 1:2:3").waitFor();
      assert.deepEqual(old.complaints, []);
      await old.close();
      for (const [hash, says] of [["#/all", "The toll is"], ["#/table", "A d7 from a d6 takes"], ["#/table?need=shuffle", "5 of 52 cards"], ["#/table?need=weights", "The weights 1:2:3"], ["#/table?dice=6,10", "A d7 from a d6 and a d10"], ["#/weights", "What each method pays"], ["#/loaded", "Many bits at once"], ["#/language", "A card to share"], ["#/supply", "What suffices"], ["#/rule", "It is proved"]]) {
        const page = await open(hash, says);
        await page.waitForTimeout(1000);
        const controls = await page.locator("main :is(button:not(.number, .term), a[href], input, select, summary, textarea)").evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
        assert.ok(controls <= 30, `${hash}: ${controls}`);
        await page.close();
      }
    });

    test("on a phone the answer of a coin and a d6 is on the first screen, and every view prints", async () => {
      const page = await open("#/table", "A d7 from a d6 takes", { viewport: { width: 375, height: 667 } });
      await page.getByRole("button", { name: "coin", exact: true }).click();
      await page.getByText("A d7 from a coin and a d6 takes").waitFor();
      assert.ok(await page.locator(".headline .number").first().evaluate((number) => number.getBoundingClientRect().bottom <= innerHeight));
      await page.locator("footer").getByRole("button", { name: "Print this page" }).waitFor();
      const coin = await open("#/loaded?heads=3/5", "Flips on average", { viewport: { width: 375, height: 667 } });
      await coin.getByText("25/6", { exact: true }).first().waitFor();
      await page.close();
      await coin.close();
    });

    test("sentences say who does what", async () => {
      for (const [hash, says] of [["#/supply", "Methods that retry have no upper limit. Here is how many rolls, words or bytes are enough, at a failure probability you choose."],
        ["#/supply", "block size"], ["#/supply", "already used"], ["#/language", "how soon this shows"],
        ["#/rule?n=6", "each result from 0 to 5 has probability 1/6"],
        ["#/all?from=1&to=10^18&n=7", "At this range each doubling is only a few pixels wide; zoom to one doubling to see the pattern."]]) {
        const page = await open(hash, null);
        await page.waitForFunction((says) => document.querySelector("main").textContent.includes(says), says);
        await page.close();
      }
    });

    test("a loaded coin: the costs of a fair bit and a fair die come before the curves", async () => {
      const page = await open("#/loaded?heads=45", "a fair bit takes");
      const exact = (query, name) => records(ask({ ask: "cost", ...query })).find(({ algorithm }) => !name || algorithm === name).expected_exact;
      const said = await page.locator(".coin-price").innerText();
      for (const cost of [exact({ target: "2", source: "unknown:2", at: "p=9/10" }, "von-neumann"), exact({ target: "2", source: "p=9/10" }), exact({ target: "6", source: "unknown:2", at: "p=9/10" })]) assert.ok(said.includes(cost), `${cost}: ${said}`);
      assert.ok(said.includes("With heads 9/10"));
      const [, bits] = said.match(/by pairs\s+100\/9 ≈ 11.1111\s+1100\/27 ≈ ([\d.]+)/);
      assert.equal(records(ask({ ask: "decimals", of: `11/3*${exact({ target: "2", source: "unknown:2", at: "p=9/10" }, "von-neumann")}`, digits: 5 }))[0].decimals, bits);
      // The limits and the curves are visible together on a projector.
      assert.ok(await page.evaluate(() => {
        const [limits, chart] = [".coin-price", ".coin svg.curves[role=img]"].map((part) => document.querySelector(part).getBoundingClientRect());
        return limits.right <= chart.left && chart.bottom - limits.top < 720;
      }));
      await page.emulateMedia({ media: "print" });
      assert.deepEqual(await page.locator(".coin input:visible, .coin button:visible:not(.number)").count(), 0);
      assert.ok((await page.locator(".coin-price").innerText()).includes("11.1111"));
      await page.close();
    });

    test("a loaded coin: only the best rule of any form is called the best", async () => {
      // 7/10: a tree by hand costs 2.0117 flips, less than the interval method's 50/21.
      const page = await open("#/loaded?heads=35", "no method of any form takes fewer");
      const best = records(ask({ ask: "cost", target: "2", source: "p=7/10", optimal: true }))[0];
      const said = await page.locator(".coin-price").innerText();
      const [a, b] = best.lower_exact.split("/").map(BigInt);
      // The bound is rounded down, with enough digits to differ from the cost that was found.
      const floor = String(a * 10n ** 7n / b).replace(/(\d{7})$/, ".$1");
      assert.equal(floor, "2.0116600");
      assert.ok(best.expected > 2.01166005 && best.expected < 2.01166015);
      assert.match(said, new RegExp(`no method of any form takes fewer: rounded down\\s+${floor}\\s`));
      assert.doesNotMatch(said, /the best takes/);
      assert.match(said, /if you know the bias, ≈ 2\.0116601/);
      await page.close();
    });

    test("a loaded coin: any fraction or decimal, in the address and in a field; other texts are refused at the field", async () => {
      const page = await open("#/loaded?heads=1/3", "With heads 1/3 a fair bit takes");
      await page.locator(".coin [role=status] .at", { hasText: "heads 1/3" }).waitFor();
      assert.match(await page.locator(".coin-price").innerText(), /by pairs\s+9\/2 = 4.5\s+33\/2 = 16.5\s/);
      const field = page.locator("#coin-heads");
      await field.fill("0.36");
      await page.getByText("With heads 9/25 a fair bit takes").waitFor();
      assert.match(page.url(), /heads=0\.36/);
      await field.fill("5/3");
      await page.getByText("Write a probability between 0 and 1").waitFor();
      assert.match(await page.locator(".stale .coin-price").innerText(), /With heads 9\/25/);
      for (const [typed, heads] of [["70%", "7/10"], ["0,7", "7/10"], ["12.5 %", "1/8"]]) {
        await field.fill(typed);
        await page.getByText(`With heads ${heads} a fair bit takes`).waitFor();
        assert.equal(await page.locator(".stale .coin-price").count(), 0);
      }
      await page.close();
      const phone = await open("#/loaded?heads=1/3&pairs=HHHTTHTTHTHTTH", "10110", { viewport: { width: 375, height: 720 } });
      await phone.locator("svg.means").waitFor();
      assert.ok(await phone.getByRole("button", { name: "Print a sheet of pairs" }).isVisible());
      assert.deepEqual(phone.complaints, []);
      await phone.close();
      const old = await open("#/loaded?heads=25", "With heads 1/2 a fair bit takes 4 flips");
      // For a fair coin the entropy is exactly 1, and the bound is the cost.
      const said = await old.locator(".coin-price").innerText();
      assert.match(said, /simpler limit\s+1\s/);
      assert.match(said, /takes fewer\s+1\s+11\/3 ≈ 3.66667/);
      await old.close();
    });

    test("a loaded coin: counts of its sides and bits; a sheet of pairs has no answer before its rows", async () => {
      const page = await open(`#/loaded?pairs=${"HTTHHH".repeat(5)}`, "Heads: 20, tails: 10. Bits 0: 5, bits 1: 5.");
      assert.match(await page.locator(".coin .tokens").textContent(), /^…/);
      await page.locator(".hands").getByRole("button", { name: "Full screen" }).click();
      await page.keyboard.press("h");
      await page.locator(".hands:fullscreen").getByText("Heads: 21, tails: 10.").waitFor();
      await page.getByRole("button", { name: "Leave full screen" }).click();
      await page.evaluate(() => (window.print = () => {}));
      await page.getByRole("button", { name: "Print a sheet of pairs" }).click();
      await page.emulateMedia({ media: "print" });
      const sheet = await page.locator("main").innerText();
      assert.match(sheet, /^Name/);
      assert.doesNotMatch(sheet.slice(0, sheet.indexOf("Flips for a bit")), /25\/6|4:7:8/);
      await page.emulateMedia({ media: "screen" });
      await page.getByLabel("with answers").uncheck();
      await page.getByRole("button", { name: "Print a sheet of pairs" }).click();
      await page.emulateMedia({ media: "print" });
      assert.doesNotMatch(await page.locator("main").innerText(), /25\/6|Elias/);
      assert.equal((await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1);
      await page.close();
    });

    test("a loaded coin: flipped by the page, a pair or many bits at once; only whole pairs are counted", async () => {
      const page = await open("#/loaded?heads=1/3&pairs=HTH", "Flips for a bit: seen 2; on average 9/2");
      const hands = page.locator(".hands");
      await hands.getByRole("button", { name: "Flip for me" }).click();
      await hands.getByText("4 flips, ").waitFor();
      await hands.getByRole("button", { name: "100 bits at once" }).click();
      await hands.getByText(/\d+ flips, 10[12] fair bits/).waitFor();
      const said = (await hands.innerText()).replace(/\s+/g, " ");
      const [, flips, bits, heads, tails, zeros, ones] = said.match(/(\d+) flips, (\d+) fair bits.*Heads: (\d+), tails: (\d+)\. Bits 0: (\d+), bits 1: (\d+)/).map(Number);
      assert.deepEqual([heads + tails, zeros + ones], [flips, bits]);
      const [over, under = 1] = said.match(/seen ([\d/]+)/)[1].split("/").map(Number);
      assert.equal(over * bits, flips * under);
      assert.equal(await hands.locator("svg.means .run").count(), 1);
      await hands.getByRole("button", { name: "Start again" }).click();
      await hands.getByText("Nothing is flipped yet.").waitFor();
      await page.close();
    });

    test("a loaded die: its tree is flipped, its leaves are digits, and a method for other targets is dropped", async () => {
      const page = await open("#/weights", "at an open circle the tree goes on");
      const tree = page.locator("[aria-label=Tree]");
      for (const face of ["Heads", "Tails"]) await tree.getByRole("button", { name: face, exact: true }).click();
      await tree.getByText("HT: outcome 3 after 2 flips.").waitFor();
      assert.equal(await tree.locator(".leaf.on.here").count(), 1);
      await tree.getByText("4/19 = 0.001101…").waitFor();
      await page.close();
      const other = await open("#/loaded?weights=4:7:8&method=fast-dice-roller", "at an open circle the tree goes on");
      assert.doesNotMatch(other.url(), /fast-dice-roller/);
      await other.close();
    });

    test("a loaded coin: its curves are below the entropy, and pairs are flipped by hand", async () => {
      const page = await open("#/loaded", "Flip pairs by hand");
      await page.waitForFunction(() => document.querySelectorAll(".coin polyline.line").length === 4);
      let flips = "";
      for (const face of ["Heads", "Tails", "Tails", "Tails", "Tails", "Heads"]) {
        flips += face[0];
        await page.locator(".hands").getByRole("button", { name: face, exact: true }).click();
        await page.waitForFunction((flips) => document.querySelector(".coin .tokens").textContent.replace(/[^HT]/g, "") === flips, flips);
      }
      assert.deepEqual((await page.locator(".coin .token").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")), ["HT 1", "TT –", "TH 0"]);
      await page.getByText("6 flips, 2 fair bits: 10").waitFor();
      // The longer the block, the nearer Elias comes to the entropy.
      await page.getByRole("button", { name: "blocks of 4", exact: true }).click();
      const [{ bits_exact }] = records(ask({ ask: "extract", source: "unknown:2", length: "4", method: ["elias"], at: "p=3/5" }));
      const [bits, one] = bits_exact.split("/").map(Number);
      await page.getByText(`a block of 4 flips gives ${bits / one / 4} by Elias`).waitFor();
      await page.getByText("Flips for a bit: seen 3; on average 25/6 ≈ 4.16667 with heads 3/5.").waitFor();
      await page.locator(".coin").getByRole("button", { name: "Undo" }).click();
      await page.getByText("5 flips, 1 fair bit: 1").waitFor();
      await page.locator("#coin-bias").focus();
      await page.keyboard.press("t");
      await page.getByText("seen 6; on average").waitFor();
      await page.keyboard.press("Backspace");
      await page.getByText("5 flips, 1 fair bit: 1").waitFor();
      await page.keyboard.press("Home");
      await page.waitForFunction(() => location.hash.includes("heads=1%2F50&"));
      await page.close();
    });

    test("one's own rule: its verdict, cost, results and tree, in the link", async () => {
      const page = await open("#/rule", "It is proved: each");
      await page.getByText("the least of any fair rule is").waitFor();
      await page.locator("svg.tree").waitFor();
      // The tree and the bars show the results that the rule returns.
      assert.deepEqual([...new Set(await page.locator("svg.tree .leaf text:not(.weight)").allTextContents())].sort(), await page.locator(".shares:not(.costs) .outcome").allInnerTexts());
      for (const [example, says] of [["Three flips modulo n", "0 has 1/4"], ["A recycler", "It is proved"], ["A shuffle that swaps with any", "1 has 5/27"], ["Fast dice roller", "11/3"]]) {
        await page.getByRole("button", { name: example }).click();
        await page.locator(".headline", { hasText: says }).waitFor();
      }
      await page.getByText("has no worst case").waitFor();
      await page.getByText("shows the first").waitFor();
      await page.locator("#rule-text").fill("fn rule(n, m) { let k = 0; while flip() == 0 { k += 1; } return k % n; }");
      // The proved bounds of a rule without an end, for each result.
      await page.locator(".headline tbody tr", { hasText: "0.507936507936" }).waitFor();
      await page.getByRole("button", { name: "Three flips modulo n" }).click();
      await page.getByText("never takes more than 3 flips").waitFor();
      // The number of results is that of `flipcost distance 2:2:1:1:1:1 6`.
      await page.getByText("Somebody notices after about 180 results").waitFor();
      await page.locator("#rule-text").fill("fn rule(n, m) { loop { let x = 2 * flip() + flip(); if x < n { return x; } } }");
      await page.locator("#rule-n").fill("3");
      await page.locator(".headline", { hasText: "8/3" }).waitFor();
      assert.deepEqual(await page.locator(".shares:not(.costs) .share").allInnerTexts(), ["1/3", "1/3", "1/3"]);
      const address = page.url();
      await page.close();
      const again = await open(new URL(address).hash, "It is proved: each");
      assert.match(await again.locator("#rule-text").inputValue(), /2 \* flip/);
      await again.locator("#rule-text").fill("fn rule(n, m) { x }");
      await again.locator(".refusal").first().waitFor();
      assert.equal(await again.locator(".refusal").count(), 1);
      assert.match(await again.locator(".refusal").innerText(), /^Line 1: /);
      await again.locator("#rule-text").fill("fn rule(n, m) { if flip() == 1 { return 7; } return 0; }");
      await again.getByText(/it gives 7,/).first().waitFor();
      // A verdict about another text disappears as soon as somebody types.
      await again.locator("#rule-text").fill("fn rule(n, m) { return roll(2) - 1; }");
      assert.equal(await again.locator(".refusal").count(), 0);
      await again.locator(".headline", { hasText: "It takes 1 flip on average" }).waitFor();
      await again.getByText("The rule has 2 states.").or(again.getByText("The rule has 1 state.")).waitFor();
      await again.locator("#rule-text").fill("");
      await again.getByText("There is no rule yet").waitFor();
      assert.equal(await again.locator(".tag, svg.tree, .shares").count(), 0);
      await again.close();
    });

    test("a text that is typed before the first example is loaded is not replaced by it", async () => {
      const page = await browser.newPage();
      await page.route(/engine\.wasm\.gz|ask/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await route.continue();
      });
      await page.goto(`${host.url}#/rule`);
      await page.locator("#rule-text").fill("fn rule(n, m) { return roll(2) - 1; }");
      await page.locator(".headline", { hasText: "2 has 0" }).or(page.locator(".headline", { hasText: "It takes 1 flip" })).first().waitFor();
      assert.match(new URL(page.url()).hash, /roll/);
      assert.match(await page.locator("#rule-text").inputValue(), /roll/);
      await page.close();
    });

    test("words of 32 bits have two methods: one table, one curve, both numbers; the page says if failure is impossible", async () => {
      const page = await open("#/supply?n=52&count=20&source=word:32&k=128", "25 words suffice");
      assert.match(await page.locator(".headline").innerText(), /97 words[^]*By (fast-dice-roller|keep)[^]*Then 25 words suffice/);
      const table = page.locator("[aria-label='Rolls that suffice'] tbody tr");
      await table.first().waitFor();
      assert.equal(await table.count(), 6);
      assert.doesNotMatch(await page.locator("main").innerText(), /undefined|NaN/);
      await page.close();
      const sure = await open("#/supply?n=2%5E32&count=256&source=word:32&k=128", "it never takes more than 256");
      assert.deepEqual(sure.complaints, []);
      await sure.close();
    });

    test("calls are understood: rounding, several calls, an id, a remainder of too few bits", async () => {
      for (const [word, says] of [["Math.round(Math.random()*51)", "Rounding gives the first and the last result half the chance"], ["rand() % 100000", "2^15 of n at most"], ["cpython-randbelow", "cpython-randbelow"]]) {
        const page = await open(`#/language?word=${encodeURIComponent(word)}`, "What is drawn for one result");
        await page.waitForFunction((says) => document.querySelector("main").textContent.includes(says), says);
        if (word.startsWith("cpython")) assert.equal(await page.locator("table.libraries tbody tr").count(), 1);
        if (word.startsWith("Math")) assert.equal(await page.locator("#language-n").inputValue().catch(() => "52"), "52");
        await page.close();
      }
      const several = await open(`#/language?word=${encodeURIComponent("rand() % 52, random.randrange(52), Math.random()")}`, "What is drawn for one result");
      const seen = await several.locator("table.libraries tbody b").allTextContents();
      for (const language of ["C", "Python", "JavaScript"]) assert.ok(seen.includes(language), seen.join());
      await several.close();
    });

    test("a rule that runs long does not block the page, and can be stopped", async () => {
      const page = await open("#/rule", "It is proved: each");
      await page.locator("#rule-text").fill("fn rule(n, m) { let x = 0; loop { if flip() == 1 { x += 1; } else { x -= 1; } if x == -9 { return 0; } } }");
      await page.getByRole("button", { name: "Stop" }).first().click();
      await page.getByText("Stopped.").first().waitFor();
      await page.getByRole("button", { name: "Three flips modulo n" }).click();
      await page.locator(".headline", { hasText: "0 has 1/4" }).waitFor();
      await page.close();
    });

    test("two dice of a kind are thrown together as one throw; several targets with several dice", async () => {
      const page = await open("#/table?of=7&dice=6,10", "A d7 from a d6 and a d10 takes");
      await moreDice(page);
      await page.locator("#table-own").fill("d10");
      await page.getByText("A d7 from a d6 and two d10 takes").waitFor();
      const [both] = records(ask({ ask: "plan", target: "7", throws: ["6", "10", "10,10", "6,10", "6,10,10"] }));
      assert.equal(both.expected_exact, "130463641800/129384000599");
      await page.getByRole("button", { name: "Together", exact: true }).click();
      // Tens and units: 98 of the 100 numbers count.
      await page.locator(".headline .answer", { hasText: "50/49 ≈ 1.02041 throws of the two d10 on average, rerolling anything above 98" }).waitFor();
      assert.match(await page.locator(".headline").innerText(), /best of all throws takes .*≈ 1\.00834, in 6 steps/);
      await page.getByRole("button", { name: "Fewest throws", exact: true }).click();
      await page.locator(".headline .answer", { hasText: "≈ 1.00834 throws on average, in 6 steps" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "d10 × 2" }).getAttribute("aria-pressed"), "true");
      // Dice with a button are not in the field, and typing in the field does not change the
      // counts.
      assert.equal(await page.locator("#table-own").inputValue(), "");
      await page.locator("#table-own").fill("d3");
      await page.getByText("A d7 from a d3, a d6 and two d10 takes").waitFor();
      await page.close();
      const several = await open("#/table?of=7,13&dice=6,10,10", "A d7 and a d13 from a d6 and two d10: one sheet each");
      await several.getByRole("heading", { name: "A d13 from a d6 and two d10" }).waitFor();
      assert.equal(await several.locator(".refusal").count(), 0);
      await several.close();
    });

    test("the number of dice of a kind is set by a stepper or by keys", async () => {
      const page = await open("#/table?of=7&dice=6,10", "A d7 from a d6 and a d10 takes");
      await moreDice(page);
      await page.getByRole("button", { name: "One d10 more" }).click();
      await page.getByText("A d7 from a d6 and two d10 takes").waitFor();
      assert.match(page.url(), /dice=6%2C10%2C10/);
      await page.getByRole("button", { name: "One d6 fewer" }).click();
      await page.getByText("A d7 from two d10 takes").waitFor();
      await page.getByRole("button", { name: "d10 × 2" }).focus();
      await page.keyboard.press("-");
      await page.getByText("A d7 from a d10 takes").waitFor();
      assert.ok(await page.getByRole("button", { name: "One d10 fewer" }).isDisabled());
      await page.getByRole("button", { name: "d20", exact: true }).focus();
      for (const [key, says] of [["+", "A d7 from a d10 and a d20 takes"], ["ArrowUp", "A d7 from a d10 and two d20 takes"]]) {
        await page.keyboard.press(key);
        await page.getByText(says).waitFor();
      }
      await page.close();
    });

    test("letters of pictures are large enough on a phone", async () => {
      for (const [hash, says, picture] of [["#/language", "A card to share", "svg.share-card"], ["#/weights", "at an open circle the tree goes on", "svg.tree"], ["#/die", "Fair shares", "svg.tree"]]) {
        const page = await open(hash, says, { viewport: { width: 375, height: 812 } });
        const small = await page.locator(picture).first().evaluate((svg) => {
          const scale = svg.getBoundingClientRect().width / svg.getAttribute("viewBox").split(" ")[2];
          return [...svg.querySelectorAll("text")].map((text) => [parseFloat(getComputedStyle(text).fontSize) * scale, text.textContent]).filter(([size]) => size < 10.99);
        });
        assert.deepEqual(small, [], hash);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await page.close();
      }
    });

    test("replacement code: browsers, musl and Go have their own; the card shows the worst row of the sentence", async () => {
      const js = await open("#/language?word=Math.floor(Math.random()*52)&n=52", "in browsers, from crypto.getRandomValues");
      await js.getByText("randomInt(52)").waitFor();
      await js.close();
      const c = await open("#/language?word=rand()+%25+52&n=52", "in portable C, from");
      assert.match(await c.locator(".headline pre").first().innerText(), /getentropy\(&x, sizeof x\)[^]*52u/);
      assert.equal(await c.locator(".headline pre", { hasText: "arc4random_uniform" }).count(), 0);
      await c.locator("svg.share-card .big", { hasText: "Seen within a second" }).waitFor();
      await c.close();
      for (const [id, code] of [["go-math-rand", "rand.Intn(52)"], ["go-math-rand-v2", "rand.IntN(52)"], ["go-crypto-rand", "rand.Int(rand.Reader, n)"]]) {
        const page = await open(`#/language?word=golang&n=52&open=${id}`, "random bits at least");
        await page.locator(".unfolded pre", { hasText: code }).waitFor();
        await page.close();
      }
    });

    test("a line of code is read as its call; bits with % belong to no function; n is updated; the called function is on the card", async () => {
      const page = await open("#/language", "random bits at least");
      const n = page.locator("#language-n");
      const field = page.locator("#language-word");
      await n.focus();
      await n.press("Control+a");
      await n.pressSequentially("6");
      await n.press("Tab");
      await field.pressSequentially("int x = rand() % 52;", { delay: 5 });
      await page.locator(".headline", { hasText: "if (getentropy(&x, sizeof x)) abort();" }).waitFor();
      assert.equal(await n.inputValue(), "52");
      await page.getByText("Read as rand() % n with n = 52.").waitFor();
      await page.locator("svg.share-card", { hasText: "C: rand() % n (Microsoft" }).waitFor();
      assert.deepEqual(await page.locator(".libraries tbody code").allInnerTexts(), ["c-rand-mod-msvc", "c-rand-mod-glibc"]);
      for (const [typed, bits] of [["crypto.getRandomValues(new Uint8Array(1))[0] % 52", 8], ["crypto.getRandomValues(new BigUint64Array(1))[0] % 52", 64], ["let c = rng.next_u32() % 52;", 32], ["rng.random::<u16>() % 52", 16], ["lrand48() % 52", 31]]) {
        await field.fill(typed);
        await page.locator(".headline", { hasText: `With % n, ${bits} bits are biased` }).waitFor();
        assert.ok(await page.locator(".libraries").isHidden());
        await page.locator("svg.share-card", { hasText: `${bits} bits, with % n` }).waitFor();
      }
      await page.locator(".others tr.chosen", { hasText: /^31/ }).waitFor();
      await field.fill("gen.next() % 6");
      await page.locator(".headline", { hasText: "next gives random bits, not a die. The remainder (%)" }).waitFor();
      await field.fill("random.randint(1, 6)");
      await page.locator("svg.share-card", { hasText: "Python: random.randrange, randint" }).waitFor();
      await field.fill("C shuffle");
      await page.getByText("shuffle by Fisher & Yates").waitFor();
      await n.fill("1/6");
      await page.locator(".refusal").waitFor();
      await page.locator(".others").waitFor({ state: "hidden" });
      assert.deepEqual(page.complaints, []);
      await page.close();
    });

    test("among several calls those that give bits are named; wrong uses of % and & are named; Windows has its own code", async () => {
      const page = await open(`#/language?word=${encodeURIComponent("os.urandom(1)[0] % 52, rand() % 52, random.randrange(52)")}`, "random bits at least");
      await page.getByText('urandom(1): random bits, not a die; see "Random bits with % n" below.').waitFor();
      assert.deepEqual([...new Set(await page.locator(".libraries tbody th b").allInnerTexts())].sort(), ["C", "Python"]);
      const field = page.locator("#language-word");
      for (const [typed, says] of [["rand() & 51", "x & 51 is not x % n: it keeps some bits of x, and gives 16 different results."], ["rng.gen_range(0..52)", "The gen_range of rand 0.8 redraws values"]]) {
        await field.fill(typed);
        await page.locator(".controls", { hasText: says }).waitFor();
      }
      for (const typed of ["rand() % 0", "rand() % -3"]) {
        await field.fill(typed);
        await page.locator(".refusal").first().waitFor();
      }
      await field.fill("rand() % 52");
      for (const code of ["if (getentropy(&x, sizeof x)) abort();", "rand_s(&x)"]) await page.locator(".headline pre", { hasText: code }).waitFor();
      await page.close();
      const shuffle = await open("#/language?word=python+shuffle", "Exactly fair, ≈ 8.03509 words of 32 bits for 52 cards");
      await shuffle.locator(".others pre", { hasText: "def shuffle(card, next)" }).waitFor();
      await shuffle.close();
    });

    test("going back restores the earlier state, also in the field where somebody typed", async () => {
      for (const [hash, id, first, other] of [["#/language?n=52&word=rand()+%25+52", "language-word", "rand() % 52", "Math.random"], ["#/supply?n=3329&source=word:12", "supply-n", "3329", "100"]]) {
        const page = await open(hash, /random bits at least|suffice/);
        const field = page.locator(`#${id}`);
        await field.fill(other);
        await page.waitForFunction((other) => decodeURIComponent(location.hash).includes(other), other);
        await page.goBack();
        await page.waitForFunction(([id, first]) => document.getElementById(id).value === first, [id, first]);
        await page.locator("h1").click();
        await page.waitForTimeout(500);
        assert.equal(await field.inputValue(), first);
        assert.doesNotMatch(page.url(), new RegExp(`=${other}`));
        await page.close();
      }
    });

    test("shuffles, numbers and chances of the requested languages", async () => {
      const page = await open("#/language?word=python", "random bits at least");
      for (const [title, query] of [["A shuffle of 52 cards", { ask: "shuffle", cards: 52, libraries: true }], ["A number between 0 and 1", { ask: "libraries-doubles" }], ["A chance of 1 in 6", { ask: "libraries-bernoulli", target: "1/6" }]]) {
        await page.getByText(title, { exact: true }).click();
        const part = page.locator(".others details[open]", { hasText: title });
        await part.locator("tbody tr").first().waitFor();
        assert.deepEqual((await part.locator("tbody th").allInnerTexts()).map((text) => text.split("\n")[0]), records(ask(query)).filter(({ language }) => language === "Python").map((line) => `Python ${line.function}`));
        if (query.ask === "libraries-doubles") {
          const [end] = records(ask({ ...query, target: "1,2" }));
          assert.equal(end.probability_b_exact, String(`1/${2 ** 53}`));
          assert.equal(await part.locator("tbody tr").first().locator("td").last().innerText(), "yes: 2^-53");
        }
        // The decimals show that the chance is above the intended 1/6 = 0.1666666666666666666...
        if (query.ask === "libraries-bernoulli") assert.equal(await part.locator("tbody tr").first().locator("td").first().innerText(), "0.16666666666666674");
      }
      await page.close();
    });

    test("on paper the address is a QR code if other people can open it", async () => {
      const page = await open("#/table", "A d7 from a d6 takes");
      assert.equal(await page.locator(".from img").count(), 0);
      assert.doesNotMatch(await page.locator(".from").textContent(), /code to scan|127\.0\.0\.1/);
      await page.evaluate(() => document.head.insertAdjacentHTML("beforeend", '<link rel="canonical" href="https://dice.example/flipcost/">'));
      await page.getByRole("button", { name: "d10", exact: true }).click();
      await page.locator(".from img").waitFor({ state: "attached" });
      await page.emulateMedia({ media: "print" });
      const { width, height } = await page.locator(".from img").boundingBox();
      assert.doesNotMatch(await page.locator(".from").innerText(), /no code|is heads/);
      assert.ok(await page.locator(".sheet-card .name-line").isVisible());
      // 26 mm at 96 pixels per inch
      assert.ok(width === height && Math.abs(width - 26 / 25.4 * 96) < 1, `${width} by ${height}`);
      await page.close();
    });

    test("on paper H and T are explained, and there is a line for a name", async () => {
      for (const [hash, says] of [["#/die?n=6", "Any method is a tree"], ["#/table?dice=2&of=3", "A d3 from a coin takes"], ["#/table?dice=2&need=weights&of=1:2", "The weights 1:2 from a coin take"]]) {
        const page = await open(hash, says);
        await page.locator(".from").waitFor({ state: "attached" });
        assert.ok(await page.locator(".from").isHidden() && await page.locator(".name-line").isHidden());
        await page.emulateMedia({ media: "print" });
        assert.match(await page.locator(".from").innerText(), /^H is heads, T is tails\./);
        assert.ok(await page.locator(".name-line span").evaluate((line) => line.getBoundingClientRect().width > 200));
        await page.close();
      }
    });

    test("the new views: no complaint in the console, no wider than the screen, no violation found by axe", async () => {
      for (const [hash, says] of [["#/supply", "What suffices"], ["#/rule", "The tree"], ["#/all?of=compare&to=1000", "The toll is"], ["#/table?need=shuffle&of=5+of+52", "The cards that are dealt"], ["#/language?word=c&open=c-rand-mod-msvc", "In its place"], ["#/loaded", "Flip pairs by hand"]]) {
        for (const [width, colorScheme] of [[375, "dark"], [800, "light"]]) {
          const page = await open(hash, says, { viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
          await page.waitForTimeout(500);
          await page.waitForFunction(() => !document.querySelector(".stale, .busy"));
          assert.deepEqual(page.complaints, [], hash);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${hash} is wider than ${width} px`);
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(violations.map(({ id, nodes }) => `${hash} ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
          await page.close();
        }
      }
    });
  });
}

test("the server shows the studies: each is computed when it is opened", async () => {
  const host = await WAYS.server();
  const browser = await launch();
  try {
    const page = await openPage(browser, host.url + "#/studies", "A study is computed when you open it");
    const none = await page.request.get(`${new URL(page.url()).origin}/studies/none.html`);
    assert.equal(none.status(), 404);
    assert.match(await none.text(), /There is no page of that name/);
    await page.getByRole("link", { name: /^Randomness recycling/ }).click();
    await page.getByRole("heading", { name: "Claims" }).waitFor();
    await page.locator("img").first().scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector("img").naturalWidth > 0);
    assert.deepEqual(page.complaints, []);
  } finally {
    await browser.close();
    await host.close();
  }
});
