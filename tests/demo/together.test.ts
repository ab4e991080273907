import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { together } from '../../src/demo/together.ts';

const never = new AbortController().signal;

it('gives the results in the order of the tasks', async () => {
  const slow = async (): Promise<string> => sleep(20, 'slow');
  const quick = async (): Promise<string> => 'quick';
  expect(await together([slow, quick], never)).toEqual(['slow', 'quick']);
});

it('throws the first failure after the other tasks have ended', async () => {
  const ended: string[] = [];
  const other = async (signal: AbortSignal): Promise<void> => {
    await sleep(60_000, undefined, { signal }).finally(() => ended.push('other'));
  };
  const failing = async (): Promise<void> => {
    await sleep(10);
    throw new Error('the cause');
  };
  await expect(together([other, failing], never)).rejects.toThrow('the cause');
  expect(ended).toEqual(['other']);
});

it('ends all tasks when it is told to', async () => {
  const stop = new AbortController();
  const waiting = (signal: AbortSignal): Promise<void> => sleep(60_000, undefined, { signal });
  const running = together([waiting, waiting], stop.signal);
  stop.abort(new Error('told to'));
  await expect(running).rejects.toThrow('aborted');
});
