// The page of `vouch review --as html` in chromium: everything is done by clicks and keys, and what is saved is applied
// by the real program. VOUCH names it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { at, faint, also, open, quiet, read, tooWide, vouch } from "./browser.js";

/** @typedef {import("playwright-core").Page} Page */

before(() => {
  vouch("sample", "-n", "150", "--noise", "0.03", "-o", "train.txt");
  vouch("sample", "--kind", "dep", "-n", "120", "--noise", "0.04", "-o", "trees.conllu");
  const list = (/** @type {string[]} */ ...more) => {
    vouch("review", "-q", "--inspect", "30", "--as", "html", ...more);
    vouch("review", "-q", "--inspect", "30", ...more.map((text) => text.replace(/[.]html$/, ".tsv")));
  };
  list("-t", "ner", "--level", "entity", "-o", "names.html", "train.txt");
  list("-t", "ner", "-o", "words.html", "train.txt");
  list("-t", "dep", "-n", "2", "--folds", "2", "-o", "trees.html", "trees.conllu");
  list("-t", "ner", "--inspect", "80", "-o", "many.html", "train.txt");
});

/** @param {Page} page @param {string[]} keys */
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Saves the table as the browser does. @param {Page} page @param {string} name */
async function save(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
  await download.saveAs(at(name));
  return download.suggestedFilename();
}

/** The decisions in a table, by row. @param {string} name */
function decisionsIn(name) {
  const [head, ...rows] = read(name).trimEnd().split("\n").map((line) => line.split("\t")); // prettier-ignore
  return rows.map((row) => Object.fromEntries((head ?? []).map((column, i) => [column, row[i] ?? ""])));
}

/** The corpus with what the table says, a line a word. @param {string} corpus @param {string} table */
function expected(corpus, table) {
  const lines = read(corpus).split("\n");
  for (const row of decisionsIn(table)) {
    if (row.decision === "" || row.decision === "-") continue;
    const labels = (row.decision === "+" ? row.proposed : row.decision)?.split(" ") ?? [];
    labels.forEach((label, i) => {
      const place = Number(row.line) - 1 + i;
      lines[place] = (lines[place] ?? "").replace(/\S+$/, label);
    });
  }
  return lines.join("\n");
}

const progress = (/** @type {Page} */ page) => page.locator("section[aria-label=Progress] h2").innerText();
const suspect = (/** @type {Page} */ page) => page.locator(".desk > .card").first().getAttribute("aria-label");

also("what is saved without a decision is the table that --as tsv writes", async () => {
  for (const name of ["names", "words", "trees"]) {
    const page = await open(`${name}.html`);
    assert.equal(await save(page, "saved.tsv"), `${name}.tsv`);
    assert.equal(read("saved.tsv"), read(`${name}.tsv`));
    quiet();
    await page.context().close();
  }
});

also("a long list has pages, and says which of them is shown", async () => {
  const page = await open("many.html");
  const turn = (/** @type {string} */ name) => page.getByRole("button", { name }).click({ force: true });
  const pages = page.locator(".pages span");
  const rows = page.locator(".all li");
  assert.deepEqual([await pages.innerText(), await rows.count()], ["1 to 50 of 80", 50]);
  await turn("Earlier ones");
  assert.match((await suspect(page)) ?? "", /^Suspect 1:/);
  await turn("Later ones");
  assert.match((await suspect(page)) ?? "", /^Suspect 51:/);
  assert.deepEqual([await pages.innerText(), await rows.count()], ["51 to 80 of 80", 30]);
  await turn("Later ones");
  assert.match((await suspect(page)) ?? "", /^Suspect 51:/);
  await turn("Earlier ones");
  assert.match((await suspect(page)) ?? "", /^Suspect 1:/);
  quiet();
  await page.context().close();
});

also("under a tree, what is given and proposed is said in words, as in the list", async () => {
  const page = await open("trees.html");
  let compared = 0;
  for (let i = 0; i < 30; i++) {
    const row = await page.locator(".all [aria-current=true] .to").innerText();
    const said = await page.locator(".legend b").allInnerTexts();
    if (row) assert.deepEqual(said, row.split(" → "));
    compared += row ? 1 : 0;
    await press(page, "n");
  }
  assert.ok(compared > 0);
  quiet();
  await page.context().close();
});

also("the page takes the place of the list that is read without scripts", async () => {
  const page = await open("names.html");
  assert.equal(await page.locator("ol.items, .note, .lead").count(), 0);
  assert.equal(await page.locator("h1").count(), 1);
  await page.context().close();
  const still = await open("names.html", { javaScriptEnabled: false });
  assert.equal(await still.locator("ol.items > li").count(), 30);
  await still.context().close();
});

test("accept, keep and own answers by keys alone give the corpus that they say", async () => {
  const page = await open("names.html");
  await press(page, "a", "x", " ", "a");
  await press(page, "e", "3"); // the third type
  assert.equal(await progress(page), "4 of 30 decided");
  await save(page, "saved.tsv");
  const decided = decisionsIn("saved.tsv").map((row) => row.decision);
  assert.deepEqual(decided.slice(0, 4), ["+", "-", "", "+"]);
  assert.match(decided[4] ?? "", /^[A-Z]+$/);
  const own = decisionsIn("saved.tsv").map((row) => ({ ...row }));
  vouch("review", "-q", "--apply", "saved.tsv", "-o", "corrected.txt", "train.txt");
  // A type for several words is spelled out by the program.
  const types = own[4]?.decision ?? "";
  const spelled = Array.from({ length: Number(own[4]?.words) }, (_, i) => `${i ? "I" : "B"}-${types}`).join(" ");
  writeFileSync(at("spelled.tsv"), read("saved.tsv").replace(`\t${types}\t0`, `\t${spelled}\t0`));
  assert.equal(read("corrected.txt"), expected("train.txt", "spelled.tsv"));
  assert.notEqual(read("corrected.txt"), read("train.txt"));
  vouch("review", "-q", "-t", "ner", "--level", "entity", "--decided", "saved.tsv", "-o", "next.tsv", "train.txt");
  quiet();
  await page.context().close();
});

test("the same by clicks", async () => {
  const page = await open("words.html");
  await page.getByRole("button", { name: "Accept proposed" }).click();
  await page.getByRole("button", { name: "Keep given" }).click();
  await page.getByRole("button", { name: "Own answer" }).click();
  await page.getByRole("group", { name: "Labels" }).getByRole("button", { name: "O, no name" }).click();
  await page.getByRole("button", { name: "Skip" }).click();
  await page.getByRole("button", { name: "Accept proposed" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save table")]);
  await download.saveAs(at("clicked.tsv"));
  assert.deepEqual(
    decisionsIn("clicked.tsv").slice(0, 5).map((row) => row.decision), // prettier-ignore
    ["+", "-", "O", "", "+"],
  );
  vouch("review", "-q", "--apply", "clicked.tsv", "-o", "clicked.txt", "train.txt");
  assert.equal(read("clicked.txt"), expected("train.txt", "clicked.tsv"));
  quiet();
  await page.context().close();
});

also("undo goes back without end, and redo forward", async () => {
  const page = await open("names.html");
  const first = await suspect(page);
  await press(page, "a", "x", "a", "Backspace", "Control+z", "Backspace", "Backspace");
  assert.equal(await progress(page), "0 of 30 decided");
  assert.equal(await suspect(page), first);
  await press(page, "Shift+Backspace", "Shift+Backspace");
  assert.equal(await progress(page), "2 of 30 decided");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await progress(page), "1 of 30 decided");
  await press(page, "x", "Shift+Backspace"); // a new decision: nothing is left to redo
  assert.equal(await progress(page), "2 of 30 decided");
  quiet();
  await page.context().close();
});

also("a page that is opened again goes on; another list begins anew", async () => {
  const page = await open("names.html");
  await press(page, "a", "x", "a");
  const here = await suspect(page);
  await page.reload();
  assert.equal(await progress(page), "3 of 30 decided");
  assert.equal(await suspect(page), here);
  await press(page, "Backspace");
  assert.equal(await progress(page), "2 of 30 decided");
  await page.goto(`file://${at("words.html")}`);
  assert.equal(await progress(page), "0 of 30 decided");
  await page.goto(`file://${at("names.html")}`);
  assert.equal(await progress(page), "2 of 30 decided");
  quiet();
  await page.context().close();
});

also("a browser that keeps nothing is told of", async () => {
  const page = await open("names.html", {}, () => {
    window.Storage.prototype.setItem = () => {
      throw new Error("full");
    };
  });
  await press(page, "a");
  assert.equal(await page.locator(".save").innerText(), "Not kept: save the table");
  assert.equal(await progress(page), "1 of 30 decided");
  await page.context().close();
});

also("typing is typing: keys act outside of fields, Escape closes", async () => {
  const page = await open("words.html");
  await press(page, "e");
  await page.locator(".typing").fill("");
  await page.keyboard.type("axe");
  assert.equal(await page.locator(".typing").inputValue(), "axe");
  assert.equal(await progress(page), "0 of 30 decided");
  await press(page, "Escape");
  assert.equal(await page.locator(".typing").count(), 0);
  await press(page, "e");
  await page.locator(".typing").fill("B-LOC");
  await press(page, "Enter");
  await save(page, "typed.tsv");
  assert.equal(decisionsIn("typed.tsv")[0]?.decision, "B-LOC");
  quiet();
  await page.context().close();
});

also("the same error elsewhere is decided at once, and undone at once", async () => {
  const page = await open("words.html", {}, undefined);
  const group = page.getByRole("region", { name: "The same error" });
  let found = false;
  for (let i = 0; i < 30 && !found; i++) {
    found = (await group.count()) > 0;
    if (!found) await press(page, "n");
  }
  assert.ok(found, "the sample has no error twice");
  const others = await group.getByRole("checkbox").count();
  await group.getByRole("checkbox").last().uncheck();
  await press(page, "Shift+A");
  assert.equal(await progress(page), `${others} of 30 decided`);
  await press(page, "Backspace");
  assert.equal(await progress(page), "0 of 30 decided");
  quiet();
  await page.context().close();
});

/** The heads and relations of a tree file, by line. @param {string} name */
const arcsIn = (name) => Array.from(read(name).split("\n"), (line) => line.split("\t").slice(6, 8).join(":"));

test("trees: what is accepted and what is clicked is in the corpus", async () => {
  const page = await open("trees.html");
  await press(page, "a", "x");
  const row = decisionsIn("trees.tsv")[2];
  const [head = "0", ...relation] = (row?.given ?? "").split(":");
  await press(page, "e");
  // Another head by a click, if that makes a tree: the root's own word always does, unless it is the suspect itself.
  const root = page.locator(".tree .word");
  const words = await root.count();
  let taken = "";
  for (let n = 1; n <= words && !taken; n++) {
    if (`${n}` === head || `${n}` === row?.word) continue;
    await root.nth(n - 1).click();
    await press(page, "Enter");
    if ((await progress(page)) === "3 of 30 decided") taken = `${n}`;
    else assert.match(await page.getByRole("alert").innerText(), /^Not taken: /);
  }
  await save(page, "trees-saved.tsv");
  const saved = decisionsIn("trees-saved.tsv");
  assert.deepEqual([saved[0]?.decision, saved[1]?.decision], ["+", "-"]);
  assert.equal(saved[2]?.decision, `${taken}:${relation.join(":")}`);
  vouch("review", "-q", "--apply", "trees-saved.tsv", "-o", "corrected.conllu", "trees.conllu");
  const [before_, after_] = [arcsIn("trees.conllu"), arcsIn("corrected.conllu")];
  assert.equal(after_[Number(saved[0]?.line) - 1], saved[0]?.proposed);
  assert.equal(after_[Number(saved[1]?.line) - 1], before_[Number(saved[1]?.line) - 1]);
  assert.equal(after_[Number(saved[2]?.line) - 1], saved[2]?.decision);
  const others = (saved[0]?.also ?? "").split(" ").filter(Boolean).length;
  const differ = before_.filter((arc, i) => arc !== after_[i]).length;
  assert.equal(differ, 2 + others);
  quiet();
  await page.context().close();
});

also("trees: a word that would depend on itself is refused, and why is said", async () => {
  const page = await open("trees.html");
  const row = decisionsIn("trees.tsv")[0];
  await press(page, "e");
  await page
    .locator(".typing")
    .first()
    .fill(row?.word ?? "");
  await press(page, "Enter");
  assert.match(await page.getByRole("alert").innerText(), /would depend on itself/);
  await page.locator(".typing").first().fill("999");
  await press(page, "Enter");
  assert.match(await page.getByRole("alert").innerText(), /needs a head: a number from 0 to/);
  assert.equal(await progress(page), "0 of 30 decided");
  quiet();
  await page.context().close();
});

also("every tree of the list is drawn inside its frame, with the given arc above and the proposed below", async () => {
  const page = await open("trees.html");
  for (let i = 0; i < 30; i++) {
    const drawn = await page.evaluate(() => {
      const svg = /** @type {SVGSVGElement} */ (document.querySelector(".tree svg"));
      const box = svg.getBBox();
      const words = /** @type {SVGGElement} */ (document.querySelector(".tree .word")).getBBox();
      const boxes = (/** @type {string} */ name) =>
        [...svg.querySelectorAll(`${name} path:not(.tip)`)].map((p) => /** @type {SVGPathElement} */ (p).getBBox());
      return {
        inside: box.x >= -1 && box.y >= -1 && box.x + box.width <= svg.width.baseVal.value + 1,
        given: document.querySelectorAll(".tree .given").length,
        above: boxes(".given").every((b) => b.y < words.y),
        below: boxes(".new").every((b) => b.y > words.y),
      };
    });
    assert.deepEqual({ ...drawn, given: drawn.given > 0 }, { inside: true, given: true, above: true, below: true });
    await press(page, "n");
  }
  quiet();
  await page.context().close();
});

test("text stands out and nothing is wider than the window, light and dark, in a hand and on a wall", async () => {
  for (const name of ["names", "trees"])
    for (const colorScheme of ["light", "dark"])
      for (const width of [500, 1280, 2560]) {
        const page = await open(`${name}.html`, { colorScheme, viewport: { width, height: 900 } });
        await press(page, "a", "h", "e");
        assert.deepEqual(await page.evaluate(faint), [], `${name} ${colorScheme}`);
        assert.equal(await page.evaluate(tooWide), 0, `${name} ${width}`);
        quiet();
        await page.context().close();
      }
});

also("text of the corpus is text", async () => {
  const nasty = "<script>document.title='hit'</script>";
  const lines = Array.from({ length: 40 }, (_, i) =>
    JSON.stringify({
      tokens: [nasty, "&amp;", "</script>", `<b>w${i}`],
      labels: ["<i>", "O", "O", i % 9 ? "&lt;" : "<i>"],
    }),
  );
  writeFileSync(at("a<b>&.jsonl"), lines.join("\n") + "\n");
  vouch(
    "review",
    "-q",
    "-t",
    "pos",
    "-n",
    "1",
    "--folds",
    "2",
    "--inspect",
    "9",
    "--as",
    "html",
    "-o",
    "n.html",
    "a<b>&.jsonl",
  );
  const page = await open("n.html");
  assert.equal(await page.title(), "Probably mislabelled");
  assert.ok((await page.locator(".quote").first().innerText()).includes(nasty));
  await press(page, "a");
  await save(page, "n.tsv");
  vouch("review", "-q", "--apply", "n.tsv", "-o", "n.jsonl", "a<b>&.jsonl");
  const before_ = read("a<b>&.jsonl").split("\n");
  const differ = read("n.jsonl").split("\n").filter((line, i) => line !== before_[i]).length; // prettier-ignore
  assert.equal(differ, 1);
  quiet();
  await page.context().close();
});
