// What can be seen in the sources of pages without a browser: text that runs into what follows it, names of colours and
// sizes that nobody defined, and short texts and styles that several pages share.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shortChange } from "../parts/comparison.js";
import { colourOf } from "../src/labels.js";

/** @param {string} folder @param {string} ending */
const sources = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(folder, name), "utf8") }));

test("a text that ends at the end of a line is parted from the element on the next: htm drops line breaks", () => {
  const inline = "(?:a|b|bdi|button|code|kbd|small|span)";
  const joined = [
    new RegExp(`^.*[\\p{L}\\d.,;:]\\n\\s*<${inline}[ >].*$`, "gmu"),
    new RegExp(`^.*</${inline}>\\n\\s*[\\p{L}\\d].*$`, "gmu"),
  ];
  const found = sources("parts", ".js").flatMap(({ name, text }) =>
    joined.flatMap((pattern) => text.match(pattern) ?? []).map((lines) => `${name}: ${lines}`),
  );
  assert.deepEqual(found, []);
});

test("every custom property that a style uses is defined", () => {
  const styles = sources("style", ".css")
    .map(({ text }) => text)
    .join("\n");
  const code = [...sources("parts", ".js"), ...sources("src", ".js")].map(({ text }) => text).join("\n");
  const defined = new Set([...styles.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name));
  for (const [, name] of code.matchAll(/setProperty\("(--[\w-]+)"/g)) defined.add(name);
  const used = [...styles.matchAll(/var\((--[\w-]+)\s*\)/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(used.filter((name) => !defined.has(name)))], []);
});

test("labels beyond the first eight have a light ground, and colours begin again after twenty", () => {
  const labels = Array.from({ length: 21 }, (_, i) => `L${i + 1}`);
  assert.deepEqual(
    ["L1", "L8", "L9", "L20", "L21", null].map((label) => colourOf(labels, label)),
    ["l1", "l8", "l9 deep", "l20 deep", "l1", "none"],
  );
});

test("a change is told in few words: types of chunks, edges, labels or arcs", () => {
  const sentence = { words: ["one", "two", "three"], given: [] };
  const told = (/** @type {string} */ given, /** @type {string} */ proposed, trees = false) => {
    const [before, after] = [given.split(" "), proposed.split(" ")];
    const changes = before.map((label, word) => ({ word, given: label, proposed: after[word] ?? "" }));
    return shortChange(/** @type {any} */ ({ sentence, changes }), trees);
  };
  assert.equal(told("I-MISC I-MISC", "I-MISC O"), "edges of MISC");
  assert.equal(told("I-LOC O", "I-LOC I-LOC"), "edges of LOC");
  assert.equal(told("I-MISC I-MISC", "O O"), "MISC → no name");
  assert.equal(told("I-MISC I-MISC I-MISC", "O I-ORG I-ORG"), "MISC → ORG");
  assert.equal(told("I-ORG I-LOC", "I-ORG I-ORG"), "ORG and LOC → ORG");
  assert.equal(told("NOUN", "VERB"), "NOUN → VERB");
  assert.equal(told("2:obj 0:root", "3:obj 0:root", true), "obj of two → obj of three");
});
