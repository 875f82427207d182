#!/usr/bin/env node
/*
 * A scripted expert decides on sentences by keys alone, on the real page: how many decisions a minute?
 *
 *     bench/desk/replay.mjs VOUCH TASK CORPUS [--sentences 20] [--learn 500] [--seed 1]
 *
 * CORPUS is CoNLL columns (ner) or CoNLL-X (dep). --learn sentences that are drawn from it make a model, as many others
 * as --sentences are decided on. The expert knows the answers, corrects what the model got wrong, and accepts. That the
 * server has the right answers afterwards is asserted. Needs the packages of web/ and chromium.
 *
 * The expert acts at the pace of the keystroke-level model (Card, Moran & Newell 1980, "The keystroke-level model for
 * user performance time with interactive systems", CACM 23(7)), with their operators in seconds:
 *
 *     K 0.20   a key, by an average skilled typist (55 words a minute)
 *     P 1.10   pointing at something with the mouse
 *     B 0.10   pressing or releasing its button (Kieras's estimate); a click is BB, drawing over words P B P B
 *     M 1.35   thinking: before every correction, and before the answer is accepted
 *
 * Reading the sentence, and waiting for a server, are not in the model, and moving the hand between mouse and keyboard
 * (H 0.40) is left out in favour of the other tool: its user keeps one hand on each. What the page takes is in the time
 * that the server logs with every decision, which is printed beside.
 *
 * The same sentences in Label Studio, on paper. Names: a name is M, K for the label, P B P B over its words; a wrong
 * one that was predicted is M, P BB to choose it, and K to delete it or to change its type; another edge is delete and
 * make anew. Ctrl Enter submits: M K K. Arcs are relations between words that are regions already: M, P BB on the word,
 * K for a new relation, P BB on the head, then P BB to open the list of relations and P BB in it; a wrong one that was
 * predicted is first deleted by P BB. "With predictions" has our model's answers; "without" begins with none.
 */
import { spawn, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [K, P, B, M] = [0.2, 1.1, 0.1, 1.35];
const click = P + 2 * B;

const [vouch = "", task = "", corpus = "", ...more] = process.argv.slice(2);
if (!["ner", "dep"].includes(task) || !corpus) {
  console.error("usage: bench/desk/replay.mjs VOUCH ner|dep CORPUS [--sentences N] [--learn N] [--seed N]");
  process.exit(2);
}
const option = (name, usual) => (more.includes(name) ? Number(more[more.indexOf(name) + 1]) : usual);
const [count, learned, seed] = [option("--sentences", 20), option("--learn", 500), option("--seed", 1)];
const trees = task === "dep";
const program = resolve(vouch);
const folder = mkdtempSync(join(tmpdir(), "vouch-replay-"));
const at = (name) => join(folder, name);

// ---- Sentences ----

const text = corpus.endsWith(".xz")
  ? execFileSync("xz", ["-dc", corpus], { maxBuffer: 1 << 28 })
  : readFileSync(corpus);
const all = String(text)
  .split(/\n\n+/)
  .map((block) => block.split("\n").filter((line) => line && !line.startsWith("#") && !line.startsWith("-DOCSTART-")))
  .map((lines) => lines.map((line) => line.split(trees ? "\t" : " ")))
  .filter((rows) => rows.length >= 5 && (!trees || rows.filter((row) => row[6] === "0").length === 1));

/** A number from 0 to 1: xorshift, of the seed. */
let state = seed * 2654435761 + 1;
const random = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
};
for (let i = all.length - 1; i > 0; i--) {
  const j = Math.floor(random() * (i + 1));
  [all[i], all[j]] = [all[j], all[i]];
}

/** Labels that begin every name by B-. */
const spelled = (labels) =>
  labels.map((label, i) =>
    label.startsWith("I-") && labels[i - 1]?.slice(2) !== label.slice(2) ? `B-${label.slice(2)}` : label,
  );
const spansOf = (labels) => {
  const spans = [];
  labels.forEach((label, i) => {
    if (label.startsWith("B-")) spans.push({ from: i, to: i + 1, type: label.slice(2) });
    else if (label.startsWith("I-")) spans.at(-1).to = i + 1;
  });
  return spans;
};
const goldOf = (rows) =>
  trees
    ? { heads: rows.map((row) => Number(row[6])), relations: rows.map((row) => row[7]) }
    : { labels: spelled(rows.map((row) => row.at(-1))) };
const write = (name, blocks) =>
  writeFileSync(
    at(name),
    blocks.map((rows) => rows.map((row) => row.join(trees ? "\t" : " ")).join("\n")).join("\n\n") + "\n",
  );
const known = all.slice(0, learned);
const asked = all.slice(learned, learned + count);
const column = trees ? 1 : 0;
const gold = new Map(asked.map((rows) => [rows.map((row) => row[column]).join(" "), goldOf(rows)]));
const toNames = (rows, labels) => rows.map((row, i) => [row[0], labels[i]]);
write("learn.txt", trees ? known : known.map((rows) => toNames(rows, goldOf(rows).labels)));
write(
  "open.txt",
  asked.map((rows) =>
    trees
      ? rows.map((row) => row.with(6, "_").with(7, "_"))
      : toNames(
          rows,
          rows.map(() => "_"),
        ),
  ),
);
execFileSync(program, ["train", "-q", "-t", task, "-o", at("model.vouch"), at("learn.txt")]);

// ---- The page ----

const relations = trees ? [...new Set(all.flatMap((rows) => rows.map((row) => row[7])))].sort() : [];
const server = spawn(
  program,
  ["serve", "--port", "0", "-q", "-m", at("model.vouch"), "--blind", "0", "--learn-every", "0"].concat(
    trees ? ["--labels", relations.join(",")] : [],
    at("open.txt"),
  ),
  { stdio: ["ignore", "pipe", "ignore"] },
);
const url = await new Promise((ok) => server.stdout.once("data", (said) => ok(/http:\S+/.exec(String(said))[0])));
const get = async (path) => (await fetch(new URL(path, url))).json();
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const browser = await chromium.launch({ executablePath: places.find(existsSync), args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const sleep = (seconds) => new Promise((ok) => setTimeout(ok, seconds * 1000));

let keys = 0;
let thoughts = 0;
async function press(key) {
  await sleep(K);
  await page.keyboard.press(key);
  keys += key.split("+").length; // Shift is a key
}
async function think() {
  thoughts++;
  await sleep(M);
}

// ---- Names ----

const cursor = () =>
  page.evaluate(() =>
    [...document.querySelectorAll(".sentence [data-word]")]
      .filter((word) => word.closest(".at, .draft, .span.now"))
      .map((word) => Number(word.getAttribute("data-word"))),
  );

/** Moves to a word by arrows; from nowhere they begin at either end. */
async function goTo(word, words) {
  for (;;) {
    const now = await cursor();
    if (now.includes(word)) return;
    const left = now.length ? now[0] > word : word > words / 2;
    await press(left ? "ArrowLeft" : "ArrowRight");
  }
}
const overlaps = (a, b) => a.from < b.to && b.from < a.to;
const same = (a, b) => a.from === b.from && a.to === b.to && a.type === b.type;
const times = async (n, key) => {
  for (let i = 0; i < n; i++) await press(key);
};

async function correctNames(item, want, labels) {
  const digit = (type) => String((labels.indexOf(type) + 1) % 10);
  let draft = spansOf(spelled(item.answer.labels));
  const paper = { made: want.length, changed: 0, deleted: 0, added: 0 };
  for (const span of want) {
    const others = draft.filter((one) => overlaps(one, span));
    if (others.some((one) => same(one, span))) continue;
    await think();
    const [other] = others;
    const alone = others.length === 1 && want.filter((one) => overlaps(one, other)).length === 1;
    if (alone) {
      const moved = other.from !== span.from || other.to !== span.to;
      paper.changed += !moved;
      paper.deleted += moved;
      paper.added += moved;
      await goTo(other.from, item.words.length);
      await times(other.from - span.from, "[");
      await times(span.from - other.from, "Shift+[");
      await times(span.to - other.to, "]");
      await times(other.to - span.to, "Shift+]");
      if (other.type !== span.type) await press(digit(span.type));
    } else {
      for (const one of others) {
        await goTo(one.from, item.words.length);
        await press("d");
        paper.deleted++;
      }
      await goTo(span.from, item.words.length);
      await times(span.to - span.from - 1, "Shift+ArrowRight");
      await press(digit(span.type));
      paper.added++;
    }
    draft = [...draft.filter((one) => !overlaps(one, span)), span];
  }
  for (const span of draft.filter((one) => !want.some((other) => same(one, other)))) {
    await think();
    await goTo(span.from, item.words.length);
    await press("d");
    paper.deleted++;
  }
  const submit = M + 2 * K;
  const add = M + K + 2 * (P + B);
  return {
    with: submit + paper.added * add + (paper.changed + paper.deleted) * (M + click + K),
    without: submit + paper.made * add,
  };
}

// ---- Trees ----

/** The best trees that the page was told, by the arcs that were asked for; the newest last. */
const told = [];
page.on("response", async (response) => {
  if (!response.url().endsWith("/v1/tree") || !response.ok()) return;
  const ask = JSON.parse(response.request().postData() ?? "{}");
  told.push({ ask, tree: await response.json() });
});

async function goToWord(word, words) {
  for (;;) {
    const now = await page.evaluate(() => {
      const chosen = document.querySelector(".tree .word[aria-pressed=true]");
      return chosen ? Number(chosen.getAttribute("data-word")) : -1;
    });
    if (now === word) return;
    await press(now < 0 ? (word > words / 2 ? "ArrowLeft" : "ArrowRight") : now > word ? "ArrowLeft" : "ArrowRight");
  }
}

/** Gives the chosen word a head; what follows is in the answer of the server. */
async function giveHead(word, head) {
  await press("e");
  for (const digit of String(head)) await press(digit);
  await page.getByRole("button", { name: /Take the change/ }).waitFor();
  const isIt = ({ ask }) => ask.heads?.[word] === head;
  for (let i = 0; i < 100 && !told.some(isIt); i++) await sleep(0.05);
  await press("Enter");
  return told.findLast(isIt)?.tree;
}

/** By its digit if it is among the nine that are listed, else by typing until it is the first that is found. */
async function giveRelation(name) {
  const listed = await page
    .locator("#relations [role=option]")
    .evaluateAll((options) =>
      options.map((option) => option.querySelector("span > span:last-child")?.textContent ?? ""),
    );
  const place = listed.indexOf(name);
  if (place >= 0 && place < 9) return press(String(place + 1));
  await press("t");
  for (const letter of name) {
    await press(letter);
    const first = await page.locator("#relations [aria-selected=true] span > span:last-child").first();
    if ((await first.count()) > 0 && (await first.textContent()) === name) break;
  }
  await press("Enter");
}

async function correctTree(item, want) {
  let { heads, relations: names } = item.answer;
  const wrong = heads.filter((head, i) => head !== want.heads[i] || names[i] !== want.relations[i]).length;
  for (let round = 0; round < 3; round++)
    for (const [word, head] of want.heads.entries()) {
      if (heads[word] === head) continue;
      await think();
      await goToWord(word, heads.length);
      const tree = await giveHead(word, head);
      if (tree) ({ heads, relations: names } = tree);
    }
  for (const [word, name] of want.relations.entries()) {
    if (names[word] === name) continue;
    await think();
    await goToWord(word, heads.length);
    await giveRelation(name);
  }
  const submit = M + 2 * K;
  const arc = M + 2 * click + K + 2 * click;
  return { with: submit + wrong * (arc + click), without: submit + want.heads.length * arc };
}

// ---- The session ----

const load = readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 1);
const sums = { with: 0, without: 0 };
try {
  await page.goto(new URL(`/desk?annotator=expert`, url).href);
  await page
    .locator(trees ? ".tree" : ".sentence [data-word]")
    .first()
    .waitFor();
  await page.locator("#order").selectOption("document");
  await page.locator("#order").evaluate((select) => select.blur());
  const { labels } = await get("/v1/desk");
  for (let i = 0; i < count; i++) {
    const [item] = (await get("/v1/queue?annotator=expert&order=document&limit=1")).items;
    await page.waitForFunction(
      (words) =>
        [...document.querySelectorAll(".sentence [data-word], .tree .word text")]
          .map((word) => word.textContent)
          .join(" ") === words,
      item.words.join(" "),
    );
    const want = gold.get(item.words.join(" "));
    const paper = trees ? await correctTree(item, want) : await correctNames(item, spansOf(want.labels), labels);
    sums.with += paper.with;
    sums.without += paper.without;
    await think();
    await press("a");
    await page.waitForFunction(() => !Object.keys(localStorage).some((name) => name.startsWith("vouch desk ")));
  }
  const { decisions } = await get("/v1/decisions?annotator=expert&limit=1000");
  const made = decisions.filter(({ kind, stands }) => stands && ["accept", "edit"].includes(kind));
  const right = made.filter(({ words, answer }) => {
    const want = gold.get(words.join(" "));
    return trees
      ? JSON.stringify([answer.heads, answer.relations]) === JSON.stringify([want.heads, want.relations])
      : JSON.stringify(spansOf(spelled(answer.labels))) === JSON.stringify(spansOf(want.labels));
  }).length;
  const logged = made.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const sum = logged.reduce((a, b) => a + b, 0);
  const paced = keys * K + thoughts * M;
  const number = (value, digits, width) => value.toFixed(digits).padStart(width);
  const line = (name, seconds) =>
    console.log(`${name.padEnd(42)} ${number(seconds / count, 2, 7)} ${number((60 * count) / seconds, 1, 8)}`);
  console.log(`${made.length} decisions, ${right} right; ${keys} keys, ${thoughts} thoughts; load ${load}`);
  console.log(`${"".padEnd(42)} seconds  a minute`);
  line("by keys, as the server logged", sum);
  console.log(`${"".padEnd(42)} median ${logged[Math.floor(logged.length / 2)].toFixed(2)}`);
  line("by keys, as the model says", paced);
  line("Label Studio with predictions, on paper", sums.with);
  line("Label Studio without, on paper", sums.without);
  if (right < count) process.exitCode = 1;
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
