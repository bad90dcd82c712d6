/**
 * The document's XML on its way to docx-preview: each body block gets a mark by which its rendering is found again,
 * what the renderer cannot draw is replaced by the token of a labelled box, and fields that it skips are unwrapped.
 * The server's copy is never touched; this is only what the page draws.
 */

import JSZip from "jszip";

import { boxOf } from "./undrawn";
import type { UndrawnBox } from "./undrawn";
import { NS, children, descendants, resolveTarget, targetsOf } from "./xml";

export interface Prepared {
  data: Uint8Array;
  tokens: Tokens;
}

/** Stretch of text that stands for something else until the renderer makes nodes of it. */
export class Tokens {
  /** Random, so that no document can hold one of them. */
  readonly #nonce: string;
  readonly boxes: UndrawnBox[] = [];

  constructor(nonce: string = Math.random().toString(36).slice(2)) {
    this.#nonce = nonce;
  }

  /** Bookmark name that marks body block `index`. */
  blockMark(index: number): string {
    return `${this.#nonce}-block-${index}`;
  }

  /** The index in a bookmark name that `blockMark` made, or null. */
  blockIndex(name: string): number | null {
    const stem = `${this.#nonce}-block-`;
    return name.startsWith(stem) ? Number(name.slice(stem.length)) : null;
  }

  /** Text that stands for a box. */
  add(box: UndrawnBox): string {
    return `${this.#nonce}-box-${this.boxes.push(box) - 1}`;
  }

  box(text: string): UndrawnBox | null {
    const stem = `${this.#nonce}-box-`;
    return text.startsWith(stem) ? (this.boxes[Number(text.slice(stem.length))] ?? null) : null;
  }
}

/** Parts whose drawings are looked at. */
const STORY = /^(header|footer|footnotes|endnotes)\d*\.xml$/;

export async function prepare(bytes: ArrayBuffer | Uint8Array): Promise<Prepared> {
  const zip = await JSZip.loadAsync(bytes);
  const tokens = new Tokens();
  const main = await mainPart(zip);
  const folder = main.slice(0, main.lastIndexOf("/") + 1);
  const stories = Object.keys(zip.files).filter(
    (path) => path.startsWith(folder) && STORY.test(path.slice(folder.length)),
  );
  for (const path of [main, ...stories]) {
    const xml = await readXml(zip, path);
    if (!xml) continue;
    const targets = await targetsOf(path, (name) => readXml(zip, name));
    const charts = (name: string) => readXml(zip, name);
    await replaceUndrawn(xml, tokens, targets, charts);
    unwrapSimpleFields(xml);
    if (path === main) markBlocks(xml, tokens);
    zip.file(path, new XMLSerializer().serializeToString(xml));
  }
  // Parts that were not touched keep their compressed bytes.
  const data = await zip.generateAsync({
    type: "uint8array",
    compression: "DEFLATE",
    compressionOptions: { level: 1 },
  });
  return { data, tokens };
}

async function mainPart(zip: JSZip): Promise<string> {
  const rels = await readXml(zip, "_rels/.rels");
  for (const rel of rels ? descendants(rels, NS.rels, "Relationship") : []) {
    if (rel.getAttribute("Type")?.endsWith("/officeDocument")) {
      return resolveTarget("", rel.getAttribute("Target") ?? "");
    }
  }
  return "word/document.xml";
}

async function readXml(zip: JSZip, path: string): Promise<Document | null> {
  const text = await zip.file(path)?.async("string");
  if (text === undefined) return null;
  const xml = new DOMParser().parseFromString(text, "application/xml");
  return xml.querySelector("parsererror") ? null : xml;
}

/**
 * Put a bookmark into each paragraph of the body and the first of each table. The renderer flattens content controls
 * and splits paragraphs at page breaks, so counting its nodes would go wrong; what has no mark belongs to the block
 * before it.
 */
export function markBlocks(xml: Document, tokens: Tokens): number {
  const body = descendants(xml, NS.w, "body")[0];
  if (!body) return 0;
  let index = 0;
  for (const block of children(body)) {
    if (block.namespaceURI !== NS.w || !["p", "tbl", "sdt"].includes(block.localName)) continue;
    for (const rendered of flattened(block)) mark(rendered, tokens.blockMark(index));
    index += 1;
  }
  return index;
}

/** The paragraphs and tables that the renderer makes of a block. */
function flattened(block: Element): Element[] {
  if (block.localName !== "sdt") return [block];
  const content = children(block).find((one) => one.localName === "sdtContent");
  return content
    ? children(content)
        .filter((one) => ["p", "tbl", "sdt"].includes(one.localName))
        .flatMap(flattened)
    : [];
}

function mark(block: Element, name: string): void {
  const paragraph = block.localName === "p" ? block : descendants(block, NS.w, "p")[0];
  if (!paragraph) return;
  const bookmark = paragraph.ownerDocument.createElementNS(NS.w, "w:bookmarkStart");
  bookmark.setAttributeNS(NS.w, "w:name", name);
  const first = children(paragraph)[0];
  const after = first?.localName === "pPr" ? first.nextSibling : paragraph.firstChild;
  paragraph.insertBefore(bookmark, after);
}

async function replaceUndrawn(
  xml: Document,
  tokens: Tokens,
  targets: ReadonlyMap<string, string>,
  part: (name: string) => Promise<Document | null>,
): Promise<void> {
  const candidates = [
    ...descendants(xml, NS.mc, "AlternateContent"),
    ...descendants(xml, NS.w, "drawing"),
    ...descendants(xml, NS.w, "pict"),
    ...descendants(xml, NS.w, "object"),
  ];
  for (const drawing of candidates) {
    // A drawing inside one that was replaced is gone with it.
    if (!xml.documentElement.contains(drawing)) continue;
    if (drawing.parentElement?.closest("*|AlternateContent")) continue;
    const box = await boxOf(drawing, targets, part);
    if (!box) continue;
    const text = xml.createElementNS(NS.w, "w:t");
    text.textContent = tokens.add(box);
    drawing.replaceWith(text);
  }
}

/** docx-preview skips `w:fldSimple` with all it holds; its runs are the field's last result. */
function unwrapSimpleFields(xml: Document): void {
  for (const field of descendants(xml, NS.w, "fldSimple")) {
    field.replaceWith(...children(field).filter((one) => one.localName !== "fldData"));
  }
}
