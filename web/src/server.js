/** The server as its pages see it: who asks, what is served, how it is described; and asking it. */
import { batch, signal } from "@preact/signals";

/**
 * @typedef {{ name: string, task: string, parses: boolean, version: string, replaced: number,
 *   columns: number }} Model
 */
/** @typedef {{ method: string, path: string, summary: string, group: string, curl: string }} Request */

export const models = signal(/** @type {Model[]} */ ([]));
export const requests = signal(/** @type {Request[]} */ ([]));
/** What keeps the page from working, or nothing. */
export const trouble = signal("");
/** Whether a token has to be given first; and whether one is needed at all. */
export const locked = signal(false);
export const guarded = signal(false);
/** Whether a corpus is labelled here; and who asks, if the token told. */
export const desk = signal(false);
export const who = signal("");

/** Sends a request; fails with the server's own words. @param {string} path @param {RequestInit} [how] */
export async function ask(path, how = {}) {
  const response = await fetch(path, how);
  if (response.ok) return response;
  const text = await response.text();
  let detail = text || `${response.status} ${response.statusText}`;
  try {
    detail = JSON.parse(text).detail ?? detail;
  } catch {
    /* it was no problem in JSON */
  }
  throw Object.assign(new Error(detail), { status: response.status });
}

/** Sends something that changes something. @param {string} path @param {unknown} body @param {string} [method] */
export const send = (path, body, method = "POST") =>
  ask(path, {
    method,
    headers: { "Content-Type": "application/json", "X-Vouch": "page" },
    body: JSON.stringify(body),
  });

/**
 * Opens a session, whose cookie goes with every request from now on.
 * @param {string} token @param {() => Promise<void>} [then]
 */
export async function unlock(token, then = look) {
  try {
    const session = await (await send("/v1/session", { token })).json();
    who.value = session.who ?? "";
    locked.value = false;
    await then();
  } catch (error) {
    trouble.value = String(/** @type {Error} */ (error).message);
  }
}

/** The operations of the description that have a command line. @param {any} document @returns {Request[]} */
const described = (document) =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation["x-curl"])
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        group: operation.tags?.[0] ?? "",
        curl: operation["x-curl"],
      })),
  );

/** Asks what is served and how it is described, and shows both at once: nothing on the page moves afterwards. */
async function look() {
  const [served, document] = await Promise.all(
    ["/v1/models", "/openapi.json"].map((path) => ask(path).then((response) => response.json())),
  );
  batch(() => {
    models.value = served.models;
    requests.value = described(document);
    trouble.value = "";
  });
}

/**
 * Begins: takes a token from the address, which then forgets it; asks what there is.
 * @param {() => Promise<void>} [then]
 */
export async function enter(then = look) {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) history.replaceState(null, "", location.pathname + location.search);
  try {
    const session = await (await ask("/v1/session")).json();
    guarded.value = session.needs_token;
    desk.value = session.desk;
    who.value = session.who ?? "";
    if (token && session.needs_token) return await unlock(token, then);
    locked.value = session.needs_token && !session.open;
    if (!locked.value) await then();
  } catch (error) {
    trouble.value = `The server does not answer: ${/** @type {Error} */ (error).message}`;
  }
}
