import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findOnPath, isOnPath } from '../../src/provision/command-path.ts';
import { runCommand } from '../../src/provision/run.ts';
import type { Run } from '../../src/provision/run.ts';
import { ensureTools, findMissingTools } from '../../src/provision/system-packages.ts';

type Machine = {
  has: string[];
  apt?: (args: string[], attempt: number) => { code: number; output: string } | 'installs';
};

/** A machine described by the commands it has and by what its apt-get answers. */
function machine({ has, apt = () => 'installs' }: Machine) {
  const present = new Set(has);
  const calls: string[] = [];
  let attempt = 0;
  const run: Run = async (command, args) => {
    const words = [command, ...args].filter((word) => !/^(env|-n|DEBIAN_FRONTEND=.*|LC_ALL=.*)$/.test(word));
    calls.push([command, ...args].join(' '));
    if (words[0] === 'sudo' && !present.has('sudo')) return { code: 127, output: 'sudo: not found' };
    if (words[1] === 'true') return { code: 0, output: '' };
    attempt += 1;
    const answer = apt(words.slice(words.indexOf('apt-get') + 1), attempt);
    if (answer !== 'installs') return answer;
    for (const word of words) present.add(word);
    return { code: 0, output: '' };
  };
  const hasCommand = async (command: string): Promise<boolean> => present.has(command);
  return { calls, programs: { run, hasCommand } };
}

type Programs = ReturnType<typeof machine>['programs'];

async function ensure(programs: Programs, options: { mayInstall?: boolean; isRoot?: boolean } = {}) {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const result = await ensureTools({
    needed: ['ffmpeg', 'flite'],
    mayInstall: true,
    isRoot: true,
    say,
    ...programs,
    ...options,
  });
  return { result, text: lines.join('\n') };
}

describe('ensureTools', () => {
  it('finds the programs that the global setup has provided for real', async () => {
    expect(await findMissingTools(['ffmpeg', 'ffprobe', 'flite', 'pocketsphinx', 'pocketsphinxModel'])).toEqual([]);
  });

  it('says nothing and installs nothing when nothing is missing', async () => {
    const { programs, calls } = machine({ has: ['ffmpeg', 'flite', 'apt-get'] });
    const { result, text } = await ensure(programs);
    expect({ result, text, calls }).toEqual({ result: { missing: [], installed: [] }, text: '', calls: [] });
  });

  it('says what is missing and why before it installs exactly that, without asking questions', async () => {
    const { programs, calls } = machine({ has: ['ffmpeg', 'apt-get'] });
    const { result, text } = await ensure(programs);
    expect(result).toEqual({ missing: [], installed: ['flite'] });
    expect(text).toContain('Missing on this machine: flite (speaks the sample calls).');
    expect(text).toContain('Installing flite with apt-get');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain('DEBIAN_FRONTEND=noninteractive');
    expect(calls[0]).toMatch(/apt-get install --yes --no-install-recommends .* flite$/);
  });

  it('refreshes the package lists only when apt does not know the package', async () => {
    const unknown = { code: 100, output: 'E: Unable to locate package flite' };
    const { programs, calls } = machine({
      has: ['ffmpeg', 'apt-get'],
      apt: (_args, attempt) => (attempt === 1 ? unknown : 'installs'),
    });
    await ensure(programs);
    expect(calls.map((call) => /apt-get (\w+)/.exec(call)?.[1])).toEqual(['install', 'update', 'install']);
  });

  it('waits for another program that holds the package lock', async () => {
    const locked = {
      code: 100,
      output: 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 12 (apt-get)',
    };
    const { programs, calls } = machine({
      has: ['ffmpeg', 'apt-get'],
      apt: (_args, attempt) => (attempt === 1 ? locked : 'installs'),
    });
    const { text } = await ensure(programs);
    expect(text).toContain('Another program is installing packages');
    expect(calls).toHaveLength(2);
  });

  it("fails with apt's own words", async () => {
    const output = "Reading package lists...\nE: You don't have enough free space in /var/cache/apt/archives/.";
    const { programs } = machine({ has: ['ffmpeg', 'apt-get'], apt: () => ({ code: 100, output }) });
    await expect(ensure(programs)).rejects.toThrow(
      /apt-get install flite failed \(code 100\):\nE: You don't have enough free space/,
    );
  });

  it('fails when apt claims success but the program is still missing', async () => {
    const { programs } = machine({ has: ['ffmpeg', 'apt-get'], apt: () => ({ code: 0, output: '' }) });
    await expect(ensure(programs)).rejects.toThrow('flite is still missing');
  });

  it('uses sudo as an ordinary user', async () => {
    const { programs, calls } = machine({ has: ['ffmpeg', 'apt-get', 'sudo'] });
    const { text } = await ensure(programs, { isRoot: false });
    expect(text).toContain('with sudo apt-get');
    expect(calls.at(-1)).toMatch(/^sudo -n env .*apt-get install/);
  });

  it('names the command to run when there is no right to install', async () => {
    const { programs } = machine({ has: ['ffmpeg', 'apt-get'] });
    await expect(ensure(programs, { isRoot: false })).rejects.toThrow('sudo apt-get install -y flite');
  });

  it('only says what to install when it may not', async () => {
    const { programs, calls } = machine({ has: ['apt-get'] });
    const { result, text } = await ensure(programs, { mayInstall: false });
    expect(result).toEqual({ missing: ['ffmpeg', 'flite'], installed: [] });
    expect(text).toContain('To install: sudo apt-get install -y ffmpeg flite');
    expect(calls).toEqual([]);
  });

  it.each([
    ['brew', 'To install: brew install ffmpeg flite'],
    ['dnf', 'To install: sudo dnf install ffmpeg-free flite'],
    ['nothing', 'Please install: ffmpeg, flite.'],
  ])('says what to install where the system has %s', async (manager, advice) => {
    const { programs, calls } = machine({ has: [manager] });
    const { text } = await ensure(programs);
    expect(text).toContain(advice);
    expect(calls).toEqual([]);
  });
});

describe('isOnPath', () => {
  it('finds what may be run in a folder of the PATH, in their order, and nothing else', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'path-'));
    const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
    try {
      for (const place of [first, second]) await mkdir(path.join(place, 'a-folder'), { recursive: true });
      await writeFile(path.join(first, 'a-text'), '', { mode: 0o644 });
      await writeFile(path.join(second, 'a-program'), '', { mode: 0o755 });
      vi.stubEnv('PATH', [path.join(folder, 'absent'), first, second].join(path.delimiter));
      const found = await Promise.all(['a-program', 'a-text', 'a-folder', 'nothing'].map(isOnPath));
      expect(found).toEqual([true, false, false, false]);
      await writeFile(path.join(first, 'a-program'), '', { mode: 0o755 });
      expect(await findOnPath('a-program')).toBe(path.join(first, 'a-program'));
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  });
});

describe('runCommand', () => {
  it('gives the code and both streams of a program', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'run-'));
    try {
      const program = path.join(folder, 'program');
      await writeFile(program, '#!/bin/sh\necho out; echo err >&2; exit 3\n');
      await chmod(program, 0o755);
      const { code, output } = await runCommand(program, []);
      expect(code).toBe(3);
      expect(output.split('\n').sort().join(' ').trim()).toBe('err out');
      expect((await runCommand(path.join(folder, 'absent'), [])).code).toBe(127);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
