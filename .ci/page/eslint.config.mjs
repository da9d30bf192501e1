import js from "@eslint/js";

// The page's scripts are one program in one scope, joined in the order that kg.view gives.
const browser = [
  "Blob", "URL", "addEventListener", "clearTimeout", "devicePixelRatio", "document", "getComputedStyle", "history",
  "location", "matchMedia", "performance", "requestAnimationFrame", "setTimeout", "vis", "window",
];

export default [
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "script",
      globals: Object.fromEntries(browser.map((name) => [name, "readonly"])),
    },
    rules: {
      eqeqeq: "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-implicit-globals": "off",
      "no-control-regex": "off",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
