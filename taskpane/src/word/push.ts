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
import { textOf, type LiveBlock } from "./blocks";
import { deleteBlock, insertAt, rangeOf, readBody, type LiveBody } from "./body";
import { TimedOut, within } from "./lock";
import { find, findPlace } from "./place";
import { putAllBack, settle, type Located, type Outcome } from "./settle";

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
    if (error instanceof Overwritten) return answer(await giveBack(located, patience));
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

/** The user was typing while the step was written, in what it replaced. */
class Overwritten extends Error {}

/** Find every place and keep what is there. Nothing is written. */
async function check(operations: PushOperation[]): Promise<Located[] | Outcome> {
  return await Word.run(async (context) => {
    const body = await readBody(context);
    const located: Located[] = [];
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
      located.push({ operation, at, below, was: operation.expect, kept: [] });
    }
    const keep = queueKeeping(body, located);
    await context.sync();
    keep();
    return located;
  });
}

/**
 * Queue all operations, last place first so that indexes above stay good, and send them as one batch.
 *
 * What is replaced is read once more at the head of the same batch: between the last look and the write the user may
 * have typed, and then that is what has to be put back.
 */
async function write(located: Located[]): Promise<void> {
  await Word.run(async (context) => {
    const body = await readBody(context);
    for (const { operation, at } of located) {
      // The document was free between the check and this run: look again, with the same eyes.
      if (findPlace(body.blocks, { ...operation, index: at }) !== at) {
        throw new Moved("Word's document changed while the step was checked; nothing was written.");
      }
    }
    const keep = queueKeeping(body, located);
    for (const { operation, at } of located) queue(body, operation, at);
    await context.sync();
    if (keep()) throw new Overwritten();
  });
}

/**
 * Queue the reading of everything that will be replaced: OOXML, and texts again. Afterwards the function that is
 * returned takes them in, and says whether a text is not the one that was seen.
 */
function queueKeeping(body: LiveBody, located: Located[]): () => boolean {
  const replaced = located.map(({ at, operation }) =>
    body.blocks.slice(at, at + operation.expect.length),
  );
  const ooxml = replaced.map((blocks) => blocks.map((block) => rangeOf(body, block).getOoxml()));
  for (const block of replaced.flat()) {
    for (const paragraph of body.paragraphs.slice(block.first, block.last + 1))
      paragraph.load("text");
  }
  return () => {
    let changed = false;
    located.forEach((place, index) => {
      place.kept = (ooxml[index] ?? []).map((result) => withLastParagraph(result.value));
      const blocks = replaced[index] ?? [];
      place.was = blocks.map((block) => textOf(block.kind, body.paragraphs, block));
      changed ||= blocks.some((block, n) => block.text !== place.was[n]);
    });
    return changed;
  };
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

/** Put back what the user typed. */
async function giveBack(located: Located[], patience: number): Promise<Outcome> {
  const message = "You were typing where the step writes; your text stays, the step was not done.";
  try {
    const back = await putAllBack(located, patience);
    return { outcome: back.there ? "mismatch" : "differs", message, found: back.found };
  } catch (error) {
    return { outcome: "differs", message: `${message} ${sentence(error)}` };
  }
}

/** Whether the results are there already: the pane was closed after it wrote and before it could say so. */
function isDone(blocks: readonly LiveBlock[], operations: PushOperation[]): boolean {
  let shift = 0;
  return [...operations].reverse().every((operation) => {
    const finding = find(blocks, operation, operation.result, operation.index + shift);
    shift += operation.result.length - operation.expect.length;
    return finding.there && finding.extra.length === 0;
  });
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
