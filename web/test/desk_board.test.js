// The dashboard and the settle view, in a browser against the real program; two servers for all tests.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { accessible } from "./axe.js";
import { at, faint, also, open, quiet, tooWide, vouch } from "./browser.js";
import { serve } from "./server.js";

/** @typedef {import("playwright-core").Page} Page */
/** @type {Map<string, string[]>} */
const gold = new Map();
let url = "";
let empty = "";

/** @param {string} path @param {object} [body] */
async function api(path, body) {
  const headers = { "Content-Type": "application/json", "X-Vouch": "test" };
  const how = body && { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(url + path.slice(1), how);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function learn() {
  await api("/v1/learn", {});
  for (let i = 0; i < 1200; i++) {
    const { learning } = await api("/v1/desk");
    if (learning.state === "idle" && !learning.forecasting) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Another answer than the right one: the label of one word. @param {string[]} labels */
const wrong = (labels) => [labels[0] === "O" ? "B-MISC" : "O", ...labels.slice(1).map((l) => (l === "O" ? l : "O"))];

/** Decides on the next sentences of two people; of double ones the second answers `every`th otherwise. */
async function label(/** @type {number} */ count, /** @type {number} */ every) {
  let doubles = 0;
  for (let i = 0; i < count; i++)
    for (const annotator of ["mira", "joss"]) {
      const [item] = (await api(`/v1/queue?annotator=${annotator}&limit=1&order=document`)).items;
      const right = gold.get(item.words.join(" ")) ?? [];
      const differs = item.double && annotator === "joss" && ++doubles % every === 0;
      const answer = { labels: differs ? wrong(right) : right };
      await api("/v1/answer", {
        annotator,
        sentence: item.sentence,
        kind: "edit",
        order: item.order,
        seconds: 3,
        answer,
      });
    }
}

before(async () => {
  const first = (/** @type {string} */ line) => line.split(" ")[0] ?? "";
  for (const sentence of vouch("sample", "--kind", "ner", "-n", "260").trim().split("\n\n")) {
    const lines = sentence.split("\n");
    gold.set(lines.map(first).join(" "), lines.map((line) => line.split(" ").at(-1) ?? "O")); // prettier-ignore
  }
  const written = (/** @type {(words: string, label: string) => string} */ line, /** @type {number} */ from) =>
    [...gold].slice(from).map(([words, labels]) =>
      words
        .split(" ")
        .map((word, i) => line(word, labels[i] ?? ""))
        .join("\n"),
    );
  const given = written((word, l) => `${word} ${l}`, 0).slice(0, 40);
  writeFileSync(at("names.txt"), `${[...given, ...written((word) => `${word} _`, 40)].join("\n\n")}\n`);
  writeFileSync(
    at("bare.txt"),
    `${written((word) => word, 0)
      .slice(0, 30)
      .join("\n\n")}\n`,
  );
  const [full, bare] = await Promise.all([
    serve("--blind", "0.5", "--double", "0.5", "--learn-every", "0", "names.txt"),
    serve("--task", "ner", "--labels", "PER,LOC", "--format", "conll", "bare.txt"),
  ]);
  [url, empty] = [full.root, bare.root];
});

const dashboard = (/** @type {string} */ base, options = {}) => open(`${base}desk?annotator=edda#dashboard`, options);
const text = (/** @type {Page} */ page) => page.locator("main").innerText();

also("on an empty store every figure is a dash, and says what is missing", async () => {
  const page = await dashboard(empty);
  await page.getByText("No decision yet").first().waitFor();
  const said = await text(page);
  for (const part of ["No sentence was answered by two", "There is no model yet", "No model was learned here yet"])
    assert.ok(said.includes(part), `${part}: ${said}`);
  await page.getByLabel("not known yet").nth(1).waitFor();
  assert.doesNotMatch(said, /NaN|undefined|null|Infinity/);
  assert.equal(await page.evaluate(tooWide), 0);
  quiet();
});

test("on few it says how many are missing; on many there are figures with intervals", async () => {
  await label(6, 2);
  let page = await dashboard(url);
  await page
    .getByText(/more until there is a figure/)
    .first()
    .waitFor();
  assert.doesNotMatch(await text(page), /NaN|undefined|Infinity/);
  await label(64, 4);
  await learn();
  page = await dashboard(url);
  const card = page.locator(".card", { hasText: "F1 on blind items" }).first();
  await card.getByText(/\d+\.\d to \d+\.\d/).waitFor();
  const { blind } = await api("/v1/measures");
  assert.ok((await card.innerText()).includes((100 * blind.figures.f1.value).toFixed(1)));
  await page.locator(".plot canvas").waitFor();
  assert.match((await page.locator(".plot").getAttribute("aria-label")) ?? "", /F1 on blind items .*\d at \d+/);
  const said = await text(page);
  assert.match(said, /within 0\.\d\d|too sure by|too careful by/);
  assert.match(said, /half within\s+3\.0\s+to 3\.0/);
  assert.doesNotMatch(said, /NaN|undefined|Infinity/);
  quiet();
});

test("two people's answers are settled place by place, as equals, by keys", async () => {
  const { items } = await api("/v1/queue?annotator=edda&order=disagreement&limit=50");
  assert.ok(items.length >= 2);
  const page = await open(`${url}desk?annotator=edda#settle`);
  await page.getByText("Why this one:").waitFor();
  const shown = await text(page);
  assert.ok(!shown.includes("mira") && !shown.includes("joss"), "no names");
  assert.ok(!shown.includes("The model said"), "the model says nothing before the choice");
  assert.equal(await page.locator(".pair .btn.main").count(), 0);
  const places = await page.locator(".place").count();
  assert.equal(await page.getByRole("button", { name: /^Accept sentence/ }).getAttribute("aria-disabled"), "true");
  await page.keyboard.press("a");
  for (let i = 0; i < places; i++) await page.keyboard.press("2");
  await page
    .getByText(/second answer taken/)
    .first()
    .waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("1");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("2");
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.body.innerText.includes("Saved"));
  for (let i = 0; i < 50 && (await api("/v1/agreement")).settling.settled < 1; i++) await page.waitForTimeout(100);
  assert.deepEqual((await api("/v1/agreement")).settling.second, 1);
  const left = (await api("/v1/queue?annotator=edda&order=disagreement&limit=50")).items;
  assert.deepEqual(
    left.map((/** @type {any} */ item) => item.sentence),
    items.slice(1).map((/** @type {any} */ item) => item.sentence),
  );
  quiet();
});

also("an own answer settles a place, and later puts the sentence last", async () => {
  const page = await open(`${url}desk?annotator=edda#settle`);
  await page.getByText("Why this one:").waitFor();
  const first = await page.locator(".sentence").innerText();
  await page.keyboard.press(" ");
  await page.waitForFunction((shown) => document.querySelector(".sentence")?.textContent !== shown, first);
  const places = await page.locator(".place").count();
  for (let i = 0; i < places; i++) {
    await page.keyboard.press("e");
    await page.getByRole("group", { name: "Own answer" }).getByLabel("Label").selectOption("ORG");
    await page.getByRole("button", { name: "Take this answer" }).click();
  }
  await page.getByText("own answer", { exact: false }).first().waitFor();
  await page.keyboard.press("a");
  for (let i = 0; i < 50 && (await api("/v1/agreement")).settling.settled < 2; i++) await page.waitForTimeout(100);
  const { settled, first: one, second } = (await api("/v1/agreement")).settling;
  assert.deepEqual([settled, one + second], [2, 1]);
  quiet();
});

also("what an export loses is said before, and vouch convert and vouch eval read what was downloaded", async () => {
  const page = await dashboard(url);
  await page.getByLabel("as").selectOption("label-studio");
  await page.locator("#export-said", { hasText: "not labelled as a whole" }).waitFor();
  for (const [format, file] of [
    ["label-studio", "out.json"],
    ["conll", "out.conll"],
  ]) {
    // prettier-ignore
    await page.getByLabel("as").selectOption(format ?? "");
    await page.locator("#export-said", { hasText: "sentences" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export the corpus" }).click(),
    ]);
    await download.saveAs(at(file ?? ""));
  }
  vouch("convert", "-q", "--to", "conll", "-o", at("back.conll"), at("out.json"));
  const bodies = ["back.conll", "out.conll"].map((name) => readFileSync(at(name), "utf8").trim());
  assert.equal(bodies[0], bodies[1]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  await download.saveAs(at("taken.vouch"));
  const evaluated = JSON.parse(vouch("eval", "--json", "-m", at("taken.vouch"), at("out.conll")));
  assert.ok(evaluated.all.f1 > 50);
  quiet();
});

also("an earlier model is used again, and learning waits to be asked for", async () => {
  const { models } = await api("/v1/rounds");
  const page = await dashboard(url);
  await page.getByRole("row", { name: /Round 1 / }).getByRole("button", { name: "Use" }).click(); // prettier-ignore
  await page.getByText("An earlier model is in use").waitFor({ timeout: 60000 });
  assert.equal((await api("/v1/models")).models[0].version, models[0].digest);
  await page.getByRole("button", { name: "Learn now" }).click();
  await page.getByText("An earlier model is in use").waitFor({ state: "detached", timeout: 60000 });
  assert.notEqual((await api("/v1/models")).models[0].version, models[0].digest);
  quiet();
});

also("keys of the queue decide nothing on the dashboard", async () => {
  const decided = (await api("/v1/decisions?annotator=edda&limit=100")).decisions.length;
  const page = await dashboard(url);
  await page.getByText("Decided").first().waitFor();
  for (const key of ["a", "x", " ", "f", "Backspace"]) await page.keyboard.press(key);
  await page.waitForTimeout(300);
  assert.equal((await api("/v1/decisions?annotator=edda&limit=100")).decisions.length, decided);
});

for (const view of ["dashboard", "settle"])
  test(`${view}: legible in both themes, and no wider than any window`, async () => {
    for (const [width, colorScheme] of [
      [360, "dark"],
      [1280, "light"],
      [2560, "dark"],
    ]) {
      // prettier-ignore
      const page = await open(`${url}desk?annotator=edda#${view}`, { viewport: { width, height: 900 }, colorScheme });
      await page.locator("main .card").first().waitFor();
      await page.waitForTimeout(500);
      assert.equal(await page.evaluate(tooWide), 0, `${view} at ${width}`);
      assert.deepEqual(await page.evaluate(faint), []);
      if (width === 1280) await accessible(page, view);
      await page.context().close();
    }
    quiet();
  });

also("two trees are settled word by word, and both heads and relations are kept", async () => {
  writeFileSync(at("trees.conllu"), vouch("sample", "--kind", "dep", "-n", "40"));
  const base = (await serve("--blind", "0", "--double", "1", "--learn-every", "0", "trees.conllu")).root;
  const decide = async (/** @type {any} */ body) => {
    const headers = { "Content-Type": "application/json", "X-Vouch": "test" };
    const response = await fetch(`${base}v1/answer`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(response.status, 200, await response.text());
  };
  const queue = await (await fetch(`${base}v1/queue?annotator=mira&order=document&limit=50`)).json();
  const item = queue.items.find((/** @type {any} */ { given }) => given && given.heads.length > 5);
  const { heads, relations } = item.given;
  const other = relations.map((/** @type {string} */ relation, /** @type {number} */ i) =>
    i === 1 ? relations.find((/** @type {string} */ one) => one !== relation) : relation,
  );
  const sentence = { sentence: item.sentence, kind: "edit", order: "document" };
  await decide({ ...sentence, annotator: "mira", answer: { heads, relations } });
  await decide({ ...sentence, annotator: "joss", answer: { heads, relations: other } });
  const page = await open(`${base}desk?annotator=edda#settle`);
  await page.getByText("1 of 1: the relation differs").waitFor();
  await page.keyboard.press("1");
  await page.getByText("✓ first answer taken").waitFor();
  await page.keyboard.press("a");
  await page.getByText("All settled").waitFor();
  const { decisions } = await (await fetch(`${base}v1/decisions?annotator=edda`)).json();
  assert.deepEqual(decisions[0].answer.heads, heads);
  assert.ok([relations, other].some((side) => JSON.stringify(side) === JSON.stringify(decisions[0].answer.relations)));
  quiet();
});
