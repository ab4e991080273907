import { retryAfterMsMax } from '../../lib/retry-after.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits after each failed attempt except the last: ten attempts over a little more than three days. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const jitterMax = 0.1;

/** Milliseconds until the next try to open a secret that no key opens, by the number of tries in this round, from 1. */
export function keyDelayMs(turn: number, delaysMs: readonly number[] = retryDelaysMs): number {
  return delaysMs[Math.min(turn, 3) - 1] ?? minute;
}

type Failed = {
  /** Attempts in this round, including this one. */
  tries: number;
  /** The wait that the endpoint asked for. */
  retryAfterMs?: number | undefined;
  delaysMs?: readonly number[];
  random?: () => number;
};

/**
 * Milliseconds until the next attempt, or null after the last. Never sooner than the schedule or the endpoint (an hour
 * at most) says, and up to a tenth later, so that simultaneous failures are not retried simultaneously.
 */
export function nextDelayMs({ tries, retryAfterMs = 0, delaysMs = retryDelaysMs, random = Math.random }: Failed) {
  const scheduled = delaysMs[tries - 1];
  if (scheduled === undefined) return null;
  return Math.ceil(Math.max(scheduled, Math.min(retryAfterMs, retryAfterMsMax)) * (1 + random() * jitterMax));
}
