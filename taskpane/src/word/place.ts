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
 * Whether `texts` stand between the operation's neighbours, the first of them at block `at`.
 *
 * `below` is how many blocks there should be from the next neighbour on. It tells an empty paragraph that was left
 * behind from one that was there before; and where it fits, one of the neighbours may have another text by now, for the
 * user may be typing there.
 */
export function find(
  blocks: readonly LiveBlock[],
  { before, after }: Pick<PushOperation, "before" | "after">,
  texts: readonly string[],
  at: number,
  below?: Between,
): Finding {
  const followed = follow(blocks, texts, at);
  if (!followed) return MISSING;
  const { next } = followed;
  const counted = (end: number): boolean =>
    below !== undefined && blocks.length - end >= below.least && blocks.length - end <= below.most;
  const led = before === null ? at === 0 : holds(blocks, at - 1, before);
  let end: number | undefined;
  if (after === null) end = endsAt(blocks, next) ? blocks.length : undefined;
  else {
    // The next neighbour is the first block that can be it: behind empty paragraphs only.
    let most = next;
    while (isEmpty(blocks[most])) most++;
    const ends = Array.from({ length: most - next + 1 }, (_, offset) => next + offset);
    const same = ends.filter((index) => holds(blocks, index, after));
    end = same.find(counted) ?? same[0] ?? (led ? ends.find(counted) : undefined);
  }
  if (end === undefined) return MISSING;
  return { there: true, extra: [...followed.extra, ...blocks.slice(next, end)] };
}

const MISSING: Finding = { there: false, extra: [] };

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
