import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DecodedAudio } from '../../src/providers/audio/decode.ts';
import type { LocalEngine, LocalOptions } from '../../src/providers/speech/local/engine.ts';
import { childrenRunning, LocalBench, processesNaming, until } from '../support/models/local-engine.ts';
import { installToneRecogniser } from '../support/models/tiny-models.ts';
import { runProgram } from '../support/program.ts';
import { toneRecording } from '../support/models/tones.ts';

const script = fileURLToPath(new URL('../support/models/faulty-child.ts', import.meta.url));
let bench: LocalBench;
let audio: DecodedAudio;

beforeAll(async () => {
  bench = await LocalBench.open();
  audio = await toneRecording(await bench.makeFolder(), 2000, [[{ hz: 450, startMs: 500, endMs: 900 }]]);
});
afterEach(() => bench.closeEngines());
afterAll(() => bench.close());

/** The same engine with one model for each fault, so that a recording asks for its fault by language. */
async function faultyEngine(faults: string[], options: Partial<LocalOptions> = {}): Promise<LocalEngine> {
  const modelsFolder = await bench.makeFolder();
  for (const fault of faults) await installToneRecogniser(modelsFolder, fault);
  return bench.engine({ modelsFolder, script, ...options });
}

async function textOf(engine: LocalEngine, signal?: AbortSignal): Promise<string> {
  const heard = await bench.transcribe(engine, audio, signal ? { signal } : {});
  return heard.utterances.map(({ text }) => text).join(' ');
}

const faults = [
  ['hangs', 'SPEECH_TIMEOUT', true, /stopped responding/],
  ['babbles', 'SPEECH_BAD_RESPONSE', true, /not a transcript/],
  ['shouts', 'SPEECH_BAD_RESPONSE', true, /not a transcript/],
  ['crashes', 'SPEECH_FAILED', true, /crashed on this recording \(SIGSEGV\)/],
  ['exits', 'SPEECH_FAILED', true, /crashed on this recording \(exit code 1\)/],
  ['devours', 'SPEECH_OUT_OF_MEMORY', false, /more memory than the 1100 MB.*SPEECH_MEMORY_MAX_MB/],
] as const;

describe('process of the local recogniser', () => {
  it.each(faults)('that %s fails the recording with a reason and is gone', async (fault, code, retryable, message) => {
    const engine = await faultyEngine([fault], {
      silenceMsMax: fault === 'hangs' ? 1500 : 10_000,
      memoryBytesMax: 1_100_000_000,
    });
    await expect(textOf(engine)).rejects.toMatchObject({ code, retryable, message: expect.stringMatching(message) });
    expect(await childrenRunning('faulty-child')).toEqual([]);
  });

  it('may print what it wants beside its answers', async () => {
    expect(await textOf(await faultyEngine(['prints']))).toMatch(/^job-1-of/);
  });

  it('fails one recording when it is killed, and another process does the next', async () => {
    const engine = await faultyEngine(['hangs']);
    const lost = textOf(engine).catch((error: unknown) => error);
    await until(async () => (await childrenRunning('faulty-child')).length === 1);
    const [pid = 0] = await childrenRunning('faulty-child');
    process.kill(pid, 'SIGKILL');
    expect(await lost).toMatchObject({
      code: 'SPEECH_FAILED',
      message: expect.stringContaining('killed from outside'),
    });
    const stop = new AbortController();
    const next = textOf(engine, stop.signal).catch((error: unknown) => error);
    await until(async () => (await childrenRunning('faulty-child')).some((other) => other !== pid));
    stop.abort(new Error('enough'));
    expect(await next).toMatchObject({ message: 'enough' });
  });

  it('keeps its models for the recordings that follow, one at a time', async () => {
    const engine = await faultyEngine(['works']);
    const texts = await Promise.all([textOf(engine), textOf(engine), textOf(engine)]);
    const [pid] = await childrenRunning('faulty-child');
    expect(texts.toSorted()).toEqual([`job-1-of-${pid}`, `job-2-of-${pid}`, `job-3-of-${pid}`]);
  });

  it('ends when it has had nothing to do for a while', async () => {
    const engine = await faultyEngine(['works'], { idleMs: 100 });
    const first = await textOf(engine);
    await until(async () => (await childrenRunning('faulty-child')).length === 0);
    expect(await textOf(engine)).not.toBe(first);
  });

  it('is ended when the work is called off, and those who wait leave at once', async () => {
    const engine = await faultyEngine(['hangs']);
    const stop = new AbortController();
    const both = Promise.allSettled([textOf(engine, stop.signal), textOf(engine, stop.signal)]);
    await until(async () => (await childrenRunning('faulty-child')).length === 1);
    stop.abort(new Error('called off'));
    const calledOff = { status: 'rejected', reason: expect.objectContaining({ message: 'called off' }) };
    expect(await both).toEqual([calledOff, calledOff]);
    expect(await childrenRunning('faulty-child')).toEqual([]);
  });

  it('says so when its memory is too little even to start', async () => {
    const modelsFolder = await bench.models(installToneRecogniser);
    const engine = bench.engine({ modelsFolder, memoryBytesMax: 200_000_000 });
    await expect(textOf(engine)).rejects.toMatchObject({ code: 'SPEECH_OUT_OF_MEMORY' });
  });

  it('knows nothing of our environment', async () => {
    const engine = await faultyEngine(['hangs'], { silenceMsMax: 1500 });
    process.env.CANARY_SECRET = 'canary';
    const lost = textOf(engine).catch((error: unknown) => error);
    await until(async () => (await childrenRunning('faulty-child')).length === 1);
    const [pid = 0] = await childrenRunning('faulty-child');
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    expect(environment).not.toContain('canary');
    expect(
      environment
        .split('\0')
        .filter(Boolean)
        .map((line) => line.split('=')[0]),
    ).toEqual(['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']);
    delete process.env.CANARY_SECRET;
    expect(await lost).toMatchObject({ code: 'SPEECH_TIMEOUT' });
  });

  it('lets the program that started it end by itself, and see its end', async () => {
    expect(await runOwner('await engine.close(); console.log("closed");')).toEqual({
      code: 0,
      stdout: 'heard\nclosed\n',
    });
    expect(await runOwner('')).toEqual({ code: 0, stdout: 'heard\n' });
  });

  it('is gone when the service was killed', async () => {
    const { code, stdout } = await runOwner('process.kill(process.pid, "SIGKILL");');
    expect({ code, stdout }).toEqual({ code: null, stdout: 'heard\n' });
    await until(async () => (await processesNaming(ownerMark)).length === 0);
  });
});

const ownerMark = `owner-${process.pid}`;

/** A program with an engine that has just recognised something and now does what it is told. */
async function runOwner(rest: string): Promise<{ code: number | null; stdout: string }> {
  const modelsFolder = await bench.makeFolder();
  await installToneRecogniser(modelsFolder, 'works');
  // The process of the recogniser is known by its program's path, which nobody else's has.
  const marked = path.join(modelsFolder, `${ownerMark}.ts`);
  await copyFile(script, marked);
  const request = { audio, language: null, source: { path: '', format: 'wav' }, workDir: modelsFolder };
  const program = `
    import { createLocal } from ${JSON.stringify(new URL('../../src/providers/speech/local/engine.ts', import.meta.url))};
    const engine = createLocal(${JSON.stringify({ modelsFolder, script: marked })});
    await engine.transcribe({ ...${JSON.stringify(request)}, signal: new AbortController().signal });
    console.log('heard');
    ${rest}`;
  const file = path.join(modelsFolder, 'owner.mjs');
  await writeFile(file, program);
  const { code, stdout } = await runProgram(file, [], {});
  return { code, stdout };
}
