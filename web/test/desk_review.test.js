// Review mode of the desk in chromium: errors that vouch sample planted are found, decided on by keys and clicks, and
// saved; what is saved is what vouch review --apply writes.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { before, test } from "node:test";
import { accessible } from "./axe.js";
import { at, faint, also, open, quiet, read, tooWide, vouch } from "./browser.js";
import { serve } from "./server.js";

/** @typedef {import("playwright-core").Page} Page */

before(() => {
  for (const name of ["a", "b", "trees"]) mkdirSync(at(name));
  vouch("sample", "-n", "120", "--seed", "5", "-o", "clean.txt");
  for (const name of ["a", "b"])
    vouch("sample", "-n", "120", "--seed", "5", "--noise", "0.04", "-o", `${name}/names.txt`);
  vouch("sample", "--kind", "dep", "-n", "60", "--noise", "0.05", "--seed", "5", "-o", "trees/trees.conllu");
});

/** Opens the desk, where review is the first view, and waits for the list. @param {string} url @param {object} [how] */
async function openReview(url, how) {
  const page = await open(new URL("/desk?annotator=ada", url).href, how);
  await page.locator(".chance").waitFor({ timeout: 120000 });
  return page;
}

/** @param {Page} page @param {string[]} keys */
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

const saved = (/** @type {Page} */ page) => page.locator(".save", { hasText: "Saved" }).waitFor();
const suspect = (/** @type {Page} */ page) => page.locator(".desk > .card").first().getAttribute("aria-label");
const decided = (/** @type {Page} */ page) => page.locator("section[aria-label=Progress] h2").innerText();

/** What the server has decided. @param {Page} page @param {string} [more] */
const table = (page, more = "") =>
  page.evaluate(async (query) => (await fetch(`/v1/suspects/decided${query}`)).text(), more);

/** @param {Page} page @param {string} name  saves the corrected corpus as the browser does */
async function saveCorpus(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
  await download.saveAs(at(name));
  return download.suggestedFilename();
}

test("a corpus that is labelled is reviewed: planted errors are found, decided by keys, and corrected", async () => {
  const { kill, url } = await serve("a/names.txt");
  const page = await openReview(url);
  assert.equal(await page.locator(".views [aria-current=page]").innerText(), "Review");
  const [clean, given] = [read("clean.txt").split("\n"), read("a/names.txt").split("\n")];
  let errors = 0;
  for (let i = 0; i < 10; i++) {
    const place = (await page.locator(".compare small").first().innerText()).match(/line ([\d,]+)/)?.[1] ?? "";
    const words = await page.locator(".chance").innerText();
    assert.match(words, /\d+ %\s+chance that .* wrong/);
    const line = Number(place.replace(",", "")) - 1;
    const wrong = [0, 1].some((k) => clean[line + k] !== given[line + k]);
    errors += wrong ? 1 : 0;
    await press(page, wrong ? "a" : "x");
  }
  assert.ok(errors >= 6, `${errors} of the first ten are errors`);
  await saved(page);
  assert.equal((await table(page)).trim().split("\n").length, 11);
  await page.getByRole("heading", { name: /^10 suspects decided/ }).waitFor();
  assert.equal(await saveCorpus(page, "a.corrected.txt"), "names.corrected.txt");
  const rows = await table(page);
  await page.context().close();
  await kill();
  const again = await serve("a/names.txt");
  const other = await openReview(again.url);
  assert.equal(await table(other), rows);
  assert.match(await decided(other), /^10 suspects decided/);
  assert.notEqual(await suspect(other), "Suspect 1");
  const [download] = await Promise.all([
    other.waitForEvent("download"),
    other.getByRole("button", { name: "Decisions as a table" }).click(),
  ]);
  await download.saveAs(at("decided.tsv"));
  vouch("review", "-q", "--apply", "decided.tsv", "-o", "applied.txt", "a/names.txt");
  assert.equal(read("a.corrected.txt"), read("applied.txt"));
  quiet();
  await other.context().close();
  await again.kill();
});

test("while the first list is made the page says how far it is, and announces steps alone", async () => {
  const { kill, root } = await serve("b/names.txt");
  const page = await open(`${root}desk?annotator=ada#names`);
  const told = { identity: null, trouble: null, round: 0, sentences_reviewed: 120, counts: {}, decisions: {} };
  const progress = { step: "learning", again: false, done: 7, of: 50, seconds: 3.2 };
  await page.route(/[/]v1[/]suspects/, (route) => route.fulfill({ json: { ...told, state: "learning", progress } }));
  await page.locator(".views a", { hasText: "Review" }).click();
  const card = page.locator("section[aria-label='Looking for errors']");
  await card.getByText("7 of 50 passes of this step; 3 s so far.").waitFor();
  assert.equal(await card.getByRole("status").innerText(), "Models learn from parts of the corpus.");
  Object.assign(progress, { step: "judging", done: 2, of: 8, seconds: 9 });
  await card.getByText("2 of 8 blocks of sentences of this step; 9 s so far.").waitFor();
  assert.equal(await card.getByRole("status").innerText(), "Models judge the parts that they have not learned from.");
  await accessible(page, "progress");
  quiet();
  await page.context().close();
  await kill();
});

also("exceptions, own answers, undo and groups; a next round asks about none of them again", async () => {
  const { kill, url } = await serve("b/names.txt");
  const page = await openReview(url);
  const first = await suspect(page);
  await press(page, "r");
  assert.notEqual(await suspect(page), first);
  await press(page, "Backspace");
  assert.equal(await suspect(page), first);
  await saved(page);
  assert.equal((await table(page)).trim().split("\n").length, 1);
  await press(page, "r");
  await press(page, "e");
  await page.getByRole("group", { name: "Labels" }).waitFor();
  await press(page, "2");
  await saved(page);
  assert.match(await table(page, "?acknowledged=1"), /\t-!\t/);
  await page.getByRole("heading", { name: /^2 suspects decided/ }).waitFor(); // the server is asked now and then
  for (let i = 0; i < 40 && !(await page.getByRole("button", { name: /Accept this and the ticked/ }).count()); i++)
    await press(page, "n");
  const group = page.locator("section.group");
  const boxes = group.getByRole("checkbox");
  const ticked = await boxes.evaluateAll((all) => all.filter((box) => /** @type {any} */ (box).checked).length);
  if (!ticked) await boxes.first().check();
  const before_ = Number((await decided(page)).match(/^\d+/)?.[0]);
  await press(page, "Shift+A");
  await saved(page);
  await page.getByRole("heading", { name: new RegExp(`^${before_ + 1 + Math.max(ticked, 1)} suspects`) }).waitFor();
  await page.getByRole("button", { name: "Rank the rest anew" }).click();
  await page.getByText("You can go on").waitFor();
  await page.getByRole("button", { name: "Go on with it" }).click({ timeout: 120000 });
  await page.getByRole("heading", { name: /round 2$/ }).waitFor();
  assert.equal(await page.locator(".all .what", { hasText: "✓" }).count(), 0);
  quiet();
  await page.context().close();
  await kill();
});

also("trees: drawn with the proposed arc below; what would leave no tree is not taken", async () => {
  const { kill, url } = await serve("trees/trees.conllu");
  const page = await openReview(url);
  assert.ok((await page.locator(".tree .given").count()) > 0);
  const word = await page.locator(".tree").first().getAttribute("aria-label");
  assert.match(word ?? "", /Given arcs above the words/);
  await press(page, "a", "a", "x");
  await saved(page);
  assert.deepEqual(
    (await table(page)).trim().split("\n").slice(1).map((line) => line.split("\t")[7]), // prettier-ignore
    ["+", "+", "-"],
  );
  await press(page, "e");
  await page.locator(".typing").first().fill("999");
  await press(page, "Enter");
  assert.match(await page.getByRole("alert").innerText(), /needs a head: a number from 0 to/);
  await press(page, "Escape");
  assert.equal(await saveCorpus(page, "trees.corrected.conllu"), "trees.corrected.conllu");
  const lines = read("trees/trees.conllu").split("\n");
  const now = read("trees.corrected.conllu").split("\n");
  const differ = now.filter((line, i) => line !== lines[i]).length;
  assert.ok(differ >= 2 && differ <= 8, `${differ} lines differ`);
  for (const colorScheme of ["light", "dark"])
    for (const width of [360, 1280]) {
      const small = await openReview(url, { colorScheme, viewport: { width, height: 800 } });
      assert.equal(await small.evaluate(tooWide), 0, `${width}`);
      assert.deepEqual(await small.evaluate(faint), [], colorScheme);
      await accessible(small);
      await small.context().close();
    }
  quiet();
  await page.context().close();
  await kill();
});

also("two people: what one decided is decided for the other, and only the own is taken back", async () => {
  const { kill, url } = await serve("a/names.txt");
  const ada = await openReview(url);
  const other = await open(new URL("/desk?annotator=bea#review", url).href);
  await other.locator(".chance").waitFor();
  await press(ada, "a");
  await saved(ada);
  const told = await other.evaluate(async () => (await fetch("/v1/suspects")).json());
  const by = Object.values(told.decisions).map((/** @type {any} */ one) => one.by);
  assert.ok(by.length >= 1 && by.every((name) => name === "ada"), by.join());
  await other.context().close();
  await ada.context().close();
  await kill();
});

also("an audit draws at random, and then the number of errors comes with its interval", async () => {
  const { kill, url } = await serve("b/names.txt");
  const page = await openReview(url);
  await page.getByRole("button", { name: /^Draw 50 for an audit/ }).click();
  await page.getByRole("heading", { name: "Audit", exact: true }).waitFor({ timeout: 120000 });
  for (let i = 0; i < 50; i++) await press(page, "x");
  await saved(page);
  await page.getByRole("button", { name: "List the most suspect" }).click();
  await page.getByRole("button", { name: "Go on with it" }).click({ timeout: 120000 });
  const counted = page.getByRole("region", { name: "Errors in the corpus" });
  await counted.getByText(/90 % interval/).waitFor();
  assert.match(await counted.innerText(), /\d+ to \d+/);
  quiet();
  await page.context().close();
  await kill();
});

also("a decision that is made while the server is away is kept, and arrives", async () => {
  const { kill, url } = await serve("b/names.txt");
  const page = await openReview(url);
  await page.context().setOffline(true);
  await press(page, "x");
  await page.getByText(/Offline, 1 kept/).waitFor();
  await page.context().setOffline(false);
  await saved(page);
  assert.match(await table(page), /\t-\t/);
  await page.context().close();
  await kill();
});

also("at the end of a list the page says so, and how to go on", async () => {
  const { url } = await serve("clean.txt");
  const page = await openReview(url);
  assert.equal(await page.locator(".notice").count(), 0);
  const count = Number((await page.locator(".chance").innerText()).match(/of (\d+)/)?.[1]);
  for (let i = 0; i < count; i++) await press(page, "x");
  const notice = page.locator(".notice", { hasText: `All ${count} suspects of this list are decided.` });
  await notice.waitFor();
  const [edge, ink] = await notice.evaluate((element) => {
    const style = getComputedStyle(element);
    return [style.borderInlineStartColor, style.color];
  });
  assert.equal(edge, ink);
  await notice.getByRole("button", { name: "Rank the rest anew" }).click();
  await page.locator(".notice", { hasText: /Round 2/ }).waitFor();
  quiet();
  await page.context().close();
});
