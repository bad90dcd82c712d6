/**
 * Writes src/ui/tokens.css: those of Fluent 2's design tokens (@fluentui/tokens, web themes, light and dark) that our
 * style sheets use. `--check` fails when the file on disk differs.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";

import { webDarkTheme, webLightTheme } from "@fluentui/tokens";
import { format } from "prettier";

const SOURCES = "src";
const OUTPUT = join(SOURCES, "ui", "tokens.css");

function usedNames() {
  const sheets = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .map((name) => join(SOURCES, name))
    .filter((path) => path.endsWith(".css") && path !== OUTPUT);
  const names = new Set();
  for (const path of sheets) {
    for (const [, name] of readFileSync(path, "utf8").matchAll(/var\(--([a-zA-Z0-9]+)\)/g)) {
      if (name in webLightTheme) names.add(name);
    }
  }
  return [...names].sort();
}

const lines = (theme, names) => names.map((name) => `--${name}: ${theme[name]};`).join("\n");

const names = usedNames();
const differing = names.filter((name) => webLightTheme[name] !== webDarkTheme[name]);
const css = await format(
  `/* Written by scripts/tokens.mjs from @fluentui/tokens (MIT, Microsoft Corporation). Not to be edited. */
:root { color-scheme: light; ${lines(webLightTheme, names)} }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) { color-scheme: dark; ${lines(webDarkTheme, differing)} }
}
:root[data-theme="dark"] { color-scheme: dark; ${lines(webDarkTheme, differing)} }
`,
  { parser: "css", printWidth: 100 },
);

if (!argv.includes("--check")) {
  writeFileSync(OUTPUT, css);
} else if (readFileSync(OUTPUT, "utf8") !== css) {
  console.error(`${OUTPUT} is out of date: run \`npm run tokens\``);
  exit(1);
}
