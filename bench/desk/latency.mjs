#!/usr/bin/env node
/*
 * How soon the desk is seen, and how soon a key is answered, at 10,000 sentences.
 *
 *     bench/desk/latency.mjs VOUCH [--sentences 10000] [--keys 300] [--opens 20]
 *
 * Names and trees of 'vouch sample', with a model. The page is opened --opens times, each time in a browser that knows
 * nothing: milliseconds from the request to its first paint, and to the first frame that has the sentence. Then --keys
 * keys are pressed, one every 150 ms: milliseconds from the time that the browser gives the event to the first task
 * after the frame that shows the answer. A frame comes every 17 ms, so that less is hardly possible. Median, 95th
 * percentile and most, and the machine's load: use a quiet one. Needs the packages of web/ and chromium.
 */
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [vouch = "", ...more] = process.argv.slice(2);
if (!vouch) {
  console.error("usage: bench/desk/latency.mjs VOUCH [--sentences N] [--keys N] [--opens N]");
  process.exit(2);
}
const option = (name, usual) => (more.includes(name) ? Number(more[more.indexOf(name) + 1]) : usual);
const [sentences, presses, opens] = [option("--sentences", 10000), option("--keys", 300), option("--opens", 20)];
const program = resolve(vouch);
const folder = mkdtempSync(join(tmpdir(), "vouch-latency-"));
const at = (name) => join(folder, name);
const run = (...args) => execFileSync(program, args, { cwd: folder });
const load = () => readFileSync("/proc/loadavg", "utf8").split(" ")[0];

const views = [
  {
    task: "ner",
    file: "names.txt",
    open: (text) => text.replace(/^(\S+) .*$/gm, "$1 _"),
    seen: ".sentence [data-word]",
    keys: ["n", "ArrowRight", "Shift+ArrowRight", "2", "]", "Backspace", "ArrowRight", "d", "Backspace", "a"],
  },
  {
    task: "dep",
    file: "trees.conllu",
    open: (text) => text.replace(/^(\d+\t(?:[^\t\n]*\t){5})[^\t\n]*\t[^\t\n]*/gm, "$1_\t_"),
    seen: ".tree [data-word]",
    keys: ["n", "ArrowRight", "e", "1", "Escape", "ArrowRight", "ArrowDown", "Escape", "ArrowLeft", "a"],
  },
];

const told = (name, list) => {
  const sorted = list.toSorted((a, b) => a - b);
  const of = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0).padStart(6);
  console.log(`${name.padEnd(28)} ${of(0.5)} ${of(0.95)} ${of(1)}   ${load()}`);
};

/** In the page: when the first frame that has the sentence was shown, and how long each key took. */
const watch = (seen) => {
  const after = (then) => requestAnimationFrame(() => setTimeout(then));
  const look = () =>
    document.querySelector(seen) ? after(() => (window.seenAt = performance.now())) : setTimeout(look, 1);
  look();
  window.keyTimes = [];
  addEventListener(
    "keydown",
    ({ timeStamp, key }) => {
      if (key !== "Shift") after(() => window.keyTimes.push(performance.now() - timeStamp));
    },
    true,
  );
};

async function measure(browser, { task, file, open, seen, keys }) {
  run("sample", "--kind", task, "-n", String(sentences + 500), "-o", "all");
  const blocks = readFileSync(at("all"), "utf8").trimEnd().split("\n\n");
  writeFileSync(at("learn"), `${blocks.slice(0, 500).join("\n\n")}\n\n`);
  writeFileSync(at(file), `${open(blocks.slice(500).join("\n\n"))}\n\n`);
  run("train", "-q", "-t", task, "-n", "2", "-o", "model.vouch", "learn");
  const fixed = ["serve", "--port", "0", "-q", "-m", "model.vouch", "--learn-every", "0", "--blind", "0", file];
  const server = spawn(program, fixed, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise((ok) => server.stdout.once("data", (said) => ok(/http:\S+/.exec(String(said))[0])));
    const [paints, sights] = [[], []];
    let page;
    for (let i = 0; i < opens; i++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      page = await context.newPage();
      await page.addInitScript(watch, seen);
      await page.goto(new URL(`/desk?annotator=reader${i}`, url).href);
      await page.waitForFunction(() => window.seenAt);
      const first = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
      await page.waitForFunction(first);
      paints.push(await page.evaluate(first));
      sights.push(await page.evaluate(() => window.seenAt));
      if (i < opens - 1) await context.close();
    }
    told(`${task}: first paint`, paints);
    told(`${task}: sentence in sight`, sights);
    for (let i = 0; i < presses; i++) {
      await page.keyboard.press(keys[i % keys.length]);
      await page.waitForTimeout(150);
    }
    const times = await page.evaluate(() => window.keyTimes);
    told(`${task}: ${times.length} keys`, times);
    for (const key of new Set(keys))
      told(
        `  ${key}`,
        times.filter((_, i) => keys[i % keys.length] === key),
      );
  } finally {
    server.kill();
  }
}

const browser = await chromium.launch({
  executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  console.log(`${"milliseconds".padEnd(28)} median   95 %   most   load`);
  for (const view of views) await measure(browser, view);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
