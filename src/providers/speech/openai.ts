import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { FormData } from 'undici';
import type { VoiceChannel } from '../audio/decode.ts';
import { findSpeech, measureLevels, type SpeechRegion } from '../audio/voice-activity.ts';
import { SpeechError } from './errors.ts';
import { assertTimes } from './heard-times.ts';
import type { HeardUtterance, SpeechEngine, SpeechRequest } from './interface.ts';
import { hasTimes, OpenaiAnswer, toUtterances, type ToUtterancesInput } from './openai-answer.ts';
import { whisperName } from './local/whisper-language.ts';
import { callProvider } from './provider-call.ts';
import { clipRegions, makeParts, planParts, planPhrases, type TimeRange, type UploadPart } from './upload-parts.ts';

export type OpenaiOptions = {
  /** Not needed for servers of your own. */
  apiKey?: string | undefined;
  /** With the version, as in `https://api.openai.com/v1`. */
  baseUrl?: string | undefined;
  model?: string | undefined;
  timeoutMs?: number;
  uploadBytesMax?: number;
};

type ResponseFormat = 'verbose_json' | 'diarized_json' | 'json';
/** What a recording has shown about its server: whether it returns times; null if nothing was said yet. */
type Shown = { hasTimes: boolean | null };
type Voiced = { voice: VoiceChannel; regions: SpeechRegion[]; request: SpeechRequest; shown: Shown };
type Heard = { utterances: HeardUtterance[]; language: string | null };

const provider = 'The OpenAI-compatible server';
const baseUrlDefault = 'https://api.openai.com/v1';
const modelDefault = 'whisper-1';
const timeoutMsDefault = 15 * 60_000;
/** OpenAI accepts 25 MB, and 1400 s for its newer models. */
const uploadBytesMaxDefault = 25_000_000;
const partMsMax = 20 * 60_000;
const phraseMsMax = 60_000;

/**
 * `POST /audio/transcriptions` of OpenAI, whisper.cpp, speaches, LocalAI and vLLM. Each voice is sent separately. If a
 * model returns no times, phrases are sent one by one, so that each still has its position.
 */
export function createOpenai(options: OpenaiOptions): SpeechEngine {
  const model = options.model ?? modelDefault;
  const client = createClient(options, model);
  return {
    name: 'openai',
    async transcribe(request) {
      const utterances: HeardUtterance[] = [];
      let language = request.language;
      const shown: Shown = { hasTimes: null };
      for (const voice of request.audio.voices.filter(({ isSilent }) => !isSilent)) {
        const regions = findSpeech(await measureLevels(voice.path));
        const heard = await transcribeVoice(client, { voice, regions, request, shown });
        utterances.push(...heard.utterances);
        language ??= heard.language;
      }
      return { model: `openai/${model}`, language, utterances };
    },
  };
}

type Client = {
  format: () => ResponseFormat;
  /** The server refuses to return times for this model: it is not asked for them again. */
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
      if (request.language) form.set('language', whisperName(request.language.split('-')[0] ?? ''));
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

/**
 * Asks for times, and sends phrases one by one if there are none. An answer without times counts for its own part, and
 * for the rest of a recording without times so far; only a refusal counts for later recordings.
 */
async function transcribeVoice(client: Client, voiced: Voiced): Promise<Heard> {
  const { regions, request, shown, voice } = voiced;
  const heard: Heard = { utterances: [], language: null };
  const add = ({ utterances, language }: Heard): void => {
    heard.utterances.push(...utterances);
    heard.language ??= language;
  };
  const isAsked = (): boolean => client.format() !== 'json' && shown.hasTimes !== false;
  const ranges = planParts({ startMs: 0, endMs: request.audio.durationMs }, regions, partMsMax);
  for (const range of ranges) {
    const parts = isAsked() ? await partsOf(client, voiced, range) : [];
    if (parts.length === 0) add(await transcribePhrases(client, voiced, range));
    for (const part of parts) {
      const answer = isAsked() ? await askForTimes(client, part, voiced) : null;
      await rm(part.path);
      const isOnly = ranges.length === 1 && parts.length === 1;
      if (answer) add(placed({ answer, part, channel: voice.channel, isOnly }, voiced));
      else add(await transcribePhrases(client, voiced, part));
    }
  }
  return heard;
}

/** Null if the server does not know the format or answers without times. */
async function askForTimes(client: Client, part: UploadPart, { request, shown }: Voiced): Promise<OpenaiAnswer | null> {
  const answer = await client.send(part, client.format(), request).catch((error: unknown) => {
    if (isFormatRefusal(error)) return null;
    throw error;
  });
  if (!answer) {
    client.giveUpTimes();
    return null;
  }
  const isTimed = hasTimes(answer);
  if (answer.text.trim()) shown.hasTimes = isTimed || shown.hasTimes === true;
  return isTimed ? answer : null;
}

function placed(input: ToUtterancesInput, { regions, request }: Voiced): Heard {
  const utterances = toUtterances(input);
  assertTimes(utterances, request.audio.durationMs, provider);
  return { utterances: withSpeech(utterances, regions), language: input.answer.language ?? null };
}

async function transcribePhrases(client: Client, voiced: Voiced, within: TimeRange): Promise<Heard> {
  const heard: Heard = { utterances: [], language: null };
  for (const range of planPhrases(clipRegions(voiced.regions, within), within, phraseMsMax)) {
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

/** Recognisers of this family invent sentences in silence ("thanks for watching"). */
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
