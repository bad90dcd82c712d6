/** Drawings that docx-preview leaves out or gets wrong: recognised in the XML, shown as labelled boxes. */

import { chartTitle, readChart } from "./chart";
import type { Chart } from "./chart";
import { NS, descendants } from "./xml";

export type UndrawnKind =
  "chart" | "diagram" | "shape" | "textbox" | "object" | "picture" | "linked";

export interface UndrawnBox {
  kind: UndrawnKind;
  /** Title of the chart, alternative text, or name of the object. */
  name: string;
  /** Text inside a text box, one entry a paragraph. */
  text: string[];
  /** Size on the page in CSS pixels; 0 if the file does not say. */
  width: number;
  height: number;
  /** Values of a chart of a common kind, which is then sketched. */
  chart: Chart | null;
}

const EMU_PER_PIXEL = 9525;
/** Browsers show these; EMF, WMF and TIFF they do not. */
const SHOWN_PICTURES = /\.(png|jpe?g|gif|bmp|svg|webp)$/i;

/**
 * What to show in place of a `w:drawing`, `w:pict`, `w:object` or the `mc:AlternateContent` around one, or null if
 * the renderer can draw it. `targets` are the relationships of its part.
 */
export async function boxOf(
  drawing: Element,
  targets: ReadonlyMap<string, string>,
  part: (name: string) => Promise<Document | null>,
): Promise<UndrawnBox | null> {
  const kind = kindOf(drawing, targets);
  if (!kind) return null;
  const extent = descendants(drawing, NS.wp, "extent")[0];
  const chartXml = kind === "chart" ? await chartPart(drawing, targets, part) : null;
  return {
    kind,
    name: (chartXml && chartTitle(chartXml)) || nameOf(drawing),
    text: kind === "textbox" ? textOf(drawing) : [],
    chart: chartXml && readChart(chartXml),
    width: Number(extent?.getAttribute("cx") ?? 0) / EMU_PER_PIXEL,
    height: Number(extent?.getAttribute("cy") ?? 0) / EMU_PER_PIXEL,
  };
}

function kindOf(drawing: Element, targets: ReadonlyMap<string, string>): UndrawnKind | null {
  if (drawing.localName === "object") return "object";
  const uri = descendants(drawing, NS.a, "graphicData")[0]?.getAttribute("uri") ?? "";
  if (/\/chart(ex)?$/.test(uri)) return "chart";
  if (uri.endsWith("/diagram")) return "diagram";
  if (/wordprocessing(Shape|Group|Canvas)$/.test(uri))
    return textOf(drawing).length > 0 ? "textbox" : "shape";
  if (uri.endsWith("/picture")) return pictureKind(drawing, targets);
  if (uri !== "") return "shape";
  if (drawing.localName === "pict") return vmlKind(drawing, targets);
  return null;
}

/** VML, as files of Word 2003 and Word's own watermarks have it. */
function vmlKind(pict: Element, targets: ReadonlyMap<string, string>): UndrawnKind | null {
  if (textOf(pict).length > 0) return "textbox";
  const image = descendants(pict, NS.v, "imagedata")[0];
  if (image) {
    const target = targets.get(image.getAttributeNS(NS.r, "id") ?? "") ?? "";
    return SHOWN_PICTURES.test(target) ? null : "picture";
  }
  // A rule across the page (`o:hr`) draws well enough.
  const shape = [...pict.children].find(
    (one) => one.namespaceURI === NS.v && one.localName !== "shapetype",
  );
  return !shape || shape.getAttributeNS(NS.o, "hr") ? null : "shape";
}

function pictureKind(
  drawing: Element,
  targets: ReadonlyMap<string, string>,
): "picture" | "linked" | null {
  const blip = descendants(drawing, NS.a, "blip")[0];
  const id = blip?.getAttributeNS(NS.r, "embed");
  // A linked picture lies elsewhere, and opening a document must not call there.
  if (!id) return "linked";
  return SHOWN_PICTURES.test(targets.get(id) ?? "") ? null : "picture";
}

/** Text of the first text box body inside; `mc:AlternateContent` holds the same text once more for older readers. */
function textOf(drawing: Element): string[] {
  const content = descendants(drawing, NS.w, "txbxContent")[0];
  if (!content) return [];
  return descendants(content, NS.w, "p")
    .map((paragraph) =>
      descendants(paragraph, NS.w, "t")
        .map((one) => one.textContent)
        .join(""),
    )
    .filter((line) => line.trim() !== "");
}

function nameOf(drawing: Element): string {
  const properties = descendants(drawing, NS.wp, "docPr")[0];
  if (!properties) return "";
  const said = ["descr", "title", "name"].map((name) => properties.getAttribute(name) ?? "");
  return said.find((one) => one.trim() !== "") ?? "";
}

async function chartPart(
  drawing: Element,
  targets: ReadonlyMap<string, string>,
  part: (name: string) => Promise<Document | null>,
): Promise<Document | null> {
  const id = descendants(drawing, NS.c, "chart")[0]?.getAttributeNS(NS.r, "id");
  return id ? part(targets.get(id) ?? "") : null;
}
