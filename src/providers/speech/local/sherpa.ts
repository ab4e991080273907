import type { OfflineRecognizer, OfflineSpeakerDiarization, Sherpa, Vad } from 'sherpa-onnx-node';
import { z } from 'zod';
import { voiceSampleRate } from '../../audio/voice-rate.ts';
import type { RecogniserKind } from '../models/manifest.ts';
import type { RecogniserJob } from './messages.ts';
import type { HeardTokens } from './token-words.ts';
import { whisperLanguage } from './whisper-language.ts';

type Files = Record<string, string>;

/** Two voices: an agent and a customer. */
const voicesOnOneTrack = 2;
export const vadWindowSamples = 512;
const vadBufferSeconds = 60;
const melBins = 80;

/** sherpa-onnx's answer as JSON; models omit what they do not know. */
const Answer = z.object({
  text: z.string(),
  lang: z.string().default(''),
  tokens: z.array(z.string()).default([]),
  timestamps: z.array(z.number()).default([]),
  durations: z.array(z.number()).default([]),
  ys_log_probs: z.array(z.number()).default([]),
});

export type Recogniser = {
  /** Transcribes one utterance: samples from -1 to 1. */
  hear: (samples: Float32Array) => Promise<HeardTokens & { language: string | null }>;
  /** A language such as `en`, or null to let the model detect it. Single-language models ignore it. */
  setLanguage: (language: string | null) => void;
};

/** Loads the native library; rejects if there is none for this system. */
export async function loadSherpa(): Promise<Sherpa> {
  return (await import('sherpa-onnx-node')).default;
}

/** Loads a model, which may take seconds. An unsuitable model ends the whole process: the library calls exit. */
export async function loadRecogniser(sherpa: Sherpa, job: RecogniserJob): Promise<Recogniser> {
  const { model, threads } = job;
  const configFor = (language: string | null): Record<string, unknown> => ({
    featConfig: { sampleRate: voiceSampleRate, featureDim: melBins },
    decodingMethod: 'greedy_search',
    modelConfig: {
      ...kinds[model.kind](model.files, language),
      tokens: model.files.tokens ?? '',
      numThreads: threads,
      provider: 'cpu',
      debug: 0,
    },
  });
  let language = job.language;
  const recogniser = await sherpa.OfflineRecognizer.createAsync(configFor(language));
  return {
    hear: (samples) => hear(recogniser, samples),
    setLanguage(next) {
      if (model.kind !== 'whisper' || next === language) return;
      recogniser.setConfig(configFor(next));
      language = next;
    },
  };
}

const kinds: Record<RecogniserKind, (files: Files, language: string | null) => Record<string, unknown>> = {
  whisper: ({ encoder, decoder }, language) => ({
    whisper: { encoder, decoder, language: whisperLanguage(language), task: 'transcribe', tailPaddings: -1 },
    modelType: 'whisper',
  }),
  transducer: ({ encoder, decoder, joiner }) => ({ transducer: { encoder, decoder, joiner }, modelType: 'transducer' }),
  'nemo-transducer': ({ encoder, decoder, joiner }) => ({
    transducer: { encoder, decoder, joiner },
    modelType: 'nemo_transducer',
  }),
  'nemo-ctc': ({ model }) => ({ nemoCtc: { model }, modelType: 'nemo_ctc' }),
  moonshine: ({ preprocessor, encoder, uncachedDecoder, cachedDecoder }) => ({
    moonshine: { preprocessor, encoder, uncachedDecoder, cachedDecoder },
    modelType: 'moonshine',
  }),
};

async function hear(recogniser: OfflineRecognizer, samples: Float32Array) {
  const stream = recogniser.createStream();
  stream.acceptWaveform({ samples, sampleRate: voiceSampleRate });
  const answer = Answer.parse(await recogniser.decodeAsync(stream));
  return {
    text: answer.text,
    tokens: answer.tokens,
    timestamps: answer.timestamps,
    durations: answer.durations,
    logProbabilities: answer.ys_log_probs,
    language: answer.lang || null,
  };
}

/**
 * On the telephone, short answers count ("yes") and lines are noisy, so both values are below the library's defaults.
 */
export function loadVad(sherpa: Sherpa, model: string): Vad {
  const sileroVad = {
    model,
    threshold: 0.45,
    minSilenceDuration: 0.3,
    minSpeechDuration: 0.1,
    maxSpeechDuration: 20,
    windowSize: vadWindowSamples,
  };
  const config = { sileroVad, sampleRate: voiceSampleRate, numThreads: 1, provider: 'cpu', debug: 0 };
  return new sherpa.Vad(config, vadBufferSeconds);
}

export function loadDiarization(
  sherpa: Sherpa,
  { segmentation, embedding }: { segmentation: string; embedding: string },
  threads: number,
): OfflineSpeakerDiarization {
  const run = { numThreads: threads, provider: 'cpu', debug: 0 };
  return new sherpa.OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: segmentation }, ...run },
    embedding: { model: embedding, ...run },
    clustering: { numClusters: voicesOnOneTrack, threshold: 0.5 },
    minDurationOn: 0.2,
    minDurationOff: 0.3,
  });
}
