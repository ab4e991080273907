import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProgramMissingError, runChild } from '../../src/lib/child.ts';
import { niceness } from '../../src/lib/niceness.ts';

let folder = '';
const owners: ChildProcess[] = [];
const children: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'child-'));
});
afterAll(async () => {
  for (const owner of owners) owner.kill('SIGKILL');
  for (const pid of children) if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const moduleOf = (name: string): string => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);

/** A program whose child writes its own process id. Gives that, once it is known. */
async function startOwner(program: string): Promise<{ owner: ChildProcess; childPid: number }> {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  owners.push(owner);
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  const childPid = Number(line);
  children.push(childPid);
  return { owner, childPid };
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/^\d+ \(.*\) Z/s.test(stat);
}

it('a tool makes way for whoever answers requests', async () => {
  const { stdout } = await runChild({ command: 'nice', args: [], timeoutMs: 10_000 });
  expect(Number(stdout)).toBe(Math.min(19, getPriority() + niceness.tool));
});

describe.runIf(process.platform === 'linux')('a tool whose service is killed', () => {
  it.each([
    ['without a limit on memory', ''],
    ['with one', ', memoryBytesMax: 4_000_000_000'],
  ])('ends with it, whatever it was doing: %s', async (_, limits) => {
    const { owner, childPid } = await startOwner(`
      const { runChild } = await import(${moduleOf('lib/child.ts')});
      const tell = (chunk) => void process.stdout.write(chunk);
      await runChild({ command: 'sh', args: ['-c', 'echo $$; exec sleep 600'], timeoutMs: 600_000, onStdout: tell${limits} });`);
    expect(await isRunning(childPid)).toBe(true);
    owner.kill('SIGKILL');
    await expect.poll(() => isRunning(childPid)).toBe(false);
  });

  it('ends with it in the midst of native code, which hears nothing', async () => {
    const script = path.join(folder, 'busy.mjs');
    await writeFile(script, 'import { writeSync } from "node:fs"; writeSync(2, process.pid + "\\n"); for (;;);');
    const { owner, childPid } = await startOwner(`
      import { readFileSync, readdirSync } from 'node:fs';
      const { RecogniserProcess } = await import(${moduleOf('providers/speech/local/recogniser-process.ts')});
      new RecogniserProcess({ memoryBytesMax: 4e9, silenceMsMax: 600_000, script: ${JSON.stringify(script)} });
      const isBusy = (pid) => { try { return readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('busy.mjs'); } catch { return false; } };
      const isOurs = (pid) => { try { return readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ')[1].split(' ')[1] === String(process.pid); } catch { return false; } };
      const look = () => {
        const pid = readdirSync('/proc').find((name) => /^\\d+$/.test(name) && isOurs(name) && isBusy(name));
        if (pid === undefined) setTimeout(look, 20); else process.stdout.write(pid + '\\n');
      };
      look();
      setInterval(() => {}, 1000);`);
    expect(await isRunning(childPid)).toBe(true);
    owner.kill('SIGKILL');
    await expect.poll(() => isRunning(childPid)).toBe(false);
  });
});

it.each([undefined, 4_000_000_000])(
  'a program that is not there is told from one that fails (memory: %s)',
  async (memoryBytesMax) => {
    const run = (command: string, args: string[]) => runChild({ command, args, timeoutMs: 20_000, memoryBytesMax });
    await expect(run('no-such-program', [])).rejects.toThrow(ProgramMissingError);
    expect(await run('sh', ['-c', 'no-such-program-either'])).toMatchObject({ code: 127 });
    expect(await run('sh', ['-c', 'exit 3'])).toMatchObject({ code: 3 });
  },
);
