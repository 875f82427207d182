// Pages that one reads, in chromium: nothing is wider than the window, and text stands out. VOUCH names the program.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { accessible } from "./axe.js";
import { at, faint, open, quiet, tooWide, vouch } from "./browser.js";

const themes = /** @type {const} */ (["light", "dark"]);

/** @param {string} name */
async function look(name) {
  const page = await open(name);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await page.evaluate(faint), [], `${name}, ${colorScheme}`);
  }
  for (const width of [1280, 2560, 360]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await page.evaluate(tooWide), 0, `${name}, ${width}`);
  }
  await accessible(page, name);
  quiet();
  await page.context().close();
}

test("the page of an evaluation of labels opens with pictures, and has one grid", async () => {
  vouch("sample", "-n", "200", "-o", "learn.txt");
  vouch("sample", "-n", "80", "--first", "200", "-o", "try.txt");
  vouch("train", "-q", "-t", "ner", "-a", "cw+crf", "-n", "3", "-o", "ner.vouch", "learn.txt");
  vouch("eval", "-q", "-m", "ner.vouch", "--report", at("eval.html"), "try.txt");
  await look("eval.html");
  const page = await open("eval.html");
  const order = await page.locator("main > :is(dl, figure, h2, p)").evaluateAll((all) => all.map((e) => e.tagName));
  assert.deepEqual(order.slice(0, 6), ["P", "DL", "FIGURE", "FIGURE", "FIGURE", "H2"]);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const letters = await page.locator("svg.plot text").evaluateAll((all) =>
      all.map((e) => {
        const { a, b } = /** @type {SVGTextElement} */ (e).getScreenCTM() ?? { a: 0, b: 0 };
        return parseFloat(getComputedStyle(e).fontSize) * Math.hypot(a, b);
      }),
    );
    assert.ok(Math.min(...letters) >= 12, `letters of ${Math.min(...letters)} px at ${width}`);
  }
  assert.equal(await page.locator("figure").nth(0).locator("svg").count(), 3);
  const heads = await page.locator("figure.table").first().locator("thead th").allInnerTexts();
  assert.deepEqual(heads, ["figure", "words", "words in spans", "spans", "sentences"]);
  await page.context().close();
});

test("the page of an evaluation of trees, with several methods", async () => {
  vouch("sample", "--kind", "dep", "-n", "120", "-o", "learn.conllu");
  vouch("sample", "--kind", "dep", "-n", "40", "--first", "120", "-o", "try.conllu");
  vouch("train", "-q", "-t", "dep", "-n", "2", "-o", "dep.vouch", "learn.conllu");
  vouch("eval", "-q", "-m", "dep.vouch", "-c", "delta,gamma", "--report", at("trees.html"), "try.conllu");
  await look("trees.html");
});

test("a drawing of a tree marks what is doubtful, light and dark", async () => {
  vouch("sample", "--kind", "dep", "-n", "60", "-o", "learn.conllu");
  vouch("train", "-q", "-t", "dep", "-n", "1", "-o", "dep.vouch", "learn.conllu");
  vouch("parse", "-q", "-m", "dep.vouch", "--threshold", "1", "--draw", "svg", "-o", "tree.svg", "learn.conllu");
  for (const colorScheme of themes) {
    const page = await open("tree.svg", { colorScheme });
    const dashes = await page
      .locator(".doubtful .arc")
      .evaluateAll((arcs) => arcs.map((arc) => getComputedStyle(arc).strokeDasharray));
    assert.ok(dashes.length > 0 && dashes.every((dash) => dash === "6px, 4px"), dashes.join("; "));
    quiet();
    await page.context().close();
  }
});

test("what axe-core calls serious is found, in both themes", async () => {
  writeFileSync(at("bad.html"), '<!DOCTYPE html><html lang="en"><title>Bad</title><main><h1>Bad</h1><button></button>');
  const page = await open("bad.html", { colorScheme: "dark" });
  await assert.rejects(accessible(page), /button-name: button/);
  await page.context().close();
});
