/** The dashboard: how far the work is, how good the model is, and what more would bring. */
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { Figures } from "../../src/figures.js";
import { Agreement, AgreementByType } from "./agreement.js";
import { Figure, range } from "./figure.js";
import { Forecast } from "./forecast.js";
import { Models } from "./models.js";
import { Reliability } from "./reliability.js";
import { DoubtfulTypes, Sessions } from "./work_cards.js";

/** @typedef {import("../../src/work.js").Work} Work */

export const figureNames = /** @type {Record<string, string>} */ ({
  f1: "F1",
  uas: "UAS",
  las: "LAS",
  accuracy: "Accuracy",
});

/** What is counted: names, words. @param {any} about */
export const thingsOf = (about) => (about?.trees ? "heads" : about?.scheme === "none" ? "words" : "names");

const plural = (/** @type {number} */ n, /** @type {string} */ word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/** What the figure is of, or what is missing. @param {any} blind @param {boolean} known @param {any} about */
function basis(blind, known, about) {
  if (known) return `${plural(blind.decided, "sentence")}, ${blind.things} ${thingsOf(about)}, labelled blind`;
  if (blind.pool === 0) return "No sentence is blind: begin a store with vouch serve --blind 0.1";
  return `${blind.decided} labelled blind; about ${blind.missing} more until there is a figure`;
}

/** @param {{ work: Work, figures: Figures }} props */
function Quality({ work, figures }) {
  const blind = figures.measures.value?.blind;
  const [first = "f1", second = ""] = Object.keys(blind?.figures ?? {});
  const value = blind?.figures[first];
  const other = blind?.figures[second];
  return html`<section class="card c3"><h2>${figureNames[first]} on blind items</h2>
    <${Figure} value=${value} />
    <p class="note">${other && `${figureNames[second]} ${(100 * other.value).toFixed(1)}, ${range(other)}. `}
      ${blind && basis(blind, !!value, work.about.value)}</p></section>`;
}

/** @param {{ figures: Figures }} props */
function Decided({ figures }) {
  const measures = figures.measures.value;
  const { unchanged = 0, changed = 0, skipped = 0, flagged = 0 } = measures?.states ?? {};
  return html`<section class="card c3"><h2>Decided</h2>
    <p class="figure">${measures ? unchanged + changed : "–"} ${
      measures && html`<small>${"of "}${plural(measures.sentences, "sentence")}</small>`
    }</p>
    <p class="note">${
      measures &&
      `${unchanged} accepted as shown, ${changed} changed, ${skipped} skipped, ${flagged}
      flagged`
    }</p></section>`;
}

/** @param {{ figures: Figures }} props */
function Pace({ figures }) {
  const seconds = figures.measures.value?.seconds;
  const first = seconds?.sessions[0];
  return html`<section class="card c3"><h2>Seconds a decision</h2>
    <p class="figure">${seconds ? seconds.median.toFixed(1) : "–"} ${
      seconds && html`<small>${`half within ${seconds.low.toFixed(1)} to ${seconds.high.toFixed(1)}`}</small>`
    }</p>
    <p class="note">${first ? `${first.median.toFixed(1)} in the first session` : "No decision yet"}</p></section>`;
}

/** @param {{ figures: Figures }} props */
function Together({ figures }) {
  const found = figures.agreement.value;
  const open = found?.settling?.open ?? 0;
  const who = found?.annotators ?? [];
  return html`<section class="card c3"><h2>${
    who.length === 2 ? `Agreement of ${who[0]} and ${who[1]}` : "Agreement"
  }</h2>
    ${found && html`<${Agreement} found=${found} />`}
    ${open > 0 && html`<p class="note"><a href="#settle">${plural(open, "sentence")} to settle</a></p>`}</section>`;
}

/** @param {{ work: Work }} props */
export function DashboardView({ work }) {
  const figures = work.part(Figures);
  useEffect(() => figures.watch(), []);
  return html`<main class="board" id="work">
    <h1 class="hidden">Dashboard</h1>
    ${
      figures.stale.value &&
      html`<div class="notice off c12" role="status"><p><b>Offline.</b> ${`Figures of ${figures.stale.value}`};
        they move again when the server answers.</p></div>`
    }
    <p class="note c12">Intervals hold the true figure nine times in ten. “–” says that there are too few data
      yet.</p>
    <${Quality} work=${work} figures=${figures} /><${Decided} figures=${figures} /><${Pace} figures=${figures}
      /><${Together} figures=${figures} />
    <${Forecast} figures=${figures} /><${DoubtfulTypes} work=${work} figures=${figures} />
    <${Reliability} work=${work} figures=${figures} />
    <${Sessions} work=${work} figures=${figures} /><${AgreementByType} work=${work} figures=${figures} />
    <${Models} work=${work} figures=${figures} />
  </main>`;
}
