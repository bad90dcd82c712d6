/** Waiting times between attempts to connect. */

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Milliseconds to wait before attempt `attempt` (from 0): doubles from half a second to fifteen seconds, spread over
 * 50 to 100 % so that many panes do not return in the same instant. `random` is in [0, 1).
 */
export function backoffDelay(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full * (0.5 + random() * 0.5));
}
