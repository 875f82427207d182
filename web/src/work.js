/**
 * The state of the desk, in one place: signals that parts read, and methods that keys and buttons call.
 *
 * How a view uses it. A view is a component `({ work }) => html...` in the table of views of desk.js. It draws
 * `work.item`, the sentence in sight as /v1/queue has it, and `work.draft`, the answer in the making in the form that
 * /v1/answer takes: {spans}, {labels} or {heads, relations}.
 *
 *     work.change(answer)          an edit: the draft becomes that; Backspace takes it back
 *     work.accept()                decides by the draft, accept or edit, and goes on to the next sentence
 *     work.decide(kind, more)      the same for "skip", "flag", "reject", "acknowledge"
 *     work.record(item, kind, more) a decision on an item that is not from the queue, as when two answers are settled
 *     work.undo(), work.redo()     edits first, then decisions, without end
 *     work.comment(note, words)    words: {from, to}, or nothing for the whole sentence
 *     work.visit(sentence)         goes to a sentence by its number, decided or not; work.leave() goes back
 *     work.setOrder(order)         another order of the queue
 *     work.panel.value             what is open over the work: "", "keys", "guidelines", "comment" or a view's own
 *     work.say(text)               tells a screen reader; work.alert.value = text is a message that everybody sees
 *
 * What is shown is always the browser's own state, at once; the outbox sends decisions behind it, in order, and the
 * queue is filled up while one works. Learning never changes the item in sight. What belongs to one view alone (a
 * chosen span, a chosen word) is a class of that view's own, made by `work.part(Class)`, which returns the same object
 * every time; if it has a method begin(), that is called when another item comes into sight. Keys are rows in a table
 * that desk_keys.js collects.
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { asAnswer, bare, emptyAnswer, sameAnswer } from "./answers.js";
import { Outbox } from "./outbox.js";
import { ask, send } from "./server.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./outbox.js").Letter} Letter */
/**
 * @typedef {object} About  what /v1/desk tells
 * @property {string} task
 * @property {boolean} trees
 * @property {string} scheme
 * @property {string[]} labels
 * @property {string[]} orders
 * @property {{ id: number, name: string, sentences: number }[]} documents
 * @property {{ id: number, name: string }[]} annotators
 * @property {number} sentences
 * @property {number} labelled  of these, that the corpora label wholly
 * @property {number} blind
 * @property {number} double
 * @property {{ name: string, title: string }[]} formats
 * @property {number} threshold
 * @property {{ state: string, rounds: number, fresh: number, every: number, trouble: string | null }} learning
 */
/**
 * @typedef {object} Neighbour
 * @property {number} sentence
 * @property {string[]} words
 * @property {any} [answer]  one's own, the corpus's or the model's, as values; none if nothing may be shown
 * @property {"yours" | "corpus" | "model"} [source]
 * @property {boolean} [sure]  it waits for an answer, and nothing in the model's is doubtful
 */
/**
 * @typedef {object} Item  a sentence as /v1/queue has it
 * @property {number} sentence
 * @property {{ id: number, name: string }} document
 * @property {string[]} words
 * @property {Neighbour[]} before
 * @property {Neighbour[]} after
 * @property {boolean} blind
 * @property {boolean} double
 * @property {string} state
 * @property {string} order
 * @property {number} rank
 * @property {string} why
 * @property {string | null} model
 * @property {any} given
 * @property {any} own
 * @property {any} answer  the model's, with confidence and alternatives; null if there is none, or none may be shown
 * @property {any[]} [nearby]  what the same words are called in other sentences
 * @property {any[]} [answers]
 * @property {string[] | null} [tags]  of the words of a tree
 * @property {boolean} [mine]
 */
/**
 * @typedef {object} Past  a decision in the list of the last ones
 * @property {string} key
 * @property {number} sentence
 * @property {string} kind
 * @property {string[]} words
 * @property {Answer | null} shown
 * @property {Answer | null} answer
 */
/** @typedef {{ item: Item, draft: Answer, edits: Answer[], past: Past, kind: string, body: any }} Step */

const ahead = 20; // sentences that are fetched at once: what there is to do if the server is away for a minute
const few = 3;
const enough = 12;
const patience = 2000; // milliseconds until a server that did not answer is asked again
const listed = 10;
const remembered = 40; // of which ten are listed: others come up where some are undone
const longBreak = 300; // seconds without a decision that are a break, and no work
const moving = new Set(["accept", "edit", "skip", "flag", "reject", "acknowledge"]);

export class Work {
  constructor() {
    this.about = signal(/** @type {About | null} */ (null));
    this.view = signal(""); // the view in sight: its hash in the address, without the sign
    this.annotator = signal("");
    this.order = signal("learning");
    this.queue = signal(/** @type {Item[]} */ ([]));
    this.left = signal(0);
    this.loaded = signal(false); // whether the queue has been asked for: an empty one is empty then
    this.item = computed(() => /** @type {Item | undefined} */ (this.queue.value[0]));
    this.draft = signal(/** @type {Answer | null} */ (null));
    this.edits = signal(/** @type {Answer[]} */ ([])); // drafts before this one
    this.undone = signal(/** @type {Answer[]} */ ([])); // drafts after this one
    this.shown = computed(() => this.shownOf(this.item.value));
    this.changed = computed(() => !!this.draft.value && !sameAnswer(this.draft.value, this.start(this.item.value)));
    this.visiting = signal(false);
    this.past = signal(/** @type {Past[]} */ ([])); // the newest first
    this.last = computed(() => this.past.value.slice(0, listed));
    this.steps = signal(/** @type {Step[]} */ ([])); // decisions that can be undone without asking the server
    this.ahead = signal(/** @type {Step[]} */ ([])); // decisions that were undone
    this.seconds = signal(/** @type {number[]} */ ([])); // that decisions took since the page was opened
    this.panel = signal("");
    this.alert = signal("");
    this.said = signal("");
    this.others = signal(/** @type {{ sentence: number, names: string[] } | null} */ (null));
    this.letters = signal(localStorage.getItem("vouch letters") !== "off");
    this.outbox = new Outbox({
      send: async (path, body) => (await send(path, body)).json(),
      acknowledged: (letter, result) => this.acknowledged(letter, result),
      refused: () => this.fill(),
    });
    this.ranking = 0;
    this.recorded = new Map(); // sentence -> the number of its last decision or undo here
    this.count = 0;
    this.begun = Date.now();
    this.kept = new Map(); // sentence -> draft and edits of a sentence that was left open
    this.parts = new Map();
    this.filling = false;
    /** @type {any} */
    this.timer = 0;
    effect(() => localStorage.setItem("vouch letters", this.letters.value ? "on" : "off"));
  }

  /** The one object of a view's own state. @template T @param {new (work: Work) => T} Class @returns {T} */
  part(Class) {
    if (!this.parts.has(Class)) this.parts.set(Class, new Class(this));
    return this.parts.get(Class);
  }

  /** Begins for an annotator. @param {string} name */
  async begin(name) {
    batch(() => {
      this.annotator.value = name;
      this.steps.value = [];
      this.ahead.value = [];
      this.loaded.value = false;
      this.setQueue([]);
    });
    this.outbox.open(name);
    await Promise.all([this.look(), this.fill(), this.readLast()]);
  }

  async look() {
    this.about.value = await (await ask("/v1/desk")).json();
  }

  // ---- The queue ----

  /** @param {string} path */
  address(path) {
    const sign = path.includes("?") ? "&" : "?";
    return `${path}${sign}annotator=${encodeURIComponent(this.annotator.value)}`;
  }

  /**
   * Fills the queue up, at first with a few sentences, to begin at once. The item in sight stays, and so does what was
   * undone and is to be decided again.
   */
  async fill() {
    if (this.filling || this.order.value === "disagreement") return;
    this.filling = true;
    const [since, order, begins] = [this.count, this.order.value, !this.loaded.value];
    try {
      if (!this.about.value) await this.look();
      const path = `/v1/queue?order=${order}&limit=${begins ? few : ahead}`;
      const result = await (await ask(this.address(path))).json();
      if (order === this.order.value) this.takeQueue(result, since);
      this.outbox.reached();
    } catch (error) {
      this.troubled(error);
    }
    this.filling = false;
    if (order !== this.order.value || (begins && this.loaded.value)) await this.fill();
  }

  /** @param {any} result @param {number} since  the number of the last decision when it was asked for */
  takeQueue(result, since) {
    const waits = new Set(this.outbox.waiting.value.map(({ body }) => body.sentence));
    /** @param {Item} item */
    const isOpen = (item) => !waits.has(item.sentence) && (this.recorded.get(item.sentence) ?? 0) <= since;
    const first = this.item.value;
    const fresh = result.items.filter((/** @type {Item} */ item) => isOpen(item) && item.sentence !== first?.sentence);
    batch(() => {
      this.ranking = result.ranking;
      this.left.value = result.left;
      this.loaded.value = true;
      this.setQueue(first ? [first, ...fresh] : fresh);
    });
  }

  /** Another queue; a draft begins if another item comes into sight. @param {Item[]} queue */
  setQueue(queue) {
    const before = this.item.peek();
    const after = queue[0];
    batch(() => {
      this.queue.value = queue;
      if (before === after) return;
      if (before) this.keepDraft(before);
      const kept = after && this.kept.get(after.sentence);
      this.draft.value = kept?.draft ?? this.start(after);
      this.edits.value = kept?.edits ?? [];
      this.undone.value = [];
      this.begun = Date.now();
    });
    if (before !== after) for (const part of this.parts.values()) part.begin?.();
  }

  /** @param {Item} item */
  keepDraft(item) {
    if (this.draft.value && this.edits.value.length > 0)
      this.kept.set(item.sentence, { draft: this.draft.value, edits: this.edits.value });
  }

  /** The model's answer to an item. @param {Item | undefined} item @returns {Answer | null} */
  shownOf(item) {
    if (!item?.answer || !this.about.value) return null;
    return asAnswer(item.answer, this.about.value);
  }

  /** The answer with which one begins: one's own, the model's, the corpus's. @param {Item | undefined} item */
  start(item) {
    const about = this.about.value;
    if (!item || !about) return { spans: [] };
    const values = item.own ?? item.answer ?? item.given;
    return values ? asAnswer(values, about) : emptyAnswer(item.words.length, about);
  }

  /** @param {string} order */
  setOrder(order) {
    if (order === this.order.value) return;
    batch(() => {
      this.order.value = order;
      this.visiting.value = false;
      this.loaded.value = false;
      this.setQueue([]);
    });
    return this.fill();
  }

  /** Goes to a sentence by its number. @param {number} sentence */
  async visit(sentence) {
    if (this.item.value?.sentence === sentence) return;
    try {
      const item = await (await ask(this.address(`/v1/sentences/${sentence}`))).json();
      this.show(item, true);
    } catch (error) {
      this.troubled(error);
    }
  }

  /** Puts an item in sight, before all others. @param {Item} item @param {boolean} [visiting] */
  show(item, visiting = false) {
    const rest = this.queue.value.slice(this.visiting.value ? 1 : 0);
    batch(() => {
      this.visiting.value = visiting;
      this.setQueue([item, ...rest.filter(({ sentence }) => sentence !== item.sentence)]);
    });
  }

  /** Goes back to the queue from a sentence that was looked up. */
  leave() {
    if (!this.visiting.value) return;
    batch(() => {
      this.visiting.value = false;
      this.setQueue(this.queue.value.slice(1));
    });
  }

  // ---- Answers ----

  /** An edit of the draft. @param {Answer} answer */
  change(answer) {
    const before = this.draft.value;
    if (!before || sameAnswer(before, answer)) return;
    batch(() => {
      this.edits.value = [...this.edits.value, before];
      this.undone.value = [];
      this.draft.value = answer;
      this.alert.value = "";
    });
  }

  /** Decides by what is shown now: "accept" if it is what the model answered. */
  accept() {
    const shown = this.shown.value;
    const draft = this.draft.value;
    if (draft) this.decide(shown && sameAnswer(draft, shown) ? "accept" : "edit");
  }

  /** Decides on the item in sight, and goes on. @param {string} kind @param {object} [more] */
  decide(kind, more = {}) {
    const item = this.item.value;
    if (!item) return;
    batch(() => {
      this.record(item, kind, more);
      this.visiting.value = false;
      this.setQueue(this.queue.value.slice(1));
      this.kept.delete(item.sentence);
    });
    if (this.queue.value.length < enough) this.fill();
  }

  /** Decides on any item. @param {Item} item @param {string} kind @param {any} [more]  members of /v1/answer */
  record(item, kind, more = {}) {
    const draft = more.answer ?? (item === this.item.value ? this.draft.value : null) ?? this.start(item);
    const shown = this.shownOf(item);
    const seconds = (Date.now() - this.begun) / 1000;
    const body = {
      annotator: this.annotator.value,
      kind,
      ...told(item),
      ...(seconds < longBreak && { seconds }),
      ...(shown && { shown: bare(shown) }),
      ...more,
      ...(["accept", "edit"].includes(kind) && { answer: bare(draft) }),
    };
    this.take({ item, draft, edits: this.edits.value, kind, body, past: pastOf(body, item) });
    this.ahead.value = [];
    if (seconds < longBreak) this.seconds.value = [...this.seconds.value, seconds];
  }

  /** Accepts what is shown of a sentence beside the one in sight. @param {Neighbour} neighbour */
  acceptNeighbour({ sentence, words, answer }) {
    const about = this.about.value;
    const item = this.item.value;
    if (!about || !item || !answer) return;
    const shown = asAnswer(answer, about);
    const beside = { ...item, sentence, words, before: [], after: [], own: null, given: null };
    const body = {
      ...{ annotator: this.annotator.value, sentence, kind: "accept", order: this.order.value },
      ...{ why: "beside another, and sure", shown: bare(shown), model: item.model },
    };
    const step = { draft: shown, edits: [], kind: "accept", body, past: pastOf(body, beside) };
    this.take({ ...step, item: { ...beside, answer: sureAnswer(answer, shown, words.length) } });
  }

  /** Whether a sentence was decided on here, and not undone. @param {number} sentence */
  isDecided(sentence) {
    return this.steps.value.some(({ item }) => item.sentence === sentence);
  }

  /** Sends a decision, and notes it. @param {Step} step */
  take(step) {
    const { sentence } = step.item;
    const { key } = this.outbox.add("/v1/answer", step.body);
    this.recorded.set(sentence, ++this.count);
    batch(() => {
      this.steps.value = [...this.steps.value, step];
      this.note({ ...step.past, key });
      this.left.value = Math.max(0, this.left.value - 1);
      this.others.value = null;
      this.alert.value = "";
    });
  }

  /** @param {Past} past */
  note(past) {
    const others = this.past.value.filter(({ sentence }) => sentence !== past.sentence);
    this.past.value = [past, ...others].slice(0, remembered);
  }

  /** @param {string} note @param {{ from: number, to: number }} [words] */
  comment(note, words) {
    const item = this.item.value;
    if (!item || !note.trim()) return;
    const { annotator } = this;
    this.outbox.add("/v1/comment", {
      annotator: annotator.value,
      sentence: item.sentence,
      note: note.trim(),
      ...words,
    });
    this.say("Comment saved");
  }

  // ---- Undo ----

  /** Takes back the last edit of the item in sight or, without one, the last decision. */
  undo() {
    const before = this.edits.value.at(-1);
    if (before && this.draft.value) {
      this.undone.value = [...this.undone.value, this.draft.value];
      this.edits.value = this.edits.value.slice(0, -1);
      this.draft.value = before;
      this.say("Edit undone");
      return;
    }
    const step = this.steps.value.at(-1);
    this.outbox.add("/v1/undo", { annotator: this.annotator.value, ...(step && { sentence: step.item.sentence }) });
    if (!step) return; // the server knows which: see acknowledged()
    this.recorded.set(step.item.sentence, ++this.count);
    batch(() => {
      this.steps.value = this.steps.value.slice(0, -1);
      this.ahead.value = [...this.ahead.value, step];
      this.kept.set(step.item.sentence, { draft: step.draft, edits: step.edits });
      this.past.value = this.past.value.filter(({ sentence }) => sentence !== step.item.sentence);
      this.left.value += 1;
      this.show(step.item);
    });
    this.say("Decision undone");
  }

  /** Takes back the last undo. */
  redo() {
    const after = this.undone.value.at(-1);
    if (after && this.draft.value) {
      this.edits.value = [...this.edits.value, this.draft.value];
      this.undone.value = this.undone.value.slice(0, -1);
      this.draft.value = after;
      return;
    }
    const step = this.ahead.value.at(-1);
    if (!step) return;
    this.outbox.add("/v1/redo", { annotator: this.annotator.value, sentence: step.item.sentence });
    this.recorded.set(step.item.sentence, ++this.count);
    batch(() => {
      this.ahead.value = this.ahead.value.slice(0, -1);
      this.steps.value = [...this.steps.value, step];
      this.note(step.past);
      this.left.value = Math.max(0, this.left.value - 1);
      this.kept.delete(step.item.sentence);
      this.edits.value = [];
      this.setQueue(this.queue.value.filter(({ sentence }) => sentence !== step.item.sentence));
    });
  }

  // ---- What the server says ----

  /** @param {Letter} letter @param {any} result */
  acknowledged(letter, result) {
    const { path, body } = letter;
    if (path === "/v1/undo" && !body.sentence) {
      if (result.sentence) this.visit(result.sentence).then(() => (this.visiting.value = false));
      else this.alert.value = "There is nothing to undo.";
      this.readLast();
      return;
    }
    if (path === "/v1/answer" && result.others?.length)
      this.others.value = { sentence: body.sentence, names: result.others };
    if (this.outbox.waiting.value.length > 0) return;
    const learned = result.ranking !== undefined && result.ranking !== this.ranking;
    if (learned || this.queue.value.length < enough) this.fill();
    if (learned) this.look();
  }

  async readLast() {
    try {
      const { decisions } = await (await ask(this.address("/v1/decisions?limit=80"))).json();
      const about = this.about.value ?? (await (await ask("/v1/desk")).json());
      const standing = decisions.filter((/** @type {any} */ d) => d.stands && moving.has(d.kind));
      this.past.value = standing.map((/** @type {any} */ d) => ({
        key: String(d.decision),
        sentence: d.sentence,
        kind: d.kind,
        words: d.words ?? d.text.split(" "),
        shown: d.shown ? asAnswer(d.shown, about) : null,
        answer: d.answer ? asAnswer(d.answer, about) : null,
      }));
    } catch (error) {
      this.troubled(error);
    }
  }

  /** @param {unknown} error */
  troubled(error) {
    const { status, message } = /** @type {any} */ (error);
    if (status) {
      this.alert.value = message;
      return;
    }
    this.outbox.offline.value = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fill(), patience);
  }

  /** Tells a screen reader. @param {string} text */
  say(text) {
    this.said.value = text;
  }
}

/** What goes back with a decision of what came with its item. @param {Item} item */
const told = ({ sentence, order, rank, why, model, answer }) => ({
  sentence,
  order,
  rank,
  why,
  ...(model && { model }),
  ...(typeof answer?.sentence_confidence === "number" && { confidence: answer.sentence_confidence }),
});

/** @param {any} body @param {Item} item @returns {Past} */
const pastOf = ({ sentence, kind, shown, answer }, { words }) => ({
  key: "",
  sentence,
  kind,
  words,
  shown: shown ?? null,
  answer: answer ?? null,
});

/** An answer without a doubt, as an item has it. @param {any} values @param {any} shown @param {number} words */
const sureAnswer = (values, shown, words) => ({
  ...values,
  spans: (shown.spans ?? []).map((/** @type {object} */ span) => ({ ...span, confidence: null, doubtful: false })),
  confidence: Array(words).fill(null),
  doubtful: Array(words).fill(false),
  alternatives: Array(words).fill([]),
});
