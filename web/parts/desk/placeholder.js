/** A view that is not there yet. */
import { html } from "htm/preact";

export const Placeholder = () =>
  html`<main class="work one" id="work"><p class="card pad">This view is not there yet.</p></main>`;
