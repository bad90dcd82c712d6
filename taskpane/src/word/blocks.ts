/**
 * The body as Word's paragraph collection tells it: a list of blocks with their texts.
 *
 * `Body.paragraphs` holds the paragraphs inside tables too (WordApi 1.3), and content controls do not show in it. A
 * block here is a paragraph outside tables, or a table: its paragraphs are those in a row with a nesting level above 0.
 */

export interface LiveBlock {
  kind: "paragraph" | "table";
  /** A table's is the texts of its paragraphs that are not empty, joined by newlines. */
  text: string;
  /** Place of its first paragraph in `Body.paragraphs`. */
  first: number;
  /** Place of its last paragraph. */
  last: number;
}

export interface LiveParagraph {
  text: string;
  tableNestingLevel: number;
}

/** Blocks of the body. `tableSizes`: numbers of paragraphs of the tables, if two of them may stand side by side. */
export function blocksOf(
  paragraphs: readonly LiveParagraph[],
  tableSizes?: readonly number[],
): LiveBlock[] {
  const blocks: LiveBlock[] = [];
  let table = 0;
  for (let at = 0; at < paragraphs.length;) {
    let end = at + 1;
    if (inTable(paragraphs, at)) {
      const size = tableSizes?.[table++];
      while (inTable(paragraphs, end) && (size === undefined || end - at < size)) end++;
      const place = { first: at, last: end - 1 };
      blocks.push({ kind: "table", text: textOf("table", paragraphs, place), ...place });
    } else {
      blocks.push({ kind: "paragraph", text: paragraphs[at]?.text ?? "", first: at, last: at });
    }
    at = end;
  }
  return blocks;
}

/** The text of a block, from its paragraphs. */
export function textOf(
  kind: LiveBlock["kind"],
  paragraphs: readonly Pick<LiveParagraph, "text">[],
  place: Pick<LiveBlock, "first" | "last">,
): string {
  const texts = paragraphs.slice(place.first, place.last + 1).map((paragraph) => paragraph.text);
  return kind === "paragraph" ? texts.join("") : texts.filter((text) => text.trim()).join("\n");
}

/** Number of tables that a reader of the paragraphs alone would see. */
export function tableRuns(paragraphs: readonly LiveParagraph[]): number {
  return blocksOf(paragraphs).filter((block) => block.kind === "table").length;
}

function inTable(paragraphs: readonly LiveParagraph[], at: number): boolean {
  return (paragraphs[at]?.tableNestingLevel ?? 0) > 0;
}

/**
 * Whether two texts are the same for telling blocks apart. Platforms report tabs, breaks, special hyphens and
 * the marks of pictures (a slash in Word's ranges) and notes with different characters, so none of those count.
 */
export function sameText(one: string, other: string): boolean {
  return visible(one) === visible(other);
}

function visible(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\s\u0000-\u001f\u00ad\u200b-\u200f\u2011\ufffc/-]/gu, "");
}

/** A paragraph without text. It may hold a picture: only for places where none can be. */
export function isEmpty(block: LiveBlock | undefined): boolean {
  return block?.kind === "paragraph" && block.text.trim() === "";
}
