// Whether a page can be used by everyone, as far as axe-core can tell: in both themes, as it stands at the moment.
import assert from "node:assert/strict";
import axe from "axe-core";

// Of less weight to axe-core, and wanted: whoever goes by headings finds the page's, and none is left out.
const headings = ["page-has-heading-one", "heading-order"];

/**
 * What axe-core calls serious or critical, and what is wrong with headings, a line for each element.
 * @param {import("playwright-core").Page} page
 */
async function found(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    /** @type {any} */ (window).axe.run({ resultTypes: ["violations"] }),
  );
  return violations
    .filter((/** @type {any} */ { id, impact }) => ["serious", "critical"].includes(impact) || headings.includes(id))
    .flatMap((/** @type {any} */ rule) =>
      rule.nodes.map((/** @type {any} */ node) => {
        const why = [...node.any, ...node.all, ...node.none][0]?.message ?? rule.help;
        return `${rule.id}: ${node.target.join(" ")}: ${why}\n  ${node.html.slice(0, 200)}`;
      }),
    );
}

/**
 * Asserts that nothing serious is found, in light and in dark; the page is left in the theme that it had.
 * @param {import("playwright-core").Page} page @param {string} [what]  the view, for the message
 */
export async function accessible(page, what = page.url()) {
  const dark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const had = dark ? "dark" : "light";
  for (const colorScheme of /** @type {const} */ ([dark ? "light" : "dark", had])) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await found(page), [], `${what}, ${colorScheme}`);
  }
}
