/** The console of the start page: what is asked, and what the server answers, by requests that anybody can make. */
import { computed, signal } from "@preact/signals";
import { ask, models } from "./server.js";

/**
 * @typedef {{ tokens: (string | string[])[], predicted?: string[], predicted_heads?: number[],
 *   predicted_relations?: string[], confidence?: { words?: number[], heads?: number[], relations?: number[] },
 *   doubtful?: number[] }} Answer
 */

export const name = signal("");
export const text = signal("Ada Lovelace left Paris on 14 May. She was fine.");
export const kind = signal(/** @type {"text" | "columns"} */ ("text"));
export const threshold = signal("0.9");
export const answers = signal(/** @type {Answer[]} */ ([]));
export const raw = signal("");
export const problem = signal("");
export const busy = signal(false);

/** The model that is asked: the one that was chosen, or the first. */
export const model = computed(() => models.value.find((m) => m.name === name.value) ?? models.value[0]);

/** Where the question goes. */
export const address = computed(() => {
  const parameters = new URLSearchParams({ model: model.value?.name ?? "" });
  if (Number(threshold.value) > 0) parameters.set("threshold", threshold.value);
  return `/v1/${model.value?.parses ? "parse" : "tag"}?${parameters}`;
});

/** Columns as JSON lines: blank lines are between sentences. @param {string} columns */
export const linesOf = (columns) =>
  columns
    .split(/\n\s*\n/)
    .map((sentence) => sentence.split("\n").filter((line) => line.trim() && !line.startsWith("#")))
    .filter((sentence) => sentence.length > 0)
    .map((sentence) => sentence.map((line) => line.trim().split(line.includes("\t") ? "\t" : /\s+/)))
    .map((rows) => JSON.stringify({ tokens: rows.map((cells) => (cells.length === 1 ? cells[0] : cells)) }))
    .join("\n");

/** The answers in a response: to a text, or to JSON lines. @param {string} response @returns {Answer[]} */
const read = (response) =>
  kind.value === "text"
    ? JSON.parse(response).sentences
    : response
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));

const post = (/** @type {string} */ to, /** @type {string} */ body, /** @type {string} */ type) =>
  ask(to, { method: "POST", headers: { "Content-Type": type }, body }).then((response) => response.text());

export async function run() {
  if (busy.value || !model.value) return;
  busy.value = true;
  try {
    const texts = kind.value === "text";
    const body = texts ? JSON.stringify({ text: text.value }) : linesOf(text.value);
    raw.value = body ? await post(address.value, body, texts ? "application/json" : "application/jsonl") : "";
    answers.value = read(raw.value);
    problem.value = "";
  } catch (error) {
    answers.value = [];
    raw.value = "";
    problem.value = /** @type {Error} */ (error).message;
  }
  busy.value = false;
}
