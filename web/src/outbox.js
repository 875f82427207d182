/**
 * What is to be sent to the server, kept in the browser until the server has acknowledged it: in order, one at a time,
 * again and again while the server does not answer. Each has a key that the server knows it by, so that what was sent
 * twice counts once.
 *
 * Each is an entry of its own in the browser's storage: two tabs do not overwrite each other's, and what a tab left
 * behind is sent by the next one that is opened.
 */
import { computed, signal } from "@preact/signals";

/** @typedef {{ key: string, path: string, body: any, at: number, name: string }} Letter  at: its place in the order */
/** @typedef {Letter & { message: string }} Refused  the server's own words */
/**
 * @typedef {object} Post
 * @property {(path: string, body: any) => Promise<any>} send  fails with an error that may have a `status`
 * @property {(letter: Letter, result: any) => void} acknowledged
 * @property {(letter: Letter, message: string) => void} refused
 */

const longest = 5000; // milliseconds between two attempts
/** Statuses that say nothing of the letter: too many requests, no session, a server that is starting or stopping. */
const later = (/** @type {number | undefined} */ status) =>
  !status || status >= 500 || [401, 403, 429].includes(status);

/** A key of its own; pages without TLS have no crypto.randomUUID(). */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36).padStart(7, "0")).join("");

export class Outbox {
  /** @param {Post} post @param {Storage} [storage] */
  constructor(post, storage = localStorage) {
    this.prefix = "vouch desk ";
    this.post = post;
    this.storage = storage;
    this.pause = 250;
    this.busy = false;
    this.last = 0;
    /** @type {any} */
    this.timer = 0;

    this.waiting = signal(/** @type {Letter[]} */ ([]));
    this.refused = signal(/** @type {Refused[]} */ ([]));
    this.offline = signal(false);
    this.lost = signal(false); // the browser keeps nothing: what waits is in memory alone
    /** "saved", "saving", "offline" or "bad": not all could be saved. */
    this.state = computed(() => {
      if (this.refused.value.length > 0) return "bad";
      if (this.waiting.value.length === 0) return "saved";
      return this.offline.value ? "offline" : "saving";
    });
  }

  /** Begins for an annotator, with what was left behind under that name. @param {string} name */
  open(name) {
    this.prefix = `vouch desk ${name} `;
    const kept = [];
    for (let i = 0; i < this.storage.length; i++) {
      const entry = this.storage.key(i) ?? "";
      if (entry.startsWith(this.prefix)) kept.push(JSON.parse(this.storage.getItem(entry) ?? "null"));
    }
    const here = new Set(this.waiting.value.map(({ key }) => key));
    const more = kept.filter((letter) => letter && !here.has(letter.key));
    this.waiting.value = [...this.waiting.value, ...more].sort((a, b) => a.at - b.at);
    this.pump();
  }

  /** @param {string} path @param {any} body @returns {Letter} */
  add(path, body) {
    this.last = Math.max(Date.now(), this.last + 1);
    const key = newKey();
    const letter = { key, path, body: { ...body, key }, at: this.last, name: this.prefix + key };
    try {
      this.storage.setItem(letter.name, JSON.stringify(letter));
      this.lost.value = false;
    } catch {
      this.lost.value = true;
    }
    this.waiting.value = [...this.waiting.value, letter];
    this.pump();
    return letter;
  }

  /** Sends what waits, one after the other; at once if the server is back. */
  async pump() {
    if (this.busy) return;
    this.busy = true;
    clearTimeout(this.timer);
    for (let letter; (letter = this.waiting.value[0]);) if (!(await this.deliver(letter))) break;
    this.busy = false;
  }

  /** Sends one; whether it is done with. @param {Letter} letter */
  async deliver(letter) {
    let result;
    try {
      result = await this.post.send(letter.path, letter.body);
    } catch (error) {
      const { status, message } = /** @type {any} */ (error);
      if (later(status)) {
        this.offline.value = true;
        this.pause = Math.min(this.pause * 2, longest);
        this.timer = setTimeout(() => this.pump(), this.pause);
        return false;
      }
      this.drop(letter);
      this.refused.value = [...this.refused.value, { ...letter, message }];
      this.post.refused(letter, message);
      return true;
    }
    this.offline.value = false;
    this.pause = 250;
    this.drop(letter);
    this.post.acknowledged(letter, result);
    return true;
  }

  /** The server has answered something else: what waits is sent now. */
  reached() {
    if (!this.offline.value) return;
    this.offline.value = false;
    this.pause = 250;
    this.pump();
  }

  /** @param {Letter} letter */
  drop(letter) {
    this.storage.removeItem(letter.name);
    this.waiting.value = this.waiting.value.filter(({ key }) => key !== letter.key);
  }

  /** What could not be saved has been seen. @param {string} key */
  forget(key) {
    this.refused.value = this.refused.value.filter((letter) => letter.key !== key);
  }
}
