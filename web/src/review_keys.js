/** The keys of review mode, as rows of the desk's table. */
import { ownNames, putName } from "../parts/own_answer.js";
import { SuspectWork } from "./suspect_work.js";

/** @typedef {import("./work.js").Work} Work */
/** @typedef {import("./desk_keys.js").Key} Key */

const digits = [..."1234567890"];

/** The store of the round in sight. @param {Work} work */
const storeOf = (work) => work.part(SuspectWork).store.value;

/** @param {Work} work @param {string} name */
function label(work, name) {
  const store = storeOf(work);
  const chosen = store?.own.value && !store.page.trees ? ownNames(store)[digits.indexOf(name)] : undefined;
  if (store && chosen !== undefined) putName(store, chosen);
}

/** Goes on: to a round that is ready, or to the next suspect. @param {Work} work @param {number} by */
function move(work, by, waiting = false) {
  const review = work.part(SuspectWork);
  if (waiting && review.next.value) review.adopt();
  else review.store.value?.move(by, waiting);
}

/** @param {Work} work */
function close(work) {
  const store = storeOf(work);
  if (work.panel.value) work.panel.value = "";
  else if (store) store.own.value = null;
}

/** @type {[string, string[], string, string, string, (work: Work, name: string) => void][]} */
const rows = [
  ["accept", ["a"], "a", "Accept proposed", "accept what is proposed", (w) => storeOf(w)?.accept()],
  ["reject", ["x"], "x", "Keep given", "keep what is given", (w) => storeOf(w)?.keepGiven()],
  ["own", ["e"], "e", "Own answer", "own answer", (w) => storeOf(w)?.openOwn()],
  ["right", ["r"], "r", "Right as it is", "right as it is, do not ask again", (w) => storeOf(w)?.keepGiven(true)],
  ["group", ["shift+a"], "Shift a", "Accept ticked", "accept this and the ticked", (w) => storeOf(w)?.accept(true)],
  ["skip", [" "], "space", "Skip", "skip", (w) => move(w, 1, true)],
  ["undo", ["backspace", "ctrl+z"], "⌫", "Undo", "undo, without end", (w) => storeOf(w)?.undo()],
  ["redo", ["shift+backspace", "ctrl+shift+z", "ctrl+y"], "Shift ⌫", "Redo", "redo", (w) => storeOf(w)?.redo()],
  ["next", ["n", "arrowright"], "n", "Next", "next suspect", (w) => move(w, 1)],
  ["previous", ["p", "arrowleft"], "p", "Previous", "previous suspect", (w) => move(w, -1)],
  ["take", ["enter"], "Enter", "Take it", "take the own answer", (w) => storeOf(w)?.takeOwn()],
  ["labels", digits, "1–0", "Label", "own answer: the first ten labels", label],
  ["save", ["ctrl+s"], "Ctrl s", "Save the corpus", "save the corrected corpus", (w) => w.part(SuspectWork).save()],
  ["close", ["escape"], "Esc", "Close", "close", close],
];

/** @type {Key[]} */
export const reviewKeys = rows.map(([id, keys, shown, name, says, run]) => ({
  ...{ id, keys, shown, label: name, says, run },
  group: "Review",
  views: ["review"],
}));
