/**
 * What the view of names has besides the desk's own state: where the cursor is, which words are selected, and what is
 * done to them. The cursor is on a word; the span that has it is the chosen one. Selected words have no label yet.
 */
import { batch, computed, signal } from "@preact/signals";
import { emptyAnswer, hasSpans } from "./answers.js";
import { isRightToLeft, wordOnNextLine } from "./lines.js";
import { marksOf } from "./marks.js";
import { merge, moveEdge, put, retype, spanAt, split } from "./span_edit.js";

/** @typedef {import("./work.js").Work} Work */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("./labels.js").Span} Span */
/** @typedef {{ from: number, to: number, type: string | null, mark: Mark | null, selected: boolean }} Target */

export class NamesWork {
  /** @param {Work} work */
  constructor(work) {
    this.work = work;
    this.cursor = signal(-1);
    this.anchor = signal(-1); // the other end of the selection; -1: nothing is selected
    this.open = signal(false); // whether alternatives of the target are shown
    this.typing = signal(false); // whether a label is being typed
    this.kind = computed(
      () =>
        /** @type {import("./answers.js").Kind} */ (work.about.value ?? { trees: false, scheme: "none", labels: [] }),
    );
    this.spelled = computed(() => hasSpans(this.kind.value));
    this.marks = computed(() => {
      const item = work.item.value;
      return item && work.draft.value ? marksOf(item, work.draft.value, this.kind.value) : [];
    });
    this.target = computed(() => this.findTarget());
    this.begin();
  }

  get words() {
    return this.work.item.value?.words.length ?? 0;
  }

  /** @returns {Span[]} */
  get spans() {
    return /** @type {any} */ (this.work.draft.value).spans ?? [];
  }

  /** Another sentence: the first doubt is chosen. */
  begin() {
    const doubt = this.marks.peek().find(({ doubtful }) => doubtful);
    batch(() => {
      this.cursor.value = doubt ? doubt.from : -1;
      this.anchor.value = -1;
      this.open.value = !!doubt;
      this.typing.value = false;
    });
  }

  /** What keys act on: the selected words, the span at the cursor, or the word there. @returns {Target | null} */
  findTarget() {
    const [cursor, anchor] = [this.cursor.value, this.anchor.value];
    if (cursor < 0 || cursor >= this.words) return null;
    if (anchor >= 0) {
      const [from, to] = [Math.min(cursor, anchor), Math.max(cursor, anchor) + 1];
      return { from, to, type: null, mark: null, selected: true };
    }
    const mark = this.marks.value.find(({ from, to, gone }) => !gone && from <= cursor && cursor < to) ?? null;
    const { from, to, type } = mark ?? { from: cursor, to: cursor + 1, type: null };
    return { from, to, type, mark, selected: false };
  }

  /** The span at the cursor, by its number in the draft; -1: none. */
  get chosen() {
    return this.anchor.value < 0 ? spanAt(this.spans, this.cursor.value) : -1;
  }

  // ---- Moving ----

  /** @param {number} word @param {boolean} [open] */
  go(word, open = this.open.value) {
    batch(() => {
      this.cursor.value = Math.max(0, Math.min(this.words - 1, word));
      this.anchor.value = -1;
      this.open.value = open;
      this.typing.value = false;
    });
  }

  /** To the word at the left or right on the screen; a span is one step. @param {1 | -1} by */
  move(by) {
    const step = isRightToLeft() ? -by : by;
    const target = this.target.value;
    if (!target) return this.go(step > 0 ? 0 : this.words - 1);
    this.go(step > 0 ? target.to : target.from - 1);
  }

  /** @param {1 | -1} by */
  line(by) {
    if (this.cursor.value < 0) return this.go(0);
    const word = wordOnNextLine(this.cursor.value, by);
    if (word >= 0) this.go(word);
  }

  /** @param {1 | -1} by */
  doubt(by) {
    const target = this.target.value;
    const doubtful = this.marks.value.filter((mark) => mark.doubtful);
    const next =
      by > 0
        ? doubtful.find(({ from }) => !target || from >= target.to)
        : doubtful.findLast(({ to }) => !target || to <= target.from);
    const found = next ?? (by > 0 ? doubtful[0] : doubtful.at(-1));
    if (found) this.go(found.from, true);
    else this.work.say("Nothing here is doubtful");
  }

  /** Takes one more word into the selection, or one less. @param {1 | -1} by */
  extend(by) {
    const step = isRightToLeft() ? -by : by;
    const { cursor, anchor } = this;
    if (cursor.value < 0) return this.go(0);
    if (anchor.value < 0) {
      const target = this.target.value;
      const last = target ? target.to - 1 : cursor.value;
      anchor.value = step > 0 ? (target?.from ?? cursor.value) : last;
      cursor.value = step > 0 ? last : (target?.from ?? cursor.value);
    }
    cursor.value = Math.max(0, Math.min(this.words - 1, cursor.value + step));
    this.work.say(this.textOf(Math.min(cursor.value, anchor.value), Math.max(cursor.value, anchor.value) + 1));
  }

  /** Selects words, in either direction. @param {number} anchor @param {number} cursor */
  select(anchor, cursor) {
    batch(() => {
      this.anchor.value = anchor;
      this.cursor.value = cursor;
      this.open.value = true;
      this.typing.value = false;
    });
  }

  /** Closes what is open, one thing at a time; whether there was any. */
  close() {
    if (this.typing.value) this.typing.value = false;
    else if (this.anchor.value >= 0) this.anchor.value = -1;
    else if (this.open.value) this.open.value = false;
    else if (this.cursor.value >= 0) this.cursor.value = -1;
    else return false;
    return true;
  }

  // ---- Editing ----

  /** @param {number} from @param {number} to */
  textOf(from, to) {
    return this.work.item.value?.words.slice(from, to).join(" ") ?? "";
  }

  /** @param {Span[]} spans @param {string} said */
  change(spans, said) {
    this.work.change({ spans });
    this.work.say(said);
  }

  /** Labels the target by the label's number. @param {number} number */
  label(number) {
    const type = this.kind.value.labels[number];
    if (type) this.put(type);
  }

  /** Labels the target. @param {string | null} type  null: no name */
  put(type) {
    const target = this.target.value;
    if (!target || !this.work.draft.value) return this.work.say("Choose a word first");
    if (!this.spelled.value) return this.putLabels(target, type);
    if (type === null) return this.remove();
    const i = this.chosen;
    const spans = i >= 0 ? retype(this.spans, i, type) : put(this.spans, { from: target.from, to: target.to, type });
    batch(() => {
      this.change(spans, `${this.textOf(target.from, target.to)}: ${type}`);
      this.go(target.from, true);
    });
  }

  /** Labels words one by one. @param {Target} target @param {string | null} type */
  putLabels({ from, to }, type) {
    const { labels } = /** @type {any} */ (this.work.draft.value);
    this.work.change({
      labels: labels.map((/** @type {any} */ label, /** @type {number} */ i) => (i >= from && i < to ? type : label)),
    });
    this.work.say(`${this.textOf(from, to)}: ${type ?? "left open"}`);
    this.go(from, true);
  }

  /** The chosen span, or every span in the selection, is no name. */
  remove() {
    const target = this.target.value;
    if (!target) return;
    if (!this.spelled.value) return this.putLabels(target, null);
    const left = this.spans.filter(({ from, to }) => to <= target.from || from >= target.to);
    if (left.length < this.spans.length) this.change(left, `${this.textOf(target.from, target.to)}: no name`);
  }

  split() {
    const i = this.chosen;
    const span = this.spans[i];
    if (!span) return;
    const at = this.cursor.value > span.from ? this.cursor.value : span.from + 1;
    batch(() => {
      this.change(split(this.spans, i, at), "Split");
      this.cursor.value = Math.min(at, span.to - 1);
    });
  }

  merge() {
    if (this.chosen >= 0) this.change(merge(this.spans, this.chosen), "Merged");
  }

  /** Moves an edge of the chosen span, out by 1 and in by -1. @param {"from" | "to"} edge @param {1 | -1} by */
  edge(edge, by) {
    const i = this.chosen;
    const span = this.spans[i];
    if (!span) return;
    const spans = moveEdge(this.spans, i, edge, by, this.words);
    const moved = { ...span, [edge]: span[edge] + (edge === "from" ? -by : by) };
    const after = spans.find(({ from, to }) => from === moved.from && to === moved.to);
    if (!after) return;
    batch(() => {
      this.change(spans, this.textOf(after.from, after.to));
      this.cursor.value = Math.max(after.from, Math.min(after.to - 1, this.cursor.value));
    });
  }

  /** The chosen span is wrong; without one, the whole answer. */
  reject() {
    const { mark } = this.target.value ?? {};
    if (this.open.value && mark && mark.type !== null && this.spelled.value) this.remove();
    else this.work.decide("reject");
  }

  /** Begins again from nothing. */
  clear() {
    this.work.change(emptyAnswer(this.words, this.kind.value));
  }

  /** Sentences on the screen that can be accepted as they are: nothing in them is doubtful. */
  get sure() {
    const item = this.work.item.value;
    if (!item || item.blind) return [];
    return [...item.before, ...item.after].filter((n) => n.sure && !this.work.isDecided(n.sentence));
  }

  /** Accepts these, and the sentence in the middle if nothing in it is doubtful either. */
  acceptSure() {
    const { sure } = this;
    for (const neighbour of sure) this.work.acceptNeighbour(neighbour);
    const middle = this.isSure();
    this.work.say(`${sure.length + (middle ? 1 : 0)} accepted`);
    if (middle) this.work.accept();
  }

  /** Whether nothing in the sentence in sight is doubtful. */
  isSure() {
    const answer = this.work.item.value?.answer;
    return !!answer && !answer.doubtful.some(Boolean);
  }
}
