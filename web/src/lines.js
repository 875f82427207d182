/** Where words are on the screen: asked of the page, as lines break where there is room. */

/** @param {number} word */
const wordElement = (word) => document.querySelector(`.sentence [data-word="${word}"]`);

/** Whether the sentence in sight runs from right to left. */
export function isRightToLeft() {
  const sentence = document.querySelector(".sentence");
  return !!sentence && getComputedStyle(sentence).direction === "rtl";
}

/**
 * The word nearest to that place on the next line, or the one before; -1: there is none.
 * @param {number} word @param {1 | -1} by
 */
export function wordOnNextLine(word, by) {
  const here = wordElement(word)?.getBoundingClientRect();
  if (!here) return -1;
  const centre = (/** @type {DOMRect} */ box) => (box.left + box.right) / 2;
  const words = [...document.querySelectorAll(".sentence [data-word]")].map((element) => ({
    number: Number(/** @type {HTMLElement} */ (element).dataset.word),
    box: element.getBoundingClientRect(),
  }));
  const beyond = words.filter(({ box }) => (by > 0 ? box.top > here.bottom - 4 : box.bottom < here.top + 4));
  const edge = Math[by > 0 ? "min" : "max"](...beyond.map(({ box }) => box.top));
  const line = beyond.filter(({ box }) => Math.abs(box.top - edge) < here.height / 2);
  line.sort((a, b) => Math.abs(centre(a.box) - centre(here)) - Math.abs(centre(b.box) - centre(here)));
  return line[0]?.number ?? -1;
}
