// Bundles the pages: node build.js FOLDER writes review.js, served.js, desk.js and their styles there. The same sources
// give the same bytes.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const folder = process.argv[2];
if (!folder) throw new Error("usage: node build.js FOLDER");

await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: ["src/review.js", "src/served.js", "src/desk.js"],
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "chrome123", "firefox120", "safari17.5"],
  charset: "utf8",
  legalComments: "none",
  tsconfigRaw: {}, // which is for checking alone
  logLevel: "warning",
});
