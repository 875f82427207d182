/**
 * The keys of the desk, one meaning each: buttons, the list of keys and the handler are made of this table. A view adds
 * rows of its own, with `views`.
 *
 * A key is named by what it types, so that every layout has its own; digits, and keys whose letter is of another
 * script, are named by their place. So `[` and `]` are typed where a layout has them, and are the two keys to the right
 * of `p` where it does not.
 */

import { namesKeys } from "./names_keys.js";
import { reviewKeys } from "./review_keys.js";
import { settleKeys } from "./settle.js";
import { treeKeys } from "./tree_keys.js";

/** @typedef {import("./work.js").Work} Work */
/**
 * @typedef {object} Key
 * @property {string} id  by which buttons find it
 * @property {string[]} keys  as nameOf() names them
 * @property {string} shown
 * @property {string} label  what is written on the button
 * @property {string} says  in the list of all keys
 * @property {string} group  its heading there
 * @property {string[]} [views]  by their hash, without the sign; all if not given
 * @property {(work: Work, name: string) => void} run
 */

/** @type {Omit<Key, "group">[]} */
const everywhere = [
  {
    id: "accept",
    keys: ["a"],
    shown: "a",
    label: "Accept",
    says: "accept and go on",
    run: (w) => w.accept(),
  },
  {
    id: "reject",
    keys: ["x"],
    shown: "x",
    label: "Reject",
    says: "reject",
    run: (w) => w.decide("reject"),
  },
  {
    id: "skip",
    keys: [" "],
    shown: "space",
    label: "Skip",
    says: "skip",
    run: (w) => w.decide("skip"),
  },
  {
    id: "undo",
    keys: ["backspace", "ctrl+z"],
    shown: "⌫",
    label: "Undo",
    says: "undo, without end",
    run: (w) => w.undo(),
  },
  {
    id: "redo",
    keys: ["shift+backspace", "ctrl+shift+z", "ctrl+y"],
    shown: "Shift ⌫",
    label: "Redo",
    says: "redo",
    run: (w) => w.redo(),
  },
  { id: "flag", keys: ["f"], shown: "f", label: "Flag", says: "flag", run: (w) => w.decide("flag") },
  {
    id: "comment",
    keys: ["c"],
    shown: "c",
    label: "Comment",
    says: "comment",
    run: (w) => turn(w, "comment"),
  },
  {
    id: "guidelines",
    keys: ["g"],
    shown: "g",
    label: "Guidelines",
    says: "guidelines",
    run: (w) => turn(w, "guidelines"),
  },
  { id: "keys", keys: ["h", "?", "shift+?"], shown: "h", label: "Keys", says: "all keys", run: (w) => turn(w, "keys") },
];

/** Opens a panel, or closes it. @param {Work} work @param {string} panel */
export const turn = (work, panel) => (work.panel.value = work.panel.value === panel ? "" : panel);

/** @type {Key[]} */
const moves = [
  {
    id: "last",
    keys: ["l"],
    shown: "l",
    label: "Last ten",
    says: "last ten",
    group: "Move",
    run: () => focus(".past button"),
  },
  {
    id: "order",
    keys: ["q"],
    shown: "q",
    label: "Order",
    says: "order of the queue",
    group: "Move",
    run: () => focus("#order"),
  },
  { id: "close", keys: ["escape"], shown: "Esc", label: "Close", says: "close", group: "Move", run: (w) => close(w) },
];

/** @param {string} selector */
function focus(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();
}

/** @param {Work} work */
function close(work) {
  if (work.panel.value) work.panel.value = "";
  else work.leave();
}

const common = [...everywhere.map((key) => ({ ...key, group: "Everywhere" })), ...moves];
const ofViews = [...namesKeys, ...reviewKeys, ...settleKeys, ...treeKeys];

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

const places = /** @type {Record<string, string>} */ ({ BracketLeft: "[", BracketRight: "]" });

/** What is typed or, if that is no Latin letter, what its place is called. @param {KeyboardEvent} event */
function baseOf(event) {
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1];
  const place = /^Key([A-Z])$/.exec(event.code)?.[1] ?? places[event.code];
  const isLatin = /^[\x20-\x7e]$|^[A-Z][A-Za-z0-9]+$/.test(event.key) && !/^[{}+*]$/.test(event.key);
  return digit ?? (isLatin || !place ? event.key : place);
}

/** The name of a key, with what is held: "ctrl+shift+z". @param {KeyboardEvent} event */
export function nameOf(event) {
  if (event.getModifierState("AltGraph")) return event.key.toLowerCase();
  const ctrl = event.ctrlKey || event.metaKey ? "ctrl+" : "";
  return `${ctrl}${event.shiftKey ? "shift+" : ""}${event.altKey ? "alt+" : ""}${baseOf(event).toLowerCase()}`;
}

const isCharacter = (/** @type {string} */ name) => /^(shift\+)?(alt\+)?[^ ]$/u.test(name);

/** Whether the element that has the focus needs the key itself. @param {KeyboardEvent} event @param {string} name */
function isTaken(event, name) {
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.isComposing || event.defaultPrevented) return true;
  if (at.closest("input:not([type=checkbox], [type=radio]), select, textarea")) return name !== "escape";
  return (name === " " || name === "enter") && at.closest("button, a, input, summary") !== null;
}

/** @param {Work} work @param {() => string} view */
export const keyListener = (work, view) => (/** @type {KeyboardEvent} */ event) => {
  const name = nameOf(event);
  if (isTaken(event, name) || (isCharacter(name) && !work.letters.value)) return;
  const key = keysOf(view()).find(({ keys }) => keys.includes(name));
  if (!key || !work.annotator.value) return;
  event.preventDefault();
  key.run(work, name);
};
