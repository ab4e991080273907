import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../src/db/embedded-postmaster.ts';

it('takes a process that runs for alive, and one that never was for dead', () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 31 - 1)).toBe(false);
});

it.runIf(process.platform === 'linux')('takes a process that ended unnoticed by its parent for dead', async () => {
  // The shell turns into a sleep that knows of no child, so the child stays a zombie.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill());
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(() => process.kill(pid, 0)).not.toThrow();
});
