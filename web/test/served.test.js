// The start page of vouch serve, in chromium: models, requests, settings and the console, under the content policy.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { accessible } from "./axe.js";
import { faint, open, quiet, tooWide, vouch } from "./browser.js";
import { serve } from "./server.js";

before(() => {
  vouch("sample", "-n", "150", "-o", "learn.txt");
  vouch("train", "-q", "-t", "ner", "--use", "1", "-n", "2", "-o", "names.vouch", "learn.txt");
  vouch("sample", "--kind", "dep", "-n", "60", "-o", "learn.conllu");
  vouch("train", "-q", "-t", "dep", "-n", "1", "-o", "trees.vouch", "learn.conllu");
});

test("the start page shows what is served, and answers", async () => {
  const { url } = await serve("-m", "names.vouch", "-m", "trees.vouch");
  const page = await open(url, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("cell", { name: "names", exact: true }).waitFor();
  assert.equal(await page.locator("#models ~ .wide tbody tr").count(), 2);

  const origin = new URL(url).origin;
  const commands = await page.locator("section:has(#requests) code").allInnerTexts();
  assert.ok(
    commands.some((line) => line.startsWith("curl ") && line.includes(`${origin}/v1/tag`)),
    commands.join("\n"),
  );
  assert.equal(await page.getByText(`${origin}/label-studio`, { exact: true }).count(), 1);
  await page.getByRole("button", { name: "Copy Remote URL" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${origin}/inception`);

  await page.getByLabel("What to ask about").fill("Paris left.");
  await page.getByLabel("Doubtful below").fill("1");
  await page.getByRole("button", { name: /Ask/ }).click();
  await page.locator(".words").first().waitFor();
  assert.ok((await page.locator(".words .doubtful").count()) > 0);
  assert.match((await page.locator(".words .doubtful").first().textContent()) ?? "", /0\.\d\d\?/);
  assert.match((await page.locator(".raw").textContent()) ?? "", /"tokens":\["Paris","left","\."\]/);

  await page.getByRole("combobox", { name: /^Model/ }).selectOption("trees");
  await page.getByRole("combobox", { name: /^Input/ }).selectOption("columns");
  await page.getByLabel("What to ask about").fill("She\nleft\n\nIt\nrose\n");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("cell", { name: "root" }).first().waitFor();
  assert.equal(await page.locator(".answer table").count(), 2);

  await page.getByRole("combobox", { name: /^Model/ }).selectOption("names");
  await page.getByLabel("Doubtful below").fill("2");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: /Ask/ }).click();
  await page.getByRole("alert").waitFor();
  assert.match((await page.getByRole("alert").textContent()) ?? "", /threshold/);
  await page.context().close();
});

test("what is painted before the script runs stays where it is", async () => {
  const { root } = await serve("--task", "ner", "learn.txt");
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 800 },
  ])
    for (const address of [`${root}desk?annotator=ada`, root]) {
      const places = [];
      for (const javaScriptEnabled of [false, true]) {
        const page = await open(address, { viewport, javaScriptEnabled });
        if (javaScriptEnabled) await page.locator(".brand path").first().waitFor({ state: "attached" });
        places.push([await page.locator(".brand").boundingBox(), (await page.locator(".head").boundingBox())?.y]);
        assert.equal(await page.locator(".brand").innerText(), "vouch");
        await page.context().close();
      }
      assert.deepEqual(places[0], places[1], `${address}, ${viewport.width}`);
    }
});

test("it can be read, wide and narrow, light and dark", async () => {
  const { url } = await serve("-m", "names.vouch");
  for (const colorScheme of /** @type {const} */ (["light", "dark"]))
    for (const width of [360, 1280]) {
      const page = await open(url, { colorScheme, viewport: { width, height: 900 } });
      await page.getByRole("cell", { name: "names", exact: true }).waitFor();
      await page.getByRole("button", { name: /Ask/ }).click();
      await page.locator(".words").first().waitFor();
      assert.deepEqual(await page.evaluate(faint), [], colorScheme);
      assert.equal(await page.evaluate(tooWide), 0, `${width}`);
      if (colorScheme === "light") await accessible(page);
      quiet();
      await page.context().close();
    }
});

test("a token opens it, from the address or by hand", async () => {
  const { url } = await serve("-m", "names.vouch", "--token", "secret-of-the-test");
  const page = await open(new URL("/#token=secret-of-the-test", url).href);
  await page.getByRole("cell", { name: "names", exact: true }).waitFor();
  assert.ok(!page.url().includes("secret"));
  assert.ok((await page.getByText('-H "Authorization: Bearer $TOKEN"').count()) > 5);
  quiet();
  await page.context().close();
  const other = await open(new URL("/", url).href);
  await other.getByLabel("Token", { exact: true }).fill("secret-of-the-test");
  await other.getByRole("button", { name: "Open" }).click();
  await other.getByRole("cell", { name: "names", exact: true }).waitFor();
  quiet();
  await other.context().close();
});
