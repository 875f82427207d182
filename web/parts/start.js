/** The start page: what is served, a console, every request as a command line, and settings for other tools. */
import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { desk, guarded, locked, models, requests, trouble, unlock } from "../src/server.js";
import { Console } from "./console.js";
import { Bar } from "./frame.js";
import { whole } from "./numbers.js";

/** @typedef {import("../src/server.js").Request} Request */

const copied = signal("");

/** Copies a text, or selects it where no page may copy. @param {string} text @param {Element | null} shown */
async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    copied.value = text;
  } catch {
    if (shown) document.getSelection()?.selectAllChildren(shown);
  }
}

/** A line to copy. @param {{ text: string, what: string }} props */
export const Line = ({ text, what }) =>
  html`<div class="line-to-copy">
    <pre><code>${text}</code></pre>
    <button class="btn" aria-label=${`Copy ${what}`}
      onClick=${(/** @type {any} */ event) => copy(text, event.currentTarget.parentElement.querySelector("code"))}>
      ${copied.value === text ? "Copied" : "Copy"}
    </button>
  </div>`;

const Models = () =>
  html`<section class="card part" aria-labelledby="models">
    <h2 id="models">Models</h2>
    ${
      models.value.length === 0
        ? html`<p class="muted">No model is served: start with <code>vouch serve -m MODEL</code>.</p>`
        : html`<div class="wide">
            <table>
              <thead>
                <tr><th>Name</th><th>Does</th><th>Version</th><th class="number">Replaced</th></tr>
              </thead>
              <tbody>
                ${models.value.map(
                  (model) =>
                    html`<tr key=${model.name}>
                      <td>${model.name}</td>
                      <td>${model.parses ? "trees" : `labels (${model.task})`}</td>
                      <td><code>${model.version}</code></td>
                      <td class="number">${whole(model.replaced)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`;

/** The command line of a request, with the address of this server. @param {Request} request */
const commandOf = ({ method, curl }) => {
  const first = models.value[0]?.name ?? "MODEL";
  const asked = curl.replaceAll("{origin}", location.origin).replaceAll("{model}", first);
  const token = guarded.value ? '-H "Authorization: Bearer $TOKEN" ' : "";
  return `curl ${token}${["GET", "POST"].includes(method) ? "" : `-X ${method} `}${asked}`;
};

function Requests() {
  const groups = [...new Set(requests.value.map((request) => request.group))];
  return html`<section class="card part requests" aria-labelledby="requests">
    <h2 id="requests">Requests</h2>
    <div class="groups">
      ${groups
        .filter((group) => group !== "annotation" || desk.value)
        .map(
          (group) =>
            html`<div class="group">
              <h3>${group}</h3>
              ${requests.value
                .filter((request) => request.group === group)
                .map(
                  (request) =>
                    html`<p class="asked">
                        ${request.summary} <code class="muted">${request.method} ${request.path}</code>
                      </p>
                      <${Line}
                        text=${commandOf(request)}
                        what=${`the command for ${request.method} ${request.path}`}
                      />`,
                )}
            </div>`,
        )}
    </div>
    ${
      !desk.value &&
      html`<p>Nothing is labelled here: <code>vouch serve corpus.txt</code> lets people decide on a corpus.</p>`
    }
    <p>All of it is described at <a href="/openapi.json">/openapi.json</a>.</p>
  </section>`;
}

/** @param {{ name: string, text: string }} props */
const Setting = ({ name, text }) => html`<dt>${name}</dt><dd><${Line} text=${text} what=${name} /></dd>`;

const Tools = () =>
  html`<section class="card part" aria-labelledby="tools">
    <h2 id="tools">Other tools</h2>
    <h3>Label Studio</h3>
    <p>In the project: Settings, Model, Connect Model.</p>
    <dl class="settings">
      <${Setting} name="Name" text="vouch" />
      <${Setting} name="Backend URL" text=${`${location.origin}/label-studio`} />
    </dl>
    <h3>INCEpTION</h3>
    <p>In the project: Settings, Recommenders, Create, External, for the layer that is labelled.</p>
    <dl class="settings">
      <${Setting} name="Remote URL" text=${`${location.origin}/inception`} />
    </dl>
    <h3>UDPipe</h3>
    <p>Its clients take the address of the service.</p>
    <dl class="settings">
      <${Setting} name="Service" text=${location.origin} />
    </dl>
  </section>`;

const typed = signal("");

/** Where a token has to be given. */
function Lock() {
  const give = (/** @type {Event} */ event) => {
    event.preventDefault();
    unlock(typed.value);
  };
  return html`<form class="card part" aria-labelledby="lock" onSubmit=${give}>
    <h2 id="lock">A token is needed</h2>
    <p>The server was started with one: it is what <code>--token</code> was given.</p>
    <div class="line-to-copy">
      <input type="password" class="pick" aria-label="Token" autocomplete="off"
        onInput=${(/** @type {any} */ event) => (typed.value = event.target.value)} />
      <button class="btn main">Open</button>
    </div>
  </form>`;
}

export const Start = () =>
  html`<div class="app">
    <${Bar} title=${`Served at ${location.host}`}>
      ${desk.value && html`<a class="btn main" href="/desk">Open the desk</a>`}
    <//>
    <main class="start">
      ${trouble.value && html`<p class="card part trouble" role="alert">${trouble.value}</p>`}
      ${
        locked.value
          ? html`<${Lock} />`
          : html`<${Console} />
              <div class="beside"><${Models} /><${Tools} /></div>
              <${Requests} />`
      }
    </main>
  </div>`;
