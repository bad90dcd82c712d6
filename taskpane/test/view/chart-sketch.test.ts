import { describe, expect, it } from "vitest";

import type { Chart } from "../../src/view/chart";
import { chartSketch, scale } from "../../src/view/chart-sketch";

function chart(kind: Chart["kind"], ...series: (number | null)[][]): Chart {
  const length = Math.max(...series.map((values) => values.length));
  return {
    kind,
    title: "Sales",
    categories: Array.from({ length }, (_, index) => `C${index}`),
    series: series.map((values, index) => ({
      name: `S${index}`,
      values,
      colour: `#00000${index}`,
    })),
  };
}

describe("scale", () => {
  it.each([
    [[3, 7, 9], { low: 0, high: 10, step: 2 }],
    [[120, 480], { low: 0, high: 500, step: 100 }],
    [[-3, 4], { low: -4, high: 4, step: 2 }],
    [[0.02, 0.04], { low: 0, high: 0.04, step: 0.01 }],
    [[0, 0], { low: 0, high: 0.2, step: 0.2 }],
  ])("of %j has round steps and holds zero", (values, expected) => {
    const found = scale(chart("column", values));
    expect(found.low).toBeCloseTo(expected.low);
    expect(found.high).toBeCloseTo(expected.high);
    expect(found.step).toBeCloseTo(expected.step);
  });
});

describe("chartSketch", () => {
  it("draws a column for each value, as high as the value, and none for a gap", () => {
    const svg = chartSketch(chart("column", [10, null, 5]), 400, 300);
    const columns = [...svg.querySelectorAll('rect[fill="#000000"]')].filter(
      (one) => Number(one.getAttribute("width")) > 8,
    );
    const heights = columns.map((one) => Number(one.getAttribute("height")));
    expect(heights).toHaveLength(2);
    expect((heights[0] ?? 0) / (heights[1] ?? 1)).toBeCloseTo(2, 1);
  });

  it("draws a line through the values of each series", () => {
    const svg = chartSketch(chart("line", [1, 2, 3], [3, 2, 1]), 400, 300);
    const lines = [...svg.querySelectorAll("polyline")];
    expect(lines.map((one) => one.getAttribute("points")?.split(" ").length)).toEqual([3, 3]);
  });

  it("draws a slice for each value of a pie, one whole circle for a single one", () => {
    expect(chartSketch(chart("pie", [1, 1, 2]), 300, 300).querySelectorAll("path")).toHaveLength(3);
    expect(chartSketch(chart("pie", [7]), 300, 300).querySelectorAll("circle")).toHaveLength(1);
  });

  it("names title, categories and series", () => {
    const texts = [...chartSketch(chart("bar", [1, 2]), 400, 300).querySelectorAll("text")].map(
      (one) => one.textContent,
    );
    expect(texts).toEqual(expect.arrayContaining(["Sales", "C0", "C1", "S0"]));
  });
});
