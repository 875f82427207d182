/**
 * A tree: words in a line, arcs above them, and what is proposed below where two trees are compared. Where words can be
 * chosen they are buttons, one of which is a tab stop; a word can be dragged to its head.
 */
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { layOut, levelsOf } from "../src/arc_layout.js";
import { widthOf } from "./measured.js";

/** @typedef {import("../src/arcs.js").Drawn} Drawn */
/** @typedef {import("../src/arc_layout.js").PlacedArc} PlacedArc */
/**
 * @typedef {object} TreeProps
 * @property {readonly string[]} words
 * @property {readonly string[] | undefined} tags
 * @property {readonly Drawn[]} above
 * @property {readonly Drawn[]} [below]
 * @property {number} focus  the word that comes into view; -1: none
 * @property {number} [picked]  the word whose head is being chosen
 * @property {number} [target]  the word that would be the head
 * @property {(word: number) => void} [pick]  a word was pressed
 * @property {(word: number, head: number) => void} [drag]  a word was dragged to another
 * @property {(word: number) => string} [nameOf]  a word in full, for those who listen
 * @property {boolean} [steady]  the words stay where they are while arcs come and go
 * @property {string} [dir]  "rtl": word 1 is at the right
 * @property {string} label  of the drawing
 */
/** @typedef {{ drawn: Drawn, placed: PlacedArc, y: number, down: boolean }} ArcProps */

const rise = 31; // between levels
const wordFont = 17;
const smallFont = 12;

const labelOf = (/** @type {Drawn} */ { arc, text }) => text ?? arc.relation;
const isRoot = (/** @type {Drawn} */ { arc }) => arc.head === 0;
/** Whether there is such an arc: what is being typed may be none. @param {Drawn} drawn @param {number} words */
const isArc = ({ word, arc: { head } }, words) => head > 0 && head <= words && head !== word + 1;
const rootName = (/** @type {Drawn} */ drawn) => labelOf(drawn) || "root";

/** The width of a label with what is around it. @param {string} text */
const labelWidth = (text) => (text ? widthOf(text, smallFont, 650) + 14 : 0);

/** @param {readonly Drawn[]} drawn */
const toPlace = (drawn) =>
  drawn.map((one) => ({ word: one.word, head: one.arc.head - 1, label: labelWidth(labelOf(one)) }));

/** How wide each word is, with its number, tag and mark of a root. @param {TreeProps} props */
function wordWidths({ words, tags, above, below = [] }) {
  const widths = words.map((word, i) =>
    Math.max(widthOf(word, wordFont, 650) + 8, widthOf(`${i + 1} ${tags?.[i] ?? ""}`, smallFont), 18),
  );
  for (const root of [...above, ...below].filter(isRoot))
    widths[root.word] = Math.max(widths[root.word] ?? 0, labelWidth(rootName(root)));
  return widths;
}

/** One arc, with its arrow at the dependent. @param {ArcProps} props */
function ArcLine({ drawn, placed: { from, to, level }, y, down }) {
  const sign = down ? 1 : -1;
  const top = y + sign * level * rise;
  const turn = Math.sign(to - from) * Math.min(8, Math.abs(to - from) / 2);
  const line =
    `M${from} ${y}V${top - sign * 8}Q${from} ${top} ${from + turn} ${top}H${to - turn}` +
    `Q${to} ${top} ${to} ${top - sign * 8}V${y + sign * 5}`;
  const tip = `M${to - 4} ${y + sign * 8}L${to + 4} ${y + sign * 8}L${to} ${y}Z`;
  return html`<g class=${`arc ${drawn.kind}`}><path d=${line} /><path class="tip" d=${tip} /></g>`;
}

/** A text on its ground. @param {{ kind: string, text: string, x: number, y: number }} props */
function Label({ kind, text, x, y }) {
  const width = labelWidth(text);
  return html`<g class=${`arc ${kind}`}>
    <rect class="ground" x=${x - width / 2} y=${y - 9} width=${width} height="18" rx="9" />
    <text class="relation" x=${x} y=${y + 4}>${text}</text>
  </g>`;
}

/** @param {ArcProps} props */
const ArcLabel = ({ drawn, placed: { at, level }, y, down }) =>
  html`<${Label} kind=${drawn.kind} text=${labelOf(drawn)} x=${at} y=${y + (down ? rise : -rise) * level} />`;

/** The mark of a root, under its word. @param {{ root: Drawn, x: number, y: number }} props */
const RootMark = ({ root, x, y }) =>
  html`<${Label} kind=${`rooted ${root.kind}`} text=${rootName(root)} x=${x} y=${y + 57} />`;

/** @typedef {{ x: number, y: number, index: number, grab?: (event: PointerEvent) => void }} WordProps */

/** @typedef {{ middle: readonly number[], y: number }} Below */

/** @param {TreeProps & WordProps} props */
function Word({ words, picked, target, pick, nameOf, focus, x, y, index, grab }) {
  const word = words[index] ?? "";
  const width = Math.max(widthOf(word, wordFont, 650) + 12, 24);
  const state = `${index === picked ? "picked" : ""} ${index === target ? "target" : ""} ${pick ? "press" : ""}`;
  const button = pick && {
    role: "button",
    tabindex: index === Math.max(focus, 0) ? 0 : -1,
    "aria-label": nameOf?.(index) ?? word,
    "aria-pressed": index === picked,
    "data-word": index,
    onClick: () => pick(index),
    onPointerDown: grab,
  };
  return html`<g class=${`word ${state}`} ...${button}>
    <rect class="room" x=${x - width / 2} y=${y} width=${width} height="44" />
    <rect class="ground" x=${x - width / 2} y=${y + 3} width=${width} height="25" rx="5" />
    <text x=${x} y=${y + 21}>${word}</text>
  </g>`;
}

/** The numbers and tags below the words: a word's name has its number. @param {TreeProps & Below} props */
const Numbers = ({ words, tags, middle, y }) =>
  words.map((_, i) => html`<text class="sub" x=${middle[i] ?? 0} y=${y + 43}>${i + 1} ${tags?.[i] ?? ""}</text>`);

/** @param {Element | null} at  the word that is under the pointer, or -1 */
const wordAt = (at) => Number(at?.closest("[data-word]")?.getAttribute("data-word") ?? -1);

/**
 * Dragging a word to its head: where the line ends, and how it begins. A click is no drag; nor is scrolling by touch,
 * which only a word that is chosen keeps from happening.
 * @param {TreeProps} props
 */
function useDrag({ drag, picked }) {
  const [line, setLine] = useState(/** @type {{ word: number, x: number, y: number, over: number } | null} */ (null));
  /** @param {PointerEvent} down */
  const grab = (down) => {
    const word = wordAt(/** @type {Element} */ (down.target));
    const svg = /** @type {Element} */ (down.target).closest("svg");
    if (!drag || !svg || down.button !== 0 || (down.pointerType === "touch" && word !== picked)) return;
    const moved = (/** @type {PointerEvent} */ event) => {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 8) return;
      const frame = svg.parentElement;
      const box = frame?.getBoundingClientRect();
      if (frame && box && event.clientX > box.right - 24) frame.scrollLeft += 16;
      if (frame && box && event.clientX < box.left + 24) frame.scrollLeft -= 16;
      const { left, top, width } = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / width;
      const over = wordAt(document.elementFromPoint(event.clientX, event.clientY));
      setLine({ word, x: (event.clientX - left) * scale, y: (event.clientY - top) * scale, over });
    };
    const ended = (/** @type {PointerEvent} */ event) => {
      window.removeEventListener("pointermove", moved);
      window.removeEventListener("pointerup", ended);
      window.removeEventListener("pointercancel", ended);
      setLine(null);
      const head = wordAt(document.elementFromPoint(event.clientX, event.clientY));
      if (event.type === "pointerup" && head >= 0 && head !== word) drag(word, head);
    };
    window.addEventListener("pointermove", moved);
    window.addEventListener("pointerup", ended);
    window.addEventListener("pointercancel", ended);
  };
  return { line, grab };
}

/** Brings a word into view if it is not. @param {HTMLElement | null} frame @param {number | undefined} x */
function scrollTo(frame, x) {
  if (!frame || x === undefined) return;
  const { scrollLeft, clientWidth } = frame;
  const near = Math.min(80, clientWidth / 4);
  if (x < scrollLeft + near || x > scrollLeft + clientWidth - near) frame.scrollLeft = x - clientWidth / 2;
}

/** Where everything is. @param {TreeProps} props @param {number} least  levels above the words */
function geometry(props, least) {
  const { words, above, below = [], dir } = props;
  const arcs = [above, below].map((side) => side.filter((one) => isArc(one, words.length)));
  const [up = [], down = []] = arcs;
  const mirrored = dir === "rtl";
  const places = layOut({ widths: wordWidths(props), above: toPlace(up), below: toPlace(down), mirrored });
  const roots = [...above, ...below].filter(isRoot);
  const spare = props.steady && least === 0 ? 1 : 0; // for an arc that comes
  const levels = Math.max(levelsOf(places.above) + spare, least);
  const y = levels * rise + 14;
  const under = y + 49 + (roots.length ? 22 : 0);
  const height = under + (down.length ? levelsOf(places.below) * rise + 14 : 4);
  /** @type {ArcProps[]} */
  const drawn = [
    ...up.map((one, i) => ({ drawn: one, placed: /** @type {PlacedArc} */ (places.above[i]), y, down: false })),
    ...down.map((one, i) => ({ drawn: one, placed: /** @type {PlacedArc} */ (places.below[i]), y: under, down: true })),
  ];
  return { middle: places.middle, width: places.width, levels, roots, y, height, arcs: drawn };
}

/** @param {TreeProps} props */
export function Tree(props) {
  const { words, label, focus, dir } = props;
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const most = useRef({ words, levels: 0 });
  if (most.current.words !== words) most.current = { words, levels: 0 };
  const { middle, width, levels, roots, y, height, arcs } = geometry(props, most.current.levels);
  if (props.steady) most.current.levels = levels;
  const { line, grab } = useDrag(props);
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // larger on a wall
  useLayoutEffect(() => {
    const room = Math.max(0, ((frame.current?.clientWidth ?? 0) - width * scale) / 2);
    if (focus >= 0) scrollTo(frame.current, room + (middle[focus] ?? 0) * scale);
    else if (dir === "rtl") frame.current?.scrollTo(width * scale, 0);
  }, [focus, words, width]);
  const x = line ? (middle[line.word] ?? 0) : 0;
  return html`<div class="tree" ref=${frame} role="group" tabindex=${props.pick ? undefined : 0} aria-label=${label}>
    <svg width=${width * scale} height=${height * scale} viewBox=${`0 0 ${width} ${height}`}
      role=${props.pick ? undefined : "img"} aria-label=${props.pick ? undefined : label}>
      <g aria-hidden="true">
        ${arcs.map((arc) => html`<${ArcLine} ...${arc} />`)}
        ${arcs.map((arc) => labelOf(arc.drawn) && html`<${ArcLabel} ...${arc} />`)}
      </g>
      ${words.map(
        (_, index) => html`<${Word} ...${props} x=${middle[index] ?? 0} y=${y} index=${index} grab=${grab}
        target=${line && line.over !== line.word ? line.over : props.target} />`,
      )}
      <g aria-hidden="true">
        <${Numbers} ...${props} middle=${middle} y=${y} />
        ${roots.map((root) => html`<${RootMark} root=${root} x=${middle[root.word] ?? 0} y=${y} />`)}
        ${line && html`<path class="dragged" d=${`M${x} ${y}Q${(x + line.x) / 2} ${y - 60} ${line.x} ${line.y}`} />`}
      </g>
    </svg>
  </div>`;
}
