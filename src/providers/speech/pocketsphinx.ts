import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { VoiceChannel } from '../audio/decode.ts';
import { ChildLostError, ChildTimeoutError, ProgramMissingError, runChild } from '../../lib/child.ts';
import { findSpeech, frameMs, measureLevels } from '../audio/voice-activity.ts';
import { headerBytes } from '../audio/wav-file.ts';
import { SpeechError } from './errors.ts';
import type { HeardUtterance, SpeechEngine, SpeechRequest } from './interface.ts';
import { pocketsphinxModelFolders, pocketsphinxProgram as program } from './pocketsphinx-package.ts';
import { readWordTimes } from './word-times.ts';
import { type PlannedUtterance, planUtterances } from './utterance-plan.ts';

type Job = { id: string; voice: VoiceChannel; utterance: PlannedUtterance };

/** Most of the default 30,000 never win: 6,000 changed no word in 18 spoken calls, and saves a tenth of the time. */
const activeModelsMax = 6_000;
const memoryBytesMax = 2_000_000_000;
const timeoutMsBase = 120_000;
export const missingEngine =
  'No speech engine is available: install pocketsphinx (Debian: apt-get install pocketsphinx pocketsphinx-en-us), ' +
  'or set DEEPGRAM_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL.';

/** The folder with `en-us`, `en-us.lm.bin` and `cmudict-en-us.dict`, or null. */
function findModelDir(): string | null {
  return pocketsphinxModelFolders.find((dir) => existsSync(join(dir, 'en-us', 'means'))) ?? null;
}

/**
 * CMU PocketSphinx as a child process. Utterances are cut at silences and normalised one by one, since running
 * normalisation spoils the first seconds of a channel. English only; needs no network.
 */
export function createPocketsphinx(): SpeechEngine {
  return {
    name: 'pocketsphinx',
    async transcribe(request) {
      assertEnglish(request.language);
      const modelDir = findModelDir();
      if (!modelDir) throw new SpeechError('SPEECH_ENGINE_MISSING', missingEngine);
      const jobs = await planJobs(request);
      const utterances = jobs.length > 0 ? await recognise({ request, jobs, modelDir }) : [];
      return { model: 'pocketsphinx/en-us', language: request.language ?? 'en-US', utterances };
    },
  };
}

function assertEnglish(language: string | null): void {
  if (!language || /^en\b/i.test(language)) return;
  const message =
    `PocketSphinx transcribes English only, the recording's language is "${language}". ` +
    'Set DEEPGRAM_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL for other languages, or supply a transcript.';
  throw new SpeechError('SPEECH_LANGUAGE_UNSUPPORTED', message);
}

async function planJobs({ audio, signal }: SpeechRequest): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const voice of audio.voices.filter(({ isSilent }) => !isSilent)) {
    signal.throwIfAborted();
    for (const utterance of await planVoice(voice, audio.durationMs)) {
      jobs.push({ id: `u${jobs.length}`, voice, utterance });
    }
  }
  return jobs;
}

async function planVoice(voice: VoiceChannel, durationMs: number): Promise<PlannedUtterance[]> {
  return planUtterances(findSpeech(await measureLevels(voice.path)), durationMs);
}

type Run = { request: SpeechRequest; jobs: Job[]; modelDir: string };

async function recognise({ request, jobs, modelDir }: Run): Promise<HeardUtterance[]> {
  const { workDir, audio, signal } = request;
  const control = jobs.map(controlLine).join('');
  const voicesDir = dirname(jobs[0]?.voice.path ?? workDir);
  await writeFile(join(workDir, 'voices.ctl'), control);
  const timesPath = join(workDir, 'voices.ctm');
  const args = ['-ctl', join(workDir, 'voices.ctl'), '-cepdir', voicesDir, '-cepext', '.wav', '-ctm', timesPath];
  args.push('-adcin', 'yes', '-adchdr', String(headerBytes), '-remove_noise', 'no', '-remove_silence', 'no');
  args.push('-hmm', join(modelDir, 'en-us'), '-lm', join(modelDir, 'en-us.lm.bin'));
  args.push('-dict', join(modelDir, 'cmudict-en-us.dict'), '-cmn', 'batch', '-logfn', '/dev/null');
  args.push('-maxhmmpf', String(activeModelsMax));
  const result = await runChild({
    command: program,
    args,
    signal,
    timeoutMs: timeoutMsBase + audio.durationMs * audio.voices.length,
    memoryBytesMax,
  }).catch((error: unknown) => {
    throw toSpeechError(error);
  });
  if (result.code !== 0) {
    const internal = `${program} ended with ${result.code}: ${result.stderr}`;
    throw new SpeechError('SPEECH_FAILED', 'Speech recognition failed on this recording.', { internal });
  }
  return collect(jobs, readWordTimes(await readFile(timesPath, 'utf8')));
}

/** One utterance: its file without the suffix, its first and last frame, and its name. */
function controlLine({ id, voice, utterance }: Job): string {
  return `${basename(voice.path, '.wav')} ${utterance.fromMs / frameMs} ${utterance.toMs / frameMs} ${id}\n`;
}

function toSpeechError(error: unknown): unknown {
  if (error instanceof ProgramMissingError)
    return new SpeechError('SPEECH_ENGINE_MISSING', missingEngine, { cause: error });
  if (error instanceof ChildTimeoutError) return new SpeechError('SPEECH_TIMEOUT', 'Speech recognition took too long.');
  if (!(error instanceof ChildLostError)) return error;
  const internal = `${error.message} ${error.stderr}`;
  return new SpeechError('SPEECH_FAILED', 'Speech recognition was interrupted.', { internal, cause: error });
}

function collect(jobs: Job[], words: ReturnType<typeof readWordTimes>): HeardUtterance[] {
  return jobs.flatMap(({ id, voice: { channel }, utterance }) => {
    const { fromMs, startMs, endMs } = utterance;
    const heard = (words.get(id) ?? []).map((word) => ({
      ...word,
      startMs: clamp(word.startMs + fromMs, startMs, endMs),
      endMs: clamp(word.endMs + fromMs, startMs, endMs),
    }));
    const [first, last] = [heard[0], heard.at(-1)];
    if (!first || !last) return [];
    const text = heard.map((word) => word.text).join(' ');
    return [{ channel, voice: null, startMs: first.startMs, endMs: last.endMs, text, confidence: null, words: heard }];
  });
}

/** The recogniser's silence model starts a little late and ends a little early, so words are clamped to the speech. */
function clamp(timeMs: number, lowestMs: number, highestMs: number): number {
  return Math.round(Math.max(lowestMs, Math.min(highestMs, timeMs)));
}
