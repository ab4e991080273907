import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../src/db/embedded-postmaster.ts';

it('takes a process that runs for alive, and one that never was for dead', () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 31 - 1)).toBe(false);
});

it.runIf(process.platform === 'linux')('takes a process that ended unnoticed by its parent for dead', async () => {
  // The shell turns into a sleep that knows of no child, so the child stays a zombie.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill());
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(isAlive(pid)).toBe(true);
  await sleep(300);
  expect(() => process.kill(pid, 0)).not.toThrow();
  expect(isAlive(pid)).toBe(false);
});
