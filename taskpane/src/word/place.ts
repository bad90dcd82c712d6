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

/**
 * Index of the block that the operation starts at, or null if it is not found for certain: where it is expected with
 * both neighbours; else nearby with both, if only once; else where it is expected with one, for the user may be typing
 * in the other.
 */
export function findPlace(blocks: readonly LiveBlock[], operation: Place): number | null {
  if (isPlace(blocks, operation, operation.index)) return operation.index;
  const found: number[] = [];
  const end = Math.min(blocks.length, operation.index + REACH);
  for (let at = Math.max(0, operation.index - REACH); at <= end; at++) {
    if (isPlace(blocks, operation, at)) found.push(at);
  }
  if (found.length > 0) return found.length === 1 ? (found[0] ?? null) : null;
  return isPlace(blocks, operation, operation.index, 1) ? operation.index : null;
}

function isPlace(
  blocks: readonly LiveBlock[],
  { expect, before, after }: Place,
  at: number,
  neighbours = 2,
): boolean {
  const next = at + expect.length;
  const beside = [
    before === null ? at === 0 : holds(blocks, at - 1, before),
    after === null ? endsAt(blocks, next) : holds(blocks, next, after),
  ];
  return (
    at >= 0 &&
    next <= blocks.length &&
    expect.every((text, offset) => holds(blocks, at + offset, text)) &&
    beside.filter(Boolean).length >= neighbours
  );
}

export function holds(blocks: readonly LiveBlock[], at: number, text: string): boolean {
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

/**
 * Whether `texts` stand between the operation's neighbours, the first of them at block `at`. One of the neighbours may
 * have another text by now, for the user may be typing there; the one below only if `below`, the number of blocks from
 * there on, says that nothing else came between.
 */
export function find(
  blocks: readonly LiveBlock[],
  { before, after }: Pick<PushOperation, "before" | "after">,
  texts: readonly string[],
  at: number,
  below?: Between,
): Finding {
  const led = before === null ? at === 0 : holds(blocks, at - 1, before);
  const exact = follow(blocks, after === null ? texts : [...texts, after], at);
  if (exact) {
    return after === null ? withRest(blocks, exact) : { there: true, extra: exact.extra };
  }
  const open = led && after !== null && after.trim() ? follow(blocks, texts, at) : null;
  if (!open) return { there: false, extra: [] };
  // What followed had a text, so empty paragraphs before the next one that has are not the user's.
  const extra = [...open.extra];
  for (let next = open.next; isEmpty(blocks[next]); next++)
    extra.push(...blocks.slice(next, next + 1));
  const rest = blocks.length - open.next - (extra.length - open.extra.length);
  const counted = below !== undefined && rest >= below.least && rest <= below.most;
  return counted ? { there: true, extra } : { there: false, extra: [] };
}

/** How many blocks there may be. */
export interface Between {
  least: number;
  most: number;
}

interface Followed {
  extra: LiveBlock[];
  /** The block after the last text. */
  next: number;
}

/** Whether the texts stand one after the other from `at` on, but for empty paragraphs among them. */
function follow(
  blocks: readonly LiveBlock[],
  texts: readonly string[],
  at: number,
): Followed | null {
  const extra: LiveBlock[] = [];
  let next = at;
  for (const text of texts) {
    while (!holds(blocks, next, text)) {
      const block = blocks[next];
      if (block === undefined || !isEmpty(block)) return null;
      extra.push(block);
      next++;
    }
    next++;
  }
  return { extra, next };
}

/** At the end of the body nothing may follow but empty paragraphs, and those are extra. */
function withRest(blocks: readonly LiveBlock[], { extra, next }: Followed): Finding {
  return endsAt(blocks, next)
    ? { there: true, extra: [...extra, ...blocks.slice(next)] }
    : { there: false, extra: [] };
}
