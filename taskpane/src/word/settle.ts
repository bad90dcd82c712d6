/** After a write: what does Word hold, can it be repaired, and if not, put back what was there before. */

import type { PushOperation, PushResult } from "../protocol";
import { isEmpty, type LiveBlock } from "./blocks";
import { deleteBlock, insertAt, rangeOf, readBody, type LiveBody } from "./body";
import { within } from "./lock";
import { find, holds, type Between, type Finding } from "./place";

/** An operation, and where it acts. */
export interface Located {
  operation: PushOperation;
  /** Index of the block that it starts at, in the document before the push. */
  at: number;
  /** Number of blocks below what it replaces. */
  below: number;
  /** Texts of the blocks that it replaces, as they were when they were replaced. */
  was: string[];
  /** OOXML of each of them. */
  kept: string[];
}

export type Outcome = Pick<PushResult, "outcome"> & Partial<PushResult>;

type Texts = (place: Located) => string[];

const wanted: Texts = (place) => place.operation.result;
const former: Texts = (place) => place.was;

/** Word never gives up the last paragraph of the body; when the last block is replaced it stays behind, empty. */
const KEPT_PARAGRAPH = "Word keeps an empty paragraph at the end of the document.";

/** Read back, repair, and decide; put back what is wrong. `fault`: what Word said against the write, if anything. */
export async function settle(
  located: Located[],
  fault: string,
  patience: number,
): Promise<Outcome> {
  let state = await within(patience, readBack(located, wanted));
  if (state.there && state.extra) {
    await within(patience, removeExtra(located));
    state = await within(patience, readBack(located, wanted));
  }
  // After an error, texts that never differed prove nothing.
  if (state.there && !(fault && sameTexts(located))) {
    return { outcome: "applied", message: state.extra ? KEPT_PARAGRAPH : "", found: state.found };
  }
  if (fault && !sameTexts(located)) {
    const before = await within(patience, readBack(located, former));
    if (before.there && !before.extra) return { outcome: "rejected", message: fault };
  }
  const message = fault || "Word holds something else than was written.";
  const back = await putAllBack(located, patience);
  return back.there
    ? { outcome: "rejected", message, found: state.found }
    : { outcome: "differs", message, found: back.found };
}

/** Put back what was there, last place first, and read whether it is. */
export async function putAllBack(located: Located[], patience: number): Promise<State> {
  for (const place of located) {
    await within(patience, putBack(place, located));
    await within(patience, tidy(place));
  }
  return await within(patience, readBack(located, former));
}

export interface State {
  /** The texts that were asked for are there. */
  there: boolean;
  /** There are empty paragraphs among them that nobody asked for. */
  extra: boolean;
  /** Texts where the operations act. */
  found: string[];
}

async function readBack(located: Located[], texts: Texts): Promise<State> {
  return await Word.run(async (context) => {
    const { blocks } = await readBody(context);
    const findings = locate(located, texts, blocks);
    return {
      there: findings.every(({ finding }) => finding.there),
      extra: findings.some(({ finding }) => finding.extra.length > 0),
      found: findings.flatMap(({ at, place }) => {
        const end = blocks.length - place.below + 1;
        return blocks.slice(Math.max(0, at - 1), end).map((block) => block.text);
      }),
    };
  });
}

interface Standing {
  place: Located;
  /** Where it starts now. */
  at: number;
  finding: Finding;
}

/**
 * What stands at each place, top-down: places shift by what those above them added or left behind. One whose texts are
 * not there is taken as not written: Word stops at the first call of a batch that fails, and the last place is first.
 */
function locate(located: Located[], texts: Texts, blocks: readonly LiveBlock[]): Standing[] {
  const below = blocksBelow(located, texts, blocks);
  let shift = 0;
  return [...located].reverse().map((place) => {
    const at = place.at + shift;
    const finding = find(blocks, place.operation, texts(place), at, below.get(place));
    if (finding.there) {
      shift += texts(place).length - place.operation.expect.length + finding.extra.length;
    }
    return { place, at, finding };
  });
}

/**
 * How many blocks there should be below each place now. Every write leaves as many empty paragraphs behind as the
 * others, none or one, so their number follows from the number of blocks; if it does not, anything in reason may be.
 */
function blocksBelow(
  located: Located[],
  texts: Texts,
  blocks: readonly LiveBlock[],
): Map<Located, Between> {
  const growth = (place: Located): number => texts(place).length - place.operation.expect.length;
  const [lowest] = located;
  const former = lowest ? lowest.at + lowest.operation.expect.length + lowest.below : 0;
  let extra = blocks.length - former - located.reduce((sum, place) => sum + growth(place), 0);
  let writes = located.filter((place) => texts(place).length > 0);
  if (lowest?.operation.after === null && isEmpty(blocks.at(-1)) && extra > 0) {
    extra--; // the paragraph that Word keeps at the end
    writes = writes.filter((place) => place !== lowest);
  }
  const each = extra / writes.length;
  const certain = extra === 0 || each === 1;
  const found = new Map<Located, Between>();
  let least = 0;
  let written = 0;
  for (const place of located) {
    const left = extra > 0 && certain ? written : 0;
    const slack = certain ? 0 : 2 * written;
    found.set(place, {
      least: place.below + least + left,
      most: place.below + least + left + slack,
    });
    least += growth(place);
    if (writes.includes(place)) written++;
  }
  return found;
}

/** Delete the empty paragraphs that writing left behind. */
async function removeExtra(located: Located[]): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    const extra = locate(located, wanted, body.blocks).flatMap(({ finding }) => finding.extra);
    for (const block of extra.reverse()) deleteBlock(body, block);
    await context.sync();
  });
}

/** Put the kept OOXML of one place back, in place of what stands before its next neighbour now. */
async function putBack(place: Located, located: Located[]): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    const standing = locate(located, wanted, body.blocks).find((found) => found.place === place);
    const at = standing?.at ?? place.at;
    const end = endOf(body.blocks, place, at);
    for (const ooxml of place.kept) insertBefore(body, at, end, ooxml);
    for (const block of body.blocks.slice(at, end).reverse()) deleteBlock(body, block);
    await context.sync();
  });
}

/**
 * Index of the place's next neighbour now; all blocks from the place to there will go. Where it is not certain, nothing
 * may go: what stands there could be the user's.
 */
function endOf(blocks: readonly LiveBlock[], place: Located, at: number): number {
  const { after, result } = place.operation;
  const most = at + result.length + place.was.length + 2;
  const ends = [blocks.length - place.below];
  for (let end = at; end <= most; end++) ends.push(end);
  const end = ends.find((index) =>
    after === null ? index === blocks.length : holds(blocks, index, after),
  );
  if (end === undefined || end < at || end > most) {
    throw new Error("Word's document changed while the step was being taken back.");
  }
  return end;
}

/** "Before" the first of the blocks that will go, so that several packages keep their order. */
function insertBefore(body: LiveBody, at: number, end: number, ooxml: string): void {
  const first = at < end ? body.blocks[at] : undefined;
  if (first?.kind === "paragraph") rangeOf(body, first).insertOoxml(ooxml, "Before");
  else insertAt(body, at, ooxml);
}

/** Remove what putting back left behind. Places above may still be wrong, so this one is found from the end. */
async function tidy(place: Located): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    const end = body.blocks.length - place.below;
    for (let at = end - place.was.length; at >= 0; at--) {
      const below = { least: place.below, most: place.below };
      const finding = find(body.blocks, place.operation, place.was, at, below);
      if (!finding.there) continue;
      for (const block of finding.extra.reverse()) deleteBlock(body, block);
      break;
    }
    await context.sync();
  });
}

/** Whether the texts say nothing about the write having happened (a change of formatting). */
function sameTexts(located: Located[]): boolean {
  return located.every(
    ({ operation, was }) =>
      operation.result.length === was.length &&
      operation.result.every((text, index) => text === was[index]),
  );
}
