/** A Vite plugin: writes the licences of all packages that went into the built pages beside them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Plugin } from "vite";

const IN_PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//g;
/** What no bundler can know: the values in tokens.css, and what is inside the ready-made file of JSZip. */
const BY_HAND = ["@fluentui/tokens", "pako", "lie", "immediate", "setimmediate", "readable-stream"];

export function licences(): Plugin {
  return {
    name: "third-party-licences",
    apply: "build",
    generateBundle(_options, bundle) {
      const names = new Set(BY_HAND);
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        for (const id of output.moduleIds) {
          const inner = [...id.replaceAll("\\", "/").matchAll(IN_PACKAGE)].at(-1)?.[1];
          if (inner) names.add(inner);
        }
      }
      const texts = [...names].sort().map(notice);
      const source = texts.join(`\n\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "third-party-licences.txt", source });
    },
  };
}

function notice(name: string): string {
  const folder = join("node_modules", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license: string;
  };
  const head = `${name} ${manifest.version} (${manifest.license})`;
  const file = readdirSync(folder).find((one) => /^licen[sc]e(\.\w+)?$/i.test(one));
  if (!file) return head;
  return `${head}\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
}
