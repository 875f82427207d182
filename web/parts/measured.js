/** How wide texts are on the screen, in the font of the page. */

/** @type {CanvasRenderingContext2D | null} */
let canvas = null;
let family = "";
/** @type {Map<string, number>} */
const known = new Map();

/** @param {string} text @param {number} size  in px @param {number} [weight] */
export function widthOf(text, size, weight = 400) {
  const key = `${weight} ${size}px ${text}`;
  const width = known.get(key);
  if (width !== undefined) return width;
  canvas ??= document.createElement("canvas").getContext("2d");
  family ||= getComputedStyle(document.body).fontFamily;
  if (!canvas) return text.length * size * 0.55;
  canvas.font = `${weight} ${size}px ${family}`;
  const measured = canvas.measureText(text).width;
  if (known.size > 20000) known.clear();
  known.set(key, measured);
  return measured;
}
