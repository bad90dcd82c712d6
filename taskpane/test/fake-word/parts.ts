/** A package: parts by name, with their relationships. From a .docx or from Flat OPC, and back. */

import JSZip from "jszip";
import { decode, encode, parse, PKG, RELS, RELS_CONTENT, TYPES } from "./xml";

export interface Relationship {
  id: string;
  type: string;
  /** Absolute part name, or an address if external. */
  target: string;
  external: boolean;
}

export interface Part {
  type: string;
  /** Parsed if it is XML. */
  xml: Document | null;
  bytes: Uint8Array;
}

export class Parts {
  readonly parts = new Map<string, Part>();
  readonly relationships = new Map<string, Relationship[]>();

  rels(source: string): Relationship[] {
    let found = this.relationships.get(source);
    if (!found) this.relationships.set(source, (found = []));
    return found;
  }

  related(source: string, type: string): string | null {
    return this.rels(source).find((rel) => rel.type === type && !rel.external)?.target ?? null;
  }

  relate(source: string, type: string, target: string, external: boolean): string {
    const rels = this.rels(source);
    const same = rels.find((rel) => rel.type === type && rel.target === target);
    if (same) return same.id;
    let number = rels.length + 1;
    while (rels.some((rel) => rel.id === `rId${number}`)) number++;
    rels.push({ id: `rId${number}`, type, target, external });
    return `rId${number}`;
  }

  xml(name: string): Document {
    const xml = this.parts.get(name)?.xml;
    if (!xml) throw new Error(`no XML part ${name}`);
    return xml;
  }

  /** A name like `name` that no part has. */
  freeName(name: string): string {
    if (!this.parts.has(name)) return name;
    const dot = name.lastIndexOf(".");
    let number = 1;
    while (this.parts.has(`${name.slice(0, dot)}_${number}${name.slice(dot)}`)) number++;
    return `${name.slice(0, dot)}_${number}${name.slice(dot)}`;
  }

  static async fromDocx(bytes: Uint8Array): Promise<Parts> {
    const made = new Parts();
    const zip = await JSZip.loadAsync(bytes);
    const types = parse(
      decode((await zip.file("[Content_Types].xml")?.async("uint8array")) ?? bytes),
    );
    for (const file of Object.values(zip.files)) {
      if (file.dir || file.name === "[Content_Types].xml") continue;
      made.add(`/${file.name}`, typeOf(types, `/${file.name}`), await file.async("uint8array"));
    }
    return made;
  }

  async toDocx(): Promise<Uint8Array> {
    const zip = new JSZip();
    const types = parse(`<Types xmlns="${TYPES}"/>`);
    addType(types, "Default", { Extension: "rels", ContentType: RELS_CONTENT });
    for (const [name, part] of this.parts) {
      addType(types, "Override", { PartName: name, ContentType: part.type });
      zip.file(name.slice(1), part.xml ? encode(part.xml) : part.bytes);
    }
    for (const [source, rels] of this.relationships) {
      if (rels.length) zip.file(relsName(source).slice(1), encode(relsXml(rels)));
    }
    zip.file("[Content_Types].xml", encode(types));
    return await zip.generateAsync({ type: "uint8array", compression: "DEFLATE" });
  }

  /** Refuses what Word refuses: a relationship without its part, or a part that nothing leads to. */
  static fromFlat(ooxml: string): Parts {
    const made = new Parts();
    for (const part of parse(ooxml).getElementsByTagNameNS(PKG, "part")) {
      const name = part.getAttributeNS(PKG, "name") ?? "";
      const type = part.getAttributeNS(PKG, "contentType") ?? "";
      const content = part.firstElementChild;
      const bytes =
        content?.localName === "binaryData"
          ? Uint8Array.from(atob((content.textContent ?? "").replace(/\s/g, "")), (c) =>
              c.charCodeAt(0),
            )
          : new TextEncoder().encode(
              new XMLSerializer().serializeToString(content?.firstElementChild ?? part),
            );
      made.add(name, type, bytes);
    }
    const reached = new Set<string>();
    for (const rel of [...made.relationships.values()].flat()) {
      if (rel.external) continue;
      if (!made.parts.has(rel.target)) throw new Error(`no part ${rel.target}`);
      reached.add(rel.target);
    }
    for (const name of made.parts.keys()) {
      if (!reached.has(name)) throw new Error(`nothing leads to ${name}`);
    }
    return made;
  }

  toFlat(): string {
    const wrap = (name: string, type: string, content: string) =>
      `<pkg:part pkg:name="${name}" pkg:contentType="${type}">${content}</pkg:part>`;
    const write = (xml: Document) => new XMLSerializer().serializeToString(xml.documentElement);
    const texts: string[] = [];
    for (const [source, rels] of this.relationships) {
      if (!rels.length) continue;
      const data = write(relsXml(rels));
      texts.push(wrap(relsName(source), RELS_CONTENT, `<pkg:xmlData>${data}</pkg:xmlData>`));
    }
    for (const [name, part] of this.parts) {
      const data = part.xml
        ? `<pkg:xmlData>${write(part.xml)}</pkg:xmlData>`
        : `<pkg:binaryData>${btoa(String.fromCharCode(...part.bytes))}</pkg:binaryData>`;
      texts.push(wrap(name, part.type, data));
    }
    return `<?xml version="1.0" standalone="yes"?>\n<?mso-application progid="Word.Document"?>\n<pkg:package xmlns:pkg="${PKG}">${texts.join("")}</pkg:package>`;
  }

  private add(name: string, type: string, bytes: Uint8Array): void {
    const isXml = /[+/]xml$/.test(type);
    if (name.endsWith(".rels")) {
      const source = name.replace(/_rels\/([^/]*)\.rels$/, "$1");
      this.relationships.set(source, readRels(source, parse(decode(bytes))));
    } else this.parts.set(name, { type, bytes, xml: isXml ? parse(decode(bytes)) : null });
  }
}

function typeOf(types: Document, name: string): string {
  const entries = [...types.documentElement.children];
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const entry =
    entries.find((e) => e.getAttribute("PartName")?.toLowerCase() === name.toLowerCase()) ??
    entries.find((e) => e.getAttribute("Extension")?.toLowerCase() === extension);
  return entry?.getAttribute("ContentType") ?? "application/octet-stream";
}

function addType(types: Document, tag: string, attributes: Record<string, string>): void {
  const made = types.createElementNS(TYPES, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  types.documentElement.append(made);
}

function relsName(source: string): string {
  return source.replace(/([^/]*)$/, "_rels/$1.rels");
}

function readRels(source: string, xml: Document): Relationship[] {
  return [...xml.documentElement.children].map((rel) => {
    const external = rel.getAttribute("TargetMode") === "External";
    const target = rel.getAttribute("Target") ?? "";
    return {
      id: rel.getAttribute("Id") ?? "",
      type: rel.getAttribute("Type") ?? "",
      target: external ? target : new URL(target, `x://x${source}`).pathname,
      external,
    };
  });
}

function relsXml(rels: Relationship[]): Document {
  const xml = parse(`<Relationships xmlns="${RELS}"/>`);
  for (const rel of rels) {
    const made = xml.createElementNS(RELS, "Relationship");
    made.setAttribute("Id", rel.id);
    made.setAttribute("Type", rel.type);
    made.setAttribute("Target", rel.target);
    if (rel.external) made.setAttribute("TargetMode", "External");
    xml.documentElement.append(made);
  }
  return xml;
}
