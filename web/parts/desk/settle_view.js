/** Settling: two answers to a sentence side by side, as equals; place by place, without names. */
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { hasSpans } from "../../src/answers.js";
import { Settle } from "../../src/settle.js";
import { commonDifferences } from "../../src/settling.js";
import { Agreement } from "./agreement.js";
import { Icon } from "./icon.js";
import { KeyButton } from "./key_button.js";
import { OwnMark } from "./own_mark.js";
import { Marked } from "./marked.js";
import { Notice } from "./notices.js";

/** @typedef {import("../../src/work.js").Work} Work */
/** @typedef {import("../../src/settling.js").Place} Place */

const around = 3; // words of context on either side of a place
const names = ["First", "Second", "Third", "Fourth"];

/** A place with its neighbours, as one side has it. @param {{ settle: Settle, place: Place, marks: any[] }} props */
function Quote({ settle, place, marks }) {
  const words = settle.item.value?.words ?? [];
  const from = Math.max(0, place.from - around);
  const to = Math.min(words.length, place.to + around);
  return html`<p class="quote" dir="auto">${from > 0 ? "… " : ""}<${Marked} words=${words} from=${from} to=${to}
    marks=${marks} kind=${settle.kind.value} />${to < words.length ? " …" : ""}</p>`;
}

/** What the model says of a place: told after the choice. @param {{ settle: Settle, place: Place }} props */
function ModelSays({ settle, place }) {
  const { answer, blind } = settle.item.value ?? {};
  if (!answer || blind) return null;
  const kind = settle.kind.value;
  const said = hasSpans(kind)
    ? answer.spans
        .filter((/** @type {any} */ span) => span.from < place.to && span.to > place.from)
        .map((/** @type {any} */ span) => [span.type, span.confidence])
    : [
        [
          `${kind.trees ? `${answer.heads[place.from]} ` : ""}${
            (kind.trees ? answer.relations : answer.labels)[place.from]
          }`,
          answer.confidence[place.from],
        ],
      ];
  const words = said.map((/** @type {any} */ [type, sure]) => `${type}, ${shown(sure)}`).join("; ");
  return html`<p class="small muted">The model said ${words || "no name"}.</p>`;
}

const shown = (/** @type {number | null} */ p) =>
  p === null ? "not rated" : p < 0.01 ? "below 0.01" : p > 0.99 ? "above 0.99" : p.toFixed(2);

/** @param {{ work: Work, settle: Settle, place: Place, number: number }} props */
function PlaceCard({ work, settle, place, number }) {
  const count = settle.places.value.length;
  const choice = settle.choices.value[number];
  const now = settle.at.value === number;
  return html`<section class=${`card place${now ? " now" : ""}`} aria-label=${`Place ${number + 1} of ${count}`}>
    <div class="group-head">
      <h2>${number + 1} of ${count}: ${place.what}</h2>
      <span class="small muted">${
        choice
          ? `✓ ${choice.side < 0 ? "own answer" : `${(names[choice.side] ?? "").toLowerCase()} answer taken`}`
          : now
            ? "The model’s answer is shown after you choose"
            : html`<button type="button" class="as-link" onClick=${() => (settle.at.value = number)}>go
              there</button>`
      }</span>
    </div>
    <div class="pair">${place.sides.map(
      (marks, side) => html`<section key=${side} aria-label=${`${names[side]} answer`}
        class=${choice?.side === side ? "taken" : ""}>
        <h3>${names[side]} answer</h3>
        <${Quote} settle=${settle} place=${place} marks=${marks} />
        <p class="small muted">${
          settle.answers.value[side]?.note ? `Comment: “${settle.answers.value[side].note}”` : "No comment"
        }</p>
        ${
          now &&
          html`<p class="choice"><button type="button" class="btn" aria-keyshortcuts=${side + 1}
          aria-pressed=${choice?.side === side} onClick=${() => settle.take(side)}>Take this <kbd>${
            side + 1
          }</kbd></button></p>`
        }
      </section>`,
    )}</div>
    ${
      choice &&
      choice.side < 0 &&
      html`<div class="own-answer"><${Quote} settle=${settle} place=${place}
      marks=${choice.marks} /></div>`
    }
    ${choice && html`<div class="after"><${ModelSays} settle=${settle} place=${place} /></div>`}
    ${now && settle.owning.value && html`<${OwnMark} settle=${settle} place=${place} />`}
    ${
      now &&
      html`<div class="answers" role="toolbar" aria-label="Decide">
        <${KeyButton} work=${work} id="own" pressed=${settle.owning.value} />
        <${KeyButton} work=${work} id="skip" />
        <${KeyButton} work=${work} id="ask" />
      </div>`
    }
  </section>`;
}

/** The sentence with what all agree on, and numbers at the places. @param {{ settle: Settle }} props */
function Whole({ settle }) {
  const words = settle.item.value?.words ?? [];
  const places = settle.places.value;
  const spots = places.map((place, i) => ({
    ...place,
    number: i + 1,
    now: settle.at.value === i,
    go: () => (settle.at.value = i),
    open: !settle.choices.value[i],
  }));
  return html`<section class="card" aria-label="The sentence">
    <p class="sentence" dir="auto" role="group" tabindex="-1" aria-label=${`Sentence, ${places.length}
      ${places.length === 1 ? "place differs" : "places differ"}`}
      ><${Marked} words=${words} from=${0} to=${words.length} marks=${settle.agreed.value} kind=${settle.kind.value}
        spots=${spots} /></p>
  </section>`;
}

/** @param {{ settle: Settle }} props */
function Side({ settle }) {
  const found = settle.agreement.value;
  if (!found) return html`<aside class="side" aria-label="Agreement"></aside>`;
  const { open, settled, first, second } = found.settling ?? { open: 0, settled: 0, first: 0, second: 0 };
  const counts = commonDifferences(found.disagreements ?? [], settle.kind.value);
  const others = counts.slice(6).reduce((sum, [, count]) => sum + count, 0);
  return html`<aside class="side" aria-label="Agreement">
    <section><h2>Agreement so far</h2><${Agreement} found=${found} /></section>
    ${
      counts.length > 0 &&
      html`<section><h2>Where they differ</h2><ul class="counts">
        ${counts.slice(0, 6).map(
          ([name, count]) => html`<li key=${name}><span>${name}</span><span
          class="num">${count}</span></li>`,
        )}
        ${others > 0 && html`<li><span>others</span><span class="num">${others}</span></li>`}
      </ul></section>`
    }
    ${
      open + settled > 0 &&
      html`<section><h2>${settled} of ${open + settled} sentences settled</h2>
        <svg class="progress" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" 
          aria-label=${`${settled} of ${open + settled} settled`}>
          <rect class="rail" width="100" height="10" rx="1" /><rect class="val" width=${
            (100 * settled) / (open + settled)
          } height="10" rx="1" /></svg>
        <p class="small muted">First answer taken ${first} times, second ${second}, another answer
          ${" "}${settled - first - second}. Sides are drawn by lot for each sentence.</p>
      </section>`
    }
  </aside>`;
}

/** @param {{ settle: Settle, work: Work }} props */
function Empty({ settle, work }) {
  const share = /** @type {any} */ (work.about.value)?.double ?? 0;
  if (!settle.loaded.value) return null;
  const done = (settle.agreement.value?.settling?.settled ?? 0) > 0;
  return html`<${Notice} kind=${done ? "good" : "off"} sign=${done ? "tick" : "why"}>${
    done
      ? html`<b>All settled.</b> <a href="#dashboard">See agreement</a>`
      : share > 0
        ? html`<b>Nothing to settle.</b> ${Math.round(100 * share)} % of the sentences are asked of two people; those
          on which they differ come here.`
        : html`<b>Nothing to settle.</b> Sentences are asked of one person each. To have some asked of two, make a
          store with <code>vouch serve --double 0.1</code>.`
  }<//>`;
}

/** @param {{ work: Work }} props */
export function SettleView({ work }) {
  const settle = work.part(Settle);
  useEffect(() => {
    settle.look();
  }, []);
  const item = settle.item.value;
  const left = settle.left.value;
  const places = settle.places.value;
  return html`<main class="work" id="work">
      <div class="desk">
        <h1 class="hidden">Settle</h1>
        ${!item && html`<${Empty} settle=${settle} work=${work} />`}
        ${
          item &&
          html`<p class="why" aria-live="polite"><${Icon} name="why" /><span><b>Why this one:</b> ${item.why};
            they differ in ${places.length} ${places.length === 1 ? "place" : "places"}.</span></p>
          ${
            item.mine &&
            html`<${Notice} kind="off" sign="warning"><b>You are one of those who answered.</b>${" "}
            Someone else should settle this sentence.<//>`
          }
          <${Whole} settle=${settle} />
          ${places.map(
            (place, i) => html`<${PlaceCard} key=${`${item.sentence}-${i}`} work=${work} settle=${settle}
            place=${place} number=${i} />`,
          )}`
        }
      </div>
      <${Side} settle=${settle} />
    </main>
    <footer class="dock"><div class="dock-in"><div class="acts" role="toolbar" aria-label="Go on">
      <${KeyButton} work=${work} id="accept" style=${item && left === 0 ? "main" : ""} off=${!item || left > 0}
        label=${
          item && left > 0 ? `Accept sentence, ${left} ${left === 1 ? "place" : "places"} open` : "Accept sentence"
        } />
      <${KeyButton} work=${work} id="undo" />
      <${KeyButton} work=${work} id="next" style="quiet" off=${places.length < 2} />
      <${KeyButton} work=${work} id="guidelines" style="quiet extra first-extra" />
    </div></div></footer>`;
}
