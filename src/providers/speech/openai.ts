import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { FormData } from 'undici';
import type { VoiceChannel } from '../audio/decode.ts';
import { findSpeech, measureLevels, type SpeechRegion } from '../audio/voice-activity.ts';
import { SpeechError } from './errors.ts';
import { assertTimes } from './heard-times.ts';
import type { HeardUtterance, SpeechEngine, SpeechRequest } from './interface.ts';
import { hasTimes, OpenaiAnswer, toUtterances } from './openai-answer.ts';
import { callProvider } from './provider-call.ts';
import { makeParts, planParts, planPhrases, type TimeRange, type UploadPart } from './upload-parts.ts';

export type OpenaiOptions = {
  /** Servers of one's own need none. */
  apiKey?: string | undefined;
  /** With the version, as in `https://api.openai.com/v1`. */
  baseUrl?: string | undefined;
  model?: string | undefined;
  timeoutMs?: number;
  uploadBytesMax?: number;
};

type ResponseFormat = 'verbose_json' | 'diarized_json' | 'json';
type Voiced = { voice: VoiceChannel; regions: SpeechRegion[]; request: SpeechRequest };
type Heard = { utterances: HeardUtterance[]; language: string | null };

const provider = 'The OpenAI-compatible server';
const baseUrlDefault = 'https://api.openai.com/v1';
const modelDefault = 'whisper-1';
const timeoutMsDefault = 15 * 60_000;
/** OpenAI takes 25 MB, and its newer models 1400 s. */
const uploadBytesMaxDefault = 25_000_000;
const partMsMax = 20 * 60_000;
const phraseMsMax = 60_000;

/**
 * `POST /audio/transcriptions` as OpenAI has it and whisper.cpp, speaches, LocalAI and vLLM copy it. Each voice is sent
 * by itself. A model that gives no times is asked phrase by phrase, so that every phrase still has its place.
 */
export function createOpenai(options: OpenaiOptions): SpeechEngine {
  const model = options.model ?? modelDefault;
  const client = createClient(options, model);
  return {
    name: 'openai',
    async transcribe(request) {
      const utterances: HeardUtterance[] = [];
      let language = request.language;
      for (const voice of request.audio.voices.filter(({ isSilent }) => !isSilent)) {
        const regions = findSpeech(await measureLevels(voice.path));
        const heard = await transcribeVoice(client, { voice, regions, request });
        utterances.push(...heard.utterances);
        language ??= heard.language;
      }
      return { model: `openai/${model}`, language, utterances };
    },
  };
}

type Client = {
  format: () => ResponseFormat;
  /** The server has shown that it gives no times. */
  giveUpTimes: () => void;
  uploadBytesMax: number;
  send: (part: UploadPart, format: ResponseFormat, request: SpeechRequest) => Promise<OpenaiAnswer>;
};

function createClient(options: OpenaiOptions, model: string): Client {
  let format: ResponseFormat = 'verbose_json';
  if (/transcribe-diarize/.test(model)) format = 'diarized_json';
  else if (/^gpt-.*transcribe/.test(model)) format = 'json';
  const url = `${(options.baseUrl ?? baseUrlDefault).replace(/\/+$/, '')}/audio/transcriptions`;
  return {
    format: () => format,
    giveUpTimes: () => (format = 'json'),
    uploadBytesMax: options.uploadBytesMax ?? uploadBytesMaxDefault,
    async send(part, responseFormat, request) {
      const form = new FormData();
      form.set('model', model);
      form.set('response_format', responseFormat);
      if (request.language) form.set('language', request.language.split('-')[0]);
      if (responseFormat === 'verbose_json') {
        form.append('timestamp_granularities[]', 'word');
        form.append('timestamp_granularities[]', 'segment');
      }
      if (responseFormat === 'diarized_json') form.set('chunking_strategy', 'auto');
      form.set('file', await openAsBlob(part.path, { type: `audio/${part.format}` }), `recording.${part.format}`);
      const headers: Record<string, string> = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {};
      return callProvider({
        provider,
        url,
        headers: { accept: 'application/json', ...headers },
        body: form,
        schema: OpenaiAnswer,
        signal: request.signal,
        timeoutMs: options.timeoutMs ?? timeoutMsDefault,
        secret: options.apiKey,
      });
    },
  };
}

async function transcribeVoice(client: Client, voiced: Voiced): Promise<Heard> {
  const { regions, request } = voiced;
  const { durationMs } = request.audio;
  if (client.format() !== 'json') {
    const parts = planParts({ startMs: 0, endMs: durationMs }, regions, partMsMax);
    const heard = await transcribeTimed(client, voiced, parts);
    if (heard) return heard;
    client.giveUpTimes();
  }
  return transcribePhrases(client, voiced, planPhrases(regions, durationMs, phraseMsMax));
}

/** Null when the server does not know the format or answers without times. */
async function transcribeTimed(client: Client, voiced: Voiced, ranges: TimeRange[]): Promise<Heard | null> {
  const heard: Heard = { utterances: [], language: null };
  for (const range of ranges) {
    const parts = await partsOf(client, voiced, range);
    for (const part of parts) {
      const answer = await client.send(part, client.format(), voiced.request).catch((error: unknown) => {
        if (isFormatRefusal(error)) return null;
        throw error;
      });
      await rm(part.path);
      if (!answer || !hasTimes(answer)) return null;
      const isOnly = ranges.length === 1 && parts.length === 1;
      const utterances = toUtterances({ answer, part, channel: voiced.voice.channel, isOnly });
      assertTimes(utterances, voiced.request.audio.durationMs, provider);
      heard.utterances.push(...utterances);
      heard.language ??= answer.language ?? null;
    }
  }
  return { ...heard, utterances: withSpeech(heard.utterances, voiced.regions) };
}

async function transcribePhrases(client: Client, voiced: Voiced, ranges: TimeRange[]): Promise<Heard> {
  const heard: Heard = { utterances: [], language: null };
  for (const range of ranges) {
    for (const part of await partsOf(client, voiced, range)) {
      const { text, language } = await client.send(part, 'json', voiced.request);
      await rm(part.path);
      heard.language ??= language ?? null;
      const spoken = voiced.regions.filter(({ startMs, endMs }) => endMs > part.startMs && startMs < part.endMs);
      const startMs = Math.max(part.startMs, spoken[0]?.startMs ?? 0);
      const endMs = Math.min(part.endMs, spoken.at(-1)?.endMs ?? part.endMs);
      const { channel } = voiced.voice;
      if (text.trim())
        heard.utterances.push({ channel, voice: null, startMs, endMs, text: text.trim(), confidence: null, words: [] });
    }
  }
  return heard;
}

function partsOf(client: Client, { voice, regions, request }: Voiced, range: TimeRange): Promise<UploadPart[]> {
  const { workDir, signal } = request;
  const limits = { sizeBytesMax: client.uploadBytesMax, durationMsMax: partMsMax };
  return makeParts({ voice, range, regions, limits, workDir, signal });
}

/** Recognisers of this family make up sentences where nobody speaks ("thanks for watching"). */
function withSpeech(utterances: HeardUtterance[], regions: SpeechRegion[]): HeardUtterance[] {
  const marginMs = 500;
  return utterances.filter((utterance) =>
    regions.some(({ startMs, endMs }) => endMs + marginMs > utterance.startMs && startMs - marginMs < utterance.endMs),
  );
}

function isFormatRefusal(error: unknown): boolean {
  const said = error instanceof SpeechError && error.code === 'SPEECH_REJECTED' ? (error.internal ?? '') : '';
  return /response_format|verbose_json|timestamp_granularit|diarized_json/i.test(said);
}
