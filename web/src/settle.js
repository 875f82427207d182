/** What the settle view works on: sentences that people answered differently, and what was taken so far. */
import { batch, computed, signal } from "@preact/signals";
import { ask } from "./server.js";
import { agreedOf, placesOf, settled } from "./settling.js";

/** @typedef {import("./settling.js").Mark} Mark */
/** @typedef {import("./settling.js").Place} Place */
/** @typedef {import("./work.js").Item} Item */
/** @typedef {{ side: number, marks: Mark[] }} Choice  side -1: an own answer */

export class Settle {
  /** @param {import("./work.js").Work} work */
  constructor(work) {
    this.work = work;
    this.items = signal(/** @type {Item[]} */ ([]));
    this.loaded = signal(false);
    this.item = computed(() => this.items.value[0]);
    this.at = signal(0); // the place in sight
    this.choices = signal(/** @type {(Choice | undefined)[]} */ ([]));
    this.owning = signal(false); // whether an own answer is being made
    this.agreement = signal(/** @type {any} */ (null));
    this.done = /** @type {{ item: Item, choices: (Choice | undefined)[] }[]} */ ([]);
    this.kind = computed(() => work.about.value ?? { trees: false, scheme: "IOB2", labels: [] });
    this.answers = computed(() => this.item.value?.answers ?? []);
    this.places = computed(() => (this.answers.value.length > 1 ? placesOf(this.answers.value, this.kind.value) : []));
    this.agreed = computed(() => (this.answers.value.length > 1 ? agreedOf(this.answers.value, this.kind.value) : []));
    this.left = computed(() => this.places.value.filter((_, i) => !this.choices.value[i]).length);
  }

  async look() {
    const { work } = this;
    try {
      const before = this.item.value;
      const { items } = await (await ask(work.address("/v1/queue?order=disagreement&limit=50"))).json();
      const waits = new Set(work.outbox.waiting.value.map(({ body }) => body.sentence));
      const open = items.filter((/** @type {Item} */ { sentence }) => !waits.has(sentence));
      const stays = before && open.some((/** @type {Item} */ { sentence }) => sentence === before.sentence);
      const rest = open.filter((/** @type {Item} */ { sentence }) => sentence !== before?.sentence);
      batch(() => {
        this.loaded.value = true;
        if (stays) this.items.value = [before, ...rest];
        else this.show(open);
      });
      this.agreement.value = await (await ask("/v1/agreement")).json();
    } catch (error) {
      work.troubled(error);
    }
  }

  /** @param {Item[]} items @param {(Choice | undefined)[]} [choices] */
  show(items, choices = []) {
    batch(() => {
      this.items.value = items;
      this.choices.value = choices;
      this.at.value = 0;
      this.owning.value = false;
    });
  }

  /** @param {number} step */
  move(step) {
    const count = this.places.value.length;
    if (count) this.at.value = (this.at.value + step + count) % count;
    this.owning.value = false;
  }

  /** Takes a side at the place in sight, and goes to the next open one. @param {number} side */
  take(side) {
    const place = this.places.value[this.at.value];
    const marks = place?.sides[side];
    if (marks) this.choose({ side, marks });
  }

  /** @param {Choice} choice */
  choose(choice) {
    const choices = [...this.choices.value];
    choices[this.at.value] = choice;
    batch(() => {
      this.choices.value = choices;
      this.owning.value = false;
      const next = this.places.value.findIndex((_, i) => !choices[i]);
      if (next >= 0) this.at.value = next;
    });
    const { work } = this;
    const what = choice.side < 0 ? "Own answer" : `Answer ${choice.side + 1}`;
    work.say(`${what} taken. ${this.left.value || "No"} ${this.left.value === 1 ? "place" : "places"} open.`);
  }

  accept() {
    const item = this.item.value;
    if (!item || this.left.value > 0) return;
    const choices = this.choices.value;
    const taken = choices.map((choice) => choice?.marks ?? []);
    const answer = settled(this.answers.value, taken, this.kind.value);
    this.work.record(item, "edit", { answer, order: "disagreement", shown: undefined });
    this.done.push({ item, choices });
    this.show(this.items.value.slice(1));
    this.work.say("Sentence settled");
    if (this.items.value.length === 0) this.lookSoon();
  }

  lookSoon() {
    setTimeout(() => this.look(), 400);
  }

  later() {
    const [first, ...rest] = this.items.value;
    if (first) this.show([...rest, first]);
  }

  /** The guideline does not say: noted as a comment, and left for later. */
  ask() {
    const item = this.item.value;
    const { work } = this;
    if (!item) return;
    work.outbox.add("/v1/comment", {
      annotator: work.annotator.value,
      sentence: item.sentence,
      note: "the guideline does not say",
    });
    work.say("Noted that the guideline does not say");
    this.later();
  }

  /** Takes back the last choice here or, without one, the sentence that was settled last. */
  undo() {
    const last = this.choices.value.findLastIndex((choice) => choice);
    if (last >= 0) {
      this.choices.value = this.choices.value.map((choice, i) => (i === last ? undefined : choice));
      this.at.value = last;
      return;
    }
    const before = this.done.pop();
    if (!before) return;
    const { work } = this;
    work.outbox.add("/v1/undo", { annotator: work.annotator.value, sentence: before.item.sentence });
    work.steps.value = work.steps.value.filter(({ item }) => item !== before.item);
    this.show([before.item, ...this.items.value], before.choices);
  }
}

const on =
  (/** @type {(settle: Settle, name: string) => void} */ act) =>
  (/** @type {import("./work.js").Work} */ work, /** @type {string} */ name) =>
    act(work.part(Settle), name);

/** The keys of the settle view. @type {import("./desk_keys.js").KeyGroup} */
export const settleKeys = {
  group: "Settle",
  views: ["settle"],
  rows: [
    ["accept", ["a"], "a", "Accept sentence", "accept when no place is open", on((s) => s.accept())],
    ["take", ["1", "2", "3", "4"], "1, 2", "Take this", "take that answer", on((s, name) => s.take(Number(name) - 1))],
    ["own", ["e"], "e", "Own answer", "own answer", on((s) => (s.owning.value = !s.owning.value))],
    ["skip", [" "], "space", "Later", "later", on((s) => s.later())],
    ["ask", ["f"], "f", "The guideline does not say", "the guideline does not say", on((s) => s.ask())],
    ["undo", ["backspace", "ctrl+z"], "⌫", "Undo", "undo, without end", on((s) => s.undo())],
    ["next", ["n", "arrowright"], "n", "Next place", "next place", on((s) => s.move(1))],
    ["previous", ["p", "arrowleft"], "p", "Previous place", "previous place", on((s) => s.move(-1))],
  ],
};
