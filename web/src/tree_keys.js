/** The keys of the trees view: rows of the desk's table. */
import { TreeWork } from "./tree_work.js";

/** @typedef {import("./desk_keys.js").Key} Key */
/** @typedef {import("./work.js").Work} Work */

const views = ["trees"];
const group = "Trees";
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

/** Rows, but for what all of them share. @type {Omit<Key, "views" | "group">[]} */
const rows = [
  { id: "accept", keys: ["a"], shown: "a", label: "Accept", says: "accept and go on", run: (w) => of(w).accept() },
  { id: "reject", keys: ["x"], shown: "x", label: "Reject", says: "reject", run: (w) => of(w).reject() },
  { id: "undo", keys: ["backspace", "ctrl+z"], shown: "⌫", label: "Undo", says: "undo, without end", run: undo },
  { id: "head", keys: ["e"], shown: "e", label: "Head", says: "choose the head", run: (w) => of(w).chooseHead() },
  { id: "take", keys: ["enter"], shown: "Enter", label: "Take the change", says: "take", run: (w) => of(w).take() },
  { id: "close", keys: ["escape"], shown: "Esc", label: "Drop it", says: "drop, close", run: close },
  {
    id: "digits",
    keys: [..."0123456789"],
    shown: "0–9",
    label: "Number",
    says: "number of the head, 0 is the root; else a relation",
    run: (w, name) => of(w).digit(name),
  },
  {
    id: "relation",
    keys: ["t"],
    shown: "t",
    label: "Relation",
    says: "type the relation",
    run: (w) => of(w).wants.value++,
  },
  { id: "right", keys: ["arrowright"], shown: "→", label: "Next word", says: "word", run: (w) => across(w, 1) },
  { id: "left", keys: ["arrowleft"], shown: "←", label: "Word before", says: "word", run: (w) => across(w, -1) },
  {
    id: "up",
    keys: ["arrowup"],
    shown: "↑",
    label: "Likelier",
    says: "likelier head",
    run: (w) => of(w).moveToHead(-1),
  },
  { id: "down", keys: ["arrowdown"], shown: "↓", label: "Next", says: "next head", run: (w) => of(w).moveToHead(1) },
  { id: "next", keys: ["n"], shown: "n", label: "Next", says: "next doubtful", run: (w) => of(w).moveToDoubtful(1) },
  {
    id: "before",
    keys: ["p"],
    shown: "p",
    label: "Before",
    says: "doubtful before",
    run: (w) => of(w).moveToDoubtful(-1),
  },
];

/** @type {Key[]} */
export const treeKeys = rows.map((row) => ({ ...row, views, group }));
