/**
 * The sentence with its labels. Words are chosen by a press, several by drawing over them or with Shift; the keys are
 * in names_keys.js. It is one stop of the tab key: the word or span at the cursor has the focus.
 */
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { colourOf } from "../../src/labels.js";
import { described, gap } from "../../src/marks.js";
import { chance } from "../numbers.js";
import { NamesWork } from "../../src/names_work.js";

/** @typedef {import("../../src/work.js").Work} Work */
/** @typedef {import("../../src/marks.js").Mark} Mark */

const long = 20; // characters of a label that may stand in two lines

/** @param {{ mark: Mark, blind: boolean }} props */
function Tag({ mark, blind }) {
  const { type, probability, doubtful, own } = mark;
  if (mark.gone) return html`<span class="hidden">, deleted</span>`;
  const style = type && type.length > long ? "tag long" : "tag";
  return html`<span class=${style} dir="ltr" aria-hidden="true">${type ?? ""}${own && !blind ? " ✓" : ""}${
    doubtful && probability !== null && html`<span class="p">${chance(probability)}</span>`
  }</span><span class="hidden">${described(mark)}</span>`;
}

/** @param {{ word: string, number: number, cursor: boolean }} props */
const Word = ({ word, number, cursor }) =>
  html`<span class=${cursor ? "w cursor" : "w"} data-word=${number}>${word}</span>`;

/** The words of a range, with what is between them. @param {NamesWork} names @param {number} from @param {number} to */
function wordsOf(names, from, to) {
  const words = names.work.item.value?.words ?? [];
  const inside = names.spelled.value && to - from > 1;
  return words.slice(from, to).map((word, i) => {
    const here = from + i;
    const cursor = inside && here === names.cursor.value && names.anchor.value < 0;
    const space = i > 0 && gap(words[here - 1], word);
    return html`${space}<${Word} key=${here} word=${word} number=${here} cursor=${cursor} />`;
  });
}

/** @param {Mark} mark @param {readonly string[]} labels @param {boolean} now */
function styleOf({ type, doubtful, own, gone }, labels, now) {
  if (gone) return "span gone";
  return `span ${colourOf(labels, type)}${doubtful ? " doubt" : ""}${own ? " done" : ""}${now ? " now" : ""}`;
}

/** @param {{ names: NamesWork, mark: Mark }} props */
function Span({ names, mark }) {
  const target = names.target.value;
  const now = !mark.gone && !!target && !target.selected && target.mark?.from === mark.from;
  return html`<span class=${styleOf(mark, names.kind.value.labels, now)} role="button" tabindex=${now ? 0 : -1}
    aria-expanded=${now ? names.open.value : undefined}
    >${wordsOf(names, mark.from, mark.to)}<${Tag} mark=${mark} blind=${!!names.work.item.value?.blind} /></span>`;
}

/** Words that are selected, or the word at the cursor. @param {{ names: NamesWork, from: number, to: number }} props */
function Draft({ names, from, to }) {
  const { selected } = names.target.value ?? {};
  return html`<span class=${selected ? "draft" : "at"} role="button" tabindex="0"
    >${wordsOf(names, from, to)}<span class="hidden">${selected ? ", selected" : ", no name"}</span></span>`;
}

/** What there is to be drawn from left to right: ranges of words, each a mark, the target or nothing special. */
function pieces(/** @type {NamesWork} */ names) {
  const target = names.target.value;
  const alone = target && !target.mark ? target : null;
  const marks = names.marks.value.filter(({ from, to }) => !alone || to <= alone.from || from >= alone.to);
  const drawn = [
    ...marks.map((mark) => ({ from: mark.from, to: mark.to, mark })),
    ...(alone ? [{ ...alone, mark: null }] : []),
  ];
  return drawn.sort((a, b) => a.from - b.from);
}

/** @param {{ names: NamesWork }} props */
function Words({ names }) {
  const words = names.work.item.value?.words ?? [];
  /** @type {any[]} */
  const list = [];
  let at = 0;
  const plain = (/** @type {number} */ end) => {
    for (; at < end; at++)
      list.push(at > 0 && gap(words[at - 1], words[at]), html`<${Word} key=${at} word=${words[at]} number=${at} />`);
  };
  for (const { from, to, mark } of pieces(names)) {
    plain(from);
    list.push(at > 0 && gap(words[at - 1], words[at]));
    if (mark) list.push(html`<${Span} key=${`${mark.gone ? "gone" : "span"} ${from}`} names=${names} mark=${mark} />`);
    else list.push(html`<${Draft} key="draft" names=${names} from=${from} to=${to} />`);
    at = to;
  }
  plain(words.length);
  return list;
}

/** The word at a point of the screen; -1: none. @param {number} x @param {number} y */
function wordAt(x, y) {
  const found = /** @type {HTMLElement | null | undefined} */ (document.elementFromPoint(x, y)?.closest("[data-word]"));
  return found ? Number(found.dataset.word) : -1;
}

/** Choosing words by mouse, pen and finger. @param {NamesWork} names */
function drawing(names) {
  let from = -1;
  let to = -1;
  /** @param {PointerEvent} event */
  const begin = (event) => {
    const word = wordAt(event.clientX, event.clientY);
    if (event.button !== 0) return;
    from = to = word >= 0 ? word : ofSpan(event);
    if (event.shiftKey && names.cursor.value >= 0 && from >= 0)
      names.select(names.anchor.value >= 0 ? names.anchor.value : names.cursor.value, from);
  };
  /** @param {PointerEvent} event */
  const draw = (event) => {
    const word = from >= 0 && event.buttons ? wordAt(event.clientX, event.clientY) : -1;
    if (word < 0 || word === to) return;
    to = word;
    names.select(from, to);
  };
  /** @param {PointerEvent} event */
  const end = (event) => {
    if (from >= 0 && from === to && !event.shiftKey) names.go(from, true);
    from = -1;
  };
  return { onPointerDown: begin, onPointerMove: draw, onPointerUp: end, onPointerCancel: () => (from = -1) };
}

/** A press on the name of a label means its span. @param {PointerEvent} event */
function ofSpan(event) {
  const span = /** @type {HTMLElement} */ (event.target).closest(".span");
  const word = /** @type {HTMLElement | null | undefined} */ (span?.querySelector("[data-word]"));
  return word ? Number(word.dataset.word) : -1;
}

/** Whether the focus is where somebody types, or reads something else. @param {Element | null} at */
const isElsewhere = (at) => !!at && at !== document.body && !at.closest(".sentence, .dock, .pop");

/** Gives the focus to what is at the cursor, and to the next sentence after an answer. @param {NamesWork} names */
function useFocus(names) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const item = names.work.item.value;
  const before = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const moved = before.current !== item;
    before.current = item;
    const busy = names.typing.value || names.work.panel.value || document.activeElement?.matches("select, textarea");
    if (busy || (isElsewhere(document.activeElement) && !moved)) return;
    const target = /** @type {HTMLElement | null} */ (box.current?.querySelector("[tabindex='0']") ?? box.current);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "nearest" });
  }, [item, names.cursor.value, names.anchor.value, names.typing.value, names.open.value]);
  return box;
}

/** What the sentence is, to those who do not see it. @param {NamesWork} names */
function labelOf(names) {
  const item = names.work.item.value;
  const marks = names.marks.value.filter(({ gone }) => !gone);
  const spans = names.spelled.value ? `, ${marks.filter(({ type }) => type !== null).length} spans` : "";
  const doubtful = item?.blind ? "" : `, ${marks.filter((mark) => mark.doubtful).length} doubtful`;
  return `Sentence, ${item?.words.length ?? 0} words${spans}${doubtful}`;
}

/** @param {{ work: Work }} props */
export function SpanSentence({ work }) {
  const names = work.part(NamesWork);
  const box = useFocus(names);
  const pointers = useRef(/** @type {any} */ (null));
  pointers.current ??= drawing(names);
  return html`<p class=${names.spelled.value ? "sentence" : "sentence every"} dir="auto" role="group"
    tabindex=${names.target.value ? -1 : 0} ref=${box} ...${pointers.current} aria-label=${labelOf(names)}
    ><${Words} names=${names} /></p>`;
}
