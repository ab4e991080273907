import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { OfflineSpeakerDiarization, Sherpa, Vad } from 'sherpa-onnx-node';
import type { HeardUtterance } from '../interface.ts';
import { speaksOfMemory } from './endings.ts';
import { listen, samplesOfTrack } from './listen.ts';
import { RecogniserJob, type RecogniserReply, replyDescriptor } from './messages.ts';
import { loadDiarization, loadRecogniser, loadSherpa, loadVad, type Recogniser } from './sherpa.ts';
import { assignSpeakers } from './speakers.ts';

// What the process has loaded. It does one job at a time, and keeps its models for the next ones.

type Loaded = { sherpa: Sherpa; recogniser: Recogniser; vad: Vad | null; diarization?: OfflineSpeakerDiarization };
type Reason = Extract<RecogniserReply, { type: 'failed' }>['reason'];

/** Telling voices apart needs the whole track in memory: 230 MB an hour. */
const diarizationMsMax = 2 * 60 * 60_000;
/** It gives no sign of life meanwhile; it takes a fraction of the recording's length. */
const diarizationMsBase = 120_000;

const replies = createWriteStream('', { fd: replyDescriptor });
let loaded: Loaded | undefined;

// If the service ends, however it does, nobody is left to answer.
process.stdin.once('end', () => process.kill(process.pid, 'SIGKILL'));

for await (const line of createInterface(process.stdin)) await answer(RecogniserJob.parse(JSON.parse(line)));

async function answer(job: RecogniserJob): Promise<void> {
  try {
    await reply({ type: 'progress', id: job.id, stage: 'loading' });
    loaded ??= await load(job);
    await reply(await recognise(job, loaded));
  } catch (error) {
    await reply({ type: 'failed', id: job.id, reason: reasonOf(error), message: String(error) });
  }
}

async function load(job: RecogniserJob): Promise<Loaded> {
  const sherpa = await loadSherpa().catch((cause: unknown) => {
    throw new LoadError('engine-missing', cause);
  });
  try {
    const recogniser = await loadRecogniser(sherpa, job);
    return { sherpa, recogniser, vad: job.vad === null ? null : loadVad(sherpa, job.vad) };
  } catch (cause) {
    throw new LoadError('model-unusable', cause);
  }
}

async function recognise(job: RecogniserJob, models: Loaded): Promise<RecogniserReply> {
  const { id, voices, durationMs } = job;
  const { recogniser, vad } = models;
  const onProgress = (): void => void reply({ type: 'progress', id, stage: 'listening' });
  await reply({ type: 'progress', id, stage: 'listening' });
  recogniser.setLanguage(job.language);
  const utterances: HeardUtterance[] = [];
  let { language } = job;
  for (const voice of voices) {
    const heard = await listen({ voice, durationMs, recogniser, vad, onProgress });
    language ??= heard.language;
    utterances.push(...heard.utterances);
  }
  return { type: 'done', id, language, utterances: await tellApart(job, models, utterances) };
}

/** Gives words to the voices of a track that holds more than one, where a model for that is there. */
async function tellApart(job: RecogniserJob, models: Loaded, heard: HeardUtterance[]): Promise<HeardUtterance[]> {
  const { id, durationMs, speakers, threads, isMixed } = job;
  const [track] = job.voices;
  if (!isMixed || !speakers || !track || heard.length === 0 || durationMs > diarizationMsMax) return heard;
  await reply({ type: 'progress', id, stage: 'loading' });
  models.diarization ??= loadDiarization(models.sherpa, speakers, threads);
  const samples = await samplesOfTrack(track.path, durationMs);
  await reply({ type: 'progress', id, stage: 'listening', allowedMs: diarizationMsBase + durationMs });
  const turns = models.diarization.process(samples);
  return assignSpeakers(
    heard,
    turns.map(({ start, end, speaker }) => ({ startMs: start * 1000, endMs: end * 1000, speaker })),
  );
}

class LoadError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause: unknown) {
    super(String(cause), { cause });
    this.reason = reason;
  }
}

function reasonOf(error: unknown): Reason {
  if (speaksOfMemory(String(error))) return 'out-of-memory';
  return error instanceof LoadError ? error.reason : 'failed';
}

/** Resolves once it is written, so that a later crash in native code cannot lose it. */
function reply(message: RecogniserReply): Promise<void> {
  return new Promise((resolve) => replies.write(`${JSON.stringify(message)}\n`, () => resolve()));
}
