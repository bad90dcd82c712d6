/** Which blocks of a new rendering can stay as they are on the page. */

/** For each place in `after`, the place in `before` of the equal item that it continues, or -1. Order is kept. */
export function matches(before: readonly string[], after: readonly string[]): number[] {
  const result = new Array<number>(after.length).fill(-1);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    result[start] = start;
    start += 1;
  }
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd -= 1;
    afterEnd -= 1;
    result[afterEnd] = beforeEnd;
  }
  // Beyond this the table would be larger than drawing the stretch again is slow.
  if ((beforeEnd - start) * (afterEnd - start) > 4_000_000) return result;
  const common = commonSubsequence(before.slice(start, beforeEnd), after.slice(start, afterEnd));
  for (const [one, other] of common) result[start + other] = start + one;
  return result;
}

/** Pairs of places of a longest common subsequence. */
function commonSubsequence(
  before: readonly string[],
  after: readonly string[],
): [number, number][] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      row += 1;
    } else {
      column += 1;
    }
  }
  return pairs;
}
