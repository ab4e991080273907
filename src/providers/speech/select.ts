import type { AudioLimits } from '../audio/limits.ts';
import { createDeepgram } from './deepgram.ts';
import { SpeechError } from './errors.ts';
import type { AssignRoles, SpeechEngine } from './interface.ts';
import { createOpenai } from './openai.ts';
import { createPocketsphinx, missingEngine } from './pocketsphinx.ts';
import { createLocal, type LocalEngine } from './local/engine.ts';
import { listRecognisers } from './models/installed.ts';
import { type TranscribeRecordingInput, type TranscribedRecording, transcribeRecording } from './transcribe.ts';

/** The settings that choose an engine, each from the environment variable of the same name. */
export type SpeechSettings = {
  engine: 'auto' | SpeechEngine['name'];
  model?: string | undefined;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
  deepgramApiKey?: string | undefined;
  deepgramBaseUrl?: string | undefined;
  /** Folder of the local recogniser's models. */
  modelsFolder?: string | undefined;
  /** Memory that each of its processes may allocate, in bytes. */
  memoryBytesMax?: number | undefined;
  processesMax?: number | undefined;
};

export type Transcriber = {
  transcribe: (
    input: Omit<TranscribeRecordingInput, 'engine' | 'assignRoles' | 'limits'>,
  ) => Promise<TranscribedRecording>;
  /** Ends what an engine keeps running between recordings. */
  close: () => Promise<void>;
};

/**
 * The configured engine. `auto`: Deepgram or an OpenAI-compatible server if one is configured, else a local model if
 * one is installed, else PocketSphinx. Throws `SPEECH_ENGINE_MISSING` with what to set; a missing program is reported
 * on first use.
 */
export function selectEngine(settings: SpeechSettings): SpeechEngine {
  switch (engineNameOf(settings)) {
    case 'deepgram': {
      if (!settings.deepgramApiKey) throw missing('SPEECH_ENGINE=deepgram needs DEEPGRAM_API_KEY.');
      return createDeepgram({
        apiKey: settings.deepgramApiKey,
        baseUrl: settings.deepgramBaseUrl,
        model: settings.model,
      });
    }
    case 'openai': {
      const { openaiApiKey, openaiBaseUrl, model } = settings;
      if (!openaiApiKey && !openaiBaseUrl)
        throw missing('SPEECH_ENGINE=openai needs OPENAI_API_KEY or OPENAI_BASE_URL.');
      return createOpenai({ apiKey: openaiApiKey, baseUrl: openaiBaseUrl, model });
    }
    case 'local':
      return createLocalOf(settings);
    case 'pocketsphinx':
      return createPocketsphinx();
  }
}

type TranscriberOptions = { settings: SpeechSettings; assignRoles: AssignRoles; limits?: AudioLimits | undefined };

/**
 * Combines engine, roles and limits. With `auto`, the engine is chosen for each recording: a model may have been fetched
 * meanwhile.
 */
export function createTranscriber({ settings, assignRoles, limits }: TranscriberOptions): Transcriber {
  const engines = new Map<SpeechEngine['name'], SpeechEngine>();
  let local: LocalEngine | undefined;
  const engineOf = (name: SpeechEngine['name']): SpeechEngine =>
    name === 'local' ? (local ??= createLocalOf(settings)) : selectEngine({ ...settings, engine: name });
  return {
    async transcribe(input) {
      const name = engineNameOf(settings);
      const engine = engines.get(name) ?? engineOf(name);
      engines.set(name, engine);
      return transcribeRecording({ ...input, engine, assignRoles, limits });
    },
    close: async () => local?.close(),
  };
}

/** The engine for the next recording. */
export function engineNameOf(settings: SpeechSettings): SpeechEngine['name'] {
  const { engine, deepgramApiKey, openaiApiKey, openaiBaseUrl, modelsFolder, model } = settings;
  if (engine !== 'auto') return engine;
  if (deepgramApiKey) return 'deepgram';
  if (openaiApiKey || openaiBaseUrl) return 'openai';
  return modelsFolder && listRecognisers(modelsFolder, model).length > 0 ? 'local' : 'pocketsphinx';
}

function createLocalOf({ modelsFolder, model, memoryBytesMax, processesMax }: SpeechSettings): LocalEngine {
  if (!modelsFolder) throw missing('SPEECH_ENGINE=local needs a folder of models.');
  return createLocal({ modelsFolder, model, memoryBytesMax, processesMax });
}

function missing(message: string): SpeechError {
  return new SpeechError('SPEECH_ENGINE_MISSING', `${message} ${missingEngine}`);
}
