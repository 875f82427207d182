/** The keys of the trees view: rows of the desk's table. */
import { TreeWork } from "./tree_work.js";

/** @typedef {import("./work.js").Work} Work */

const of = (/** @type {Work} */ work) => work.part(TreeWork);

/** Left and right are those of the screen. @param {Work} work @param {number} by */
function across(work, by) {
  of(work).move(of(work).mirrored.value ? -by : by);
}

/** @param {Work} work */
function close(work) {
  if (work.panel.value) work.panel.value = "";
  else if (!of(work).drop()) work.leave();
}

/** @param {Work} work */
function undo(work) {
  const trees = of(work);
  if (trees.eraseDigit()) return;
  if (trees.proposal.value || trees.broken.value) trees.drop();
  else work.undo();
}

const byNumber = [..."0123456789"];
const digit = (/** @type {Work} */ work, /** @type {string} */ name) => of(work).digit(name);

/** @type {import("./desk_keys.js").KeyGroup} */
export const treeKeys = {
  group: "Trees",
  views: ["trees"],
  rows: [
    ["accept", ["a"], "a", "Accept", "accept and go on", (w) => of(w).accept()],
    ["reject", ["x"], "x", "Reject", "reject", (w) => of(w).reject()],
    ["undo", ["backspace", "ctrl+z"], "⌫", "Undo", "undo, without end", undo],
    ["head", ["e"], "e", "Head", "choose the head", (w) => of(w).chooseHead()],
    ["take", ["enter"], "Enter", "Take the change", "take", (w) => of(w).take()],
    ["close", ["escape"], "Esc", "Drop it", "drop, close", close],
    ["digits", byNumber, "0–9", "Number", "number of the head, 0 is the root; else a relation", digit],
    ["relation", ["t"], "t", "Relation", "type the relation", (w) => of(w).wants.value++],
    ["right", ["arrowright"], "→", "Next word", "word", (w) => across(w, 1)],
    ["left", ["arrowleft"], "←", "Word before", "word", (w) => across(w, -1)],
    ["up", ["arrowup"], "↑", "Likelier", "likelier head", (w) => of(w).moveToHead(-1)],
    ["down", ["arrowdown"], "↓", "Next", "next head", (w) => of(w).moveToHead(1)],
    ["next", ["n"], "n", "Next", "next doubtful", (w) => of(w).moveToDoubtful(1)],
    ["before", ["p"], "p", "Before", "doubtful before", (w) => of(w).moveToDoubtful(-1)],
  ],
};
