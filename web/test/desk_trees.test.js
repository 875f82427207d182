// The trees view of the desk, in a browser with a real server: heads and relations by keys, clicks, dragging and touch;
// what else changes; rules; blind trees; drawings by their geometry; what is exported. VOUCH names the program.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { accessible } from "./axe.js";
import { at, faint, also, inBoth, open, quiet, read, tooWide, vouch } from "./browser.js";
import { serve } from "./server.js";

/** @typedef {import("playwright-core").Page} Page */

let url = "";
const long = 60;

/** Sentences of the sample grammar, as lists of columns. @param {number} first @param {number} count */
function sample(first, count) {
  const name = `sample-${first}.conllu`;
  vouch("sample", "--kind", "dep", "-n", String(count), "--first", String(first), "-o", name);
  return read(name)
    .trim()
    .split("\n\n")
    .map((block) => block.match(/^\d+\t.*/gm)?.map((line) => line.split("\t")) ?? []);
}

/**
 * A sentence with open heads, a comment, a multiword token and an empty node.
 * @param {string[][]} words @param {number} number
 */
function openSentence(words, number) {
  const lines = words.map((columns, i) => [i + 1, ...columns.slice(1, 6), "_", "_", "_", "Note=kept"].join("\t"));
  const joined = ["1-2", "joined", ...Array(7).fill("_"), "SpaceAfter=No"].join("\t");
  const empty = ["2.1", "nothing", ...Array(6).fill("_"), "1:dep", "_"].join("\t");
  return [
    `# sent_id = open-${number}`,
    "# text = kept as it is ",
    joined,
    ...lines.slice(0, 2),
    empty,
    ...lines.slice(2),
  ];
}

before(async () => {
  const learned = sample(0, 150).map((words) => words.map((columns) => columns.join("\t")));
  const many = sample(150, 400);
  const longOnes = [0, 20, 40].map((from) => many.slice(from).flat().slice(0, long)); // one of them may be blind
  const opened = [...longOnes, ...many].map(openSentence);
  writeFileSync(at("trees.conllu"), [...opened, ...learned].map((lines) => `${lines.join("\n")}\n\n`).join(""));
  url = (await serve("--blind", "0.15", "--learn-every", "0", "trees.conllu")).root;
});

const ask = async (/** @type {string} */ path) => (await fetch(new URL(path, url))).json();

/** The sentence that somebody has in sight. @param {string} name */
const itemOf = async (name) => (await ask(`/v1/queue?annotator=${name}&order=document&limit=1`)).items[0];

/** Somebody new begins, in the order of the document. @param {string} name @param {object} [options] */
async function begin(name, options) {
  const page = await open(`${url}desk?annotator=${name}`, options);
  await page.locator(".tree").waitFor();
  await page.locator("#order").selectOption("document");
  await page.locator("#order").evaluate((select) => select.blur());
  await inSight(page, name);
  return page;
}

/** Waits until the page shows the server's first sentence. @param {Page} page @param {string} name */
async function inSight(page, name) {
  const item = await itemOf(name);
  const shows = (/** @type {string[]} */ words) =>
    words.join(" ") === [...document.querySelectorAll(".tree .word text")].map((t) => t.textContent).join(" ");
  await page.waitForFunction(shows, item.words);
  return item;
}

/** Begins with a sentence that suits, skipping others. @param {string} name @param {(item: any) => boolean} suits */
async function beginWith(name, suits, options = {}) {
  const page = await begin(name, options);
  for (let i = 0; i < 40; i++) {
    const item = await itemOf(name);
    if (suits(item)) return { page, item };
    await page.keyboard.press("Space");
    await page.locator(".save", { hasText: "Saved" }).waitFor();
    await page.waitForFunction(
      async ([address, old]) => (await (await fetch(String(address))).json()).items[0].sentence !== old,
      [`/v1/queue?annotator=${name}&order=document&limit=1`, item.sentence],
    );
    await inSight(page, name);
  }
  throw new Error("no sentence suits");
}

const short = (/** @type {any} */ item) => !item.blind && item.words.length >= 5 && item.words.length <= 20;
const word = (/** @type {Page} */ page, /** @type {number} */ index) => page.locator(`.tree [data-word="${index}"]`);
const changes = (/** @type {Page} */ page) => page.getByRole("region", { name: "What changes" });

/** The change is complete: the server has answered. @param {Page} page */
const offered = (page) => page.getByRole("button", { name: /Take the change/ }).waitFor();

/** A word and a head that it does not have, which leave a tree. @param {any} item */
function another({ answer: { heads } }) {
  for (let w = 0; w < heads.length; w++)
    for (let h = 0; h < heads.length; h++)
      if (h !== w && heads[w] !== h + 1 && heads[h] !== w + 1 && heads[w] !== 0) return { w, h };
  throw new Error("there is no other head");
}

/** Types a number. @param {Page} page @param {number} number */
async function type(page, number) {
  for (const digit of String(number)) await page.keyboard.press(digit);
}

/** What somebody decided last. @param {string} name */
async function decision(name) {
  for (let i = 0; i < 200; i++) {
    const { decisions } = await ask(`/v1/decisions?annotator=${name}&limit=1`);
    if (decisions[0]) return decisions[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nothing was decided");
}

/** What is hidden in the drawing: labels over each other, or crossed by the leg of an arc. */
const hidden = () => {
  const labels = [...document.querySelectorAll(".tree .arc rect.ground")].map((rect) => {
    const box = /** @type {SVGRectElement} */ (rect).getBBox();
    return { ...{ x: box.x, y: box.y, right: box.x + box.width, bottom: box.y + box.height }, text: rect.nextSibling };
  });
  const legs = [...document.querySelectorAll(".tree .arc path:not(.tip)")].flatMap((path) => {
    const numbers = (path.getAttribute("d") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
    const [from = 0, base = 0, , , top = 0] = numbers;
    const to = numbers.at(-4) === undefined ? 0 : numbers[numbers.length - 3];
    return [from, to ?? 0].map((x) => ({ x, top: Math.min(base, top), base: Math.max(base, top) }));
  });
  const found = [];
  for (const [i, a] of labels.entries()) {
    for (const b of labels.slice(i + 1))
      if (a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom)
        found.push(`${a.text?.textContent} over ${b.text?.textContent}`);
    for (const leg of legs)
      if (leg.x > a.x && leg.x < a.right && leg.top < a.y && leg.base > a.bottom)
        found.push(`a leg over ${a.text?.textContent}`);
  }
  return found;
};

also("sixty words: no label is hidden, the drawing scrolls, and the chosen word is in sight", async () => {
  const { page } = await beginWith("sixty", ({ blind, words }) => !blind && words.length === long);
  assert.equal(await page.locator(".tree .word").count(), long);
  assert.deepEqual(await page.evaluate(hidden), []);
  assert.equal(await page.evaluate(tooWide), 0);
  const isInSight = (/** @type {number} */ index) =>
    page.evaluate((i) => {
      const frame = /** @type {Element} */ (document.querySelector(".tree")).getBoundingClientRect();
      const box = document.querySelector(`.tree [data-word="${i}"]`)?.getBoundingClientRect();
      return !!box && box.left >= frame.left && box.right <= frame.right;
    }, index);
  await word(page, 1).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft"); // the last word
  assert.equal(await word(page, long - 1).getAttribute("aria-pressed"), "true");
  assert.ok(await isInSight(long - 1));
  await page.keyboard.press("e");
  await type(page, 2); // an arc over nearly everything, and what follows from it
  await offered(page);
  assert.deepEqual(await page.evaluate(hidden), []);
  quiet();
  await page.context().close();
});

test("by keys alone: a head by its number, what follows is shown, only these cells of the file change", async () => {
  const { page, item } = await beginWith("keys", short);
  const { w, h } = another(item);
  while ((await word(page, w).getAttribute("aria-pressed")) !== "true") {
    const now = page.locator(".tree [aria-pressed=true]");
    const at_ = (await now.count()) > 0 ? Number(await now.getAttribute("data-word")) : -1;
    await page.keyboard.press(at_ < w ? "ArrowRight" : "ArrowLeft");
  }
  await page.keyboard.press("e");
  await type(page, h + 1);
  await offered(page);
  assert.match((await changes(page).innerText()) ?? "", /arcs? changes?\n/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("a");
  const { answer, kind } = await decision("keys");
  assert.equal(kind, "edit");
  assert.equal(answer.heads[w], h + 1);
  assert.equal(answer.heads.filter((/** @type {number} */ head) => head === 0).length, 1);

  const lines = read("trees.conllu").split("\n");
  const exported = await (await fetch(new URL("/v1/export?document=trees.conllu&annotator=keys", url))).text();
  const now = exported.split("\n");
  assert.equal(now.length, lines.length);
  let number = 0;
  now.forEach((line, i) => {
    if (line === lines[i]) return;
    const cells = line.split("\t");
    assert.deepEqual([cells[6], cells[7]], [String(answer.heads[number]), answer.relations[number]]);
    assert.equal(cells.with(6, "_").with(7, "_").join("\t"), lines[i]);
    number++;
  });
  assert.equal(number, item.words.length);
  quiet();
  await page.context().close();
});

test("by clicks: word, its head, take", async () => {
  const { page, item } = await beginWith("clicks", short);
  const { w, h } = another(item);
  for (const index of item.words.keys()) {
    await word(page, index).click();
    const panel = page.getByRole("region", { name: /^Head of/ });
    assert.equal(await panel.getByText("yours").count(), 0, `nothing is decided about word ${index + 1}`);
  }
  await word(page, w).click();
  const box = word(page, w).locator(".ground");
  const ground = () => box.evaluate((rect) => getComputedStyle(rect).fill);
  const under = await ground();
  await page.getByRole("button", { name: /^Choose/ }).hover();
  assert.equal(under, await ground(), "the chosen word is as legible under the pointer");
  await page.getByRole("button", { name: /^Choose/ }).click();
  await word(page, h).click();
  await page.getByRole("button", { name: /Take the change/ }).click();
  await page.getByRole("button", { name: /^Accept/ }).click();
  assert.equal((await decision("clicks")).answer.heads[w], h + 1);
  quiet();
  await page.context().close();
});

inBoth("by dragging a word to its head", async () => {
  const { page, item } = await beginWith("drags", short);
  const { w, h } = another(item);
  const middle = async (/** @type {number} */ index) => {
    const box = await word(page, index).locator("rect.ground").boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  const [from, to] = [await middle(w), await middle(h)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, from.y - 40, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  assert.equal(await page.locator(".tree .dragged").count(), 1);
  await page.mouse.up();
  await offered(page);
  assert.match((await changes(page).locator("tbody tr").first().innerText()) ?? "", /yours/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("a");
  assert.equal((await decision("drags")).answer.heads[w], h + 1);
  quiet();
  await page.context().close();
});

also("by touch, on a narrow screen", async () => {
  const options = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 800 } };
  const { page, item } = await beginWith("touch", short, options);
  const { w, h } = another(item);
  await word(page, w).tap();
  await page.getByRole("button", { name: /^Choose/ }).tap();
  await word(page, h).tap();
  await page.getByRole("button", { name: /Take the change/ }).tap();
  assert.equal(await page.evaluate(tooWide), 0);
  const heights = await page.locator("main button:visible").evaluateAll((all) => all.map((b) => b.clientHeight + 2));
  assert.ok(Math.min(...heights) >= 44, heights.join(" "));
  await page.getByRole("button", { name: /^Accept/ }).tap();
  assert.equal((await decision("touch")).answer.heads[w], h + 1);
  quiet();
  await page.context().close();
});

inBoth("a relation by typing: found by its letters, shown as a change, taken by Enter", async () => {
  const { page, item } = await beginWith("types", short);
  const w = item.answer.heads.findIndex((/** @type {number} */ head) => head !== 0);
  const { labels } = await ask("/v1/desk");
  const wanted = labels.find((/** @type {string} */ name) => name !== item.answer.relations[w] && name !== "root");
  await word(page, w).click();
  await page.keyboard.press("t");
  await page.keyboard.type(wanted);
  const found = await page.locator("#relations [aria-selected=true]").innerText();
  assert.equal(found.trim().split(/\s/)[0], wanted);
  assert.match(await changes(page).innerText(), /One arc changes/);
  await page.keyboard.press("Enter");
  assert.equal(await changes(page).getByRole("heading").innerText(), "Nothing changes");
  await page.keyboard.press("a");
  const { answer } = await decision("types");
  assert.deepEqual(answer.relations, item.answer.relations.with(w, wanted));
  quiet();
  await page.context().close();
});

test("a circle and a second root are refused, and what is in the way is named", async () => {
  const { page, item } = await beginWith("rules", short);
  const { w, h } = another(item);
  const alert = changes(page).getByRole("alert");
  await word(page, w).click();
  await page.keyboard.press("e");
  await type(page, h + 1);
  await offered(page);
  await page.keyboard.press("Enter");
  await word(page, h).click();
  await page.keyboard.press("e");
  await type(page, w + 1);
  assert.equal(
    await alert.innerText(),
    `That would close a circle: “${item.words[w]}” already hangs below “${item.words[h]}”. ` +
      `Choose another head, or give “${item.words[w]}” a new one first.`,
  );
  await page.keyboard.press("Escape");
  const others = item.words.map((/** @type {string} */ _, /** @type {number} */ i) => i);
  const [first, second] = others.filter((/** @type {number} */ i) => i !== w && i !== h && item.answer.heads[i] !== 0);
  await word(page, first).click();
  await page.keyboard.press("e");
  await page.keyboard.press("0");
  await changes(page).getByText("The root moves.").waitFor();
  await page.keyboard.press("Enter");
  await word(page, second).click();
  await page.keyboard.press("e");
  await page.keyboard.press("0");
  assert.match(
    await alert.innerText(),
    new RegExp(`^That would be a second root: a tree has one, and “.+” is it already`),
  );
  quiet();
  await page.context().close();
});

/** The arcs that are drawn, without those of a change. @param {Page} page */
const names = (page) => page.locator(".tree .word").evaluateAll((all) => all.map((w) => w.getAttribute("aria-label")));

also("undo takes back a change with all that followed from it, redo brings it back", async () => {
  const { page, item } = await beginWith("undoes", short);
  const before_ = await names(page);
  const root = item.answer.heads.indexOf(0);
  await word(page, root === 0 ? 1 : 0).click();
  await page.keyboard.press("e");
  await page.keyboard.press("0"); // at least the root's own arc follows
  await offered(page);
  const rows = await changes(page).locator("tbody tr").count();
  assert.ok(rows >= 2);
  assert.deepEqual(await page.evaluate(hidden), []);
  await page.keyboard.press("Enter");
  const after_ = await names(page);
  assert.equal(after_.filter((name, i) => name !== before_[i]).length, rows);
  await page.keyboard.press("Backspace");
  assert.deepEqual(await names(page), before_);
  await page.keyboard.press("Shift+Backspace");
  assert.deepEqual(await names(page), after_);
  quiet();
  await page.context().close();
});

also("a blind tree shows nothing of the model, and is done by number and typing", async () => {
  const { page, item } = await beginWith("blinded", ({ blind, words }) => blind && words.length <= 20);
  assert.equal(item.answer, null);
  assert.equal(await page.locator(".tree .arc path").count(), 0);
  assert.equal(await page.locator(".alts li, .list .num:not(:empty)").count(), 0);
  await page.getByText(`0 of ${item.words.length}`).waitFor();
  await page.keyboard.press("a");
  await page.getByText(`${item.words.length} words have no head or no relation yet.`).waitFor();
  const [label = ""] = (await ask("/v1/desk")).labels.filter((/** @type {string} */ name) => name !== "root");
  for (let i = 0; i < item.words.length; i++) {
    assert.equal(await word(page, i).getAttribute("aria-pressed"), "true");
    await type(page, i === 0 ? 0 : i); // a chain: every word depends on the one before
    await page.keyboard.press("Enter");
    if (i === 0 && (await page.locator("#relation:focus").count()) === 0) continue; // the root has its name
    await page.keyboard.type(label);
    await page.keyboard.press("Enter");
  }
  await page.getByText(`All ${item.words.length} words have a head.`).waitFor();
  await page.keyboard.press("a");
  const { answer, blind } = await decision("blinded");
  assert.ok(blind);
  assert.deepEqual(answer.heads, [...item.words.keys()]);
  quiet();
  await page.context().close();
});

also("arcs may cross, and no label is hidden by that", async () => {
  const { page, item } = await beginWith("crosses", (one) => short(one) && one.words.length >= 8);
  for (const [w, h] of /** @type {[number, number][]} */ ([
    [0, 4],
    [2, 6],
    [3, 7],
  ])) {
    // prettier-ignore
    await word(page, w).click();
    await page.keyboard.press("e");
    await type(page, h + 1);
    if (item.answer.heads[w] === h + 1) continue;
    await offered(page);
    await page.keyboard.press("Enter");
  }
  assert.deepEqual(await page.evaluate(hidden), []);
  await page.keyboard.press("a");
  const { answer } = await decision("crosses");
  assert.deepEqual([answer.heads[0], answer.heads[2], answer.heads[3]], [5, 7, 8]);
  quiet();
  await page.context().close();
});

also("without the server one arc changes; the work is sent later", async () => {
  const { page, item } = await beginWith("away", short);
  const { heads, alternatives } = item.answer;
  const words = [...item.words.keys()];
  const leaf = words.find((i) => !heads.includes(i + 1)) ?? 0;
  const unasked = (/** @type {number} */ i) => !alternatives[leaf].some((/** @type {any} */ one) => one.head === i + 1);
  const head = words.find((i) => i !== leaf && unasked(i)) ?? 0;
  await word(page, leaf).click();
  await page.context().setOffline(true);
  await page.keyboard.press("e");
  await type(page, head + 1);
  await changes(page).getByText("The server is away: only this arc changes.").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("a");
  await page.context().setOffline(false);
  assert.deepEqual((await decision("away")).answer.heads, heads.with(leaf, head + 1));
  await page.context().close();
});

inBoth("light and dark, narrow and wide: text stands out, nothing is too wide, words are named in full", async () => {
  for (const colorScheme of /** @type {const} */ (["light", "dark"]))
    for (const width of [360, 1280, 2560]) {
      const name = `${colorScheme}, ${width}`;
      const page = await begin("looks", { colorScheme, viewport: { width, height: 900 } });
      for (let i = 0; i < 4; i++) await page.keyboard.press("n");
      assert.equal(await page.evaluate(() => window.scrollY), 0, `${name}: choosing a word scrolls the drawing alone`);
      assert.deepEqual(await page.evaluate(faint), [], name);
      assert.equal(await page.evaluate(tooWide), 0, name);
      if (colorScheme === "light" && width < 2000) await accessible(page, name);
      for (const label of await names(page))
        assert.match(label ?? "", /^.+, word \d+, (depends on .+|is the root|has no head yet)/);
      quiet();
      await page.context().close();
    }
});
