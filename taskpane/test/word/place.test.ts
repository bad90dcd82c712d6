import { describe, expect, test } from "vitest";
import { blocksOf, sameText, type LiveBlock } from "../../src/word/blocks";
import { find, findPlace } from "../../src/word/place";

function body(...texts: string[]): LiveBlock[] {
  return blocksOf(texts.map((text) => ({ text, tableNestingLevel: 0 })));
}

const place = (index: number, expect: string[], before: string | null, after: string | null) => ({
  index,
  expect,
  before,
  after,
});

describe("blocks", () => {
  const inTable = (text: string, tableNestingLevel = 1) => ({ text, tableNestingLevel });
  const plain = (text: string) => inTable(text, 0);

  test("a table is one block with the texts of its paragraphs, nested tables too", () => {
    const found = blocksOf([plain("a"), inTable("x"), inTable("y", 2), inTable(""), plain("b")]);
    expect(found.map((block) => [block.kind, block.text, block.first, block.last])).toEqual([
      ["paragraph", "a", 0, 0],
      ["table", "x\ny", 1, 3],
      ["paragraph", "b", 4, 4],
    ]);
  });

  test("tables side by side are told apart by their sizes only", () => {
    const paragraphs = [inTable("x"), inTable("y"), inTable("z"), plain("")];
    expect(blocksOf(paragraphs).map((block) => block.text)).toEqual(["x\ny\nz", ""]);
    expect(blocksOf(paragraphs, [1, 2]).map((block) => block.text)).toEqual(["x", "y\nz", ""]);
  });

  test.each([
    ["a\tb", "a b"],
    ["line\u000bbreak", "line\nbreak"],
    ["non\u001ebreaking", "non-breaking"],
    ["soft\u001fhyphen", "soft\u00adhyphen"],
    ["note\u0002 here", "note here"],
    ["/", ""],
  ])("%j is what another platform calls %j", (one, other) => {
    expect(sameText(one, other)).toBe(true);
  });

  test.each([
    ["Total: 12", "Total: 13"],
    ["Émile", "Emile"],
    ["a", ""],
  ])("%j is not %j", (one, other) => {
    expect(sameText(one, other)).toBe(false);
  });
});

describe("finding a place", () => {
  const blocks = body("x", "same", "y", "x", "same", "z");

  test("it is where it is expected", () => {
    expect(findPlace(blocks, place(1, ["same"], "x", "y"))).toBe(1);
    expect(findPlace(blocks, place(4, ["same"], "x", "z"))).toBe(4);
  });

  test("a shifted one is found by its neighbours", () => {
    expect(findPlace(blocks, place(0, ["same"], "x", "z"))).toBe(4);
  });

  test("one that could be two is not found, unless it is where it is expected", () => {
    const twice = body("x", "same", "y", "x", "same", "y");
    expect(findPlace(twice, place(2, ["same"], "x", "y"))).toBeNull();
    expect(findPlace(twice, place(4, ["same"], "x", "y"))).toBe(4);
  });

  test("the start and the end of the body are neighbours too", () => {
    expect(findPlace(blocks, place(0, ["x"], null, "same"))).toBe(0);
    expect(findPlace(blocks, place(3, ["x"], null, "same"))).toBe(0);
    expect(findPlace(blocks, place(5, ["z"], "same", null))).toBe(5);
    expect(findPlace(blocks, place(3, ["x"], "y", null))).toBe(3);
    expect(findPlace(blocks, place(4, ["same"], "y", null))).toBeNull();
  });

  test("empty paragraphs that Word keeps at the end do not hide the end", () => {
    expect(findPlace(body("a", "b", ""), place(1, ["b"], "a", null))).toBe(1);
    expect(findPlace(body("a", "b", "c"), place(1, ["b"], "z", null))).toBeNull();
  });

  test("one neighbour may have changed where the place is expected, not elsewhere", () => {
    expect(findPlace(blocks, place(1, ["same"], "x", "typed over"))).toBe(1);
    expect(findPlace(blocks, place(1, ["same"], "typed over", "y"))).toBe(1);
    expect(findPlace(blocks, place(0, ["same"], "x", "typed over"))).toBeNull();
    expect(findPlace(blocks, place(1, ["same"], "typed over", "typed over"))).toBeNull();
  });

  test("an insertion lies between two neighbours", () => {
    expect(findPlace(blocks, place(2, [], "same", "y"))).toBe(2);
    expect(findPlace(blocks, place(2, [], "y", "z"))).toBeNull();
  });

  test("one further than fifty blocks away is not looked for", () => {
    const far = body(...Array.from({ length: 60 }, (_, i) => `p${i}`), "here");
    expect(findPlace(far, place(0, ["here"], "p59", null))).toBeNull();
    expect(findPlace(far, place(20, ["here"], "p59", null))).toBe(60);
  });
});

describe("reading back", () => {
  const around = { before: "a", after: "z" };

  test("the wanted texts between the neighbours are there", () => {
    expect(find(body("a", "1", "2", "z"), around, ["1", "2"], 1)).toEqual({
      there: true,
      extra: [],
    });
  });

  test("empty paragraphs among them are named, wanted ones are not", () => {
    const finding = find(body("a", "1", "", "2", "", "z"), around, ["1", "2", ""], 1);
    expect(finding.there).toBe(true);
    expect(finding.extra.map((block) => block.first)).toEqual([2]);
  });

  test("anything else among them is not what was wanted", () => {
    expect(find(body("a", "1", "typed", "z"), around, ["1"], 1).there).toBe(false);
    expect(find(body("a", "z"), around, ["1"], 1).there).toBe(false);
    expect(find(body("b", "1", "c"), around, ["1"], 1).there).toBe(false);
  });

  test("an empty paragraph left behind is told from an empty neighbour by counting", () => {
    const blocks = body("a", "1", "", "", "z");
    const around = { before: "a", after: "" };
    expect(find(blocks, around, ["1"], 1, { least: 3, most: 3 }).extra).toEqual([]);
    const finding = find(blocks, around, ["1"], 1, { least: 2, most: 2 });
    expect(finding).toMatchObject({ there: true, extra: [{ first: 2 }] });
  });

  test("one of the neighbours may be typed in meanwhile", () => {
    expect(find(body("typed", "1", "z"), around, ["1"], 1)).toEqual({ there: true, extra: [] });
    const typed = body("a", "1", "", "typed", "b");
    const finding = find(typed, around, ["1"], 1, { least: 2, most: 2 });
    expect(finding).toMatchObject({ there: true, extra: [{ first: 2 }] });
    expect(find(typed, around, ["1"], 1, { least: 1, most: 1 }).there).toBe(false);
    expect(find(typed, around, ["1"], 1).there).toBe(false);
  });

  test("at the end of the body all that follows is extra", () => {
    const finding = find(body("a", "1", "", ""), { before: "a", after: null }, ["1"], 1);
    expect(finding).toMatchObject({ there: true, extra: [{ first: 2 }, { first: 3 }] });
  });
});
