import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";

import vite from "./vite.config";

// Apart from vite.config.ts, since a build installs Vite but not vitest.
export default mergeConfig(
  vite,
  defineConfig({
    test: {
      environment: "happy-dom",
      include: ["test/**/*.test.{ts,tsx}"],
      restoreMocks: true,
    },
  }),
);
