import { describe, expect, it } from "vitest";

import { matches } from "../../src/view/diff";

/** Places of `after` that are new, by their letters. */
function drawnAgain(before: string, after: string): string {
  const places = matches([...before], [...after]);
  return [...after].filter((_, index) => places[index] === -1).join("");
}

describe("matches", () => {
  it.each([
    ["abc", "abc", ""],
    ["abc", "aXc", "X"],
    ["abc", "aXbc", "X"],
    ["abc", "ac", ""],
    ["abcde", "aXcYe", "XY"],
    ["", "ab", "ab"],
    ["ab", "", ""],
    ["aaaa", "aaXaa", "X"],
  ])("from %j to %j draws %j again", (before, after, expected) => {
    expect(drawnAgain(before, after)).toBe(expected);
  });

  it("keeps the order and uses each item once", () => {
    const before = [..."the quick brown fox jumps over"];
    const after = [..."a quick red fox jumped right over it"];
    const places = matches(before, after).filter((place) => place >= 0);
    expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
    expect(places.length).toBeGreaterThan(15);
  });

  it("draws a very long middle again rather than compare each with each", () => {
    const before = Array.from({ length: 3000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 3000 }, (_, index) => `new ${index}`);
    expect(matches(["a", ...before, "z"], ["a", ...after, "z"]).filter((p) => p >= 0)).toEqual([
      0, 3001,
    ]);
  });
});
