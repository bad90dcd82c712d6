import js from "@eslint/js";
import officeAddins from "eslint-plugin-office-addins";
import globals from "globals";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules", "coverage", "src/protocol.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylistic],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": "error",
      eqeqeq: "error",
      "no-console": ["error", { allow: ["warn", "error"] }],
    },
  },
  { files: ["scripts/**"], languageOptions: { globals: globals.node } },
  {
    // Word's objects are proxies: load before read, sync before use, never a sync in a loop.
    files: ["src/word/**/*.ts"],
    plugins: { "office-addins": officeAddins },
    rules: Object.fromEntries(
      Object.keys(officeAddins.rules).map((name) => [`office-addins/${name}`, "error"]),
    ),
  },
);
