import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { decodeAudio } from '../../src/providers/audio/decode.ts';
import { ChildLostError, runChild } from '../../src/lib/child.ts';
import { audioLimits, timeoutMsFor } from '../../src/providers/audio/limits.ts';
import { muteAudio } from '../../src/providers/audio/mute.ts';
import { type Decoded, decodeSamples } from '../../src/providers/audio/samples.ts';
import { childrenNamed, signalFirstStart } from '../support/wrapped-program.ts';

const durationMs = 72_000;
const sampleRate = 16_000;
let folder = '';
let source: { path: string; format: 'mp3' };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'children-'));
  source = { path: path.join(folder, 'call.mp3'), format: 'mp3' };
  const tone = ['-f', 'lavfi', '-i', `sine=440:d=${durationMs / 1000}:r=${sampleRate}`];
  execFileSync('ffmpeg', ['-v', 'error', ...tone, source.path]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

const newFolder = (): Promise<string> => mkdtemp(path.join(folder, 'work-'));

const interrupted = { code: 'AUDIO_INTERRUPTED', retryable: true };

/** Decodes the call and sends a signal to the decoder once it has given so much of it. */
async function decodeUntil(afterMs: number, signal: NodeJS.Signals): Promise<Decoded> {
  let samples = 0;
  let isSent = false;
  return decodeSamples({
    source,
    channels: 1,
    sourceRate: sampleRate,
    sampleRate,
    durationMs,
    limits: audioLimits,
    signal: undefined,
    async onSamples([first]) {
      samples += first?.length ?? 0;
      if (isSent || samples < (afterMs / 1000) * sampleRate) return;
      isSent = true;
      const [pid] = await childrenNamed('ffmpeg');
      if (pid === undefined) throw new Error('The decoder has ended before its time.');
      process.kill(pid, signal);
    },
  });
}

describe('a decoder that is ended from outside', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('by %s after 20 of 72 s is a fault that may pass', async (signal) => {
    await expect(decodeUntil(20_000, signal)).rejects.toMatchObject(interrupted);
  });

  it.each(['KILL', 'TERM'] as const)(
    'by SIG%s before it gave anything says nothing of the recording',
    async (signal) => {
      const decoder = await signalFirstStart('ffmpeg', { signal, afterMs: 200, extra: '-re' });
      vi.stubEnv('PATH', decoder.path);
      const workDir = await newFolder();
      await expect(decodeAudio(source, { workDir })).rejects.toMatchObject(interrupted);
      await expect(decodeAudio(source, { workDir })).resolves.toMatchObject({ channels: 1 });
    },
  );

  it('while it probes says nothing of the recording either', async () => {
    const probe = await signalFirstStart('ffprobe', { signal: 'KILL', afterMs: 0 });
    vi.stubEnv('PATH', probe.path);
    const workDir = await newFolder();
    await expect(decodeAudio(source, { workDir })).rejects.toMatchObject(interrupted);
  });

  it('leaves no muted recording', async () => {
    const tool = await signalFirstStart('ffmpeg', { signal: 'KILL', afterMs: 300, extra: '-re' });
    vi.stubEnv('PATH', tool.path);
    const to = path.join(await newFolder(), 'muted.mp3');
    const stretches = [{ startMs: 1000, endMs: 2000 }];
    const request = { source, stretches, sampleRate, durationMs, to, signal: AbortSignal.timeout(60_000) };
    await expect(muteAudio(request)).rejects.toMatchObject(interrupted);
    await expect(muteAudio(request)).resolves.toBeUndefined();
  });
});

describe('a tool that hangs', () => {
  const limits = { ...audioLimits, timeoutMsBase: 500, timeoutPerMs: 0.02 };

  it.each(['ffmpeg', 'ffprobe'])(
    'is ended in proportion to the recording when it is %s, as a fault that may pass',
    async (tool) => {
      const stopped = await signalFirstStart(tool, { signal: 'STOP', afterMs: 0 });
      vi.stubEnv('PATH', stopped.path);
      const startedAt = performance.now();
      await expect(decodeAudio(source, { workDir: await newFolder(), limits })).rejects.toMatchObject({
        code: 'AUDIO_TIMEOUT',
        retryable: true,
      });
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      expect(await childrenNamed(tool)).toEqual([]);
      const whole = decodeAudio(source, { workDir: await newFolder(), limits: audioLimits });
      await expect(whole).resolves.toMatchObject({ channels: 1 });
    },
  );

  it('is given a minute at most for a call of 72 seconds, and time for what its header does not tell', async () => {
    expect(timeoutMsFor(audioLimits, durationMs)).toBeLessThan(60_000);
    const decoded = decodeSamples({
      source,
      channels: 1,
      sourceRate: sampleRate,
      sampleRate,
      durationMs: 0,
      limits: { ...audioLimits, timeoutMsBase: 2000, timeoutPerMs: 1 },
      signal: undefined,
      onSamples: () => new Promise((resolve) => setTimeout(resolve, 100)),
    });
    expect((await decoded).durationMs).toBeGreaterThan(durationMs - 100);
  });
});

describe('a child', () => {
  it.each([
    ['by a signal', 'kill -9 $$', 'SIGKILL'],
    ['by a signal that a shell reports', 'exit 137', 'exit code 137'],
  ])('that was ended %s has no result', async (_, script, lostTo) => {
    const child = runChild({ command: 'sh', args: ['-c', `echo half; ${script}`], timeoutMs: 10_000 });
    await expect(child).rejects.toThrow(new ChildLostError('sh', { lostTo, stderr: '' }));
  });

  it('that fails by itself tells how', async () => {
    const child = runChild({ command: 'sh', args: ['-c', 'echo why >&2; exit 3'], timeoutMs: 10_000 });
    expect(await child).toEqual({ code: 3, stdout: '', stderr: 'why' });
  });

  it('reads what it is given, and may stop reading', async () => {
    const input = Buffer.alloc(1_000_000, 'a');
    const all = await runChild({ command: 'wc', args: ['-c'], stdin: [input, input], timeoutMs: 10_000 });
    expect(all.stdout.trim()).toBe('2000000');
    const few = await runChild({ command: 'head', args: ['-c', '3'], stdin: [input, input], timeoutMs: 10_000 });
    expect(few).toEqual({ code: 0, stdout: 'aaa', stderr: '' });
  });

  it('is ended when what reads its output or gives its input fails', async () => {
    const onStdout = (): never => {
      throw new Error('the disk is full');
    };
    const writing = runChild({ command: 'sh', args: ['-c', 'echo a; exec sleep 42.5'], timeoutMs: 60_000, onStdout });
    await expect(writing).rejects.toThrow('the disk is full');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      throw new Error('the file is gone');
    }
    const reading = runChild({ command: 'sleep', args: ['42.5'], timeoutMs: 60_000, stdin: failing() });
    await expect(reading).rejects.toThrow('the file is gone');
    expect(await childrenNamed('sleep')).toEqual([]);
  });
});
