/**
 * The fake's open document: a real package, changed the way Word changes it.
 *
 * Each rule names the issue it comes from (office-js unless said otherwise), so that it can be corrected after a run
 * against the real Word.
 */

import { Parts, type Part } from "./parts";
import {
  all,
  attribute,
  child,
  children,
  create,
  is,
  OFFICE_REL,
  randomId,
  relationshipAttributes,
  W,
  W14,
} from "./xml";

export interface Quirks {
  /** Word takes an empty last paragraph of a package away by itself, if the body does not end there. */
  swallowsLastEmpty: boolean;
  /** "new": numbering in a package becomes a list of its own (issues 5381, 4684). "keep": same ids are the same list. */
  numbering: "new" | "keep";
}

export const QUIRKS: Quirks = { swallowsLastEmpty: false, numbering: "new" };

const NOTES = [
  { type: "footnotes", reference: "footnoteReference", entry: "footnote" },
  { type: "endnotes", reference: "endnoteReference", entry: "endnote" },
  { type: "comments", reference: "commentReference", entry: "comment" },
] as const;

export class OpenDocument {
  readonly main: string;

  constructor(
    readonly parts: Parts,
    readonly quirks: Quirks,
  ) {
    this.main = parts.related("/", `${OFFICE_REL}officeDocument`) ?? "";
    const last = this.blocks().at(-1);
    // Word's body always ends with a paragraph; a file that ends with a table gets one.
    if (!is(last ?? null, "p")) this.insertBlock(create(this.body, "p"), null, this.body);
  }

  get body(): Element {
    const body = child(this.parts.xml(this.main).documentElement, "body");
    if (!body) throw new Error("no body");
    return body;
  }

  /** Paragraphs of the body in order, those in tables and content controls too, those in text boxes not. */
  paragraphs(root: Element = this.body): Element[] {
    return all(root, "p").filter((p) => !ancestors(p).some((a) => is(a, "txbxContent")));
  }

  tables(): Element[] {
    return all(this.body, "tbl").filter((t) => !ancestors(t).some((a) => is(a, "txbxContent")));
  }

  /** Paragraphs and tables that are in no table. */
  blocks(): Element[] {
    return [...this.body.querySelectorAll("*")].filter(
      (e) => is(e, "p", "tbl") && !ancestors(e).some((a) => is(a, "tbl", "p")),
    );
  }

  /** The text that Word reports: revisions in, deletions out, marks of pictures and notes as single characters. */
  text(paragraph: Element): string {
    let text = "";
    const visit = (element: Element): void => {
      if (is(element, "t")) text += element.textContent ?? "";
      else if (is(element, "tab", "ptab") && !is(element.parentElement, "tabs")) text += "\t";
      else if (is(element, "br", "cr")) text += attribute(element, "type") === "page" ? "\f" : "\v";
      else if (is(element, "noBreakHyphen")) text += "\u001e";
      else if (is(element, "softHyphen")) text += "\u001f";
      else if (is(element, "footnoteReference", "endnoteReference")) text += "\u0002";
      else if (is(element, "drawing", "pict", "object")) text += "/";
      else if (!is(element, "del", "moveFrom", "pPr", "rPr", "instrText"))
        for (const inner of element.children) if (inner.localName !== "Fallback") visit(inner);
    };
    for (const inner of paragraph.children) visit(inner);
    return text;
  }

  // -- writing ---------------------------------------------------------------------------------------------------

  /**
   * `Range.insertOoxml` on the range of a whole block.
   *
   * The last paragraph of the package gives only its content: its mark, and with it style and format, is that of the
   * place it goes to (issues 2914, 3222, 2411). After a table Word adds a paragraph (issues 116, 2655).
   */
  insertOoxml(block: Element, ooxml: string, location: string): void {
    const blocks = this.import(Parts.fromFlat(ooxml));
    const tail = is(blocks.at(-1) ?? null, "p") ? blocks.pop() : undefined;
    const parent = block.parentElement;
    if (!parent) throw new Error("ItemNotFound");
    if (location === "Before" && is(block, "tbl")) {
      // The start of a table's range is inside its first cell.
      const first = this.paragraphs(block)[0];
      if (first) for (const made of blocks) first.before(made);
      return;
    }
    let mark: Element;
    if (location === "Replace" && is(block, "p")) {
      mark = block;
      for (const inner of [...block.children]) if (!is(inner, "pPr")) inner.remove();
      for (const made of blocks) block.before(made);
    } else {
      mark = create(parent, "p");
      const format = is(block, "p") ? child(block, "pPr") : null;
      if (format) mark.append(format.cloneNode(true));
      for (const section of all(mark, "sectPr")) section.remove();
      if (location === "Before") block.before(...blocks, mark);
      else block.after(...blocks, mark);
      if (location === "Replace") block.remove();
    }
    const content = [...(tail?.children ?? [])].filter((inner) => !is(inner, "pPr"));
    mark.append(...content);
    const last = this.blocks().at(-1) === mark;
    if (this.quirks.swallowsLastEmpty && tail && content.length === 0 && !last) mark.remove();
  }

  insertParagraph(block: Element, text: string, location: string): Element {
    const made = create(block, "p");
    if (text) {
      const run = create(block, "r");
      const t = create(block, "t");
      t.textContent = text;
      run.append(t);
      made.append(run);
    }
    if (location === "Before") block.before(made);
    else block.after(made);
    return made;
  }

  /** The last paragraph of the body, a cell or a control cannot go: it is emptied (known from Word itself). */
  deleteParagraph(paragraph: Element): void {
    const parent = paragraph.parentElement;
    const only =
      parent !== null && !is(parent, "body") && children(parent, "p", "tbl").length === 1;
    const inCell =
      parent !== null && is(parent, "tc") && children(parent, "p", "tbl").at(-1) === paragraph;
    if (this.blocks().at(-1) === paragraph || only || inCell) {
      for (const inner of [...paragraph.children]) if (!is(inner, "pPr")) inner.remove();
    } else paragraph.remove();
  }

  private insertBlock(block: Element, after: Element | null, body: Element): void {
    const section = child(body, "sectPr");
    if (after) after.after(block);
    else if (section) section.before(block);
    else body.append(block);
  }

  // -- packages --------------------------------------------------------------------------------------------------

  /** Word's own package of some blocks: with the whole styles part, and other paragraph ids at each call (4078). */
  exportFlat(blocks: Element[]): string {
    const out = new Parts();
    const source = this.parts.xml(this.main);
    const copy = source.cloneNode(true) as Document;
    const body = child(copy.documentElement, "body");
    body?.replaceChildren(
      ...blocks.map((block) => copy.importNode(block, true)),
      create(copy, "sectPr"),
    );
    for (const p of all(copy.documentElement, "p")) p.setAttributeNS(W14, "w14:paraId", randomId());
    out.parts.set(this.main, {
      type: this.part(this.main).type,
      xml: copy,
      bytes: new Uint8Array(),
    });
    out.relate("/", `${OFFICE_REL}officeDocument`, this.main, false);
    const used = new Set(relationshipAttributes(copy.documentElement).map((found) => found.value));
    const companions = ["styles", "numbering", "theme", "footnotes", "endnotes", "comments"];
    for (const rel of this.parts.rels(this.main)) {
      const companion = companions.some((name) => rel.type === OFFICE_REL + name);
      if (!companion && !used.has(rel.id)) continue;
      out.rels(this.main).push({ ...rel });
      if (!rel.external) this.copyPart(rel.target, out);
    }
    return out.toFlat();
  }

  private copyPart(name: string, out: Parts): void {
    if (out.parts.has(name)) return;
    out.parts.set(name, this.part(name));
    for (const rel of this.parts.rels(name)) {
      out.rels(name).push({ ...rel });
      if (!rel.external) this.copyPart(rel.target, out);
    }
  }

  private part(name: string): Part {
    const found = this.parts.parts.get(name);
    if (!found) throw new Error(`no part ${name}`);
    return found;
  }

  /** The blocks of a package as elements of this document, with what they stand on merged in. */
  private import(flat: Parts): Element[] {
    const main = flat.related("/", `${OFFICE_REL}officeDocument`);
    const body = main ? child(flat.xml(main).documentElement, "body") : null;
    if (!main || !body) throw new Error("the package has no body");
    // The final sectPr is ignored: the live section applies (Office Open XML article).
    const sources = [...body.children].filter((e) => is(e, "p", "tbl", "sdt"));
    const single = sources.length === 1 && is(sources[0] ?? null, "p");
    const live = this.parts.xml(this.main);
    const blocks = sources.map((block) => live.importNode(block, true));
    for (const block of blocks) {
      this.dropUnknownStyles(block, flat, main);
      for (const p of all(block, "p")) p.setAttributeNS(W14, "w14:paraId", randomId()); // 1718
      if (single) for (const tabs of all(block, "tabs")) tabs.remove(); // 3149
    }
    this.mergeNotes(blocks, flat, main);
    const numbers = this.mergeNumbering(blocks, flat, main);
    this.mergeStyles(flat, main, numbers);
    for (const block of blocks) this.mergeRelationships(block, flat, main, this.main);
    return blocks;
  }

  /** A style whose definition is not in the package is ignored, even if the document has it (same article). */
  private dropUnknownStyles(block: Element, flat: Parts, main: string): void {
    const styles = flat.related(main, `${OFFICE_REL}styles`);
    const known = styles
      ? children(flat.xml(styles).documentElement, "style").map((s) => attribute(s, "styleId"))
      : [];
    for (const name of ["pStyle", "rStyle", "tblStyle"]) {
      for (const use of all(block, name)) if (!known.includes(attribute(use, "val"))) use.remove();
    }
  }

  /** New styles arrive; styles that the document has keep the document's definition (5491, 5243). */
  private mergeStyles(flat: Parts, main: string, numbers: Map<string, string>): void {
    const from = flat.related(main, `${OFFICE_REL}styles`);
    const to = this.parts.related(this.main, `${OFFICE_REL}styles`);
    if (!from || !to) return;
    const live = this.parts.xml(to);
    const known = children(live.documentElement, "style").map((s) => attribute(s, "styleId"));
    for (const style of children(flat.xml(from).documentElement, "style")) {
      if (known.includes(attribute(style, "styleId"))) continue;
      const made = live.importNode(style, true);
      renumber([made], numbers);
      live.documentElement.append(made);
    }
  }

  private mergeNumbering(blocks: Element[], flat: Parts, main: string): Map<string, string> {
    const numbers = new Map<string, string>();
    const from = flat.related(main, `${OFFICE_REL}numbering`);
    if (!from || (this.quirks.numbering === "keep" && this.has("numbering"))) return numbers;
    const source = flat.xml(from).documentElement;
    const live = this.companion("numbering", flat, main);
    for (const num of children(source, "num")) {
      const abstractId = attribute(child(num, "abstractNumId") ?? num, "val");
      const abstract = children(source, "abstractNum").find(
        (a) => attribute(a, "abstractNumId") === abstractId,
      );
      if (!abstract) throw new Error(`numbering ${abstractId} is not in the package`);
      const newAbstract = nextNumber(live, "abstractNum", "abstractNumId", 0);
      const newNum = nextNumber(live, "num", "numId", 1);
      const madeAbstract = live.ownerDocument.importNode(abstract, true);
      madeAbstract.setAttributeNS(W, "w:abstractNumId", newAbstract);
      const firstNum = child(live, "num");
      if (firstNum) firstNum.before(madeAbstract);
      else live.append(madeAbstract);
      const made = live.ownerDocument.importNode(num, true);
      made.setAttributeNS(W, "w:numId", newNum);
      child(made, "abstractNumId")?.setAttributeNS(W, "w:val", newAbstract);
      live.append(made);
      numbers.set(attribute(num, "numId"), newNum);
    }
    renumber(blocks, numbers);
    return numbers;
  }

  /** Notes and comments get new ids; a reference without its note crashes Word (106): here it is refused. */
  private mergeNotes(blocks: Element[], flat: Parts, main: string): void {
    for (const { type, reference, entry } of NOTES) {
      const references = blocks.flatMap((block) => all(block, reference));
      if (!references.length) continue;
      const from = flat.related(main, OFFICE_REL + type);
      if (!from) throw new Error(`${reference} without its part`);
      const live = this.companion(type, flat, main);
      for (const found of references) {
        const old = attribute(found, "id");
        const note = children(flat.xml(from).documentElement, entry).find(
          (n) => attribute(n, "id") === old,
        );
        if (!note) throw new Error(`${reference} ${old} without its ${entry}`);
        const id = nextNumber(live, entry, "id", 1);
        const made = live.ownerDocument.importNode(note, true);
        made.setAttributeNS(W, "w:id", id);
        live.append(made);
        for (const use of blocks.flatMap((block) => [
          ...all(block, reference),
          ...(type === "comments"
            ? [...all(block, "commentRangeStart"), ...all(block, "commentRangeEnd")]
            : []),
        ]))
          if (attribute(use, "id") === old) use.setAttributeNS(W, "w:id", id);
      }
    }
  }

  private has(type: string): boolean {
    return this.parts.related(this.main, OFFICE_REL + type) !== null;
  }

  /** The root of a companion part of the live document; made like the package's, without entries, if it is missing. */
  private companion(type: string, flat: Parts, main: string): Element {
    const existing = this.parts.related(this.main, OFFICE_REL + type);
    if (existing) return this.parts.xml(existing).documentElement;
    const from = flat.related(main, OFFICE_REL + type) ?? "";
    const source = flat.parts.get(from);
    if (!source?.xml) throw new Error(`no ${type} in the package`);
    const xml = source.xml.cloneNode(true) as Document;
    for (const inner of [...xml.documentElement.children]) {
      if (!inner.getAttributeNS(W, "type")) inner.remove();
    }
    const name = this.parts.freeName(`/word/${type}.xml`);
    this.parts.parts.set(name, { type: source.type, xml, bytes: new Uint8Array() });
    this.parts.relate(this.main, OFFICE_REL + type, name, false);
    return xml.documentElement;
  }

  private mergeRelationships(block: Element, flat: Parts, from: string, to: string): void {
    for (const found of relationshipAttributes(block)) {
      const rel = flat.rels(from).find((r) => r.id === found.value);
      if (!rel) throw new Error(`no relationship ${found.value}`);
      const target = rel.external ? rel.target : this.importPart(flat, rel.target);
      found.value = this.parts.relate(to, rel.type, target, rel.external);
    }
  }

  private importPart(flat: Parts, name: string): string {
    const source = flat.parts.get(name);
    if (!source) throw new Error(`no part ${name}`);
    const fresh = this.parts.freeName(name);
    this.parts.parts.set(fresh, source);
    for (const rel of flat.rels(name)) {
      const target = rel.external ? rel.target : this.importPart(flat, rel.target);
      this.parts.rels(fresh).push({ ...rel, target });
    }
    return fresh;
  }
}

export function ancestors(node: Node): Element[] {
  const found: Element[] = [];
  for (let up = node.parentElement; up; up = up.parentElement) found.push(up);
  return found;
}

function renumber(roots: Element[], numbers: Map<string, string>): void {
  for (const use of roots.flatMap((root) => all(root, "numId"))) {
    const now = numbers.get(attribute(use, "val"));
    if (now) use.setAttributeNS(W, "w:val", now);
  }
}

function nextNumber(root: Element, tag: string, key: string, least: number): string {
  const used = children(root, tag).map((e) => Number(attribute(e, key)));
  return String(Math.max(least - 1, ...used) + 1);
}
