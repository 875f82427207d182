// The outbox: order, retries, what is left behind, what is refused. The server is a function, the storage a map.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox } from "../src/outbox.js";

/** @returns {any} */
function makeStorage() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    kept,
    key: (/** @type {number} */ i) => [...kept.keys()][i] ?? null,
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => kept.set(name, text),
    removeItem: (/** @type {string} */ name) => kept.delete(name),
    get length() {
      return kept.size;
    },
  };
}

/** A server that takes what it gets, or answers as it is told. @returns {any} */
function makeServer() {
  /** @type {any} */
  const server = { got: [], done: [], answer: () => ({}) };
  server.post = {
    send: async (/** @type {string} */ path, /** @type {any} */ body) => {
      const result = server.answer(body);
      if (result instanceof Error) throw result;
      server.got.push([path, body.n, body.key]);
      return result;
    },
    acknowledged: (/** @type {any} */ letter) => server.done.push(letter.body.n),
    refused: (/** @type {any} */ letter, /** @type {string} */ message) => server.done.push([letter.body.n, message]),
  };
  return server;
}

const idle = async (/** @type {Outbox} */ box) => {
  while (box.busy) await new Promise((resolve) => setTimeout(resolve, 1));
};
const down = () => new TypeError("fetch failed");
const status = (/** @type {number} */ code) => Object.assign(new Error(`status ${code}`), { status: code });

test("what is added is sent in order, once, and kept until it is acknowledged", async () => {
  const server = makeServer();
  const storage = makeStorage();
  const box = new Outbox(server.post, storage);
  for (let n = 0; n < 20; n++) box.add("/v1/answer", { n });
  assert.equal(storage.kept.size, 20);
  assert.equal(box.state.value, "saving");
  await idle(box);
  assert.deepEqual(
    server.got.map((/** @type {any} */ [, n]) => n),
    Array.from({ length: 20 }, (_, n) => n),
  );
  assert.equal(new Set(server.got.map((/** @type {any} */ [, , key]) => key)).size, 20);
  assert.equal(storage.kept.size, 0);
  assert.equal(box.state.value, "saved");
});

test("while the server is away nothing is lost, and the order stays", async () => {
  const server = makeServer();
  const box = new Outbox(server.post, makeStorage());
  server.answer = down;
  for (let n = 0; n < 3; n++) box.add("/v1/answer", { n });
  await idle(box);
  assert.equal(box.state.value, "offline");
  assert.equal(box.waiting.value.length, 3);
  for (const code of [503, 401, 429]) {
    server.answer = () => status(code);
    box.pump();
    await idle(box);
    assert.equal(box.waiting.value.length, 3, String(code));
  }
  server.answer = () => ({});
  box.pump();
  await idle(box);
  clearTimeout(box.timer);
  assert.deepEqual(server.done, [0, 1, 2]);
  assert.equal(box.state.value, "saved");
});

test("a page that was closed left its letters behind: the next one sends them, with the same keys", async () => {
  const server = makeServer();
  const storage = makeStorage();
  const first = new Outbox(server.post, storage);
  server.answer = down;
  first.open("ada");
  first.add("/v1/answer", { n: 1 });
  first.add("/v1/undo", { n: 2 });
  await idle(first);
  clearTimeout(first.timer);
  const keys = first.waiting.value.map(({ key }) => key);
  server.answer = () => ({});
  const other = new Outbox(server.post, storage);
  other.open("grace");
  await idle(other);
  assert.deepEqual(server.got, []);
  const second = new Outbox(server.post, storage);
  second.open("ada");
  await idle(second);
  assert.deepEqual(
    server.got.map((/** @type {any} */ [path, , key]) => [path, key]),
    [
      ["/v1/answer", keys[0]],
      ["/v1/undo", keys[1]],
    ],
  );
  assert.equal(storage.kept.size, 0);
});

test("what the server refuses is told, and does not hold up the rest", async () => {
  const server = makeServer();
  const box = new Outbox(server.post, makeStorage());
  server.answer = (/** @type {any} */ { n }) => (n === 1 ? status(400) : {});
  for (let n = 0; n < 3; n++) box.add("/v1/answer", { n });
  await idle(box);
  assert.deepEqual(server.done, [0, [1, "status 400"], 2]);
  assert.equal(box.state.value, "bad");
  box.forget(box.refused.value[0]?.key ?? "");
  assert.equal(box.state.value, "saved");
});

test("without storage it goes on in memory, and says so", async () => {
  const server = makeServer();
  const storage = { ...makeStorage(), setItem: () => assert.fail("full") };
  const box = new Outbox(server.post, storage);
  box.add("/v1/answer", { n: 1 });
  assert.equal(box.lost.value, true);
  await idle(box);
  assert.deepEqual(server.done, [1]);
});
