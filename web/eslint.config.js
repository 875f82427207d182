import js from "@eslint/js";

const browser = ["document", "window", "localStorage", "matchMedia", "getComputedStyle", "Blob", "URL", "CSS", "fetch"];
browser.push("setInterval", "clearInterval", "ResizeObserver", "MutationObserver", "devicePixelRatio");
browser.push("location", "history", "navigator", "URLSearchParams", "crypto", "Element", "setTimeout", "clearTimeout");
browser.push("KeyboardEvent", "performance", "requestAnimationFrame", "cancelAnimationFrame");
const node = ["process", "console", "URL", "setTimeout"];
const names = (/** @type {string[]} */ list) => Object.fromEntries(list.map((name) => [name, "readonly"]));

export default [
  js.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow": "error",
      complexity: ["error", 12],
      "max-lines-per-function": ["error", { max: 60 }],
    },
  },
  { files: ["src/**", "parts/**"], languageOptions: { globals: names(browser) } },
  {
    files: ["*.js", "test/**"],
    languageOptions: { globals: names([...browser, ...node]) },
    rules: { "max-lines-per-function": "off", complexity: "off" },
  },
];
