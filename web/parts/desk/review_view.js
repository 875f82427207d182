/** Review: what is probably wrong in the labels that the corpus has, one suspect at a time. */
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { SuspectWork } from "../../src/suspect_work.js";
import { SameError } from "../alike.js";
import { Card, Why } from "../card.js";
import { AllSuspects } from "../frame.js";
import { whole } from "../numbers.js";
import { KeyButton } from "./key_button.js";
import { Notice } from "./notices.js";
import { ReviewSide } from "./review_side.js";

/** @typedef {import("../../src/work.js").Work} Work */
/** @typedef {import("../../src/suspect_work.js").Told} Told */
/** @typedef {NonNullable<Told["progress"]>} Round */

/** That a round is being made, or is ready. @param {{ review: SuspectWork }} props */
function RoundNotice({ review }) {
  const told = review.told.value;
  if (review.next.value && review.store.value)
    return html`<${Notice} kind="good" sign="tick"><b>Round ${review.next.value.round} is ready.</b> The rest was ranked
      anew by what was decided.${" "}
      <button class="btn" onClick=${() => review.adopt()}>Go on with it</button><//>`;
  const { store } = review;
  if (!told || told.state === "idle" || !store.value) return null;
  const rest = store.value.waiting > 0;
  return html`<${Notice} kind="off" sign="dots"><b>Round ${told.round + 1} is being learned.</b>${
    rest ? " You can go on; the order changes when you go on to it." : " The list is done: the next one comes then."
  }<//>
    ${!rest && html`<${Progress} told=${told} />`}`;
}

/** That the list is done, and what comes next. @param {{ review: SuspectWork }} props */
function Done({ review }) {
  const { store, told, next } = review;
  const list = store.value;
  if (!list || told.value?.state !== "idle" || next.value) return null;
  const { length } = list.suspects;
  if (length === 0 || list.waiting > 0) return null;
  return html`<${Notice} kind="good" sign="tick"><b>${`All ${whole(length)} suspects of this list are decided.`}</b> ${
    list.page.audit
      ? "List the most suspect again: the number of errors comes with it."
      : html`Save the corrected corpus, or see what else is suspect now.${" "}
          <button class="btn" onClick=${() => review.save()}>Save the corrected corpus</button>${" "}
          <button class="btn" onClick=${() => review.round()}>Rank the rest anew</button>`
  }<//>`;
}

const steps = /** @type {Record<string, string>} */ ({
  waiting: "It begins when what is being learned now is done.",
  reading: "Reading the corpus.",
  learning: "Models learn from parts of the corpus.",
  judging: "Models judge the parts that they have not learned from.",
  again: "Models learn from the copy with planted errors.",
});

/** How far a round is. The step is announced; its numbers, which change all the time, are not. */
const Progress = (/** @type {{ told: Told }} */ { told }) => {
  const { step = "waiting", again, done = 0, of = 0, seconds } = /** @type {Partial<Round>} */ (told.progress ?? {});
  const unit = step === "learning" ? "passes" : "blocks of sentences";
  return html`<p role="status">${steps[again && step === "learning" ? "again" : step]}</p>
    <p class="muted">${of > 0 && `${whole(done)} of ${whole(of)} ${unit} of this step; `}${
      seconds === undefined ? "" : `${whole(seconds)} s so far.`
    }</p>`;
};

/** What is shown while there is no list. @param {{ review: SuspectWork }} props */
function NoList({ review }) {
  const told = review.told.value;
  if (!told) return html`<p class="muted" role="status">Opening the review …</p>`;
  if (told.sentences_reviewed === 0)
    return html`<section class="card pad" aria-label="Nothing to review">
      <h2>Nothing to review yet</h2>
      <p>Review looks for errors in sentences whose words all have labels, and no sentence here has.</p>
    </section>`;
  if (told.state !== "idle")
    return html`<section class="card pad" aria-label="Looking for errors">
      <h2>Looking for errors in ${whole(told.sentences_reviewed)} sentences</h2>
      <p>
        Models learn from parts of the corpus and judge the others, so that none has seen the sentence that it judges.
        They judge a copy that has errors planted in it, too, which tells how probable an error is.
      </p>
      <${Progress} told=${told} />
    </section>`;
  return html`<section class="card pad" aria-label="Look for errors">
    <h2>${told.trouble ? "The review could not be made" : "Look for errors"}</h2>
    ${told.trouble && html`<p>${told.trouble}</p>`}
    <p><button class="btn main" onClick=${() => review.round()}>Look again</button></p>
  </section>`;
}

/** @param {{ store: import("../../src/store.js").Store }} props */
function Suspects({ store }) {
  const suspect = store.suspect.value;
  if (!suspect)
    return html`<section class="card pad">
      <h2>Nothing looks wrong</h2>
      <p>No label is worth a look any more.</p>
    </section>`;
  return html`<${Why} suspect=${suspect} />
    <${Card} store=${store} suspect=${suspect} />
    <${SameError} store=${store} suspect=${suspect} />
    <${AllSuspects} store=${store} />`;
}

/** @param {{ work: Work }} props */
export function ReviewView({ work }) {
  const review = work.part(SuspectWork);
  const store = review.store.value;
  useEffect(() => review.open(), []);
  return html`<main class=${`work ${store?.page.trees ? "one" : ""}`} id="work">
      <div class="desk">
        <h1 class="hidden">Review</h1>
        <${RoundNotice} review=${review} />
        <${Done} review=${review} />
        ${store ? html`<${Suspects} store=${store} />` : html`<${NoList} review=${review} />`}
      </div>
      ${store && html`<${ReviewSide} review=${review} store=${store} />`}
    </main>
    <footer class="dock">
      <div class="dock-in">
        <div class="acts" role="toolbar" aria-label="Go on">
          <${KeyButton} work=${work} id="skip" />
          <${KeyButton} work=${work} id="undo" off=${!store?.done.value.length} />
          <${KeyButton} work=${work} id="previous" style="quiet" />
          <${KeyButton} work=${work} id="next" style="quiet" />
          <${KeyButton} work=${work} id="guidelines" style="quiet extra" />
        </div>
      </div>
    </footer>`;
}
