/** XML as the fake needs it. Shares nothing with the product: the product's mistakes must not be the fake's too. */

export const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
export const R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
export const W14 = "http://schemas.microsoft.com/office/word/2010/wordml";
export const RELS = "http://schemas.openxmlformats.org/package/2006/relationships";
export const TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
export const PKG = "http://schemas.microsoft.com/office/2006/xmlPackage";
export const OFFICE_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
export const RELS_CONTENT = "application/vnd.openxmlformats-package.relationships+xml";

export function parse(text: string): Document {
  const parsed = new DOMParser().parseFromString(text, "application/xml");
  const fault = parsed.querySelector("parsererror");
  if (fault) throw new Error(`not XML: ${fault.textContent}`);
  return parsed;
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function encode(xml: Document): Uint8Array {
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${new XMLSerializer().serializeToString(xml.documentElement)}`,
  );
}

/** Child elements of that name in the main namespace. */
export function children(parent: Element, ...names: string[]): Element[] {
  return [...parent.children].filter(
    (child) => child.namespaceURI === W && names.includes(child.localName),
  );
}

export function child(parent: Element, name: string): Element | null {
  return children(parent, name)[0] ?? null;
}

/** Elements of that name in the main namespace, at any depth, the root too. */
export function all(root: Element, name: string): Element[] {
  const below = [...root.getElementsByTagNameNS(W, name)];
  return is(root, name) ? [root, ...below] : below;
}

export function is(node: Node | null, ...names: string[]): boolean {
  return node instanceof Element && node.namespaceURI === W && names.includes(node.localName);
}

export function attribute(element: Element, name: string): string {
  return element.getAttributeNS(W, name) ?? "";
}

export function create(
  owner: Node,
  name: string,
  attributes: Record<string, string> = {},
): Element {
  const made = (owner.ownerDocument ?? (owner as Document)).createElementNS(W, `w:${name}`);
  for (const [key, value] of Object.entries(attributes)) made.setAttributeNS(W, `w:${key}`, value);
  return made;
}

/** Attributes of the relationships namespace on the element and all below it. */
export function relationshipAttributes(root: Element): Attr[] {
  return [root, ...root.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter((found) => found.namespaceURI === R),
  );
}

export function randomId(): string {
  return Math.floor(Math.random() * 0x7fffffff)
    .toString(16)
    .toUpperCase()
    .padStart(8, "0");
}
