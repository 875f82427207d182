/**
 * The trees view's own state: which word is chosen, the head and relation that it would get, and what else would
 * change. What is taken goes to the desk's draft (work.change), so that undo restores the whole tree.
 *
 * A new head is shown at once; the rest of the tree follows when the server has found the best tree with it. For a
 * blind sentence, or without a model, nothing follows: every head is the annotator's own.
 */
import { batch, computed, signal } from "@preact/signals";
import { send } from "./server.js";
import { askedFor, brokenRule, changesBetween, decidedHeads, findRelations, isRightToLeft } from "./tree_edit.js";
import { openWords, withArc, withoutArc } from "./tree_edit.js";

/** @typedef {import("./work.js").Work} Work */
/** @typedef {import("./tree_edit.js").TreeAnswer} TreeAnswer */
/** @typedef {import("./tree_edit.js").Arc} Arc */
/**
 * @typedef {object} Proposal  a change that is not taken yet
 * @property {Arc} arc
 * @property {TreeAnswer} after
 * @property {number[]} [sure]  how likely each head is, beside what is decided
 * @property {boolean} waits  for the server
 * @property {boolean} alone  the server could not be asked: nothing else follows
 */
/** @typedef {TreeAnswer & { confidence?: number[], relation_alternatives?: any[] }} Completed */

/** @type {TreeAnswer} */
const nothing = { heads: [], relations: [] }; // while no sentence is in sight
const pause = 120; // ms at a word before trees with its other heads are asked for

export class TreeWork {
  /** @param {Work} work */
  constructor(work) {
    this.work = work;
    this.chosen = signal(-1);
    this.choosing = signal(false); // the head: digits are numbers of words
    this.typed = signal(""); // digits
    this.filter = signal(""); // typed letters of a relation
    this.active = signal(0); // which of the relations found
    this.wants = signal(0); // counts wishes to type a relation
    this.proposal = signal(/** @type {Proposal | null} */ (null));
    this.broken = signal(/** @type {import("./tree_edit.js").Broken | null} */ (null));
    this.completed = signal(/** @type {ReadonlyMap<string, Completed>} */ (new Map()));
    this.takes = false; // the proposal, as soon as it is complete
    this.byHand = false; // the word was chosen by the annotator
    this.tree = computed(() => {
      const draft = work.draft.value;
      return draft && "heads" in draft ? draft : nothing;
    });
    this.shown = computed(() => /** @type {TreeAnswer | null} */ (work.shown.value));
    this.words = computed(() => work.item.value?.words ?? []);
    this.mirrored = computed(() => isRightToLeft(this.words.value));
    this.open = computed(() => openWords(this.tree.value, this.hasRelations()));
    this.changes = computed(() => {
      const made = this.proposal.value;
      return made ? changesBetween(this.tree.value, made.after, made.arc.word) : [];
    });
    this.relations = computed(() => findRelations(this.names(), this.likely(), this.filter.value.trim()));
    this.begin();
  }

  names() {
    return this.work.about.value?.labels ?? [];
  }

  hasRelations() {
    return this.names().length > 0;
  }

  /** Another item came into sight: its least sure word is chosen, or the first that has no head. */
  begin() {
    const item = this.work.item.peek();
    clearTimeout(this.timer);
    batch(() => {
      this.reset();
      this.completed.value = new Map();
      this.byHand = false;
      this.chosen.value = item?.answer ? this.leastSure(item.answer) : (this.open.peek()[0] ?? -1);
      this.choosing.value = !!item && !item.answer && this.chosen.value >= 0;
    });
    this.lookAhead();
  }

  reset() {
    this.proposal.value = null;
    this.broken.value = null;
    this.typed.value = "";
    this.filter.value = "";
    this.active.value = 0;
    this.takes = false;
  }

  /** @param {{ confidence: number[] }} answer */
  leastSure({ confidence }) {
    const least = confidence.reduce((best, p, i) => (p < (confidence[best] ?? 1) ? i : best), 0);
    return this.isBelow(confidence[least]) ? least : -1;
  }

  /** @param {number | undefined} p */
  isBelow(p) {
    return typeof p === "number" && p < (this.work.about.value?.threshold ?? 0);
  }

  /** Whether a word's head is below the project's threshold; or if not, its relation. @param {number} word */
  doubtOf(word) {
    const answer = this.work.item.value?.answer;
    if (this.isBelow(answer?.confidence?.[word])) return "head";
    return this.isBelow(answer?.relation_confidence?.[word]) ? "relation" : "";
  }

  // ---- Choosing a word ----

  /** @param {number} word */
  choose(word) {
    batch(() => {
      this.reset();
      this.choosing.value = false;
      this.chosen.value = word;
      this.byHand = true;
    });
    this.lookAhead();
  }

  /** A word was pressed: the head that is being chosen, or the word to work on; once more, to choose its head. */
  press(/** @type {number} */ word) {
    if (this.choosing.value && word !== this.chosen.value) this.giveHead(word);
    else if (word !== this.chosen.value) this.choose(word);
    else if (this.choosing.value) this.choosing.value = false;
    else this.chooseHead();
  }

  chooseHead() {
    if (this.chosen.value < 0) return;
    this.choosing.value = true;
    this.typed.value = "";
    this.byHand = true;
  }

  /** By arrows: to the next word, or the next word as a head. @param {number} by */
  move(by) {
    const { length } = this.words.value;
    const from = this.choosing.value ? this.candidate() : this.chosen.value;
    let to = from < 0 && by < 0 ? length - 1 : from + by;
    if (this.choosing.value && to === this.chosen.value) to += by;
    if (to < 0 || to >= length) return;
    if (this.choosing.value) this.giveHead(to);
    else this.choose(to);
  }

  /** The head that is proposed, or else the one that the word has; from 0. */
  candidate() {
    const word = this.chosen.value;
    const head = this.tree.value.heads[word];
    return this.proposal.value?.arc.head ?? (typeof head === "number" && head > 0 ? head - 1 : word);
  }

  /** To the next doubtful word, or the next without a head. @param {number} by */
  moveToDoubtful(by) {
    const { length } = this.words.value;
    for (let i = 1; i <= length; i++) {
      const word = (this.chosen.value + by * i + 2 * length) % length;
      if (this.doubtOf(word) || this.open.value.includes(word)) return this.choose(word);
    }
  }

  // ---- A head ----

  /** The likeliest heads of a word, from 0, -1 for the root. @param {number} word */
  heads(word) {
    /** @type {{ head: number, probability: number }[]} */
    const known = this.work.item.value?.answer?.alternatives?.[word] ?? [];
    const list = known.map(({ head, probability }) => ({
      head: head - 1,
      probability: /** @type {any} */ (probability),
    }));
    const now = this.tree.value.heads[word];
    const more = [typeof now === "number" ? now - 1 : null, this.proposal.value?.arc.head ?? null];
    for (const head of more)
      if (head !== null && !list.some((one) => one.head === head))
        list.push({ head, probability: this.probabilityOf(word, head) });
    return list;
  }

  /**
   * How likely a head is that is not among the likeliest: the best tree may have such a one. Null: the model did not
   * choose it, and nothing is told of it.
   * @param {number} word @param {number} head  from 0
   */
  probabilityOf(word, head) {
    const isModels = this.shown.value?.heads[word] === head + 1;
    return isModels ? (this.work.item.value?.answer?.confidence?.[word] ?? null) : null;
  }

  /** To the next of the likeliest heads. @param {number} by */
  moveToHead(by) {
    const word = this.chosen.value;
    if (word < 0) return;
    const list = this.heads(word);
    const now = this.arc().head;
    const to = list.findIndex(({ head }) => head === now) + by;
    const next = list[Math.min(Math.max(to, 0), list.length - 1)];
    if (next) this.giveHead(next.head);
  }

  /** A digit: of the head's number, or a relation among the likeliest. @param {string} digit */
  digit(digit) {
    if (!this.choosing.value) return this.takeRelation(this.relations.value[Number(digit) - 1]?.name);
    const both = this.typed.value + digit;
    this.typed.value = Number(both) <= this.words.value.length ? both : digit;
    if (Number(this.typed.value) <= this.words.value.length) this.giveHead(Number(this.typed.value) - 1);
    if (this.typed.value === "0") this.typed.value = "";
  }

  /** Takes a digit back. Returns whether there was one. */
  eraseDigit() {
    if (!this.choosing.value || !this.typed.value) return false;
    this.typed.value = this.typed.value.slice(0, -1);
    this.proposal.value = null;
    this.broken.value = null;
    if (this.typed.value) this.giveHead(Number(this.typed.value) - 1);
    return true;
  }

  /** What the chosen word would get as its head. @param {number} head  from 0, -1 for the root */
  giveHead(head) {
    const word = this.chosen.value;
    const shown = this.shown.value;
    const arc = { word, head, relation: null };
    const fixed = decidedHeads(this.tree.value, shown).with(word, null);
    batch(() => {
      this.broken.value = brokenRule(fixed, arc, this.words.value);
      this.proposal.value = null;
      if (!this.broken.value && this.tree.value.heads[word] !== head + 1) this.propose(arc);
    });
  }

  /** @param {Arc} arc */
  propose(arc) {
    const shown = this.shown.value;
    const asked = shown && askedFor(this.tree.value, shown, arc);
    const known = asked && this.completed.value.get(JSON.stringify(asked));
    const after = known ?? withArc(this.tree.value, { ...arc, relation: this.relationOfOwn(arc) });
    this.proposal.value = {
      arc,
      after: treeOf(after),
      sure: known?.confidence,
      waits: !!asked && !known,
      alone: false,
    };
    if (asked && !known) this.complete(asked, arc);
  }

  /** The relation of an arc for which the server is not asked: that of the root has its name. @param {Arc} arc */
  relationOfOwn({ word, head }) {
    const root = this.names().find((name) => name.toLowerCase() === "root");
    const now = this.tree.value.relations[word] ?? null;
    if (head < 0) return root ?? now;
    return now === root ? null : now;
  }

  /** @param {{ heads: any[], relations: any[] }} asked */
  async fetchTree(asked) {
    const key = JSON.stringify(asked);
    const sentence = this.work.item.value?.sentence;
    const known = this.completed.value.get(key);
    if (known) return known;
    const tree = await (await send("/v1/tree", { sentence, ...asked })).json();
    if (this.work.item.value?.sentence === sentence)
      this.completed.value = new Map(this.completed.value).set(key, tree);
    return /** @type {Completed} */ (tree);
  }

  /** Asks for the rest of the tree. @param {{ heads: any[], relations: any[] }} asked @param {Arc} arc */
  async complete(asked, arc) {
    const isStill = () => this.proposal.value?.arc === arc;
    try {
      const tree = await this.fetchTree(asked);
      if (isStill())
        this.proposal.value = { arc, after: treeOf(tree), sure: tree.confidence, waits: false, alone: false };
    } catch (error) {
      if (isStill()) this.completeAlone(arc, /** @type {any} */ (error));
    }
    if (isStill() && this.takes) this.take();
  }

  /** Without the server only this arc changes, if that leaves a tree. @param {Arc} arc @param {any} error */
  completeAlone(arc, { status, message }) {
    const { heads } = this.tree.value;
    const broken = status
      ? { name: "Not possible:", text: message }
      : brokenRule(heads.with(arc.word, null), arc, this.words.value);
    const after = withArc(this.tree.value, { ...arc, relation: this.relationOfOwn(arc) });
    this.broken.value = broken;
    this.proposal.value = broken ? null : { arc, after, waits: false, alone: true };
  }

  /** Asks for the trees with the other heads of the chosen word, so that choosing one is answered at once. */
  lookAhead() {
    clearTimeout(this.timer);
    const [word, shown] = [this.chosen.value, this.shown.value];
    if (word < 0 || !shown) return;
    this.timer = setTimeout(async () => {
      for (const { head } of this.heads(word)) {
        if (this.chosen.value !== word || this.shown.value !== shown || this.work.outbox.offline.value) return;
        const arc = { word, head, relation: null };
        const fixed = decidedHeads(this.tree.value, shown).with(word, null);
        if (brokenRule(fixed, arc, this.words.value)) continue;
        try {
          await this.fetchTree(askedFor(this.tree.value, shown, arc));
        } catch {
          return; // it is asked for again when it is wanted
        }
      }
    }, pause);
  }

  /** The relation that a word would have with another head, as far as that is known. @param {Arc} arc */
  relationWith(arc) {
    const shown = this.shown.value;
    if (this.tree.value.heads[arc.word] === arc.head + 1) return this.tree.value.relations[arc.word] ?? "";
    const key = shown && JSON.stringify(askedFor(this.tree.value, shown, arc));
    return (key && this.completed.value.get(key)?.relations[arc.word]) || "";
  }

  // ---- A relation ----

  /** The arc of the chosen word: the proposed one, or the one that it has. */
  arc() {
    const word = this.chosen.value;
    return this.proposal.value?.arc ?? { word, head: (this.tree.value.heads[word] ?? 0) - 1, relation: null };
  }

  /**
   * The likeliest relations of the chosen word, on the arc that it has or would have.
   * @returns {{ label: string, probability: number }[]}
   */
  likely() {
    const shown = this.shown.value;
    const { word, head } = this.arc();
    if (word < 0 || !shown) return [];
    if (head + 1 === shown.heads[word]) return this.work.item.value?.answer?.relation_alternatives?.[word] ?? [];
    const key = JSON.stringify(askedFor(this.tree.value, shown, { word, head, relation: null }));
    return this.completed.value.get(key)?.relation_alternatives?.[word] ?? [];
  }

  /** The relation of the arc in the making, or else of the word's arc. @param {string | undefined} name */
  giveRelation(name) {
    const word = this.chosen.value;
    const { head } = this.arc();
    if (!name || word < 0) return;
    if (!this.proposal.value && typeof this.tree.value.heads[word] !== "number") {
      this.broken.value = { name: "No head yet:", text: `choose the head of “${this.words.value[word]}” first.` };
      return;
    }
    const made = this.proposal.value ?? { after: this.tree.value, waits: false, alone: false };
    const after = { ...made.after, relations: made.after.relations.with(word, name) };
    const same = changesBetween(this.tree.value, after, word).length === 0;
    this.proposal.value = same ? null : { ...made, arc: { word, head, relation: name }, after };
  }

  /** Gives a relation; if nothing else changes, it is taken at once. @param {string | undefined} name */
  takeRelation(name) {
    const alone = !this.proposal.value || this.changes.value.every(({ before, after }) => before.head === after.head);
    this.giveRelation(name);
    if (alone && this.proposal.value) this.take();
  }

  /** What was typed of a relation; the first that is found is shown as a change. @param {string} text */
  type(text) {
    this.filter.value = text;
    this.active.value = 0;
    if (text.trim()) this.giveRelation(this.relations.value[0]?.name);
  }

  /** Another of the relations that were found. @param {number} by */
  moveInRelations(by) {
    const { length } = this.relations.value;
    this.active.value = Math.min(Math.max(this.active.value + by, 0), Math.max(length - 1, 0));
    this.giveRelation(this.relations.value[this.active.value]?.name);
  }

  // ---- Taking and dropping ----

  /** Takes the change; if there is none, begins to choose the head of the chosen word. */
  take() {
    const made = this.proposal.value;
    if (!made) return this.chooseHead();
    if (made.waits) {
      this.takes = true;
      return;
    }
    const said = this.changes.value.length === 1 ? "1 arc changed" : `${this.changes.value.length} arcs changed`;
    batch(() => {
      this.work.change(made.after);
      this.reset();
      this.choosing.value = false;
    });
    this.work.say(said);
    if (!this.shown.value) this.goOn();
  }

  /** Where nothing is suggested: to the relation of this word, or the next word without a head. */
  goOn() {
    const word = this.chosen.value;
    const open = this.open.value;
    if (open.includes(word)) {
      this.wants.value++;
      return;
    }
    const next = open.find((other) => other > word) ?? open[0];
    if (next === undefined) return;
    this.choose(next);
    if (this.tree.value.heads[next] === null) this.choosing.value = true;
  }

  /** Drops what is open: the change, the choosing, the chosen word. Returns whether anything was. */
  drop() {
    const some = !!this.proposal.value || !!this.broken.value || this.choosing.value || this.chosen.value >= 0;
    const made = !!this.proposal.value || !!this.broken.value || this.filter.value !== "";
    const choosing = this.choosing.value;
    batch(() => {
      this.reset();
      this.choosing.value = false;
      if (!made && !choosing) this.chosen.value = -1;
    });
    return some;
  }

  /** The arc of the word that was chosen is wrong, and its place left open; else the whole tree is. */
  reject() {
    const word = this.chosen.value;
    if (word < 0 || !this.byHand || this.work.item.value?.blind) return this.work.decide("reject");
    this.reset();
    this.work.change(withoutArc(this.tree.value, word));
    this.work.say(`The head of ${this.words.value[word]} is open`);
  }

  /** Accepts what is shown, an open change with it; a blind tree has to be whole. */
  accept() {
    if (this.proposal.value) this.take();
    if (this.takes) return;
    const missing = this.open.value.length;
    if (missing > 0 && (this.work.item.value?.blind || missing === this.words.value.length)) {
      this.work.alert.value = `${missing === 1 ? "One word has" : `${missing} words have`} no head or no relation yet.`;
      return;
    }
    this.work.accept();
  }
}

/** @param {TreeAnswer} tree @returns {TreeAnswer} */
const treeOf = ({ heads, relations }) => ({ heads, relations });
