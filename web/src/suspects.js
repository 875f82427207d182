/** The suspects of a page, read from what the program put into it. */
import { field, readTable } from "./table.js";
import { readArc } from "./arcs.js";

/** @typedef {import("./arcs.js").Arc} Arc */
/** @typedef {{ words: string[], given: string[], tags?: string[] }} Sentence */
/** @typedef {Record<"least" | "most" | "items" | "drawn" | "decided", number> & { count: number | null }} Count */
/**
 * @typedef {object} Page  what the program wrote
 * @property {string} identity  of the table: the same list has the same
 * @property {string} name  of the table's file
 * @property {string} table
 * @property {boolean} trees
 * @property {boolean} relations  trees have relations
 * @property {string} level  word, chunk, entity or sentence
 * @property {string[]} labels  or relations: all that the corpus has
 * @property {Sentence[]} sentences
 * @property {number[]} sentence  of each row
 * @property {number[]} group  of each row: rows of the same error have the same number
 * @property {string} listed  how many of how many, and which
 * @property {boolean} audit  drawn at random
 * @property {Count | null} errors  by an earlier audit
 * @property {string[]} commands  that apply the table, one for each file
 */
/** @typedef {{ word: number, given: string, proposed: string }} Change  of the word of that number, from 0 */
/**
 * @typedef {object} Suspect
 * @property {number} row
 * @property {Sentence} sentence
 * @property {number} from
 * @property {number} to
 * @property {string} text
 * @property {Change[]} changes  of its own words, as proposed; also of those for which nothing else is proposed
 * @property {Change[]} others  that move with it
 * @property {boolean} differs  something else is proposed
 * @property {number} group  of the same error
 * @property {number} error  the probability that the corpus is wrong
 * @property {string} why
 * @property {string} layer
 * @property {string} place
 */

/** @param {string} text @returns {Change[]}  "7:0:root->3:obj", several between blanks */
const readOthers = (text) =>
  text
    .split(" ")
    .map((piece) => /^(\d+):(.*?)->(.*)$/.exec(piece))
    .filter((found) => found !== null)
    .map(([, word, given, proposed]) => ({ word: Number(word) - 1, given: given ?? "", proposed: proposed ?? "" }));

/** @param {Page} page */
export function readSuspects(page) {
  const table = readTable(page.table);
  /** @type {Suspect[]} */
  const suspects = table.rows.map((row, i) => {
    const get = (/** @type {string} */ column) => field(table, row, column);
    const from = Number(get("word")) - 1;
    const [given, proposed] = [get("given").split(" "), get("proposed").split(" ")];
    const changes = given.map((label, k) => ({ word: from + k, given: label, proposed: proposed[k] ?? label }));
    return {
      row: i,
      sentence: /** @type {Sentence} */ (page.sentences[page.sentence[i] ?? 0]),
      from,
      to: from + given.length,
      text: get("text"),
      changes,
      others: readOthers(get("also")),
      group: page.group[i] ?? -1 - i,
      differs: changes.some((change) => change.given !== change.proposed),
      error: Number(get("error")),
      why: get("why"),
      layer: get("layer"),
      place: `${get("file")}, line ${get("line")}`,
    };
  });
  return { table, suspects };
}

/** The labels of a sentence with changes made. @param {Sentence} sentence @param {readonly Change[]} changes */
export function changed(sentence, changes) {
  const labels = [...sentence.given];
  for (const { word, proposed } of changes) labels[word] = proposed;
  return labels;
}

/** As given, or as given and not to be asked about again. @param {string} decision */
export const leavesGiven = (decision) => decision === "-" || decision === "-!";

/** What a decision changes. @param {Suspect} suspect @param {string} decision @returns {Change[]} */
export function decidedChanges(suspect, decision) {
  if (decision === "" || leavesGiven(decision)) return [];
  if (decision === "+") return [...suspect.changes, ...suspect.others];
  const own = decision.split(" ");
  return suspect.changes.map((change, k) => ({ ...change, proposed: own[k] ?? own[0] ?? change.given }));
}

/** What a decision says of words, those that stay as given, too. @param {Suspect} suspect @param {string} decision */
export const decidedWords = (suspect, decision) =>
  leavesGiven(decision)
    ? suspect.changes.map((change) => ({ ...change, proposed: change.given }))
    : decidedChanges(suspect, decision);

/** @param {Sentence} sentence @returns {Arc[]} */
export const arcsOf = (sentence) => sentence.given.map(readArc);
