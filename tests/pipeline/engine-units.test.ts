import { describe, expect, it } from 'vitest';
import { createAbsences } from '../../src/pipeline/engine/absences.ts';
import { parseDelayMs, parseRetryAfterMs } from '../../src/pipeline/engine/duration.ts';
import { jsonText } from '../../src/pipeline/engine/json.ts';
import { toTransition } from '../../src/pipeline/engine/transition.ts';
import type { Item, Op, Outcome } from '../../src/pipeline/engine/types.ts';

describe('durations', () => {
  it.each([
    ['1s', 1000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1w', 604_800_000],
    ['250ms', 250],
    ['1.5s', 1500],
  ])('%s is %d ms', (text, expected) => {
    expect(parseDelayMs(text)).toBe(expected);
  });

  it('counts to an instant, and never backwards', () => {
    const now = Date.parse('2026-01-01T00:00:00.000Z');
    expect(parseDelayMs('2026-01-01T00:01:00.000Z', now)).toBe(60_000);
    expect(parseDelayMs('2025-01-01T00:00:00.000Z', now)).toBe(0);
    expect(parseRetryAfterMs('2026-01-01T00:00:10.000Z', now)).toBe(10_000);
    expect(parseRetryAfterMs('7')).toBe(7000);
    expect(parseRetryAfterMs('soon')).toBeUndefined();
  });

  it.each(['', 'soon', '5', '5 minutes', '1h soon'])('refuses "%s"', (text) => {
    expect(() => parseDelayMs(text)).toThrow('neither');
  });
});

describe('what is stored as JSON', () => {
  it.each([
    [{ text: 'a\0b' }, '{"text":"ab"}'],
    [{ text: '\ud800x' }, '{"text":"\ufffdx"}'],
    [{ text: '\udc00x\udfff' }, '{"text":"\ufffdx\ufffd"}'],
    [{ text: '\ud83d\udc4d \ude00' }, '{"text":"\ud83d\udc4d \ufffd"}'],
    [{ '\udc00name\0': 1 }, '{"\ufffdname":1}'],
    [{ text: String.raw`\udc00 as it is typed` }, String.raw`{"text":"\\udc00 as it is typed"}`],
    [{ text: '\\\0\\' }, String.raw`{"text":"\\\\"}`],
    [{ text: String.raw`\u0000 as it is typed` }, String.raw`{"text":"\\u0000 as it is typed"}`],
    [undefined, 'null'],
  ])('is what Postgres takes: %j', (value, expected) => {
    expect(jsonText(value)).toBe(expected);
  });
});

describe('what an answer of the SDK does to its run', () => {
  const item = { attempt: 1, stepId: 'step' } as Item;
  const context = { attemptsMax: 3, backoffMs: (attempt: number) => attempt * 100, hasFunction: () => false };
  const ops = (...list: Op[]): Outcome => ({ kind: 'ops', ops: list, retryAfterMs: undefined });
  const done: Op = { id: 'a', op: 'StepRun', displayName: 'first', data: 1 };

  it('keeps results and asks for what comes next', () => {
    expect(toTransition(ops(done), item, context)).toMatchObject({
      kind: 'advance',
      steps: [{ stepId: 'a', name: 'first', state: { type: 'data', data: 1 } }],
      isDiscoveryDue: true,
    });
  });

  it('ends the run when the answer says so, whatever stands before it', () => {
    expect(toTransition(ops(done, { id: 'z', op: 'RunComplete', data: { ok: true } }), item, context)).toEqual({
      kind: 'complete',
      output: { ok: true },
    });
  });

  it('retries with the delay that was asked for, else with backoff, and fails after the last attempt', () => {
    const failed: Op = { id: 'b', op: 'StepError', error: { message: 'no' } };
    expect(toTransition(ops(done, failed), item, context)).toMatchObject({ kind: 'retry', delayMs: 100, steps: [{}] });
    expect(toTransition({ kind: 'ops', ops: [failed], retryAfterMs: 7000 }, item, context)).toMatchObject({
      delayMs: 7000,
    });
    expect(toTransition(ops(failed), { ...item, attempt: 2 }, context)).toMatchObject({
      kind: 'fail',
      error: { message: 'no' },
    });
  });

  it('does not retry what the SDK says is over', () => {
    const rejected = (isRetriable: boolean): Outcome => ({
      kind: 'rejected',
      error: 'e',
      isRetriable,
      retryAfterMs: undefined,
    });
    expect(toTransition(rejected(false), item, context)).toMatchObject({ kind: 'fail' });
    expect(toTransition(rejected(true), item, context)).toMatchObject({ kind: 'retry' });
  });

  it.each(['WaitForSignal', 'WaitForEvent'])('fails with a name where an operation is not known: %s', (op) => {
    const opts = { if: 'event.data.items.exists(i, i == 1)', event: 'test/x', timeout: '1h' };
    expect(toTransition(ops({ id: 's', op, name: 'test/x', opts }), item, context)).toMatchObject({
      kind: 'fail',
      error: { message: expect.stringContaining(op) },
    });
  });

  it('fails with a name where steps race each other', () => {
    const planned: Op = { id: 'r', op: 'StepPlanned', opts: { parallelMode: 'race' } };
    expect(toTransition(ops(planned), item, context)).toMatchObject({
      kind: 'fail',
      error: { message: expect.stringContaining('race') },
    });
  });

  it('goes on with the failure where a function is not known', () => {
    expect(
      toTransition(ops({ id: 'i', op: 'InvokeFunction', opts: { function_id: 'nobody' } }), item, context),
    ).toMatchObject({
      kind: 'advance',
      children: [],
      steps: [{ state: { type: 'error', error: { message: expect.stringContaining('nobody') } } }],
    });
  });
});

describe('who has been missed', () => {
  const look = (times: [atMs: number, lockedUntil: string | null][]) => {
    let now = 0;
    const absences = createAbsences(() => now);
    return times.map(([atMs, lockedUntil]) => {
      now = atMs;
      return absences.look(lockedUntil === null ? [] : [{ owner: 1, lockedUntil }]).length > 0;
    });
  };

  it('is dead after four seconds without a sign of life', () => {
    const seconds = [0, 1, 2, 3, 4, 5];
    expect(look(seconds.map((second) => [second * 1000, 'a']))).toEqual([false, false, false, false, true, true]);
  });

  it('lives as long as it renews, or has its lock', () => {
    const seconds = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    expect(look(seconds.map((second) => [second * 1000, `until ${Math.floor(second / 3)}`])).some(Boolean)).toBe(false);
    expect(look(seconds.map((second) => [second * 1000, second % 4 === 3 ? null : 'a'])).some(Boolean)).toBe(false);
  });

  it('is not blamed for what held us up as well', () => {
    const times = [0, 1000, 2000, 9000, 10_000, 11_000, 12_000, 13_000];
    expect(look(times.map((time) => [time, 'a']))).toEqual([...Array(7).fill(false), true]);
  });
});
