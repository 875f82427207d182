/**
 * Review mode of the desk: the list of the server's last round as a store (store.js), whose decisions go to the server
 * through the outbox. A new round never changes the suspect in sight by itself: it is taken over when one goes on.
 */
import { batch, effect, signal } from "@preact/signals";
import { ask, send } from "./server.js";
import { download, Store } from "./store.js";

/** @typedef {import("./suspects.js").Page} Page */
/** @typedef {{ decision: string, by: string, number: number }} Standing */
/**
 * @typedef {object} Told  what /v1/suspects tells; the list is there only if it is another
 * @property {string | null} identity
 * @property {"idle" | "waiting" | "learning"} state
 * @property {string | null} trouble
 * @property {{ step: string, again: boolean, done: number, of: number, seconds: number } | null} progress  of the
 *   round that is made
 * @property {number} round
 * @property {number} fresh  decisions since the round began
 * @property {number} round_of  decisions after which there is another by itself
 * @property {Record<"accepted" | "kept" | "own" | "acknowledged", number>} counts
 * @property {Record<string, Standing>} decisions  by suspect
 * @property {number} judged  of how many the list is
 * @property {number} sentences_reviewed
 * @property {number} sentences_blind
 */
/** @typedef {Told & Page & { suspects: { id: string }[] }} List */

const often = 700; // milliseconds between two questions while a round is made

export class SuspectWork {
  /** @param {import("./work.js").Work} work */
  constructor(work) {
    this.work = work;
    this.told = signal(/** @type {Told | null} */ (null));
    this.store = signal(/** @type {Store | null} */ (null));
    this.next = signal(/** @type {List | null} */ (null)); // a round that is done, and not taken over yet
    this.opened = false;
    this.begun = Date.now();
    /** @type {any} */
    this.timer = 0;
  }

  /** Begins, once the view is in sight. */
  open() {
    if (this.opened) return;
    this.opened = true;
    this.look(true);
    effect(() => {
      if (this.work.outbox.refused.value.some(({ path }) => path === "/v1/suspects")) this.look(false, true);
    });
  }

  /** Asks how it stands; the first time, it asks for a round if there was none. */
  async look(first = false, again = false) {
    clearTimeout(this.timer);
    const known = this.next.value?.identity ?? this.store.value?.page.identity ?? "";
    try {
      const told = await (await ask(`/v1/suspects?known=${known}`)).json();
      this.take(told);
      if (again) this.put(told);
      if (first && isNew(told)) await this.round();
    } catch (error) {
      this.work.troubled(error);
      this.timer = setTimeout(() => this.look(first), 3 * often);
    }
  }

  /** Asks for another round; with a number, for an audit of so many. */
  async round(audit = 0) {
    try {
      const body = { annotator: this.work.annotator.value, audit };
      this.take(await (await send("/v1/suspects/round", body)).json());
    } catch (error) {
      this.work.troubled(error);
    }
  }

  /** @param {any} told */
  take(told) {
    batch(() => {
      this.told.value = told;
      if (told.table !== undefined && told.identity) this.next.value = told;
      if (!this.store.value || this.store.value.counts.value.decided === 0) this.adopt();
    });
    if (told.state !== "idle") this.timer = setTimeout(() => this.look(), often);
  }

  /** Takes the new round over, if there is one, and nothing is in the making. */
  adopt() {
    const list = this.next.value;
    if (!list || this.store.value?.own.value) return;
    this.next.value = null;
    const waiting = list.suspects.findIndex(({ id }) => !list.decisions[id]);
    const current = Math.max(waiting, 0);
    const page = { ...list, listed: `${list.suspects.length} of ${list.judged}`, name: "suspects.tsv", commands: [] };
    this.store.value = new Store(page, {
      read: () => ({ decisions: this.decided(list, list), done: [], current }),
      keep: () => true,
      put: (changes) => this.send(list, changes),
    });
    this.begun = Date.now();
  }

  /** What is decided, by row. @param {{ suspects: { id: string }[] }} list @param {Told} told */
  decided(list, told) {
    /** @type {Record<number, string>} */
    const decisions = {};
    list.suspects.forEach(({ id }, row) => {
      const standing = told.decisions[id];
      if (standing) decisions[row] = standing.decision;
    });
    return decisions;
  }

  /** Shows what the server has, after it refused something. @param {Told} told */
  put(told) {
    const { store } = this;
    const page = /** @type {any} */ (store.value?.page);
    if (store.value && page) store.value.decisions.value = this.decided(page, told);
  }

  /** @param {List} list @param {{ row: number, decision: string }[]} changes */
  send(list, changes) {
    const { annotator, outbox } = this.work;
    const seconds = (Date.now() - this.begun) / 1000;
    this.begun = Date.now();
    const decisions = changes.map(({ row, decision }) => ({ suspect: list.suspects[row]?.id, decision }));
    outbox.add("/v1/suspects", { annotator: annotator.value, decisions, ...(seconds < 300 && { seconds }) });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), often);
  }

  /** Saves each corpus as it was decided, under its name with "corrected". */
  async save() {
    if (this.work.outbox.waiting.value.length > 0) {
      this.work.alert.value = "Some decisions are not saved yet: try again in a moment.";
      return;
    }
    try {
      for (const { name } of this.work.about.value?.documents ?? [])
        download(await (await ask(`/v1/export?document=${encodeURIComponent(name)}`)).blob(), corrected(name));
    } catch (error) {
      this.work.troubled(error);
    }
  }

  /** Saves the decisions, or the exceptions alone, as a table for vouch review. @param {boolean} exceptions */
  async saveTable(exceptions) {
    try {
      const table = await (await ask(`/v1/suspects/decided?acknowledged=${exceptions ? 1 : 0}`)).blob();
      download(table, exceptions ? "exceptions.tsv" : "decided.tsv");
    } catch (error) {
      this.work.troubled(error);
    }
  }
}

/** Whether there was no round yet, and there is something to review. @param {Told} told */
const isNew = ({ identity, state, trouble, sentences_reviewed: sentences }) =>
  !identity && state === "idle" && !trouble && sentences > 0;

/** "names.txt" becomes "names.corrected.txt"; a packed file is unpacked. @param {string} name */
const corrected = (name) => name.replace(/[.](gz|xz|zst|bz2)$/, "").replace(/([.][^.]*)?$/, ".corrected$1");
