// What the tests of pages share: the program, a folder for what it makes, and a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { chromium, firefox } from "playwright-core";

export const program = resolve(process.env.VOUCH ?? "../build/release/vouch");
/** Debian's Firefox in place of Chromium, by VOUCH_BROWSER=firefox: through WebDriver BiDi, as it is. */
export const isFirefox = process.env.VOUCH_BROWSER === "firefox";
const places = isFirefox
  ? ["/usr/bin/firefox-esr", "/usr/bin/firefox"]
  : ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = places.find(existsSync);
export const folder = mkdtempSync(join(tmpdir(), "vouch-web-"));
export const at = (/** @type {string} */ name) => join(folder, name);
export const read = (/** @type {string} */ name) => readFileSync(at(name), "utf8");
export const vouch = (/** @type {string[]} */ ...args) =>
  execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });

/** A scenario of script/test --all; script/test has the main ways, so that it ends within nine minutes. */
export const also = process.env.VOUCH_TEST_ALL ? test : () => {};

/** One of script/test --all in which browsers may differ: it is tried in Firefox as well. */
export const inBoth = isFirefox ? test : also;

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {string[]} */
let complaints = [];

before(async () => {
  const where = executablePath && { executablePath };
  browser = isFirefox
    ? await firefox.launch({ ...where, channel: "moz-firefox" })
    : await chromium.launch({ ...where, args: ["--no-sandbox", "--disable-gpu"] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens a page, a file or an address, in a browser that knows nothing yet.
 * @param {string} name @param {object} [options] @param {() => void} [first]  run before the page
 */
export async function open(name, options = {}, first) {
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => complaints.push(message.text()));
  const own = name.startsWith("http") ? new URL(name).origin : "file:";
  page.on("request", (request) => request.url().startsWith(own) || complaints.push(request.url()));
  if (first) await page.addInitScript(first);
  await page.goto(name.startsWith("http") ? name : `file://${at(name)}`);
  return page;
}

/** The browser had nothing to complain of, and nothing was fetched from elsewhere. */
export const quiet = () => assert.deepEqual(complaints, []);

/** By how much the page is wider than the window. */
export const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

// Contrast of what is read: WCAG's ratio, of computed colours over the nearest ground that is not transparent.
export const faint = () => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (/** @type {string} */ colour) => {
    if (!canvas) return [0, 0];
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
    const part = (/** @type {number} */ c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
    return [0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b), a];
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!text || element.closest("svg, script, style") || element.getClientRects().length === 0) continue;
    let ground = /** @type {Element | null} */ (element);
    while (ground && light(getComputedStyle(ground).backgroundColor)[1] === 0) ground = ground.parentElement;
    const [ink = 0] = light(getComputedStyle(element).color);
    const [paper = 1] = light(ground ? getComputedStyle(ground).backgroundColor : "white");
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (ratio < 4.5) found.push(`${element.tagName}.${element.className} ${ratio.toFixed(2)}: ${element.textContent}`);
  }
  return found;
};
