/** The models: what each learned from and how good it was; the one in use, or another; what can be taken home. */
import { html } from "htm/preact";
import { figureNames } from "./dashboard_view.js";
import { range, written } from "./figure.js";

/** @typedef {import("../../src/figures.js").Figures} Figures */
/** @typedef {import("../../src/figures.js").Model} Model */

const most = 8;

/** @param {number} when */
function ago(when) {
  const seconds = Math.max(0, (Date.now() - when) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(when).toLocaleDateString();
}

/** @param {string | undefined} name @param {import("./figure.js").Interval | undefined} value */
const figureOf = (name, value) => (name && value ? `${figureNames[name]} ${written(value.value)} ` : "–");

/** @param {{ figures: Figures, model: Model, number: number }} props */
function Row({ figures, model, number }) {
  const [name, value] = Object.entries(model.figures ?? {})[0] ?? [];
  const figure = figureOf(name, value);
  const parts = [model.given ? `${model.given} given` : "", `${model.decided ?? 0} decided here`].filter(Boolean);
  return html`<tr class=${model.in_use ? "in-use" : ""}>
    <th scope="row"><b>Round ${number}</b>${model.in_use ? " in use" : ""} <span
      class="muted small">${model.digest.slice(0, 6)}</span></th>
    <td>${parts.join(", ")}</td>
    <td>${figure}${value && html`<span class="muted">${range(value)}</span>`}</td>
    <td>${ago(model.when)}</td>
    <td class="num">${
      model.in_use
        ? html`<a class="btn" href="/v1/export/model" download>Download</a>`
        : html`<button type="button" class="btn" aria-disabled=${figures.changing.value ? "true" : undefined}
            onClick=${() => !figures.changing.value && figures.use(model.digest)}>Use</button>`
    }</td></tr>`;
}

/** @param {{ work: import("../../src/work.js").Work, figures: Figures }} props */
function Export({ work, figures }) {
  const { documents = [], formats = [] } = /** @type {any} */ (work.about.value ?? {});
  const format = figures.format.value;
  const said = figures.said.value;
  return html`<div class="row export">
      ${
        format
          ? html`<a class="btn" href=${`/v1/export?format=${format}`} download aria-describedby="export-said">Export
            the corpus</a>`
          : documents.map(
              (/** @type {any} */ { name }) =>
                html`<a key=${name} class="btn" href=${`/v1/export?document=${encodeURIComponent(name)}`}
                  download=${name}>Export ${documents.length > 1 ? name : "the corpus"}</a>`,
            )
      }
      <label class="field">as <select class="pick" value=${format} onChange=${(/** @type {any} */ event) =>
        figures.choose(event.target.value)}>
        <option value="">it was read, with what was decided</option>
        ${formats.map(
          (/** @type {any} */ { name, title }) => html`<option key=${name}
          value=${name}>${title}</option>`,
        )}
      </select></label>
    </div>
    <div id="export-said" role="status" class="note">${
      said &&
      html`<p>${said.sentences} sentences, ${said.spans} spans.${said.notes.length === 0 ? " Nothing is lost." : ""}</p>
        <ul>${said.notes.map((note) => html`<li key=${note}>${note}</li>`)}</ul>`
    }</div>`;
}

/** @param {{ work: import("../../src/work.js").Work, figures: Figures }} props */
export function Models({ work, figures }) {
  const models = figures.models.value;
  const shown = models
    .map((model, i) => ({ model, number: i + 1 }))
    .reverse()
    .filter(({ model }, i) => i < most || model.in_use);
  return html`<section class="card c12"><h2>Models</h2>
    ${
      models.length === 0
        ? html`<p class="figure">–</p><p class="note">No model was learned here yet.</p>`
        : html`<div class="scroll" role="region" aria-label="Models" tabindex="0"><table><thead><tr><th
          scope="col">Model</th><th scope="col">Learned from</th>
            <th scope="col">On blind items, when it was made</th><th scope="col">Made</th><th scope="col"><span
              class="hidden">Use it</span></th></tr></thead>
            <tbody>${shown.map(
              ({ model, number }) => html`<${Row} key=${model.digest} figures=${figures}
              model=${model} number=${number} />`,
            )}</tbody></table></div>`
    }
    ${
      models.length > shown.length &&
      html`<p class="note">${models.length - shown.length} earlier ones are not
      listed.</p>`
    }
    ${
      figures.changing.value &&
      html`<p class="note" role="status">The model is learned again from the same decisions
      …</p>`
    }
    ${
      figures.pinned.value &&
      html`<p class="notice off" role="status"><span><b>An earlier model is in use.</b> It
      stays until you let the model learn again. <button type="button" class="btn" onClick=${() =>
        figures.learn()}>Learn now</button></span></p>`
    }
    <${Export} work=${work} figures=${figures} /></section>`;
}
