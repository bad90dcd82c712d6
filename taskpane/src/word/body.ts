/** Reads the body's blocks from Word, and reaches them for writing. WordApi 1.3 only. */

import { blocksOf, tableRuns, type LiveBlock } from "./blocks";

export interface LiveBody {
  blocks: LiveBlock[];
  /** Proxies of `Body.paragraphs`, good for this `Word.run` until something is written. */
  paragraphs: Word.Paragraph[];
}

/** Texts of all blocks: one sync, or two where tables may stand side by side. */
export async function readBody(context: Word.RequestContext): Promise<LiveBody> {
  const paragraphs = context.document.body.paragraphs;
  const tables = context.document.body.tables;
  paragraphs.load("items/text,items/tableNestingLevel");
  tables.load("items/nestingLevel");
  await context.sync();
  const outer = tables.items.filter((table) => table.nestingLevel === 1);
  if (outer.length === tableRuns(paragraphs.items)) {
    return { blocks: blocksOf(paragraphs.items), paragraphs: paragraphs.items };
  }
  const inside = outer.map((table) => table.getRange("Whole").paragraphs);
  for (const found of inside) found.load("items/tableNestingLevel");
  await context.sync();
  const sizes = inside.map((found) => found.items.length);
  return { blocks: blocksOf(paragraphs.items, sizes), paragraphs: paragraphs.items };
}

/**
 * The body as the server counts it for people: a content control around several paragraphs or tables is one block.
 * Costs a proxy a paragraph, so only what the user asks for goes this way.
 */
export async function readTopBlocks(context: Word.RequestContext): Promise<LiveBody> {
  const body = await readBody(context);
  const controls = body.blocks.map((block) => {
    const control = paragraphOf(body, block).parentContentControlOrNullObject;
    control.load("id");
    return control;
  });
  await context.sync();
  const ids = controls.map((control) => (control.isNullObject ? null : control.id));
  const tops: LiveBlock[] = [];
  body.blocks.forEach((block, at) => {
    const last = tops.at(-1);
    if (last && ids[at] !== null && ids[at] === ids[at - 1]) last.last = block.last;
    else tops.push({ ...block });
  });
  return { blocks: tops, paragraphs: body.paragraphs };
}

/** The range of a whole block. A paragraph of the outermost level is in the table itself, not in a nested one. */
export function rangeOf(body: LiveBody, block: LiveBlock): Word.Range {
  return block.kind === "table"
    ? tableOf(body, block).getRange("Whole")
    : paragraphOf(body, block).getRange("Whole");
}

/** Queue the deletion of a block. */
export function deleteBlock(body: LiveBody, block: LiveBlock): void {
  if (block.kind === "table") tableOf(body, block).delete();
  else paragraphOf(body, block).delete();
}

/**
 * Queue the insertion of a package before block `at` of the body (or at its end).
 *
 * Text that is put "Before" a table's range lands in the table's first cell, so the place is named from the
 * paragraph on its other side; a table that begins the body gets a paragraph of its own to be replaced.
 */
export function insertAt(body: LiveBody, at: number, ooxml: string): void {
  const previous = body.blocks[at - 1];
  const next = body.blocks[at];
  if (previous?.kind === "paragraph") rangeOf(body, previous).insertOoxml(ooxml, "After");
  else if (next?.kind === "paragraph") rangeOf(body, next).insertOoxml(ooxml, "Before");
  else if (next) {
    const room = tableOf(body, next).insertParagraph("", "Before");
    room.getRange("Whole").insertOoxml(ooxml, "Replace");
  } else throw new Error("Word's document has no paragraph to write beside.");
}

export function paragraphOf(body: LiveBody, block: LiveBlock): Word.Paragraph {
  const paragraph = body.paragraphs[block.first];
  if (!paragraph) throw new RangeError(`no paragraph ${block.first}`);
  return paragraph;
}

function tableOf(body: LiveBody, block: LiveBlock): Word.Table {
  for (let at = block.first; at <= block.last; at++) {
    const paragraph = body.paragraphs[at];
    if (paragraph?.tableNestingLevel === 1) return paragraph.parentTable;
  }
  throw new RangeError(`no table at paragraph ${block.first}`);
}
