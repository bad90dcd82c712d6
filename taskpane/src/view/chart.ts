/** What a chart shows, read from the values that Word keeps in the chart's part (`c:strCache`, `c:numCache`). */

import { NS, children, descendants } from "./xml";

export type ChartKind = "column" | "bar" | "line" | "pie";

export interface Chart {
  kind: ChartKind;
  title: string;
  categories: string[];
  series: { name: string; values: (number | null)[]; colour: string }[];
}

/** Colours of Office's own theme, in the order in which series take them. */
const ACCENTS = ["#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47"];

const KINDS: Readonly<Record<string, ChartKind>> = {
  barChart: "column",
  bar3DChart: "column",
  lineChart: "line",
  areaChart: "line",
  pieChart: "pie",
  pie3DChart: "pie",
  doughnutChart: "pie",
};

/** The chart in a `c:chartSpace`, or null for a kind that is not sketched (scatter, radar, several kinds at once). */
export function readChart(xml: Document): Chart | null {
  const plot = descendants(xml, NS.c, "plotArea")[0];
  const plotted = plot ? children(plot).filter((one) => one.localName.endsWith("Chart")) : [];
  const [only] = plotted;
  const kind = only && plotted.length === 1 ? KINDS[only.localName] : undefined;
  if (!only || !kind) return null;
  const series = childrenNamed(only, "ser").map((one, index) => ({
    name: pointTexts(childrenNamed(one, "tx")[0]).join(" "),
    values: pointTexts(childrenNamed(one, "val")[0]).map(toNumber),
    colour: fillOf(one) ?? ACCENTS[index % ACCENTS.length] ?? "#4472c4",
  }));
  const first = childrenNamed(only, "ser")[0];
  const categories = first ? pointTexts(childrenNamed(first, "cat")[0]) : [];
  if (series.length === 0 || series.every((one) => one.values.length === 0)) return null;
  const direction = childrenNamed(only, "barDir")[0]?.getAttribute("val");
  return {
    kind: kind === "column" && direction === "bar" ? "bar" : kind,
    title: chartTitle(xml),
    categories,
    series,
  };
}

/** The chart's own title; those of its axes come later in the file. Empty when the chart has none of its own. */
export function chartTitle(xml: Document): string {
  const title = descendants(xml, NS.c, "title")[0];
  if (title?.parentElement?.localName !== "chart") return "";
  return descendants(title, NS.a, "t")
    .map((one) => one.textContent)
    .join("")
    .trim();
}

function childrenNamed(element: Element, name: string): Element[] {
  return children(element).filter((one) => one.localName === name);
}

/** Cached points by their index; a gap is an empty string. */
function pointTexts(holder: Element | undefined): string[] {
  if (!holder) return [];
  const points = descendants(holder, NS.c, "pt");
  if (points.length === 0) {
    return descendants(holder, NS.c, "v").map((one) => one.textContent);
  }
  const texts: string[] = [];
  for (const point of points) {
    const index = Number(point.getAttribute("idx") ?? texts.length);
    // A file can claim any number of points.
    if (index < 500) texts[index] = descendants(point, NS.c, "v")[0]?.textContent ?? "";
  }
  return Array.from(texts, (text) => text ?? "");
}

function toNumber(text: string): number | null {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? null : value;
}

function fillOf(series: Element): string | null {
  const properties = childrenNamed(series, "spPr")[0];
  const colour = properties && descendants(properties, NS.a, "srgbClr")[0]?.getAttribute("val");
  return colour && /^[0-9a-f]{6}$/i.test(colour) ? `#${colour}` : null;
}
