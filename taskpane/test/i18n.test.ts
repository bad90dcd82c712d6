import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { setLocale, t } from "../src/i18n/t";
import en from "../src/locales/en.json";

afterEach(() => setLocale("en", en));

describe("t", () => {
  it("fills in values and leaves a hole visible when one is missing", () => {
    expect(t("step.undo.named", { title: "Bold" })).toBe("Undo: Bold");
    expect(t("step.undo.named")).toBe("Undo: {title}");
  });

  it("takes the plural form that the count asks for", () => {
    expect(t("all.review", { count: 1 })).toBe("1 step to review");
    expect(t("all.review", { count: 1200 })).toBe("1,200 steps to review");
  });

  it("speaks another language and falls back to English for what it lacks", () => {
    setLocale("de", { "step.keep": "Behalten" });
    expect(t("step.keep")).toBe("Behalten");
    expect(t("step.undo")).toBe("Undo");
    expect(document.documentElement.lang).toBe("de");
  });
});

describe("en.json", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith("protocol.ts"))
    .map((name) => readFileSync(join("src", name), "utf8"))
    .join("\n");

  it.each(Object.keys(en))("%s is used by the pages", (key) => {
    // Keys of a family (`step.state.kept`) are put together from their stem.
    const stem = key.slice(0, key.lastIndexOf("."));
    expect(sources.includes(`"${key}"`) || sources.includes("`" + stem + ".${")).toBe(true);
  });
});
