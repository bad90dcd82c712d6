/**
 * Where an operation acts, and whether what is there afterwards is what was wanted.
 *
 * Blocks have no identity in WordApi 1.3, so a place is found by the texts of the blocks it replaces and of the two
 * beside it: where the server thinks it is, else nearby, and then only if it is found exactly once.
 */

import type { PushOperation } from "../protocol";
import { isEmpty, sameText, type LiveBlock } from "./blocks";

/** How far from the expected place a shifted one is looked for, in blocks each way. */
const REACH = 50;

type Place = Pick<PushOperation, "index" | "expect" | "before" | "after">;

/** Index of the block that the operation starts at, or null if its surroundings are not found exactly once. */
export function findPlace(blocks: readonly LiveBlock[], operation: Place): number | null {
  if (isPlace(blocks, operation, operation.index)) return operation.index;
  const found: number[] = [];
  const end = Math.min(blocks.length, operation.index + REACH);
  for (let at = Math.max(0, operation.index - REACH); at <= end; at++) {
    if (isPlace(blocks, operation, at)) found.push(at);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isPlace(
  blocks: readonly LiveBlock[],
  { expect, before, after }: Place,
  at: number,
): boolean {
  const next = at + expect.length;
  return (
    at >= 0 &&
    next <= blocks.length &&
    (before === null ? at === 0 : holds(blocks, at - 1, before)) &&
    expect.every((text, offset) => holds(blocks, at + offset, text)) &&
    (after === null ? endsAt(blocks, next) : holds(blocks, next, after))
  );
}

function holds(blocks: readonly LiveBlock[], at: number, text: string): boolean {
  const block = blocks[at];
  return block !== undefined && sameText(block.text, text);
}

/** Nothing follows but empty paragraphs: Word keeps one at the end of the body when the last block is replaced. */
function endsAt(blocks: readonly LiveBlock[], at: number): boolean {
  return blocks.slice(at).every(isEmpty);
}

export interface Finding {
  /** The wanted texts are there, in order, between the two neighbours. */
  there: boolean;
  /** Blocks among them that nobody asked for: empty paragraphs that insertOoxml leaves behind. */
  extra: LiveBlock[];
}

/** Whether `texts` stand between the operation's neighbours, the first of them at block `at`. */
export function find(
  blocks: readonly LiveBlock[],
  operation: Pick<PushOperation, "before" | "after">,
  texts: readonly string[],
  at: number,
): Finding {
  const missing: Finding = { there: false, extra: [] };
  const { before, after } = operation;
  if (before === null ? at !== 0 : !holds(blocks, at - 1, before)) return missing;
  const wanted = after === null ? [...texts] : [...texts, after];
  const extra: LiveBlock[] = [];
  let next = at;
  for (const text of wanted) {
    while (!holds(blocks, next, text)) {
      const block = blocks[next];
      if (block === undefined || !isEmpty(block)) return missing;
      extra.push(block);
      next++;
    }
    next++;
  }
  if (after !== null) return { there: true, extra };
  return endsAt(blocks, next) ? { there: true, extra: [...extra, ...blocks.slice(next)] } : missing;
}
