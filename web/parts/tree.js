/** A tree: words in a line, what is given above them, what is proposed below. */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { placeArcs, spreadEnds } from "../src/arcs.js";

/** @typedef {import("../src/arcs.js").Drawn} Drawn */
/** @typedef {import("../src/arcs.js").Placed} Placed */
/**
 * @typedef {object} TreeProps
 * @property {string[]} words
 * @property {string[] | undefined} tags
 * @property {Drawn[]} above
 * @property {Drawn[]} below
 * @property {number} focus  the word that comes into view
 * @property {number} [picked]  the word whose head is being chosen
 * @property {(word: number) => void} [pick]  a word was clicked
 * @property {string} label  of the drawing
 */

const rise = 30; // between levels
const step = 9; // between the ends of arcs at a word
const margin = 16;
const font = { word: "17px", small: "12px" };

/** @type {CanvasRenderingContext2D | null} */
let canvas = null;

/** The width of a text on the screen. @param {string} text @param {"word" | "small"} size */
function widthOf(text, size) {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (!canvas) return text.length * 9;
  canvas.font = `${font[size]} ${getComputedStyle(document.body).fontFamily}`;
  return canvas.measureText(text).width;
}

/** @param {TreeProps} props */
const rootsOf = ({ above, below }) => [...above, ...below].filter(({ arc }) => arc.head === 0);
const rootName = (/** @type {Drawn["arc"]} */ arc) => arc.relation || "root";

/** The middles of the words: every relation has room on its arc. @param {TreeProps} props @param {Placed[]} arcs */
function middles(props, arcs) {
  const { words, tags } = props;
  const widths = words.map((w, i) => Math.max(widthOf(w, "word"), widthOf(`${i + 1} ${tags?.[i] ?? ""}`, "small"), 14));
  for (const { word, arc } of rootsOf(props))
    widths[word] = Math.max(widths[word] ?? 0, widthOf(rootName(arc), "small") + 8);
  let x = margin;
  const middle = widths.map((width) => {
    const at = x + width / 2;
    x += width + 16;
    return at;
  });
  for (const arc of arcs) {
    const need = widthOf(arc.drawn.arc.relation, "small") + 34 + Math.abs(arc.ends[0]) + Math.abs(arc.ends[1]);
    const short = need - ((middle[arc.high] ?? 0) - (middle[arc.low] ?? 0));
    if (short > 0) for (let i = arc.high; i < middle.length; i++) middle[i] = (middle[i] ?? 0) + short;
  }
  return { middle, width: (middle.at(-1) ?? 0) + (widths.at(-1) ?? 0) / 2 + margin };
}

/** @typedef {{ placed: Placed, middle: number[], y: number, down: boolean }} ArcProps */

/** Where an arc begins and ends, and how high it is. @param {ArcProps} props */
function reach({ placed: { low, high, level, ends }, middle, y, down }) {
  const [left, right] = [(middle[low] ?? 0) + ends[0], (middle[high] ?? 0) + ends[1]];
  return { left, right, top: y + (down ? level : -level) * rise };
}

/** One arc, with its arrow at the dependent. @param {ArcProps} props */
function ArcLine(props) {
  const { placed, y, down } = props;
  const { left, right, top } = reach(props);
  const sign = down ? 1 : -1;
  const [from, to] = placed.drawn.word === placed.high ? [left, right] : [right, left];
  const turn = from < to ? 8 : -8;
  const line =
    `M${from} ${y}V${top - sign * 8}Q${from} ${top} ${from + turn} ${top}H${to - turn}` +
    `Q${to} ${top} ${to} ${top - sign * 8}V${y + sign * 5}`;
  const tip = `M${to - 4} ${y + sign * 8}L${to + 4} ${y + sign * 8}L${to} ${y}Z`;
  return html`<g class=${`arc ${placed.drawn.kind}`}><path d=${line} /><path class="tip" d=${tip} /></g>`;
}

/** The relation on an arc, over all lines. @param {ArcProps} props */
function Relation(props) {
  const { arc, kind } = props.placed.drawn;
  const { left, right, top } = reach(props);
  const width = widthOf(arc.relation, "small") + 12;
  const x = (left + right) / 2;
  return html`<g class=${`arc ${kind}`}>
    <rect class="ground" x=${x - width / 2} y=${top - 9} width=${width} height="18" rx="9" />
    <text class="relation" x=${x} y=${top + 4}>${arc.relation}</text>
  </g>`;
}

/** The mark of a root, under its word. @param {{ drawn: Drawn, middle: number[], y: number }} props */
function RootMark({ drawn, middle, y }) {
  const text = rootName(drawn.arc);
  const width = widthOf(text, "small") + 16;
  const x = middle[drawn.word] ?? 0;
  return html`<g class=${`arc rooted ${drawn.kind}`}>
    <rect x=${x - width / 2} y=${y} width=${width} height="18" rx="9" />
    <text class="relation" x=${x} y=${y + 13}>${text}</text>
  </g>`;
}

/** @param {TreeProps & { middle: number[], y: number }} props */
function Words({ words, tags, picked, pick, middle, y }) {
  return words.map((word, i) => {
    const width = Math.max(widthOf(word, "word") + 10, 22);
    const x = middle[i] ?? 0;
    return html`<g class=${`word ${i === picked ? "picked" : ""} ${pick ? "press" : ""}`} onClick=${() => pick?.(i)}>
      <rect x=${x - width / 2} y=${y + 3} width=${width} height="24" rx="4" />
      <text x=${x} y=${y + 21}>${word}</text>
      <text class="sub" x=${x} y=${y + 42}>${i + 1} ${tags?.[i] ?? ""}</text>
    </g>`;
  });
}

/** @param {TreeProps} props */
export function Tree(props) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const [above, below] = [placeArcs(props.above), placeArcs(props.below)];
  for (const arcs of [above, below]) spreadEnds(arcs, props.words.length, step);
  const { middle, width } = middles(
    props,
    [...above, ...below].sort((a, b) => a.high - a.low - (b.high - b.low)),
  );
  const deepest = (/** @type {Placed[]} */ arcs) => Math.max(0, ...arcs.map((arc) => arc.level));
  const roots = rootsOf(props);
  const y = deepest(above) * rise + 14;
  const under = y + 48 + (roots.length ? 22 : 0);
  const height = under + (below.length ? deepest(below) * rise + 14 : 4);
  const arcs = [
    ...above.map((placed) => ({ placed, middle, y, down: false })),
    ...below.map((placed) => ({ placed, middle, y: under, down: true })),
  ];
  const seen = middle[props.focus] ?? 0;
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollLeft = seen - frame.current.clientWidth / 2;
  }, [seen]);
  return html`<div class="tree" ref=${frame} role="group" tabindex="0" aria-label=${props.label}>
    <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${props.label}>
      ${arcs.map((arc) => html`<${ArcLine} ...${arc} />`)}
      ${arcs.map((arc) => arc.placed.drawn.arc.relation && html`<${Relation} ...${arc} />`)}
      <${Words} ...${props} middle=${middle} y=${y} />
      ${roots.map((drawn) => html`<${RootMark} drawn=${drawn} middle=${middle} y=${y + 47} />`)}
    </svg>
  </div>`;
}
