import type { AudioLimits } from '../audio/probe.ts';
import { createDeepgram } from './deepgram.ts';
import { SpeechError } from './errors.ts';
import type { SpeechEngine } from './interface.ts';
import { createOpenai } from './openai.ts';
import { createPocketsphinx, missingEngine } from './pocketsphinx.ts';
import { type TranscribeRecordingInput, type TranscribedRecording, transcribeRecording } from './transcribe.ts';

/** The settings that choose an engine; each comes from the environment variable of like name. */
export type SpeechSettings = {
  engine: 'auto' | 'pocketsphinx' | 'openai' | 'deepgram';
  model?: string | undefined;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
  deepgramApiKey?: string | undefined;
  deepgramBaseUrl?: string | undefined;
};

/**
 * The engine that the settings ask for. `auto`: Deepgram or an OpenAI-compatible server where one is configured, else
 * PocketSphinx. Throws `SPEECH_ENGINE_MISSING` with what to set; a missing program is told when it is first used.
 */
export function selectEngine(settings: SpeechSettings): SpeechEngine {
  switch (choose(settings)) {
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
    case 'pocketsphinx':
      return createPocketsphinx();
  }
}

/** Binds engine and limits: what the pipeline calls for each recording. */
export function createTranscriber(
  settings: SpeechSettings,
  limits?: AudioLimits,
): (input: Omit<TranscribeRecordingInput, 'engine' | 'limits'>) => Promise<TranscribedRecording> {
  let engine: SpeechEngine | undefined;
  return async (input) => {
    engine ??= selectEngine(settings);
    return transcribeRecording({ ...input, engine, limits });
  };
}

function choose({ engine, deepgramApiKey, openaiApiKey, openaiBaseUrl }: SpeechSettings): SpeechEngine['name'] {
  if (engine !== 'auto') return engine;
  if (deepgramApiKey) return 'deepgram';
  return openaiApiKey || openaiBaseUrl ? 'openai' : 'pocketsphinx';
}

function missing(message: string): SpeechError {
  return new SpeechError('SPEECH_ENGINE_MISSING', `${message} ${missingEngine}`);
}
