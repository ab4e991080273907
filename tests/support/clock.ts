import { setTimeout as sleep } from 'node:timers/promises';

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** Waits for the next minute or day (in UTC) where it is nearer than `roomMs`: what follows must not fall into two. */
export async function keepClearOf(turnMs: number, roomMs: number): Promise<void> {
  const leftMs = turnMs - (Date.now() % turnMs);
  if (leftMs < roomMs) await sleep(leftMs + 100);
}
