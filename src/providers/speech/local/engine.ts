import { availableParallelism } from 'node:os';
import { SpeechError } from '../errors.ts';
import type { SpeechEngine, SpeechRequest } from '../interface.ts';
import { type InstalledRecogniser, knowsLanguage, listInstalled, listRecognisers } from '../models/installed.ts';
import type { RecogniserJob } from './messages.ts';
import { RecogniserPool } from './recogniser-pool.ts';

export type LocalOptions = {
  /** The folder with the models. */
  modelsFolder: string;
  /** Name of the model; by default, the best one for the language. */
  model?: string | undefined;
  memoryBytesMax?: number | undefined;
  processesMax?: number | undefined;
  idleMs?: number;
  silenceMsMax?: number;
  /** Program of the recogniser process; only tests use another one. */
  script?: string;
};

export type LocalEngine = SpeechEngine & {
  /** Ends the processes; running jobs fail. */
  close: () => Promise<void>;
};

const memoryBytesMaxDefault = 4_096_000_000;
const idleMsDefault = 120_000;
const silenceMsMaxDefault = 180_000;
/** Loading a model of a gigabyte from a slow disk takes a while. */
const timeoutMsBase = 300_000;
/** A machine that takes longer than this for a second of speech cannot keep up. */
const timeoutPerMs = 4;
/** More threads for one recording gain hardly anything. */
const threadsMax = 4;

/**
 * Whisper, Parakeet, Moonshine and others on this machine, by sherpa-onnx in a separate process. The model is looked up
 * for each recording, so that one that is fetched while the service runs is used at once.
 */
export function createLocal(options: LocalOptions): LocalEngine {
  const processesMax = options.processesMax ?? 1;
  const pool = new RecogniserPool({
    processesMax,
    idleMs: options.idleMs ?? idleMsDefault,
    silenceMsMax: options.silenceMsMax ?? silenceMsMaxDefault,
    memoryBytesMax: options.memoryBytesMax ?? memoryBytesMaxDefault,
    script: options.script,
  });
  const threads = Math.max(1, Math.min(threadsMax, Math.floor(availableParallelism() / processesMax)));
  return {
    name: 'local',
    async transcribe(request) {
      const model = chooseModel(options, request.language);
      const voices = request.audio.voices.filter(({ isSilent }) => !isSilent);
      const label = `local/${model.name}`;
      if (voices.length === 0) return { model: label, language: request.language, utterances: [] };
      const timeoutMs = timeoutMsBase + timeoutPerMs * request.audio.durationMs * voices.length;
      const heard = await pool.run(toJob({ options, request, model, threads }), { signal: request.signal, timeoutMs });
      return {
        model: label,
        language: request.language ?? heard.language ?? onlyLanguage(model),
        utterances: heard.utterances,
      };
    },
    close: () => pool.close(),
  };
}

function toJob(input: {
  options: LocalOptions;
  request: SpeechRequest;
  model: InstalledRecogniser;
  threads: number;
}): Omit<RecogniserJob, 'id'> {
  const { request, model, threads } = input;
  const { name, kind, files } = model;
  const { models } = listInstalled(input.options.modelsFolder);
  const vad = models.find((other) => other.kind === 'vad')?.files.model ?? null;
  const { segmentation, embedding } = models.find((other) => other.kind === 'speakers')?.files ?? {};
  return {
    model: { name, kind, files },
    vad,
    speakers: segmentation && embedding ? { segmentation, embedding } : null,
    threads,
    voices: request.audio.voices.filter(({ isSilent }) => !isSilent).map(({ channel, path }) => ({ channel, path })),
    durationMs: request.audio.durationMs,
    isMixed: request.audio.layout === 'mixed',
    language: request.language?.split('-')[0]?.toLowerCase() ?? null,
  };
}

function chooseModel({ modelsFolder, model }: LocalOptions, language: string | null): InstalledRecogniser {
  const present = listRecognisers(modelsFolder, model);
  const chosen = present.find((recogniser) => knowsLanguage(recogniser, language));
  if (chosen) return chosen;
  const [other] = present;
  if (other) {
    const names = present.map(({ name }) => name).join(', ');
    const message = `None of the installed speech models (${names}) knows the recording's language "${language}". Fetch one that does (npm run admin -- models list), or supply a transcript.`;
    throw new SpeechError('SPEECH_LANGUAGE_UNSUPPORTED', message);
  }
  const message = model
    ? `The speech model "${model}" is not installed: fetch it (npm run admin -- models pull ${model}).`
    : 'No speech model is installed: fetch one (npm run admin -- models list shows them).';
  throw new SpeechError('SPEECH_ENGINE_MISSING', message);
}

function onlyLanguage({ languages }: InstalledRecogniser): string | null {
  const [language, ...others] = languages;
  return language === undefined || language === '*' || others.length > 0 ? null : language;
}
