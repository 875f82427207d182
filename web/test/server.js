// A real server for the tests of pages: started on a free port, ended with the tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after } from "node:test";
import { folder, program } from "./browser.js";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
after(() => running.forEach((child) => child.kill("SIGKILL")));

/** Starts `vouch serve` with these arguments, and waits until it answers. @param {string[]} args */
export async function serve(...args) {
  const at = args.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(program, ["serve", ...at, ...args], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const [said] = await once(/** @type {any} */ (child.stdout), "data");
  const url = /http:\S+/.exec(String(said))?.[0] ?? "";
  return {
    url,
    port: new URL(url).port,
    /** Ends it without warning, as a power cut would. */
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    /** What it says to a GET. @param {string} path @returns {Promise<any>} */
    json: async (path) => (await fetch(new URL(path, url))).json(),
  };
}
