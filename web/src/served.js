/**
 * The pages of vouch serve: one program for all of them, which draws the page of the address. What the server knows is
 * in server.js; each page has its own state beside it, and its parts in parts/.
 */
import { html, render } from "htm/preact";
import "../style/work.css";
import "../style/review.css";
import "../style/served.css";
import { Start } from "../parts/start.js";
import { enter } from "./server.js";

/** Pages by the beginning of their address. @type {[string, any][]} */
const pages = [["/", Start]];

const [, Page] = pages.find(([path]) => location.pathname.startsWith(path)) ?? ["/", Start];
render(html`<${Page} />`, document.body);
enter();
