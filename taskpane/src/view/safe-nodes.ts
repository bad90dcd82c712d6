/**
 * How docx-preview's descriptions become nodes. Documents are untrusted, so this builds what is known to be harmless
 * and nothing else: elements and properties by list, links to the web and within the document, no scripts, no frames.
 * The page's content security policy stands behind it.
 */

import type { HElement } from "docx-preview";

import { t } from "../i18n/t";
import type { Tokens } from "./prepare";
import type { Chart } from "./chart";
import { chartSketch } from "./chart-sketch";
import { fixedStyleText, withReadableSymbols } from "./styles";
import type { UndrawnBox } from "./undrawn";

/** Before every id of the document, so that a bookmark cannot pass for an element of the page. */
const ID_PREFIX = "doc-";
/** Attribute on the node that a block mark was found in, until the view reads it. */
export const MARK_ATTRIBUTE = "data-stet-mark";

const HTML_TAGS = new Set(
  (
    "a article br col colgroup del div footer header img ins li ol p section span sub sup table tbody td th tr ul wbr " +
    "b i u s em strong"
  ).split(" "),
);
const SVG_TAGS = new Set(
  "svg g rect ellipse circle line polyline polygon path image foreignObject".split(" "),
);
const MATH_TAG = /^m[a-z]+$/;
const SAFE_PROPERTIES = new Set(["id", "lang", "colSpan", "rowSpan", "dateTime", "title"]);
const SAFE_LINK = /^(https?:|mailto:|tel:)/i;

const HTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";

type Child = HElement | Node | string;

/** A builder for docx-preview's option `h`. */
export function nodeBuilder(tokens: Tokens): (description: Child) => Node {
  const build = (description: Child): Node => {
    if (typeof description === "string") return textOrBox(description, tokens);
    if (description instanceof Node) return description;
    if (description.tagName === "#comment") return document.createComment("");
    if (description.tagName === "#fragment") {
      const fragment = document.createDocumentFragment();
      for (const child of description.children ?? []) fragment.append(build(child));
      return fragment;
    }
    if (description.tagName === "style") return styleElement(description);
    return element(description, tokens, build);
  };
  return build;
}

function element(description: HElement, tokens: Tokens, build: (child: Child) => Node): Node {
  const { ns, tagName, className, style, children } = description;
  const result = emptyElement(ns ?? HTML, tagName);
  if (className) result.setAttribute("class", className);
  if (style && "style" in result) applyStyle((result as HTMLElement).style, style);
  for (const [name, value] of Object.entries(description)) {
    if (SAFE_PROPERTIES.has(name) && value !== undefined) {
      Object.assign(result, { [name]: value as unknown });
    }
  }
  if (typeof description.id === "string") {
    const index = tokens.blockIndex(description.id);
    if (index !== null) result.setAttribute(MARK_ATTRIBUTE, String(index));
    result.id = index === null ? ID_PREFIX + description.id : "";
  }
  if (result instanceof HTMLImageElement) takeOnlyData(result);
  if (result instanceof HTMLAnchorElement) link(result, description.href as unknown);
  for (const child of children ?? []) result.append(build(child));
  return result;
}

function emptyElement(namespace: string, tagName: string): Element {
  const known =
    (namespace === HTML && HTML_TAGS.has(tagName)) ||
    (namespace === SVG && SVG_TAGS.has(tagName)) ||
    (namespace === MATHML && MATH_TAG.test(tagName));
  return known ? document.createElementNS(namespace, tagName) : document.createElement("span");
}

function applyStyle(target: CSSStyleDeclaration, style: string | Record<string, string>): void {
  if (typeof style === "string") target.cssText = style;
  else Object.assign(target, style);
  // Nothing of the document may lie over the page.
  if (target.position === "fixed" || target.position === "sticky") target.position = "absolute";
}

function link(anchor: HTMLAnchorElement, href: unknown): void {
  if (typeof href !== "string") return;
  if (href.startsWith("#")) {
    anchor.href = `#${ID_PREFIX}${href.slice(1)}`;
  } else if (SAFE_LINK.test(href.trim())) {
    anchor.href = href.trim();
    anchor.target = "_blank";
    anchor.rel = "noopener noreferrer";
  }
}

/** The renderer sets `src` later, to the picture's bytes; or to null, which browsers take for an address. */
function takeOnlyData(image: HTMLImageElement): void {
  Object.defineProperty(image, "src", {
    set: (source: unknown) => {
      if (typeof source === "string" && source.startsWith("data:"))
        image.setAttribute("src", source);
    },
  });
}

function styleElement(description: HElement): Node {
  const style = document.createElement("style");
  const text = (description.children ?? []).filter((child) => typeof child === "string").join("");
  style.textContent = fixedStyleText(text);
  return style;
}

function textOrBox(text: string, tokens: Tokens): Node {
  const box = tokens.box(text);
  return box ? boxElement(box) : document.createTextNode(withReadableSymbols(text));
}

/** A chart with its values drawn; what it says is there for readers too. */
function sketched(element: HTMLElement, box: UndrawnBox, chart: Chart): HTMLElement {
  element.classList.add("sketch");
  element.append(chartSketch(chart, Math.round(box.width), Math.round(box.height)));
  const kind = t("view.box.chart");
  const name = box.name === "" ? kind : t("view.box.named", { kind, name: box.name });
  const series = chart.series.map(({ name, values }) => `${name}: ${values.join(", ")}`).join("; ");
  element.role = "img";
  element.ariaLabel = `${name}. ${chart.categories.join(", ")}. ${series}`;
  return element;
}

/** A grey box that says what stands there in Word. */
export function boxElement(box: UndrawnBox): HTMLElement {
  const kind = t(`view.box.${box.kind}`);
  const element = document.createElement("span");
  element.className = "undrawn";
  element.dataset.kind = box.kind;
  if (box.chart && box.width > 0 && box.height > 0) return sketched(element, box, box.chart);
  if (box.width > 0) element.style.width = `${Math.round(box.width)}px`;
  if (box.height > 0) element.style.minHeight = `${Math.round(box.height)}px`;
  const label = document.createElement("span");
  label.className = "undrawn-label";
  label.textContent =
    box.name === "" || box.kind === "textbox"
      ? kind
      : t("view.box.named", { kind, name: box.name });
  const note = document.createElement("span");
  note.className = "undrawn-note";
  note.textContent = t("view.box.note");
  element.append(label);
  for (const line of box.text) {
    const paragraph = document.createElement("span");
    paragraph.className = "undrawn-text";
    paragraph.textContent = withReadableSymbols(line);
    element.append(paragraph);
  }
  // Lines and arrows are too small for more than their name.
  if (box.text.length === 0 && box.kind !== "shape") element.append(note);
  return element;
}
