import { array, assert, constant, double, integer, oneof, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Taken } from '../../src/http/rate-limit/counts.ts';
import { createMemoryCounts } from '../../src/http/rate-limit/memory-counts.ts';

const limit = 200;
const windowMs = 60_000;

function createCounts({ clientsMax = 1_000, limit: own = limit } = {}) {
  const clock = { nowMs: 0 };
  const counts = createMemoryCounts({ limit: own, windowMs, clientsMax, now: () => clock.nowMs });
  return { clock, counts, take: (client = 'a') => counts.take(client) as Taken };
}

/** The most that any window of the given length holds, both of its ends included. */
function busiestWindow(timesMs: number[]): number {
  let [most, start] = [0, 0];
  for (const [end, time] of timesMs.entries()) {
    while ((timesMs[start] ?? time) < time - windowMs) start += 1;
    most = Math.max(most, end - start + 1);
  }
  return most;
}

const bursts = array(
  record({
    pauseMs: oneof(integer({ min: 0, max: 5 }), integer({ min: 0, max: 130_000 }), constant(windowMs)),
    size: integer({ min: 1, max: 450 }),
    stepMs: oneof(constant(0), double({ min: 0, max: 400, noNaN: true })),
  }),
  { maxLength: 12 },
);

describe('the window', () => {
  it('never holds more than 200, wherever it begins, whatever the bursts', () => {
    assert(
      property(bursts, (plan) => {
        const { clock, take } = createCounts();
        const admitted: number[] = [];
        for (const { pauseMs, size, stepMs } of plan) {
          clock.nowMs += pauseMs;
          for (let sent = 0; sent < size; sent += 1) {
            if (take().isAllowed) admitted.push(clock.nowMs);
            clock.nowMs += stepMs;
          }
        }
        expect(busiestWindow(admitted)).toBeLessThanOrEqual(limit);
      }),
      { seed: 200, numRuns: 300 },
    );
  });

  it('gives no client less than 200', () => {
    assert(
      property(bursts, (plan) => {
        const { clock, take } = createCounts();
        const admitted: number[] = [];
        for (const { pauseMs, size } of plan) {
          clock.nowMs += pauseMs;
          for (let sent = 0; sent < size; sent += 1) {
            const recent = admitted.filter((time) => time >= clock.nowMs - windowMs).length;
            expect(take().isAllowed).toBe(recent < limit);
            if (recent < limit) admitted.push(clock.nowMs);
          }
        }
      }),
      { seed: 201, numRuns: 20 },
    );
  });

  it('refuses the 201st of a burst at its edge, and tells when there is room again', () => {
    const { clock, take } = createCounts();
    clock.nowMs = 59_900;
    for (let sent = 0; sent < limit; sent += 1) expect(take()).toMatchObject({ remaining: limit - 1 - sent });
    clock.nowMs = 60_100;
    expect(take()).toMatchObject({ isAllowed: false, remaining: 0, resetMs: windowMs - 200 });
    clock.nowMs += windowMs - 200;
    expect(take().isAllowed).toBe(false);
    clock.nowMs += 1;
    expect(take().isAllowed).toBe(true);
  });

  it('does not punish those who knock while they wait', () => {
    const { clock, take } = createCounts({ limit: 1 });
    take();
    for (; clock.nowMs <= windowMs; clock.nowMs += 1_000) expect(take().isAllowed).toBe(clock.nowMs > windowMs);
    expect(take().isAllowed).toBe(true);
  });

  it('uncounts the very request that is given back, and no other', () => {
    const { clock, counts, take } = createCounts({ limit: 20 });
    const tickets = Array.from({ length: 20 }, () => {
      clock.nowMs += 1_000;
      return take().ticket;
    });
    expect(take().isAllowed).toBe(false);
    void counts.giveBack('a', tickets[0] ?? 0);
    expect(take()).toMatchObject({ isAllowed: true, remaining: 0 });
    void counts.giveBack('a', tickets[7] ?? 0);
    void counts.giveBack('a', 12.5);
    void counts.giveBack('nobody', 1);
    expect(take()).toMatchObject({ isAllowed: true, remaining: 0 });
    // The second request is the oldest now: the first one leaves no gap behind.
    expect(take()).toMatchObject({ isAllowed: false, resetMs: 2_000 + windowMs - clock.nowMs });
  });
});

describe('the memory of clients', () => {
  it('counts each by itself', () => {
    const { take } = createCounts({ limit: 1 });
    expect([take('a'), take('b'), take('a')].map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
  });

  it('has an end: those go first that were away the longest', () => {
    const { take } = createCounts({ limit: 1, clientsMax: 3 });
    for (const client of ['a', 'b', 'c', 'a', 'd']) take(client);
    expect(take('a').isAllowed).toBe(false);
    expect(take('d').isAllowed).toBe(false);
    expect(take('b').isAllowed).toBe(true);
  });

  it('lets go of a million clients that came once', () => {
    const { clock, take } = createCounts();
    const before = process.memoryUsage().rss;
    for (let client = 0; client < 1_000_000; client += 1) {
      clock.nowMs += 1;
      take(`address:${client}`);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});
