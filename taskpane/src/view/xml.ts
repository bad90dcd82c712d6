/** The few questions that the document view asks of OOXML. */

export const NS = {
  w: "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
  mc: "http://schemas.openxmlformats.org/markup-compatibility/2006",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  c: "http://schemas.openxmlformats.org/drawingml/2006/chart",
  wp: "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
  r: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  rels: "http://schemas.openxmlformats.org/package/2006/relationships",
  v: "urn:schemas-microsoft-com:vml",
  o: "urn:schemas-microsoft-com:office:office",
} as const;

export function children(element: Element): Element[] {
  return [...element.children];
}

export function descendants(root: Document | Element, namespace: string, name: string): Element[] {
  return [...root.getElementsByTagNameNS(namespace, name)];
}

/** A relationship's target as the name of a part, from the folder of the part that has it. */
export function resolveTarget(folder: string, target: string): string {
  const url = new URL(target, `zip:///${folder}`);
  return decodeURIComponent(url.pathname).replace(/^\/+/, "");
}

/** The internal relationships of a part: id to name of the part. */
export async function targetsOf(
  path: string,
  read: (path: string) => Promise<Document | null>,
): Promise<ReadonlyMap<string, string>> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const rels = await read(`${folder}_rels/${path.slice(folder.length)}.rels`);
  const targets = new Map<string, string>();
  for (const rel of rels ? descendants(rels, NS.rels, "Relationship") : []) {
    if (rel.getAttribute("TargetMode") === "External") continue;
    targets.set(
      rel.getAttribute("Id") ?? "",
      resolveTarget(folder, rel.getAttribute("Target") ?? ""),
    );
  }
  return targets;
}
