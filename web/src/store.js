/**
 * The state of the review, in one place: what is decided, what can be undone, and which suspect is on the desk. A
 * keeper keeps what is decided: the browser, under the identity of the table, so that a page that is opened again goes
 * on where it was; or the server.
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { readArc, treeFault } from "./arcs.js";
import { arcsOf, changed, decidedChanges, decidedWords, leavesGiven, readSuspects } from "./suspects.js";
import { writeTable } from "./table.js";

/** @typedef {import("./suspects.js").Page} Page */
/** @typedef {import("./suspects.js").Suspect} Suspect */
/** @typedef {{ row: number, before: string, after: string }} Decision  "+", "-", "-!", an own answer, or nothing */
/** @typedef {Decision[]} Step  decisions that were made at once */
/** @typedef {{ decisions: Record<number, string>, done: Step[], current: number }} Kept */
/**
 * @typedef {object} Keeper
 * @property {(rows: number) => Kept} read
 * @property {(kept: Kept) => boolean} keep  all that is decided; whether that was possible
 * @property {(changes: { row: number, decision: string }[]) => void} [put]  what changes, in order
 */

const most = 20; // of the same error that are shown, and so decided, at once

export class Store {
  /** @param {Page} page @param {Keeper} keeper */
  constructor(page, keeper = browserKeeper(`vouch review ${page.identity}`)) {
    const { table, suspects } = readSuspects(page);
    const kept = keeper.read(suspects.length);
    this.keeper = keeper;
    this.page = page;
    this.table = table;
    this.suspects = suspects;
    this.groups = byGroup(suspects);

    this.decisions = signal(kept.decisions);
    this.done = signal(kept.done);
    this.undone = signal(/** @type {Step[]} */ ([]));
    this.current = signal(kept.current);
    this.order = signal(/** @type {"suspicion" | "corpus"} */ ("suspicion"));
    this.own = signal(/** @type {string[] | null} */ (null)); // an own answer in the making, a label for each word
    this.word = signal(-1); // which of these words is being answered; -1: all together
    this.turned = signal(/** @type {ReadonlySet<number>} */ (new Set())); // rows whose tick was turned by hand
    this.alert = signal("");
    this.state = signal(/** @type {"kept" | "lost" | "saved"} */ ("kept"));

    this.suspect = computed(() => /** @type {Suspect | undefined} */ (suspects[this.current.value]));
    this.sequence = computed(() => this.rowsInOrder());
    this.counts = computed(() => countAnswers(Object.values(this.decisions.value)));
    this.along = computed(() => this.rowsAlong());
    effect(() => this.keep());
  }

  rowsInOrder() {
    const place = this.page.sentence;
    const rows = this.suspects.map((s) => s.row);
    return this.order.value === "corpus" ? rows.sort((a, b) => (place[a] ?? 0) - (place[b] ?? 0) || a - b) : rows;
  }

  /** The rows that are not asked about any more, as all of their words were decided with other suspects. */
  rowsAlong() {
    /** @type {Set<number>} */
    const along = new Set();
    if (!this.keeper.put) return along;
    const words = new Map(this.page.sentences.map((sentence) => [sentence, new Set()]));
    for (const suspect of this.suspects)
      for (const { word } of decidedWords(suspect, this.decision(suspect.row))) words.get(suspect.sentence)?.add(word);
    for (const { row, sentence, changes } of this.suspects)
      if (!this.decision(row) && changes.every(({ word }) => words.get(sentence)?.has(word))) along.add(row);
    return along;
  }

  /** How many are still to be decided. */
  get waiting() {
    return this.suspects.length - this.counts.value.decided - this.along.value.size;
  }

  /** Keeps what is decided. */
  keep() {
    const kept = { decisions: this.decisions.value, done: this.done.value, current: this.current.value };
    if (!this.keeper.keep(kept)) this.state.value = "lost";
  }

  /** Others with the same error that wait. @param {Suspect} suspect */
  alike(suspect) {
    const group = suspect.differs ? (this.groups.get(suspect.group) ?? []) : [];
    return group.filter((s) => s !== suspect && !this.decision(s.row)).slice(0, most);
  }

  /** Whether one of the same error is decided with the others: likely errors are, unless it was turned by hand. */
  ticked(/** @type {Suspect} */ { row, error }) {
    return error >= 0.5 !== this.turned.value.has(row);
  }

  /** @param {number} row */
  turn(row) {
    const next = new Set(this.turned.value);
    if (!next.delete(row)) next.add(row);
    this.turned.value = next;
  }

  /** Accepts what is proposed, for this one or for the ticked of the same error, too. @param {boolean} [together] */
  accept(together = false) {
    const suspect = this.suspect.value;
    if (!suspect?.differs) return;
    const others = together ? this.alike(suspect).filter((s) => this.ticked(s)) : [];
    this.decide([suspect, ...others].map(({ row }) => row), "+"); // prettier-ignore
  }

  /** Leaves the corpus as it is: for now, or for good. @param {boolean} [forever] */
  keepGiven(forever = false) {
    if (this.suspect.value) this.decide([this.current.value], forever ? "-!" : "-");
  }

  /** The decision about a row; nothing while it waits. @param {number} row */
  decision(row) {
    return this.decisions.value[row] ?? "";
  }

  /** Goes to a suspect. @param {number} row */
  go(row) {
    batch(() => {
      this.current.value = row;
      this.own.value = null;
      this.alert.value = "";
    });
  }

  /** Goes to the next suspect in the order, or the one before; by choice only to one that waits. */
  move(by = 1, waiting = false) {
    const rows = this.sequence.value;
    const at = rows.indexOf(this.current.value);
    for (let i = 1; i < rows.length; i++) {
      const row = rows.at((at + by * i) % rows.length) ?? 0;
      if (!waiting || !(this.decision(row) || this.along.value.has(row))) return this.go(row);
    }
  }

  /** Decides about rows at once, if that can be so, and goes on. @param {number[]} rows @param {string} answer */
  decide(rows, answer) {
    const step = rows.map((row) => ({ row, before: this.decision(row), after: answer }));
    const twice = this.keeper.put ? this.decidedOtherwise(step) : "";
    const fault = !twice && this.page.trees && !leavesGiven(answer) ? this.fault(step) : "";
    if (twice || fault) {
      this.alert.value = `Not taken: ${twice || `with what is decided in this sentence, ${fault}`}.`;
      return;
    }
    batch(() => {
      this.put(step, "after");
      this.done.value = [...this.done.value, step];
      this.undone.value = [];
      this.own.value = null;
      this.alert.value = "";
      this.move(1, true);
    });
  }

  /**
   * A word that something else was decided about, with another suspect, in words, or nothing: the server takes no two
   * answers for a word, and to say it before is better than to be refused afterwards.
   * @param {Step} step
   */
  decidedOtherwise(step) {
    const rows = new Set(step.map(({ row }) => row));
    for (const { row, after } of step) {
      const suspect = /** @type {Suspect} */ (this.suspects[row]);
      const wanted = new Map(decidedWords(suspect, after).map(({ word, proposed }) => [word, proposed]));
      for (const other of this.suspects) {
        const decision = other.sentence === suspect.sentence && !rows.has(other.row) ? this.decision(other.row) : "";
        const differs = (/** @type {import("./suspects.js").Change} */ { word, proposed }) =>
          (wanted.get(word) ?? proposed) !== proposed;
        const found = decision && decidedWords(other, decision).find(differs);
        if (found)
          return `“${suspect.sentence.words[found.word]}” was decided as ${found.proposed} with “${other.text}”; skip
            this one, or undo that`;
      }
    }
    return "";
  }

  /** What keeps a sentence from being a tree if this is decided, in words, or nothing. @param {Step} step */
  fault(step) {
    const after = new Map(step.map((d) => [d.row, d.after]));
    for (const sentence of new Set(step.map(({ row }) => this.suspects[row]?.sentence))) {
      if (!sentence) continue;
      const changes = this.suspects
        .filter((s) => s.sentence === sentence)
        .flatMap((s) => decidedChanges(s, after.get(s.row) ?? this.decision(s.row)));
      const roots = arcsOf(sentence).filter((arc) => arc.head === 0).length;
      const found = treeFault(changed(sentence, changes).map(readArc), sentence.words, Math.max(roots, 1));
      if (found) return found;
    }
    return "";
  }

  /** @param {Step} step @param {"before" | "after"} which */
  put(step, which) {
    const next = { ...this.decisions.value };
    for (const change of step) {
      if (change[which]) next[change.row] = change[which];
      else delete next[change.row];
    }
    this.decisions.value = next;
    this.keeper.put?.(step.map((change) => ({ row: change.row, decision: change[which] })));
    if (this.state.value === "saved") this.state.value = "kept";
  }

  /** Moves the last step from one pile to the other. @param {"done" | "undone"} from @param {"done" | "undone"} to */
  carry(from, to) {
    const step = this[from].value.at(-1);
    if (!step?.[0]) return;
    const { row } = step[0];
    batch(() => {
      this.put(step, from === "done" ? "before" : "after");
      this[from].value = this[from].value.slice(0, -1);
      this[to].value = [...this[to].value, step];
      this.go(row);
    });
  }

  undo() {
    this.carry("done", "undone");
  }

  redo() {
    this.carry("undone", "done");
  }

  /** Begins an own answer, from what is given. */
  openOwn() {
    const changes = this.suspect.value?.changes ?? [];
    const other = changes.findIndex((change) => change.given !== change.proposed);
    batch(() => {
      this.own.value = changes.map((change) => change.given);
      this.word.value = this.page.trees ? Math.max(other, 0) : -1;
    });
  }

  /** Takes the own answer. */
  takeOwn() {
    if (this.own.value) this.decide([this.current.value], this.own.value.filter(Boolean).join(" "));
  }

  /** The table as it is to be saved. */
  text() {
    return writeTable(this.table, (row) => this.decision(row));
  }
}

/** @param {Suspect[]} suspects @returns {Map<number, Suspect[]>} */
function byGroup(suspects) {
  const groups = new Map();
  for (const suspect of suspects) {
    const group = groups.get(suspect.group);
    if (group) group.push(suspect);
    else groups.set(suspect.group, [suspect]);
  }
  return groups;
}

/** @param {string[]} answers */
function countAnswers(answers) {
  const accepted = answers.filter((answer) => answer === "+").length;
  const kept = answers.filter((answer) => answer === "-").length;
  const acknowledged = answers.filter((answer) => answer === "-!").length;
  const errors = answers.length - kept - acknowledged;
  return { accepted, kept, acknowledged, own: errors - accepted, decided: answers.length, errors };
}

/** Keeps decisions in the browser. @param {string} key @returns {Keeper} */
const browserKeeper = (key) => ({
  read(rows) {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
      const current = Math.min(kept.current ?? 0, Math.max(rows - 1, 0));
      return { decisions: kept.decisions ?? {}, done: kept.done ?? [], current };
    } catch {
      return { decisions: {}, done: [], current: 0 };
    }
  },
  keep(kept) {
    try {
      localStorage.setItem(key, JSON.stringify(kept));
      return true;
    } catch {
      return false;
    }
  },
});

/** Hands bytes to the browser as a file. @param {Blob} bytes @param {string} name */
export function download(bytes, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
