/** A chart as a plain drawing: right in its values, plain in its looks. Word draws the real one. */

import type { Chart } from "./chart";

const SVG = "http://www.w3.org/2000/svg";
const INK = "#595959";
const GRID = "#d9d9d9";
const FONT = 11;

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The drawing, `width` by `height` CSS pixels. */
export function chartSketch(chart: Chart, width: number, height: number): SVGSVGElement {
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
  if (chart.title) svg.append(label(chart.title, width / 2, 18, "middle", 14));
  const named = chart.kind === "pie" ? chart.categories : chart.series.map((one) => one.name);
  svg.append(...legend(named, coloursOf(chart), width, height - 8));
  const area = { left: 12, top: chart.title ? 32 : 12, width: width - 24, height: 0 };
  area.height = height - area.top - 28;
  if (chart.kind === "pie") svg.append(...pie(chart, area));
  else if (chart.kind === "bar") svg.append(...bars(chart, area));
  else svg.append(...columnsOrLines(chart, area));
  return svg;
}

/** Slices have a colour each; else it is one a series. */
function coloursOf(chart: Chart): string[] {
  if (chart.kind !== "pie") return chart.series.map((one) => one.colour);
  const palette = ["#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47"];
  return chart.categories.map((_, index) => palette[index % palette.length] ?? INK);
}

/** Values from `low` to `high` with round steps between. */
export function scale(chart: Chart): { low: number; high: number; step: number } {
  const values = chart.series.flatMap((one) => one.values).filter((value) => value !== null);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const rough = (high - low || 1) / 5;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * magnitude >= rough) ?? 10) * magnitude;
  return { low: Math.floor(low / step) * step, high: Math.ceil(high / step) * step || step, step };
}

function* steps({ low, high, step }: ReturnType<typeof scale>): Generator<number> {
  // Counted, so that no rounding adds up.
  for (let count = 0; low + count * step <= high + step / 1000; count += 1) {
    yield Number((low + count * step).toPrecision(12));
  }
}

function columnsOrLines(chart: Chart, whole: Area): SVGElement[] {
  const range = scale(chart);
  const area = {
    ...whole,
    left: whole.left + 40,
    width: whole.width - 40,
    height: whole.height - 18,
  };
  const y = (value: number) =>
    area.top + area.height * (1 - (value - range.low) / (range.high - range.low));
  const count = slots(chart);
  const slot = area.width / count;
  const drawn: SVGElement[] = [];
  for (const value of steps(range)) {
    drawn.push(line(area.left, y(value), area.left + area.width, y(value), GRID));
    drawn.push(label(value.toLocaleString(), area.left - 6, y(value) + 4, "end"));
  }
  chart.categories.forEach((name, index) => {
    const fits = cut(name, slot);
    drawn.push(
      label(fits, area.left + slot * (index + 0.5), area.top + area.height + 15, "middle"),
    );
  });
  chart.series.forEach((series, number) => {
    if (chart.kind === "line") {
      const points = series.values.flatMap((value, index) =>
        value === null ? [] : [`${area.left + slot * (index + 0.5)},${y(value)}`],
      );
      const style = { fill: "none", stroke: series.colour, "stroke-width": 2.5 };
      drawn.push(make("polyline", { points: points.join(" "), ...style }));
      return;
    }
    const thick = (slot * 0.7) / chart.series.length;
    series.values.forEach((value, index) => {
      if (value === null) return;
      const x = area.left + slot * (index + 0.15) + thick * number;
      const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
      drawn.push(rectangle(x, top, thick, bottom - top, series.colour));
    });
  });
  return drawn;
}

function bars(chart: Chart, whole: Area): SVGElement[] {
  const range = scale(chart);
  const names = Math.min(110, whole.width / 3);
  const area = {
    ...whole,
    left: whole.left + names,
    width: whole.width - names,
    height: whole.height - 18,
  };
  const x = (value: number) =>
    area.left + (area.width * (value - range.low)) / (range.high - range.low);
  const slot = area.height / slots(chart);
  const drawn: SVGElement[] = [];
  for (const value of steps(range)) {
    drawn.push(line(x(value), area.top, x(value), area.top + area.height, GRID));
    drawn.push(label(value.toLocaleString(), x(value), area.top + area.height + 15, "middle"));
  }
  // Word's first category of a bar chart is at the bottom.
  const middle = (index: number) => area.top + area.height - slot * (index + 0.5);
  chart.categories.forEach((name, index) => {
    drawn.push(label(cut(name, names), area.left - 6, middle(index) + 4, "end"));
  });
  const thick = (slot * 0.7) / chart.series.length;
  chart.series.forEach((series, number) => {
    series.values.forEach((value, index) => {
      if (value === null) return;
      const top = middle(index) + slot * 0.35 - thick * (number + 1);
      const [left, right] = [Math.min(x(value), x(0)), Math.max(x(value), x(0))];
      drawn.push(rectangle(left, top, right - left, thick, series.colour));
    });
  });
  return drawn;
}

function pie(chart: Chart, area: Area): SVGElement[] {
  const values = (chart.series[0]?.values ?? []).map((value) => Math.max(0, value ?? 0));
  const sum = values.reduce((one, other) => one + other, 0) || 1;
  const radius = Math.min(area.width, area.height) / 2 - 4;
  const [cx, cy] = [area.left + area.width / 2, area.top + area.height / 2];
  const colours = coloursOf(chart);
  let turned = 0;
  return values.map((value, index) => {
    const at = (part: number) => {
      const angle = 2 * Math.PI * part - Math.PI / 2;
      return `${cx + radius * Math.cos(angle)} ${cy + radius * Math.sin(angle)}`;
    };
    const share = value / sum;
    const style = { fill: colours[index] ?? INK, stroke: "#fff" };
    if (share > 0.9999) return make("circle", { cx, cy, r: radius, ...style });
    const from = at(turned);
    turned += share;
    const large = share > 0.5 ? 1 : 0;
    const d = `M${cx} ${cy}L${from}A${radius} ${radius} 0 ${large} 1 ${at(turned)}Z`;
    return make("path", { d, ...style });
  });
}

function legend(names: string[], colours: string[], width: number, y: number): SVGElement[] {
  const shown = names.map((name, index) => ({
    name: cut(name, width / 3),
    colour: colours[index],
  }));
  if (shown.every((one) => one.name === "")) return [];
  const widths = shown.map(({ name }) => name.length * FONT * 0.55 + 28);
  let x = (width - widths.reduce((one, other) => one + other, 0)) / 2;
  return shown.flatMap(({ name, colour }, index) => {
    const entry = [rectangle(x, y - 8, 8, 8, colour ?? INK), label(name, x + 12, y, "start")];
    x += widths[index] ?? 0;
    return entry;
  });
}

function slots(chart: Chart): number {
  return Math.max(1, chart.categories.length, ...chart.series.map((one) => one.values.length));
}

/** As much of a name as fits into so many pixels. */
function cut(text: string, pixels: number): string {
  const letters = Math.max(2, Math.floor(pixels / (FONT * 0.55)));
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
}

// -- SVG --------------------------------------------------------------------------------------------------------------

function make<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === "number" ? String(Number(value.toFixed(2))) : value);
  }
  return element;
}

function rectangle(x: number, y: number, width: number, height: number, fill: string): SVGElement {
  return make("rect", { x, y, width, height, fill });
}

function line(x1: number, y1: number, x2: number, y2: number, stroke: string): SVGElement {
  return make("line", { x1, y1, x2, y2, stroke });
}

function label(text: string, x: number, y: number, anchor: string, size = FONT): SVGElement {
  const element = make("text", { x, y, "text-anchor": anchor, "font-size": size, fill: INK });
  element.textContent = text;
  return element;
}
