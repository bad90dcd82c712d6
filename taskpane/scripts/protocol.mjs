/** Writes src/protocol.ts from src/protocol.schema.json. `--check` fails when the file on disk differs. */

import { readFileSync, writeFileSync } from "node:fs";
import { argv, exit } from "node:process";

import { compile } from "json-schema-to-typescript";
import { format, resolveConfig } from "prettier";

const SCHEMA = "src/protocol.schema.json";
const OUTPUT = "src/protocol.ts";

const schema = JSON.parse(readFileSync(SCHEMA, "utf8"));
const source = await compile(schema, "Wire", {
  additionalProperties: false,
  unreachableDefinitions: true,
  format: false,
  bannerComment:
    "/** Written by scripts/protocol.mjs from server/protocol.py. Not to be edited. */",
});
const text = await format(source, { ...(await resolveConfig(OUTPUT)), parser: "typescript" });

if (!argv.includes("--check")) {
  writeFileSync(OUTPUT, text);
} else if (readFileSync(OUTPUT, "utf8") !== text) {
  console.error(`${OUTPUT} differs from ${SCHEMA}: run \`make protocol\``);
  exit(1);
}
