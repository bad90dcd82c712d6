import { defineConfig } from "vite";

import { licences } from "./scripts/licences.ts";

// Two pages: the playground (plain browser, no office.js) and the pane that Word opens.
// The server ships what lands in server/static; /api (the socket too) goes to it while `npm run dev` serves the pages.
export default defineConfig({
  base: "./",
  // Vite 8 compiles JSX by itself: Preact needs no plugin.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [licences()],
  build: {
    outDir: "../server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index.html", "taskpane.html"] },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    proxy: {
      "/api": { target: "http://127.0.0.1:8000", ws: true },
    },
  },
});
