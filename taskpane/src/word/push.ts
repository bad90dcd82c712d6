/**
 * Carries a verified step into the live document.
 *
 * Check that Word holds what the step expects; keep the OOXML of what will be replaced; write once; read back in a new
 * `Word.run` (in the same one, `Body.paragraphs` is stale on the web, office-js issue 3284); repair the one known
 * defect of `insertOoxml`, empty paragraphs left behind; if what is there is still not what was wanted, put the kept
 * OOXML back. Whole blocks only, never the body: replacing that adds an empty paragraph a round and nests content
 * controls (office-js-docs issue 874). The answer says what Word holds, not what it was sent.
 */

import type { Push, PushOperation, PushResult } from "../protocol";
import { deleteBlock, insertAt, rangeOf, readBody, type LiveBody } from "./body";
import type { LiveBlock } from "./blocks";
import { TimedOut, within } from "./lock";
import { find, findPlace } from "./place";

interface Located {
  operation: PushOperation;
  /** Index of the block that it starts at, in the document before the push. */
  at: number;
  /** Number of blocks below what it replaces. */
  below: number;
  /** OOXML of each block that it replaces. */
  kept: string[];
}

type Outcome = Pick<PushResult, "outcome"> & Partial<PushResult>;

/** `patience`: milliseconds that Word gets for each of its answers. */
export async function applyPush(push: Push, patience: number): Promise<PushResult> {
  const answer = (outcome: Outcome): PushResult => ({
    kind: "push_result",
    push: push.push,
    message: "",
    found: [],
    ...outcome,
  });
  if (push.operations.length === 0) return answer({ outcome: "applied" });
  let located: Located[] = [];
  let fault = "";
  try {
    const checked = await within(patience, check(push.operations));
    if (!Array.isArray(checked)) return answer(checked);
    located = checked;
    await within(patience, write(located));
  } catch (error) {
    fault = sentence(error);
    if (error instanceof Moved) return answer({ outcome: "mismatch", message: fault });
    if (located.length === 0) return answer({ outcome: "rejected", message: fault });
  }
  try {
    return answer(await settle(located, fault, patience));
  } catch (error) {
    // A call that hung may yet be carried out (issue 3300): nothing can be promised.
    return answer({ outcome: "differs", message: sentence(error) });
  }
}

/** The user was faster: nothing was written, and nothing is to be put back. */
class Moved extends Error {}

/** Find every place and keep what is there. Nothing is written. */
async function check(operations: PushOperation[]): Promise<Located[] | Outcome> {
  return await Word.run(async (context) => {
    const body = await readBody(context);
    const located: Located[] = [];
    const ooxml: OfficeExtension.ClientResult<string>[][] = [];
    let limit = body.blocks.length;
    for (const operation of operations) {
      const at = findPlace(body.blocks, operation);
      if (at === null || at + operation.expect.length > limit) {
        return isDone(body.blocks, operations)
          ? { outcome: "applied", message: "Word holds this step already." }
          : { outcome: "mismatch", ...whatIsThere(body.blocks, operation) };
      }
      limit = at;
      const below = body.blocks.length - at - operation.expect.length;
      located.push({ operation, at, below, kept: [] });
      const replaced = body.blocks.slice(at, at + operation.expect.length);
      ooxml.push(replaced.map((block) => rangeOf(body, block).getOoxml()));
    }
    await context.sync();
    located.forEach((place, index) => {
      place.kept = (ooxml[index] ?? []).map((result) => withLastParagraph(result.value));
    });
    return located;
  });
}

/** Queue all operations, last place first so that indexes above stay good, and send them as one batch. */
async function write(located: Located[]): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    for (const { operation, at } of located) {
      // The document was free between the check and this run: look again, with the same eyes.
      if (findPlace(body.blocks, { ...operation, index: at }) !== at) {
        throw new Moved("Word's document changed while the step was checked; nothing was written.");
      }
    }
    for (const { operation, at } of located) queue(body, operation, at);
    await context.sync();
  });
}

function queue(body: LiveBody, operation: PushOperation, at: number): void {
  const replaced = body.blocks.slice(at, at + operation.expect.length);
  const last = replaced.at(-1);
  if (!last) {
    insertAt(body, at, operation.ooxml);
    return;
  }
  const gone = operation.ooxml ? replaced.slice(0, -1) : replaced;
  if (operation.ooxml) rangeOf(body, last).insertOoxml(operation.ooxml, "Replace");
  // One by one: `expandTo` over them adds an entry to the undo list on the web (issue 5715).
  for (const block of gone.reverse()) deleteBlock(body, block);
}

/** Read back, repair, and decide; put back what is wrong. */
async function settle(located: Located[], fault: string, patience: number): Promise<Outcome> {
  const wanted = (place: Located): string[] => place.operation.result;
  let state = await within(patience, readBack(located, wanted));
  if (state.there && state.extra) {
    await within(patience, removeExtra(located, wanted));
    state = await within(patience, readBack(located, wanted));
  }
  if (state.there && !(fault && sameTexts(located))) {
    return { outcome: "applied", message: state.extra ? KEPT_PARAGRAPH : "", found: state.found };
  }
  if (fault && !sameTexts(located) && (await within(patience, isAsBefore(located)))) {
    return { outcome: "rejected", message: fault };
  }
  const message = fault || "Word holds something else than was written.";
  const { found } = state;
  for (const place of located) {
    await within(patience, putBack(place));
    await within(patience, tidy(place));
  }
  const back = await within(
    patience,
    readBack(located, (place) => place.operation.expect),
  );
  if (back.there) return { outcome: "rejected", message, found };
  return { outcome: "differs", message, found: back.found };
}

/** Word never gives up the last paragraph of the body; when the last block is replaced it stays behind, empty. */
const KEPT_PARAGRAPH = "Word keeps an empty paragraph at the end of the document.";

interface State {
  there: boolean;
  /** Whether there are empty paragraphs that nobody asked for. */
  extra: boolean;
  /** Texts where the operations act. */
  found: string[];
}

async function readBack(located: Located[], texts: (place: Located) => string[]): Promise<State> {
  return await Word.run(async (context) => {
    const { blocks } = await readBody(context);
    const findings = locatedAfter(located, texts, blocks);
    return {
      there: findings.every(({ finding }) => finding.there),
      extra: findings.some(({ finding }) => finding.extra.length > 0),
      found: findings.flatMap(({ at, place }) =>
        blocks
          .slice(Math.max(0, at - 1), blocks.length - place.below + 1)
          .map((block) => block.text),
      ),
    };
  });
}

/** What stands at each place now: places shift by what the operations above them added or left behind. */
function locatedAfter(
  located: Located[],
  texts: (place: Located) => string[],
  blocks: readonly LiveBlock[],
) {
  let shift = 0;
  return [...located].reverse().map((place) => {
    const wanted = texts(place);
    const at = place.at + shift;
    const finding = find(blocks, place.operation, wanted, at);
    shift += wanted.length - place.operation.expect.length + finding.extra.length;
    return { place, at, finding };
  });
}

async function isAsBefore(located: Located[]): Promise<boolean> {
  const state = await readBack(located, (place) => place.operation.expect);
  return state.there && !state.extra;
}

async function removeExtra(located: Located[], texts: (place: Located) => string[]): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    const extra = locatedAfter(located, texts, body.blocks).flatMap(({ finding }) => finding.extra);
    for (const block of extra.reverse()) deleteBlock(body, block);
    await context.sync();
  });
}

/** Put the kept OOXML of one place back. What stands between its neighbours now is counted from the body's end. */
async function putBack({ at, below, kept }: Located): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    const end = body.blocks.length - below;
    if (end < at) throw new Error("The document changed while the step was being taken back.");
    for (const ooxml of kept) insertBefore(body, at, end, ooxml);
    for (const block of body.blocks.slice(at, end).reverse()) deleteBlock(body, block);
    await context.sync();
  });
}

/** Remove what putting back left behind. Places above may still be wrong, so this one is found from the body's end. */
async function tidy({ operation, below }: Located): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    const end = body.blocks.length - below;
    for (let at = end - operation.expect.length; at >= 0; at--) {
      const finding = find(body.blocks, operation, operation.expect, at);
      if (!finding.there) continue;
      for (const block of finding.extra.reverse()) deleteBlock(body, block);
      break;
    }
    await context.sync();
  });
}

/** "Before" the first of the blocks that will go, so that several packages keep their order. */
function insertBefore(body: LiveBody, at: number, end: number, ooxml: string): void {
  const first = at < end ? body.blocks[at] : undefined;
  if (first?.kind === "paragraph") rangeOf(body, first).insertOoxml(ooxml, "Before");
  else insertAt(body, at, ooxml);
}

/** Whether the results are there already: the pane was closed after it wrote and before it could say so. */
function isDone(blocks: readonly LiveBlock[], operations: PushOperation[]): boolean {
  const places = operations.map((operation) => ({
    operation,
    at: operation.index,
    below: 0,
    kept: [],
  }));
  return locatedAfter(places, (place) => place.operation.result, blocks).every(
    ({ finding }) => finding.there && finding.extra.length === 0,
  );
}

function whatIsThere(
  blocks: readonly LiveBlock[],
  operation: PushOperation,
): Pick<PushResult, "message" | "found"> {
  const start = Math.max(0, operation.index - 1);
  const end = operation.index + operation.expect.length + 1;
  return {
    message: "Word's document is not as the step expects; nothing was written.",
    found: blocks.slice(start, end).map((block) => block.text),
  };
}

/** Whether the texts say nothing about the write having happened (a change of formatting). */
function sameTexts(located: Located[]): boolean {
  return located.every(
    ({ operation }) =>
      operation.result.length === operation.expect.length &&
      operation.result.every((text, index) => text === operation.expect[index]),
  );
}

/**
 * Word's own package of a block, ended with an empty paragraph: the style of the last inserted paragraph is lost
 * (issues 2914, 3222). Text only: re-serialising with DOMParser has crashed Word (issue 842).
 */
function withLastParagraph(ooxml: string): string {
  const end = ooxml.lastIndexOf("</w:body>");
  const section = ooxml.lastIndexOf("<w:sectPr", end);
  const content = Math.max(ooxml.lastIndexOf("</w:p>", end), ooxml.lastIndexOf("</w:tbl>", end));
  const place = section > content ? section : end;
  return place < 0 ? ooxml : `${ooxml.slice(0, place)}<w:p/>${ooxml.slice(place)}`;
}

function sentence(error: unknown): string {
  if (error instanceof TimedOut) return error.message;
  if (error instanceof Error && "code" in error) {
    return `Word refused the change (${String(error.code)}): ${error.message}`;
  }
  return error instanceof Error ? error.message : String(error);
}
