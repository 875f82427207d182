// A real server for the tests of pages: started on a free port, ended with the tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after } from "node:test";
import { folder, program } from "./browser.js";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
after(() => running.forEach((child) => child.kill("SIGKILL")));

/**
 * Starts `vouch serve` with these arguments, and waits until it answers. A server that ends instead is an error: to
 * wait for what it will never say would hang the tests.
 * @param {string[]} args
 */
export async function serve(...args) {
  const at = args.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(program, ["serve", ...at, ...args], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const ended = once(child, "exit").then(([status, signal]) => {
    running.delete(child);
    return status ?? signal;
  });
  const said = await Promise.race([once(/** @type {any} */ (child.stdout), "data"), ended]);
  if (!Array.isArray(said)) throw new Error(`vouch serve ${args.join(" ")} ended with ${said}`);
  const url = /http:\S+/.exec(String(said[0]))?.[0] ?? "";
  return {
    url,
    /** Where its pages and requests are: it names the page to open. */
    root: new URL("/", url).href,
    port: new URL(url).port,
    /** Ends it without warning, as a power cut would; what it had locked is free then. */
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    /** What it says to a GET. @param {string} path @returns {Promise<any>} */
    json: async (path) => (await fetch(new URL(path, url))).json(),
  };
}
