import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { niceness } from '../../src/lib/niceness.ts';
import { createSeat, type Seat } from '../../src/heavy-work/seat.ts';
import { largeRubric, longCall } from '../support/long-calls.ts';
import { childrenRunning, until } from '../support/models/local-engine.ts';

const seats: Seat[] = [];
afterEach(async () => {
  await Promise.all(seats.splice(0).map((seat) => seat.vacate()));
});

const limits = { cpuMsMax: 60_000, memoryBytesMax: 1_024_000_000 };
function open(): Seat {
  const seat = createSeat(limits, createLogger('silent'));
  seats.push(seat);
  return seat;
}

const score = (words: number, rubric: object = defaultRubric) => ({
  task: 'score' as const,
  input: { ...longCall({ words, rubric }), modelAnswers: null },
});
const scored = { result: { language: 'en' } };
const kill = (pids: number[], signal: NodeJS.Signals): void => pids.forEach((pid) => process.kill(pid, signal));
const running = (): Promise<number[]> => childrenRunning('heavy-work/program');

describe.runIf(process.platform === 'linux')('a process for heavy work', () => {
  it('makes way with all of its threads, in its session and among sessions, and leaves ours alone', async () => {
    await open().perform(score(60));
    const [pid = 0] = await running();
    const nicenessOf = async (id: number): Promise<number[]> =>
      (await readdir(`/proc/${id}/task`)).map((thread) => getPriority(Number(thread)));
    const ours = getPriority();
    const theirs = await nicenessOf(pid);
    expect(theirs.length).toBeGreaterThan(1);
    expect(new Set(theirs)).toEqual(new Set([Math.min(19, ours + niceness.heavyWork)]));
    expect(new Set(await nicenessOf(process.pid))).toEqual(new Set([ours]));
    const session = () => readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => 'nice 5');
    await expect.poll(session, { timeout: 45_000 }).toMatch(/nice 5\b/);
  });

  it('that was killed while it had nothing to do is replaced', async () => {
    const seat = open();
    await expect(seat.perform(score(60))).resolves.toMatchObject(scored);
    kill(await running(), 'SIGKILL');
    await until(async () => (await running()).length === 0);
    await expect(seat.perform(score(60))).resolves.toMatchObject(scored);
  });

  it('that is killed at its work has it done by another one, once', async () => {
    const seat = open();
    const first = seat.perform(score(40_000));
    await until(async () => (await running()).length === 1);
    kill(await running(), 'SIGKILL');
    await expect(first).resolves.toMatchObject(scored);
    const second = seat.perform(score(60_000, largeRubric));
    const [former = 0] = await running();
    kill([former], 'SIGKILL');
    await until(async () => ![former, undefined].includes((await running())[0]));
    kill(await running(), 'SIGKILL');
    await expect(second).resolves.toEqual({ ended: 'lost' });
  });

  it('that everybody is told to end with goes on: the service ends it', async () => {
    const seat = open();
    await seat.perform(score(60));
    const work = seat.perform(score(20_000));
    const told = await running();
    kill(told, 'SIGTERM');
    await expect(work).resolves.toMatchObject(scored);
    expect(await running()).toEqual(told);
  });

  it('ends with a service that is killed, in the midst of its work', async () => {
    const url = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    const program = `
      const { createSeat } = await import(${url('../../src/heavy-work/seat.ts')});
      const { createLogger } = await import(${url('../../src/lib/logger.ts')});
      const { longCall, largeRubric } = await import(${url('../support/long-calls.ts')});
      const input = { ...longCall({ words: 60_000, rubric: largeRubric }), modelAnswers: null };
      const seat = createSeat(${JSON.stringify(limits)}, createLogger('silent'));
      await seat.perform({ task: 'findMoments', input: '[]' });
      void seat.perform({ task: 'score', input });
      setTimeout(() => console.log(process.pid), 100);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface(owner.stdout), 'line');
    const theirs = async (): Promise<number[]> => {
      const children = await readFile(`/proc/${owner.pid}/task/${owner.pid}/children`, 'utf8').catch(() => '');
      return children.trim().split(' ').filter(Boolean).map(Number);
    };
    const [pid = 0] = await theirs();
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toContain('heavy-work/program');
    owner.kill('SIGKILL');
    await until(async () => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
      return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
    });
  });
});
