// The desk's view of names in a browser: by keys alone, by mouse and by touch; offline, killed and restarted; blind
// items; what the server has afterwards. Every test works under a name of its own on the same server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { accessible } from "./axe.js";
import { also, at, faint, folder, inBoth, open, quiet, read, tooWide, vouch } from "./browser.js";
import { serve } from "./server.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {Awaited<ReturnType<typeof serve>>} Server */

/** @type {Server} */
let server;
let sentences = 0; // before those that are told again and again: one for each test
let telling = 0;
const tellings = 20;
const told = "Ada Monuris met Peter Falinon in Paris and left with Grace Hopper for the port of Łodorford";
const blocks = (/** @type {string} */ text) => text.trim().split(/\n\n+/);
/** @param {string[]} list */
const openColumns = (list) => `${list.map((s) => `${s} `.replaceAll(" ", " _\n")).join("\n")}`;

before(async () => {
  vouch("sample", "-n", "1500", "--seed", "3", "-o", "sample.txt");
  const pairs = blocks(read("sample.txt")).map((block) => block.replace(/^(\S+).* (\S+)$/gm, "$1 $2"));
  writeFileSync(at("learn.txt"), pairs.slice(0, 120).join("\n\n") + "\n");
  const rest = [...new Set(pairs.slice(120).map((block) => block.replace(/ \S+$/gm, "").replaceAll("\n", " ")))];
  writeFileSync(at("open.txt"), openColumns([...rest, ...Array(tellings).fill(told)]));
  sentences = rest.length;
  vouch("train", "-q", "-t", "ner", "-n", "2", "-o", "names.vouch", "learn.txt");
  writeFileSync(at("rules.md"), "# Names\n\nA **ship** is no place.\n\n- one\n- <img src=x onerror=alert(1)>\n");
  const usual = ["-m", "names.vouch", "--learn-every", "0", "--blind", "0", "--labels", "PER,ORG,LOC,MISC"];
  server = await serve(...usual, "--guidelines", "rules.md", "open.txt");
});

/**
 * Opens the desk for somebody, by default at a sentence that is told, and that is nobody else's.
 * @param {string} who @param {{ order?: string, on?: Server, how?: object }} [more]
 */
async function enter(who, { order = "", on = server, how } = {}) {
  const sentence = order || on !== server ? "" : `&sentence=${sentences + 1 + (telling++ % tellings)}`;
  const page = await open(new URL(`/desk?annotator=${who}${sentence}`, on.url).href, how);
  page.setDefaultTimeout(20000);
  await page.locator(".sentence [data-word]").first().waitFor();
  if (sentence) await page.getByText(told.slice(-9)).first().waitFor();
  if (order) await page.getByLabel("Order of the queue").selectOption(order);
  await page.locator(".sentence [data-word]").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => /** @type {any} */ (document.activeElement)?.blur());
  return page;
}

/** @param {Page} page @param {string[]} keys */
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Waits until nothing waits to be sent: what is kept in the browser is ahead of what is drawn. @param {Page} page */
async function saved(page) {
  await page.waitForFunction(() => !Object.keys(localStorage).some((name) => name.startsWith("vouch desk ")));
  await page.locator(".save", { hasText: "Saved" }).waitFor();
}
const number = (/** @type {Page} */ page) => page.locator(".desk > .card").getAttribute("aria-label");
/** The spans as they are seen: words and label. @param {Page} page @returns {Promise<string[]>} */
const spans = (page) =>
  page.locator(".sentence .span:not(.gone, .none)").evaluateAll((list) =>
    list.map((span) => {
      const words = [...span.querySelectorAll("[data-word]")].map((word) => word.textContent).join(" ");
      const name = span.querySelector(".tag")?.textContent ?? "";
      return `${words}/${name.replace(span.querySelector(".p")?.textContent ?? "", "").replace(" ✓", "")}`;
    }),
  );
/** Moves the cursor to a word. @param {Page} page @param {number} word */
const toWord = (page, word) => page.locator(`.sentence [data-word="${word}"]`).click();
/** The decisions of somebody, the newest first. @param {string} who @param {Server} [on] */
const decisions = async (who, on = server) =>
  (await on.json(`/v1/decisions?annotator=${who}&limit=200`)).decisions.filter(
    (/** @type {any} */ d) => d.stands && !["undo", "redo"].includes(d.kind),
  );
/** The spans of a decision. @param {any} decision */
const spansOf = ({ words, answer: { labels } }) =>
  labels.flatMap((/** @type {string} */ label, /** @type {number} */ i) =>
    label === "O" ? [] : [`${words[i]}/${label}`],
  );

/** Takes all names off the sentence in sight. @param {Page} page */
async function clear(page) {
  const words = await page.locator(".sentence [data-word]").count();
  await toWord(page, 0);
  await page.locator(`.sentence [data-word="${words - 1}"]`).click({ modifiers: ["Shift"] });
  await press(page, "d", "Escape", "Escape");
  assert.deepEqual(await spans(page), []);
}

also("who works here is asked once, and no password", async () => {
  const page = await open(server.root);
  await page.getByRole("link", { name: "Open the desk" }).click();
  await page.getByLabel("Your name").fill("newcomer");
  await press(page, "Enter");
  await page.locator(".sentence [data-word]").first().waitFor();
  assert.match((await page.locator(".who").textContent()) ?? "", /newcomer/);
  assert.match((await page.locator(".why").textContent()) ?? "", /Why this one/);
  await accessible(page, "names");
  await page.reload();
  await page.locator(".sentence [data-word]").first().waitFor();
  quiet();
  await page.context().close();
});

test("a sentence is labelled by keys alone, and the server has it", async () => {
  const page = await enter("keys");
  await clear(page);
  await toWord(page, 0);
  await press(page, "Shift+ArrowRight", "1"); // Ada Monuris
  await press(page, "ArrowRight", "ArrowRight", "2", "4", "]"); // Peter, first ORG, then MISC, and its end one word out
  for (let i = 0; i < 2; i++) await press(page, "ArrowRight");
  await press(page, "3"); // Paris
  assert.deepEqual(await spans(page), ["Ada Monuris/PER", "Peter Falinon/MISC", "Paris/LOC"]);
  await press(page, "a");
  await saved(page);
  const [decision] = await decisions("keys");
  assert.equal(decision.kind, "edit");
  assert.deepEqual(spansOf(decision), ["Ada/B-PER", "Monuris/I-PER", "Peter/B-MISC", "Falinon/I-MISC", "Paris/B-LOC"]);
  assert.ok(decision.seconds > 0);
  quiet();
  await page.context().close();
});

inBoth("edges are moved, spans split, merged and deleted, each by one key, on any keyboard", async () => {
  const page = await enter("edges");
  await clear(page);
  await toWord(page, 3);
  await press(page, "1", "]", "[");
  assert.deepEqual(await spans(page), ["met Peter Falinon/PER"]);
  await press(page, "Shift+[", "Shift+]");
  assert.deepEqual(await spans(page), ["Peter/PER"]);
  // Where a layout has other signs there, the same places work; and so do the arrows with Ctrl.
  await page.evaluate(() => {
    const key = (/** @type {string} */ name, /** @type {string} */ code) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: name, code, bubbles: true }));
    key("+", "BracketRight");
    key("ü", "BracketLeft");
  });
  assert.deepEqual(await spans(page), ["met Peter Falinon/PER"]);
  await press(page, "Control+ArrowLeft", "Control+Shift+ArrowRight", "Control+ArrowRight");
  assert.deepEqual(await spans(page), ["Peter Falinon/PER"]);
  await toWord(page, 4);
  await press(page, "s");
  assert.deepEqual(await spans(page), ["Peter/PER", "Falinon/PER"]);
  await toWord(page, 3);
  await press(page, "m");
  assert.deepEqual(await spans(page), ["Peter Falinon/PER"]);
  await press(page, "d");
  assert.deepEqual(await spans(page), []);
  await press(page, "Backspace", "Backspace", "Backspace");
  assert.deepEqual(await spans(page), ["Peter Falinon/PER"]);
  await press(page, "Shift+Backspace", "Control+Shift+z", "Control+y");
  assert.deepEqual(await spans(page), []);
  quiet();
  await page.context().close();
});

test("words are chosen by drawing over them, and all else is a button", async () => {
  const page = await enter("mouse");
  await clear(page);
  const word = async (/** @type {number} */ i) => {
    const box = await page.locator(`.sentence [data-word="${i}"]`).boundingBox();
    assert.ok(box);
    return /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);
  };
  await page.mouse.move(...(await word(11)));
  await page.mouse.down();
  await page.mouse.move(...(await word(10)), { steps: 4 });
  await page.mouse.up();
  assert.equal((await page.locator(".draft [data-word]").allInnerTexts()).join(" "), "Grace Hopper");
  await page.getByRole("toolbar", { name: "Labels" }).getByRole("button", { name: /PER/ }).click();
  assert.deepEqual(await spans(page), ["Grace Hopper/PER"]);
  await page
    .locator(".alts button", { hasText: "no name" })
    .or(page.getByRole("button", { name: /^Delete/ }))
    .first()
    .click();
  assert.deepEqual(await spans(page), []);
  await page.getByRole("button", { name: /^Undo/ }).click();
  assert.deepEqual(await spans(page), ["Grace Hopper/PER"]);
  const first = await number(page);
  await page.getByRole("button", { name: /^Accept a/ }).click();
  assert.notEqual(await number(page), first);
  assert.ok(await page.evaluate(() => !!document.activeElement?.closest(".sentence")), "the focus is in the sentence");
  await page.getByRole("button", { name: /^Skip/ }).click();
  await page.getByRole("button", { name: /^Flag/ }).click();
  await saved(page);
  assert.deepEqual(
    (await decisions("mouse")).map((/** @type {any} */ d) => d.kind),
    ["flag", "skip", "edit"],
  );
  quiet();
  await page.context().close();
});

also("on a telephone words are chosen by finger, and nothing is cut off", async () => {
  const page = await enter("touch", { how: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } });
  await clear(page);
  const centre = async (/** @type {number} */ i) => {
    const box = await page.locator(`.sentence [data-word="${i}"]`).boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const finger = await page.context().newCDPSession(page);
  const touch = (/** @type {any} */ type, /** @type {{ x: number, y: number }[]} */ touchPoints) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  const [from, to] = [await centre(0), await centre(1)];
  await touch("touchStart", [from]);
  for (const share of [0.3, 0.6, 1])
    await touch("touchMove", [{ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) }]);
  await page.waitForTimeout(200); // at rest, or the browser takes the next tap for the end of a fling
  await touch("touchEnd", []);
  assert.equal((await page.locator(".draft [data-word]").allInnerTexts()).join(" "), "Ada Monuris");
  await page.getByRole("toolbar", { name: "Labels" }).getByRole("button", { name: /PER/ }).tap();
  await page.locator('.sentence [data-word="6"]').tap();
  await page.getByRole("toolbar", { name: "Labels" }).getByRole("button", { name: /LOC/ }).tap();
  assert.deepEqual(await spans(page), ["Ada Monuris/PER", "Paris/LOC"]);
  const small = await page
    .locator("button:visible")
    .evaluateAll((list) =>
      list.filter((button) => button.getBoundingClientRect().height < 32).map((button) => button.textContent),
    );
  assert.deepEqual(small, []);
  assert.equal(await page.evaluate(tooWide), 0);
  await page.getByRole("button", { name: /^Accept/ }).tap();
  await saved(page);
  quiet();
  await page.context().close();
});

inBoth("it can be read at any width, at twice the size, light and dark", async () => {
  for (const [width, colorScheme] of /** @type {const} */ ([
    [360, "dark"],
    [640, "light"],
    [1280, "dark"],
    [2560, "light"],
  ])) {
    // prettier-ignore
    const how = { colorScheme, viewport: { width: Number(width), height: 900 } };
    const page = await enter(`wide${width}`, { order: "learning", how });
    assert.deepEqual(await page.evaluate(faint), [], `${width} ${colorScheme}`);
    assert.equal(await page.evaluate(tooWide), 0, `${width}`);
    await press(page, "h");
    await page.getByRole("dialog", { name: "All keys" }).waitFor();
    assert.equal(await page.evaluate(tooWide), 0, `${width} with all keys`);
    if (Number(width) === 1280) await accessible(page, "all keys");
    quiet();
    await page.context().close();
  }
});

also("doubts are seen without colour, told in words, and have their alternatives a key away", async () => {
  const page = await enter("doubts", { order: "doubt" });
  const doubt = page.locator(".sentence .span.doubt").first();
  await doubt.waitFor();
  assert.match((await doubt.locator(".p").innerText()) ?? "", /^(0\.\d\d|below 0\.01)$/);
  const look = await doubt.evaluate((span) => {
    const style = getComputedStyle(span);
    return [
      style.backgroundImage.startsWith("repeating-linear-gradient"),
      (span.textContent ?? "").includes("doubtful"),
    ];
  });
  assert.deepEqual(look, [true, true]);
  const numbers = (await page.locator(".alts .num").allInnerTexts()).map(Number).filter((n) => !Number.isNaN(n));
  assert.ok(numbers.length > 0 && numbers.every((n, i) => i === 0 || n <= (numbers[i - 1] ?? 1)), `${numbers}`);
  const other = page.locator('.alts button[aria-checked="false"]').first();
  const [key, label] = [await other.locator("kbd").innerText(), await other.locator(".chip").innerText()];
  await press(page, key);
  if (label !== "no name")
    assert.ok(
      (await spans(page)).some((span) => span.endsWith(`/${label}`)),
      `${await spans(page)}`,
    );
  await press(page, "Backspace", "Escape");
  assert.equal(await page.locator(".pop").count(), 0);
  await press(page, "n");
  assert.equal(await page.locator(".pop").count(), 1);
  quiet();
  await page.context().close();
});

also("undo goes on without end, through a reload, and redo comes back", async () => {
  const page = await enter("undo");
  const seen = [];
  for (let i = 0; i < 12; i++) {
    seen.push(await number(page));
    await press(page, i % 3 === 2 ? "Space" : "a");
  }
  await saved(page);
  assert.equal((await decisions("undo")).length, 12);
  for (let i = 11; i >= 6; i--) {
    await press(page, "Backspace");
    assert.equal(await number(page), seen[i]);
  }
  for (let i = 6; i < 9; i++) await press(page, "Shift+Backspace");
  assert.equal(await number(page), seen[9]);
  await saved(page);
  await page.reload();
  await page.locator(".sentence [data-word]").first().waitFor();
  for (let i = 8; i >= 0; i--) {
    await press(page, "Backspace");
    await page.locator(`.desk > .card[aria-label="${seen[i]}"]`).waitFor();
  }
  await saved(page);
  assert.equal((await decisions("undo")).length, 0);
  await press(page, "Backspace");
  await page.getByText("There is nothing to undo").waitFor();
  quiet();
  await page.context().close();
});

also("the last ten decisions are listed, and can be changed", async () => {
  const page = await enter("past");
  await clear(page);
  await toWord(page, 6);
  await press(page, "3", "a");
  for (let i = 0; i < 10; i++) await press(page, "a");
  await press(page, "Backspace");
  await page.locator(".past li").nth(9).waitFor();
  assert.equal(await page.locator(".past li").count(), 10);
  const first = page.locator(".past li").last();
  assert.match((await first.textContent()) ?? "", /LOC.*Paris/);
  await first.getByRole("button").click();
  await page.getByRole("button", { name: "go back to the queue" }).waitFor();
  assert.deepEqual(await spans(page), ["Paris/LOC"]);
  await toWord(page, 6);
  await press(page, "2", "a");
  await saved(page);
  const [newest] = await decisions("past");
  assert.deepEqual(spansOf(newest), ["Paris/B-ORG"]);
  assert.match((await page.locator(".past li").first().textContent()) ?? "", /ORG.*Paris/);
  await page.reload();
  await page.locator(".past li").first().waitFor();
  assert.match((await page.locator(".past li").first().textContent()) ?? "", /ORG.*Paris/);
  quiet();
  await page.context().close();
});

inBoth("comments are kept with their words, and the focus comes back", async () => {
  const page = await enter("comments");
  await toWord(page, 6);
  await press(page, "c");
  await page.getByRole("textbox", { name: "Comment" }).fill("a town, or the plaster?");
  await accessible(page, "comment");
  await press(page, "Enter");
  await saved(page);
  assert.ok(await page.evaluate(() => !!document.activeElement?.closest(".sentence")));
  const comment = (await decisions("comments")).find((/** @type {any} */ d) => d.kind === "comment");
  assert.equal(comment.note, "a town, or the plaster?");
  await press(page, "c");
  await page.getByRole("dialog", { name: "Comment" }).getByText("a town, or the plaster?").waitFor();
  await press(page, "Escape");
  quiet();
  await page.context().close();
});

also("guidelines are a key away, and nothing in them runs", async () => {
  const page = await enter("rules");
  await press(page, "g");
  const panel = page.getByRole("dialog", { name: "Guidelines" });
  await panel.getByText("is no place").waitFor();
  assert.equal(await panel.locator("strong").innerText(), "ship");
  assert.equal(await panel.locator("img").count(), 0);
  assert.ok(await panel.getByText("<img src=x onerror=alert(1)>").isVisible());
  await press(page, "g");
  assert.equal(await panel.count(), 0);
  quiet();
  await page.context().close();
});

also("a label is typed, and twenty-six of them have their keys", async () => {
  const names = Array.from({ length: 36 }, (_, i) => `KIND${String(i + 1).padStart(2, "0")}`);
  writeFileSync(at("kinds.txt"), openColumns([told, "one two three"]));
  const many = await serve("--task", "ner", "--labels", names.join(","), "--blind", "0", "kinds.txt");
  const page = await enter("kinds", { on: many, order: "document" });
  const shown = await page.locator(".lab").allInnerTexts();
  const labels = shown.map((text) => text.replace(/^\S+?\s*(?=KIND)/, ""));
  assert.equal(labels.length, 30);
  await toWord(page, 0);
  await press(page, "Shift+3");
  assert.deepEqual(await spans(page), [`Ada/${labels[12]}`]);
  await press(page, "Shift+Alt+5");
  assert.deepEqual(await spans(page), [`Ada/${labels[24]}`]);
  await press(page, "t");
  await page.keyboard.type("36");
  await press(page, "Enter");
  assert.deepEqual(await spans(page), ["Ada/KIND36"]);
  await press(page, "t");
  await page.keyboard.type("nothing of the kind");
  await page.getByText("There is no such label").waitFor();
  await press(page, "Enter", "Escape");
  assert.deepEqual(await spans(page), ["Ada/KIND36"]);
  await accessible(page, "many labels");
  quiet();
  await page.context().close();
});

also("letters can be turned off, and the rest goes on", async () => {
  const page = await enter("letters");
  await press(page, "h");
  await page.getByRole("checkbox").uncheck();
  await press(page, "Escape");
  const first = await number(page);
  await press(page, "a", "x", "1");
  assert.equal(await number(page), first);
  await page.getByRole("button", { name: /^Accept a/ }).click();
  assert.notEqual(await number(page), first);
  await press(page, "Control+z");
  assert.equal(await number(page), first);
  quiet();
  await page.context().close();
});

test("a blind item shows no suggestion, before or after", async () => {
  writeFileSync(at("blind.txt"), read("open.txt"));
  const blind = await serve("-m", "names.vouch", "--learn-every", "0", "--blind", "1", "blind.txt");
  const page = await enter("measure", { on: blind, order: "document" });
  /** @type {string[]} */
  const seen = [];
  page.on("response", async (response) => seen.push(await response.text().catch(() => "")));
  await page.locator(".blind-mark").waitFor();
  assert.equal(await page.locator(".sentence .span, .neighbour .mark, .alts").count(), 0);
  await toWord(page, 0);
  await press(page, "1");
  assert.equal(await page.locator(".alts, .meter").count(), 0);
  await press(page, "a");
  await saved(page);
  await page.locator(".past button").first().click();
  await page.getByRole("button", { name: "go back to the queue" }).waitFor();
  assert.equal(await page.locator(".alts, .meter, .span.doubt").count(), 0);
  assert.ok(!seen.some((text) => text.includes('"probability"')));
  assert.ok((await decisions("measure", blind))[0].blind);
  quiet();
  await page.context().close();
});

also("the demo's corpus is opened as the demo says", async () => {
  const demo = readFileSync(new URL("../../script/demo", import.meta.url), "utf8");
  const make = /^awk 'BEGIN[^]*?>demo\/desk\.txt$/m.exec(demo)?.[0];
  const corpus = /vouch serve --open (demo\/desk\.txt)/.exec(demo)?.[1];
  assert.ok(make && corpus, "script/demo makes a corpus and tells how to open it");
  mkdirSync(at("demo"));
  vouch("sample", "--kind", "ner", "-n", "600", "-o", "demo/names.txt");
  execFileSync("sh", ["-c", make], { cwd: folder });
  const page = await enter("visitor", { on: await serve(corpus), order: "learning" });
  await press(page, "a");
  await saved(page);
  assert.match(await page.locator("section[aria-label=Progress] h2").innerText(), /^1 of 600/);
  quiet();
  await page.context().close();
});

also("the answer to a key does not wait for the server", async () => {
  const page = await enter("waiting");
  await page.route("**/v1/answer", () => {}); // which never answers
  const seen = new Set();
  for (let i = 0; i < 5; i++) {
    seen.add(await number(page));
    await press(page, "a");
  }
  seen.add(await number(page));
  assert.equal(seen.size, 6);
  await page.locator(".past li").nth(4).waitFor();
  await page.locator(".save", { hasText: "Saving" }).waitFor();
  await page.context().close();
});

inBoth("offline for a while nothing is lost, and it is sent in order", async () => {
  const page = await enter("offline");
  await page.context().setOffline(true);
  const seen = [];
  for (let i = 0; i < 8; i++) {
    seen.push(Number(/\d+/.exec((await number(page)) ?? "")?.[0]));
    await press(page, i === 3 ? "Space" : "a");
  }
  await press(page, "Backspace");
  await page.locator(".save", { hasText: /Offline, 9 kept/ }).waitFor();
  await page.getByText("kept here and sent when the server answers").waitFor();
  await page.context().setOffline(false);
  await saved(page);
  assert.deepEqual((await decisions("offline")).map((/** @type {any} */ d) => d.sentence).reverse(), seen.slice(0, 7));
  await page.context().close();
});

test("a server that is killed and started again has every decision once", async () => {
  writeFileSync(at("killed.txt"), read("open.txt"));
  const usual = ["-m", "names.vouch", "--learn-every", "0", "--blind", "0", "killed.txt"];
  const first = await serve(...usual);
  const page = await enter("survivor", { on: first, order: "document" });
  for (let i = 0; i < 3; i++) await press(page, "a");
  await first.kill();
  for (let i = 0; i < 4; i++) await press(page, "a");
  await press(page, "Backspace");
  await page.locator(".save", { hasText: "Offline" }).waitFor();
  const second = await serve(...usual, "--port", first.port);
  await saved(page);
  const kept = await decisions("survivor", second);
  assert.equal(kept.length, 6);
  assert.equal(new Set(kept.map((/** @type {any} */ d) => d.sentence)).size, 6);
  await press(page, "a");
  await saved(page);
  assert.equal((await decisions("survivor", second)).length, 7);
  await page.context().close();
});

test("two people at once get different sentences, and are told if they met", async () => {
  const [one, two] = [await enter("eva", { order: "learning" }), await enter("otto", { order: "learning" })];
  const seen = [];
  for (let i = 0; i < 4; i++)
    for (const page of [one, two]) {
      seen.push(await number(page));
      await press(page, "a");
    }
  await Promise.all([saved(one), saved(two)]);
  assert.equal(new Set(seen).size, 8);
  // Otto decides on a sentence of Eva's that was looked up by its number.
  const [{ sentence }] = await decisions("eva");
  await two.evaluate(async (id) => {
    const body = JSON.stringify({ annotator: "otto", sentence: id, kind: "skip" });
    const headers = { "Content-Type": "application/json", "X-Vouch": "1" };
    await fetch("/v1/answer", { method: "POST", headers, body });
  }, sentence);
  await two.reload();
  await two.locator(".past button").first().click();
  await two.locator(".sentence [data-word]").first().waitFor();
  await two.getByRole("button", { name: "go back to the queue" }).waitFor();
  await press(two, "a");
  await two.getByText("eva decided this sentence, too").waitFor();
  for (const page of [one, two]) await page.context().close();
});

also("with tokens everybody is who the token says", async () => {
  writeFileSync(at("tokens.txt"), openColumns(Array.from({ length: 60 }, (_, i) => `${told} ${i}`)));
  const tokens = ["--token", "ida:secret-of-ida", "--token", "jon:secret-of-jon"];
  const guarded = await serve("--task", "ner", "--labels", "PER", ...tokens, "tokens.txt");
  const page = await open(new URL("/desk", guarded.url).href);
  await page.getByLabel("Token", { exact: true }).fill("secret-of-jon");
  await press(page, "Enter");
  await page.locator(".sentence [data-word]").first().waitFor();
  assert.match((await page.locator(".who").textContent()) ?? "", /jon/);
  const other = await open(new URL("/desk#token=secret-of-ida", guarded.url).href);
  await other.locator(".sentence [data-word]").first().waitFor();
  assert.match((await other.locator(".who").textContent()) ?? "", /ida/);
  assert.ok(!other.url().includes("secret"));
  for (const each of [page, other]) await each.context().close();
});

also("sure sentences on the screen are accepted at once, and no others", async () => {
  const page = await enter("sure");
  const button = page.getByRole("button", { name: /^Accept the .*sure/ });
  for (let i = 0; i < 30 && (await button.count()) === 0; i++) await press(page, "a");
  await saved(page);
  const earlier = (await decisions("sure")).length;
  const count = await page.locator(".neighbour .state", { hasText: "sure" }).count();
  const middle = (await page.locator(".sentence .doubt").count()) === 0;
  await press(page, "Shift+A");
  await saved(page);
  const after = await decisions("sure");
  assert.equal(after.length - earlier, count + (middle ? 1 : 0));
  assert.ok(after.length > earlier);
  for (let i = 0; i < count + (middle ? 1 : 0); i++) await press(page, "Backspace");
  await saved(page);
  assert.equal((await decisions("sure")).length, earlier);
  quiet();
  await page.context().close();
});

also("every word has a label: parts of speech are corrected word by word", async () => {
  vouch("sample", "--kind", "dep", "-n", "80", "--seed", "9", "-o", "tags.conllu");
  const rows = (/** @type {string} */ block) =>
    block.split("\n").flatMap((line) => (/^\d/.test(line) ? [line.split("\t")] : []));
  const tagged = blocks(read("tags.conllu")).map(rows);
  const text = tagged.map((s, n) => s.map((c) => `${c[1]} ${n < 60 ? c[3] : "_"}`).join("\n")).join("\n\n");
  writeFileSync(at("tags.txt"), `${text}\n`);
  const tags = await serve("--task", "pos", "--learn-every", "0", "--blind", "0", "tags.txt");
  const page = await enter("tags", { on: tags, order: "doubt" });
  const words = await page.locator(".sentence [data-word]").count();
  assert.equal(await page.locator(".views [aria-current]").innerText(), "Labels");
  assert.equal(await page.locator(".sentence .tag").count(), words);
  await toWord(page, 1);
  const label = (await page.locator(".lab").nth(1).innerText()).replace(/^\S\s*/, "");
  await press(page, "2");
  assert.ok((await page.locator(".sentence .span").nth(1).innerText()).includes(label));
  await press(page, "a");
  await saved(page);
  const [decision] = await decisions("tags", tags);
  assert.equal(decision.answer.labels[1], label);
  assert.ok(decision.answer.labels.every(Boolean));
  await accessible(page, "parts of speech");
  quiet();
  await page.context().close();
});

inBoth("other scripts: from right to left, without spaces, with signs of several parts, with long words", async () => {
  const long = "Binnenschifffahrtsgenossenschaftsverband".repeat(4);
  writeFileSync(
    at("scripts.txt"),
    openColumns(["הספינה יצאה מנמל אוסטרל ביום ראשון", "東京 タワー は 港区 に ある", `👩🏽‍🚀 visits ${long} 🇳🇴`]),
  );
  const scripts = await serve("--task", "ner", "--labels", "PER,LOC", "--blind", "0", "scripts.txt");
  const page = await enter("scripts", {
    on: scripts,
    order: "document",
    how: { viewport: { width: 360, height: 800 } },
  });
  assert.equal(await page.locator(".sentence").evaluate((p) => getComputedStyle(p).direction), "rtl");
  await toWord(page, 3);
  await press(page, "2");
  const boxes = await page.locator(".sentence .span.now").evaluate((span) => span.getClientRects().length);
  assert.equal(boxes, 1, "one frame around words and label");
  await press(page, "Escape", "ArrowLeft");
  assert.ok((await page.locator(".at").innerText()).startsWith("ביום"), "left is the next word");
  assert.equal(await page.locator(".sentence .tag").first().getAttribute("dir"), "ltr");
  await press(page, "a");
  assert.ok(!(await page.locator(".sentence").innerText()).includes("東京 タワー"));
  await toWord(page, 0);
  await press(page, "Shift+ArrowRight", "2", "a");
  await toWord(page, 2);
  await press(page, "1");
  assert.equal(await page.evaluate(tooWide), 0);
  await press(page, "a");
  await page.getByText("Nothing left in this order").waitFor();
  await saved(page);
  const kept = await decisions("scripts", scripts);
  assert.deepEqual(kept.map(spansOf), [[`${long}/B-PER`], ["東京/B-LOC", "タワー/I-LOC"], ["אוסטרל/B-LOC"]]);
  quiet();
  await page.context().close();
});

also("ten thousand sentences: it opens, and every key is answered while the page works", async (t) => {
  const some = blocks(read("open.txt"));
  const many = Array.from({ length: 10000 }, (_, i) => `${some[i % some.length]}\n${i} _`);
  writeFileSync(at("many.txt"), `${many.join("\n\n")}\n`);
  const large = await serve("-m", "names.vouch", "--learn-every", "0", "--blind", "0", "many.txt");
  const page = await enter("many", { on: large, order: "learning" });
  assert.match((await page.locator("section[aria-label=Progress] h2").innerText()) ?? "", /of 10,000/);
  /** Milliseconds from a key to the frame that shows its answer. @type {number[]} */
  const times = [];
  for (let i = 0; i < 20; i++)
    times.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const start = performance.now();
            document.dispatchEvent(new KeyboardEvent("keydown", { key: "a", code: "KeyA", bubbles: true }));
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
          }),
      ),
    );
  await saved(page);
  assert.equal((await decisions("many", large)).length, 20);
  times.sort((a, b) => a - b);
  t.diagnostic(
    `a key is answered within ${times[10]?.toFixed(0)} ms in the middle, ${times[18]?.toFixed(0)} ms at most but one`,
  );
  quiet();
  await page.context().close();
});
