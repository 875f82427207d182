/**
 * The keys of the desk, one meaning each: buttons, the list of keys and the handler are made of this table. A view adds
 * rows of its own.
 */
import { isTaken, nameOf } from "./key_events.js";
import { namesKeys } from "./names_keys.js";
import { reviewKeys } from "./review_keys.js";
import { settleKeys } from "./settle.js";
import { treeKeys } from "./tree_keys.js";

/** @typedef {import("./work.js").Work} Work */
/**
 * Rows under one heading in the list of all keys; views: by their hash, without the sign, all if not given.
 * @typedef {{ group: string, views?: string[], rows: import("./keys.js").Row<Work>[] }} KeyGroup
 */
/**
 * @typedef {{ id: string, keys: string[], shown: string, label: string, says: string, group: string, views?: string[],
 *   run: (work: Work, name: string) => void }} Key
 */

/** @type {KeyGroup} */
const everywhere = {
  group: "Everywhere",
  rows: [
    ["accept", ["a"], "a", "Accept", "accept and go on", (w) => w.accept()],
    ["reject", ["x"], "x", "Reject", "reject", (w) => w.decide("reject")],
    ["skip", [" "], "space", "Skip", "skip", (w) => w.decide("skip")],
    ["undo", ["backspace", "ctrl+z"], "⌫", "Undo", "undo, without end", (w) => w.undo()],
    ["redo", ["shift+backspace", "ctrl+shift+z", "ctrl+y"], "Shift ⌫", "Redo", "redo", (w) => w.redo()],
    ["flag", ["f"], "f", "Flag", "flag", (w) => w.decide("flag")],
    ["comment", ["c"], "c", "Comment", "comment", (w) => turn(w, "comment")],
    ["guidelines", ["g"], "g", "Guidelines", "guidelines", (w) => turn(w, "guidelines")],
    ["keys", ["h", "?", "shift+?"], "h", "Keys", "all keys", (w) => turn(w, "keys")],
  ],
};

/** @type {KeyGroup} */
const moves = {
  group: "Move",
  rows: [
    ["last", ["l"], "l", "Last ten", "last ten", () => focus(".past button")],
    ["order", ["q"], "q", "Order", "order of the queue", () => focus("#order")],
    ["close", ["escape"], "Esc", "Close", "close", (w) => close(w)],
  ],
};

/** Opens a panel, or closes it. @param {Work} work @param {string} panel */
export const turn = (work, panel) => (work.panel.value = work.panel.value === panel ? "" : panel);

/** @param {string} selector */
function focus(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();
}

/** @param {Work} work */
function close(work) {
  if (work.panel.value) work.panel.value = "";
  else work.leave();
}

/** @param {KeyGroup[]} groups @returns {Key[]} */
const keysIn = (groups) =>
  groups.flatMap(({ group, views, rows }) =>
    rows.map(([id, keys, shown, label, says, run]) => ({ id, keys, shown, label, says, run, group, views })),
  );

const common = keysIn([everywhere, moves]);
const ofViews = keysIn([...namesKeys, reviewKeys, settleKeys, treeKeys]);

/** What acts on the sentence of the queue, which is not in sight in other views. */
const ofSentences = new Set(["flag", "comment"]);
const ofQueue = new Set([...ofSentences, "accept", "reject", "skip", "undo", "redo"]);
const without = /** @type {Record<string, Set<string>>} */ ({
  review: ofSentences,
  settle: ofQueue,
  dashboard: ofQueue,
});

/** The keys of a view: its own rows stand for the common ones of the same id. @param {string} view @returns {Key[]} */
export function keysOf(view) {
  const own = new Map(ofViews.filter(({ views }) => views?.includes(view)).map((key) => [key.id, key]));
  const shared = common.filter(({ id }) => own.has(id) || !without[view]?.has(id));
  const changed = shared.map((key) => own.get(key.id) ?? key);
  return [...changed, ...[...own.values()].filter((key) => !changed.includes(key))];
}

/** @param {string} id @param {string} view */
export const keyOf = (id, view) => keysOf(view).find((key) => key.id === id);

const isCharacter = (/** @type {string} */ name) => /^(shift\+)?(alt\+)?[^ ]$/u.test(name);

/** @param {Work} work @param {() => string} view */
export const keyListener = (work, view) => (/** @type {KeyboardEvent} */ event) => {
  const name = nameOf(event);
  if (isTaken(event, name) || (isCharacter(name) && !work.letters.value)) return;
  const key = keysOf(view()).find(({ keys }) => keys.includes(name));
  if (!key || !work.annotator.value) return;
  event.preventDefault();
  key.run(work, name);
};
