// The XML work itself is tried in a real browser (tests/e2e/test_document_view.py): happy-dom knows no namespaces.
import { describe, expect, it } from "vitest";

import { Tokens } from "../../src/view/prepare";
import { resolveTarget } from "../../src/view/xml";

const BOX = { kind: "chart", name: "", text: [], width: 0, height: 0, chart: null } as const;

describe("Tokens", () => {
  it("knows its own marks and boxes again", () => {
    const tokens = new Tokens("n");
    expect(tokens.blockIndex(tokens.blockMark(12))).toBe(12);
    expect(tokens.box(tokens.add({ ...BOX, text: [] }))).toMatchObject({ kind: "chart" });
  });

  it("takes no name or text of the document's own for one of them", () => {
    const tokens = new Tokens("n1");
    expect(tokens.blockIndex("n2-block-3")).toBeNull();
    expect(tokens.box("n1-box-7")).toBeNull();
    expect(tokens.box("a sentence")).toBeNull();
  });
});

describe("resolveTarget", () => {
  it.each([
    ["word/", "charts/chart1.xml", "word/charts/chart1.xml"],
    ["word/", "../media/a.png", "media/a.png"],
    ["word/", "/word/styles.xml", "word/styles.xml"],
    ["", "word/document.xml", "word/document.xml"],
  ])("from %j to %j is %j", (folder, target, expected) => {
    expect(resolveTarget(folder, target)).toBe(expected);
  });
});
