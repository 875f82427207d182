/** Keys, one meaning each: the same table makes them work and lists them. */

/** @typedef {import("./store.js").Store} Store */
/** @typedef {{ keys: string[], shown: string, says: string, run: (desk: Desk, name: string) => void }} Key */
/**
 * @typedef {object} Desk  what keys act on
 * @property {Store} store
 * @property {() => void} accept
 * @property {() => void} acceptAlike
 * @property {() => void} keep
 * @property {() => void} acknowledge
 * @property {(number: number) => void} label
 * @property {() => void} save
 * @property {() => void} help
 * @property {() => void} close
 */

const digits = [..."1234567890"];

/** @type {Key[]} */
export const keys = [
  { keys: ["a"], shown: "a", says: "accept what is proposed", run: (d) => d.accept() },
  { keys: ["x"], shown: "x", says: "keep what is given", run: (d) => d.keep() },
  { keys: ["r"], shown: "r", says: "right as it is, do not ask again", run: (d) => d.acknowledge() },
  { keys: ["e"], shown: "e", says: "own answer", run: (d) => d.store.openOwn() },
  {
    keys: digits,
    shown: "1–0",
    says: "own answer: the first ten labels",
    run: (d, name) => d.label(digits.indexOf(name)),
  },
  { keys: ["shift+a"], shown: "Shift a", says: "accept this and the ticked", run: (d) => d.acceptAlike() },
  { keys: [" "], shown: "space", says: "skip", run: (d) => d.store.move(1, true) },
  { keys: ["backspace", "ctrl+z"], shown: "⌫", says: "undo, without end", run: (d) => d.store.undo() },
  { keys: ["shift+backspace", "ctrl+shift+z"], shown: "Shift ⌫", says: "redo", run: (d) => d.store.redo() },
  { keys: ["n", "arrowright"], shown: "n", says: "next suspect", run: (d) => d.store.move(1) },
  { keys: ["p", "arrowleft"], shown: "p", says: "previous suspect", run: (d) => d.store.move(-1) },
  { keys: ["ctrl+s"], shown: "Ctrl s", says: "save the table", run: (d) => d.save() },
  { keys: ["h", "?", "shift+?"], shown: "h", says: "all keys", run: (d) => d.help() },
  { keys: ["enter"], shown: "Enter", says: "take the own answer", run: (d) => d.store.takeOwn() },
  { keys: ["escape"], shown: "Esc", says: "close", run: (d) => d.close() },
];

/** @param {KeyboardEvent} event */
const nameOf = (event) =>
  [event.ctrlKey || event.metaKey ? "ctrl+" : "", event.shiftKey ? "shift+" : "", event.key.toLowerCase()].join("");

/**
 * Letters act outside of text fields; a button keeps the keys that press it.
 * @param {KeyboardEvent} event @param {string} name
 */
function isTaken(event, name) {
  const at = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.isComposing) return true;
  if (at.closest("input:not([type=checkbox]), select, textarea")) return name !== "escape" && name !== "ctrl+s";
  return (name === " " || name === "enter") && at.closest("button, a, input, summary") !== null;
}

/** @param {Desk} desk @returns {(event: KeyboardEvent) => void} */
export const keyListener = (desk) => (event) => {
  const name = nameOf(event);
  const key = keys.find((k) => k.keys.includes(name));
  if (!key || isTaken(event, name)) return;
  event.preventDefault();
  key.run(desk, name);
};
