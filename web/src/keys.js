/** The keys of the page of vouch review: one table makes them work and lists them. */
import { ownNames, putName } from "../parts/own_answer.js";
import { digits, isTaken, nameOf } from "./key_events.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {{ store: Store, save: () => void, help: () => void, close: () => void }} Page */
/**
 * A row: the id by which buttons find it, its keys as nameOf() names them, how these are written, what is written on
 * the button, what the list of all keys says, what it does.
 * @template T @typedef {[string, string[], string, string, string, (on: T, name: string) => void]} Row
 */

/** @param {Store} store @param {string} name */
function label(store, name) {
  const chosen = store.own.value && !store.page.trees ? ownNames(store)[digits.indexOf(name)] : undefined;
  if (chosen !== undefined) putName(store, chosen);
}

/** What is decided about a suspect, on this page and on the desk. @type {Row<Store>[]} */
export const decisions = [
  ["accept", ["a"], "a", "Accept proposed", "accept what is proposed", (s) => s.accept()],
  ["reject", ["x"], "x", "Keep given", "keep what is given", (s) => s.keepGiven()],
  ["right", ["r"], "r", "Right as it is", "right as it is, do not ask again", (s) => s.keepGiven(true)],
  ["own", ["e"], "e", "Own answer", "own answer", (s) => s.openOwn()],
  ["labels", digits, "1–0", "Label", "own answer: the first ten labels", label],
  ["take", ["enter"], "Enter", "Take it", "take the own answer", (s) => s.takeOwn()],
  ["group", ["shift+a"], "Shift a", "Accept ticked", "accept this and the ticked", (s) => s.accept(true)],
  ["undo", ["backspace", "ctrl+z"], "⌫", "Undo", "undo, without end", (s) => s.undo()],
  ["redo", ["shift+backspace", "ctrl+shift+z", "ctrl+y"], "Shift ⌫", "Redo", "redo", (s) => s.redo()],
];

/** @type {Row<Page>[]} */
const rows = [
  ...decisions.map(
    ([id, keys, shown, name, says, run]) =>
      /** @type {Row<Page>} */ ([
        ...[id, keys, shown, name, says],
        (/** @type {Page} */ { store }, /** @type {string} */ key) => run(store, key),
      ]),
  ),
  ["skip", [" "], "space", "Skip", "skip", ({ store }) => store.move(1, true)],
  ["next", ["n", "arrowright"], "n", "Next", "next suspect", ({ store }) => store.move(1)],
  ["previous", ["p", "arrowleft"], "p", "Previous", "previous suspect", ({ store }) => store.move(-1)],
  ["save", ["ctrl+s"], "Ctrl s", "Save table", "save the table", (page) => page.save()],
  ["keys", ["h", "?", "shift+?"], "h", "Keys", "all keys", (page) => page.help()],
  ["close", ["escape"], "Esc", "Close", "close", (page) => page.close()],
];

/** How the keys of the page are written, and what they do. */
export const listed = rows.map(([, , shown, , says]) => ({ shown, says }));

/** @param {Page} page @returns {(event: KeyboardEvent) => void} */
export const keyListener = (page) => (event) => {
  const name = nameOf(event);
  const run = rows.find(([, keys]) => keys.includes(name))?.[5];
  if (!run || isTaken(event, name)) return;
  event.preventDefault();
  run(page, name);
};
