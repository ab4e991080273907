import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DecodedAudio } from '../../../src/providers/audio/decode.ts';
import { createLocal, type LocalEngine, type LocalOptions } from '../../../src/providers/speech/local/engine.ts';
import type { SpeechResult } from '../../../src/providers/speech/interface.ts';

/** Folders and engines of one test file, and what removes them. */
export class LocalBench {
  readonly folder: string;
  readonly #engines: LocalEngine[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<LocalBench> {
    return new LocalBench(await mkdtemp(path.join(tmpdir(), 'local-recogniser-')));
  }

  async close(): Promise<void> {
    await this.closeEngines();
    await rm(this.folder, { recursive: true, force: true });
  }

  async closeEngines(): Promise<void> {
    await Promise.all(this.#engines.splice(0).map((engine) => engine.close()));
  }

  makeFolder(): Promise<string> {
    return mkdtemp(path.join(this.folder, 'folder-'));
  }

  async models(...install: ((folder: string) => Promise<void>)[]): Promise<string> {
    const models = await this.makeFolder();
    for (const one of install) await one(models);
    return models;
  }

  engine(options: LocalOptions): LocalEngine {
    const engine = createLocal(options);
    this.#engines.push(engine);
    return engine;
  }

  async transcribe(
    engine: LocalEngine,
    audio: DecodedAudio,
    options: { language?: string | null; signal?: AbortSignal } = {},
  ): Promise<SpeechResult> {
    const { language = null, signal = AbortSignal.timeout(60_000) } = options;
    const workDir = path.join(await this.makeFolder(), 'engine');
    await mkdir(workDir);
    const source = { path: audio.voices[0]?.path ?? '', format: 'wav' as const };
    return engine.transcribe({ source, audio, language, workDir, signal });
  }
}

/** Ids of the processes that we have started and that run a program of this name. */
export async function childrenRunning(program: string): Promise<number[]> {
  const found: number[] = [];
  for (const id of await processesNaming(program)) {
    const status = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent === process.pid) found.push(id);
  }
  return found;
}

/** Ids of all processes whose command line has this text in it. */
export async function processesNaming(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(text)) found.push(Number(entry));
  }
  return found;
}

/** Resolves when a condition holds; rejects after ten seconds. */
export async function until(isMet: () => Promise<boolean>): Promise<void> {
  for (const deadlineMs = Date.now() + 45_000; !(await isMet()); await sleep(20)) {
    if (Date.now() > deadlineMs) throw new Error('The condition does not come true.');
  }
}
