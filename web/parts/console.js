/** The console: a model, a text, and the answer as words with their confidence, and as it came. */
import { html } from "htm/preact";
import { spansOf, spellChunks, typeOf } from "../src/labels.js";
import { models } from "../src/server.js";
import { chance } from "./numbers.js";
import { address, answers, busy, kind, model, name, problem, raw, run, text, threshold } from "../src/trying.js";

/** @typedef {import("../src/trying.js").Answer} Answer */

/** @param {string | string[] | undefined} token */
const formOf = (token) => (Array.isArray(token) ? token[0] : token) ?? "";

/** The ground of a label: the first eight that are seen have their own. */
const groundOf = (/** @type {string[]} */ types, /** @type {string} */ type) => `l${(types.indexOf(type) % 8) + 1}`;

/** Chunks, or words with a label each: from, to, type. @param {Answer} answer */
function labelled({ predicted = [] }) {
  if (spellChunks(predicted)) return spansOf(predicted);
  return predicted.map((label, i) => ({ from: i, to: i + 1, type: label === "O" ? "" : label })).filter((s) => s.type);
}

/** The least sure of some words. @param {Answer} answer @param {number} from @param {number} to */
const least = ({ confidence }, from, to) => {
  const words = confidence?.words?.slice(from, to) ?? [];
  return words.length > 0 ? Math.min(...words) : undefined;
};

/**
 * A sentence with labels: sure ones by name, doubtful ones with stripes, a dashed edge and their probability.
 * @param {{ answer: Answer, types: string[] }} props
 */
function Labels({ answer, types }) {
  const spans = labelled(answer);
  const parts = [];
  for (let i = 0; i < answer.tokens.length;) {
    const span = spans.find((s) => s.from === i) ?? { from: i, to: i + 1, type: "" };
    const words = answer.tokens.slice(span.from, span.to).map(formOf).join(" ");
    const doubtful = answer.doubtful?.some((word) => word >= span.from && word < span.to);
    const number = chance(least(answer, span.from, span.to));
    const style = span.type ? `span ${groundOf(types, span.type)}` : "plain";
    parts.push(
      html`<span class=${`${style} ${doubtful ? "doubtful" : ""}`} title=${number}
        >${words}${span.type && html`<span class="tag">${span.type}</span>`}${
          doubtful && html`<span class="tag">${span.type ? "" : "O "}${number}?</span>`
        }</span> `,
    );
    i = span.to;
  }
  return html`<p class="words" dir="auto">${parts}</p>`;
}

/** A tree as a table. @param {{ answer: Answer }} props */
const Tree = ({ answer }) =>
  html`<div class="wide">
    <table>
      <thead>
        <tr><th class="number">#</th><th>Word</th><th>Head</th><th>Relation</th><th class="number">Confidence</th></tr>
      </thead>
      <tbody>
        ${answer.predicted_heads?.map((head, i) => {
          const doubtful = answer.doubtful?.includes(i);
          return html`<tr key=${i} class=${doubtful ? "doubtful" : ""}>
            <td class="number">${i + 1}</td>
            <td dir="auto">${formOf(answer.tokens[i])}</td>
            <td>${head === 0 ? "root" : `${head} ${formOf(answer.tokens[head - 1])}`}</td>
            <td>${answer.predicted_relations?.[i]}</td>
            <td class="number">${chance(answer.confidence?.heads?.[i])}${doubtful ? "?" : ""}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;

function Answers() {
  const types = [...new Set(answers.value.flatMap(({ predicted = [] }) => predicted.map(typeOf)))].filter(
    (t) => t !== "O",
  );
  const marked = answers.value.some(({ doubtful = [] }) => doubtful.length > 0);
  return html`<div class="answer" aria-live="polite" aria-busy=${busy.value}>
    ${problem.value && html`<p class="trouble" role="alert">${problem.value}</p>`}
    ${answers.value.map((answer) =>
      answer.predicted_heads ? html`<${Tree} answer=${answer} />` : html`<${Labels} answer=${answer} types=${types} />`,
    )}
    ${marked && html`<p class="muted small">Striped, with a question mark: less sure than ${threshold.value}.</p>`}
    ${
      raw.value &&
      html`<details>
        <summary>As it came: POST ${address.value}</summary>
        <pre class="raw"><code>${raw.value}</code></pre>
      </details>`
    }
  </div>`;
}

/** The value that was typed or chosen. @param {(value: any) => void} take */
const on = (take) => (/** @type {any} */ event) => take(event.target.value);

/** Ctrl and Enter ask, too. @param {KeyboardEvent} event */
const keyed = (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
};

export const Console = () =>
  html`<section class="card part" aria-labelledby="try">
    <h2 id="try">Try it</h2>
    <div class="row">
      <label class="field">Model
        <select class="pick" value=${model.value?.name} onChange=${on((value) => (name.value = value))}>
          ${models.value.map((m) => html`<option value=${m.name}>${m.name}</option>`)}
        </select>
      </label>
      <label class="field">Input
        <select class="pick" value=${kind.value} onChange=${on((value) => (kind.value = value))}>
          <option value="text">text, cut by rule</option>
          <option value="columns">words, one a line, in columns</option>
        </select>
      </label>
      <label class="field">Doubtful below
        <input class="pick short" type="number" min="0" max="1" step="0.01" value=${threshold.value}
          onInput=${on((value) => (threshold.value = value))} />
      </label>
    </div>
    ${
      kind.value === "text" &&
      !model.value?.parses &&
      (model.value?.columns ?? 1) > 1 &&
      html`<p class="muted small">This model looks at ${model.value?.columns} columns of each word, and text has one:
        choose words in columns, or serve a model that learned with <code>--use 1</code>.</p>`
    }
    <textarea class="text" dir="auto" rows="5" aria-label="What to ask about" spellcheck="false" value=${text.value}
      onInput=${on((value) => (text.value = value))} onKeyDown=${keyed} />
    <div class="row">
      <button class="btn main" aria-disabled=${busy.value || !model.value} aria-keyshortcuts="Control+Enter"
        onClick=${run}>Ask <kbd>Ctrl Enter</kbd></button>
    </div>
    <${Answers} />
  </section>`;
