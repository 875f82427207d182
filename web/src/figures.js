/** What the dashboard shows: asked of the server when the view opens, and again while it is open. */
import { batch, signal } from "@preact/signals";
import { ask, send } from "./server.js";

/** @typedef {import("../parts/desk/figure.js").Interval} Interval */
/** @typedef {{ things: number, shown: number, right: Interval }} Bin */
/** @typedef {{ type: string | null, things: number, missing: number, all: Bin | null, bins: Bin[] }} Reliability */
/** @typedef {{ median: number, low: number, high: number, annotator: number }} Session */
/**
 * @typedef {object} Measures
 * @property {number} sentences
 * @property {Record<string, number>} states
 * @property {{ pool: number, decided: number, things: number, missing: number, reliability: Reliability[],
 *   figures: Record<string, Interval | null> }} blind
 * @property {{ gain: Interval | null, worth: Interval | null, far: number, worth_it: number, blind: number,
 *   decided: number, ahead: { more: number, learned: number, gain: Interval | null }[] }} hundred_more
 * @property {(Session & { sessions: Session[] }) | null} seconds
 * @property {{ type: string, things: number, doubtful: number }[]} types
 */
/** @typedef {{ name: string, decided: number, value: number, low: number, high: number, blind: number }} Point */
/**
 * @typedef {{ digest: string, when: number, in_use: boolean, decided?: number, given?: number,
 *   figures?: Record<string, Interval> }} Model
 */
/** @typedef {{ format: string, title: string, sentences: number, spans: number, notes: string[] }} Said */

const often = 5000; // milliseconds between two looks

export class Figures {
  /** @param {import("./work.js").Work} work */
  constructor(work) {
    this.work = work;
    this.measures = signal(/** @type {Measures | null} */ (null));
    this.points = signal(/** @type {Point[]} */ ([]));
    this.models = signal(/** @type {Model[]} */ ([]));
    this.pinned = signal(false);
    this.agreement = signal(/** @type {any} */ (null));
    this.stale = signal(""); // when the server was last heard, if it is away now
    this.at = "";
    this.format = signal("");
    this.said = signal(/** @type {Said | null} */ (null));
    this.changing = signal(false); // whether another model is on its way
  }

  /** Looks now and again, until the returned function is called. */
  watch() {
    this.look();
    const timer = setInterval(() => document.visibilityState === "visible" && this.look(), often);
    return () => clearInterval(timer);
  }

  async look() {
    try {
      const paths = ["measures", "curves", "rounds", "agreement"];
      const [measures, curves, rounds, agreement] = await Promise.all(
        paths.map(async (path) => (await ask(`/v1/${path}`)).json()),
      );
      batch(() => {
        this.measures.value = measures;
        this.points.value = curves.points;
        this.models.value = rounds.models;
        this.pinned.value = rounds.pinned;
        this.agreement.value = agreement;
        this.stale.value = "";
        this.changing.value = this.changing.value && measures.learning.state !== "idle";
      });
      this.at = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      if (measures.learning.trouble) this.work.alert.value = `Learning failed: ${measures.learning.trouble}`;
    } catch (error) {
      if (/** @type {any} */ (error).status) this.work.troubled(error);
      else this.stale.value = this.at || "before";
    }
  }

  /** Serves an earlier model again. @param {string} digest */
  async use(digest) {
    try {
      this.changing.value = true;
      await send(`/v1/rounds/${digest}/use`, {});
      this.work.say("The earlier model is learned again");
      await this.look();
    } catch (error) {
      this.changing.value = false;
      this.work.troubled(error);
    }
  }

  async learn() {
    try {
      await send("/v1/learn", {});
      await this.look();
    } catch (error) {
      this.work.troubled(error);
    }
  }

  /** Tells what an export would lose. @param {string} format  "": as it was read */
  async choose(format) {
    this.format.value = format;
    this.said.value = null;
    if (!format) return;
    try {
      const said = await (await ask(`/v1/export?format=${format}&preview=1`)).json();
      if (this.format.value === format) this.said.value = said;
    } catch (error) {
      this.work.troubled(error);
    }
  }
}
