// Bundles for the browser tests, into build/fake-word: office.js (the fake, served in place of Microsoft's) and
// word-host.js (the Word host by itself, as `window.WordHost`).
import { build } from "vite";

for (const [entry, name] of [
  ["test/fake-word/install.ts", "office"],
  ["test/fake-word/word-host-alone.ts", "word-host"],
]) {
  await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: "../build/fake-word",
      emptyOutDir: false,
      minify: false,
      target: "es2022",
      lib: {
        entry,
        name: `built_${name.replace("-", "_")}`,
        formats: ["iife"],
        fileName: () => `${name}.js`,
      },
    },
  });
}
