import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type { BodyInit } from 'undici';
import { z } from 'zod';
import type { AudioFormat } from '../audio/formats.ts';
import { audioContentTypes } from '../audio/sniff.ts';
import { encodeVoices } from '../audio/encode.ts';
import { assertTimes, toConfidence, toMs } from './heard-times.ts';
import type { HeardUtterance, HeardWord, SpeechEngine, SpeechRequest } from './interface.ts';
import { callProvider } from './provider-call.ts';

export type DeepgramOptions = {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
  timeoutMs?: number;
};

const provider = 'Deepgram';
const baseUrlDefault = 'https://api.deepgram.com';
const modelDefault = 'nova-3';
const timeoutMsDefault = 15 * 60_000;

const Word = z.object({
  word: z.string(),
  punctuated_word: z.string().nullish(),
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullish(),
  speaker: z.number().int().nullish(),
});
const Utterance = z.object({
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullish(),
  channel: z.number().int().nonnegative().nullish(),
  speaker: z.number().int().nullish(),
  transcript: z.string(),
  words: z.array(Word).default([]),
});
const Answer = z.object({
  results: z.object({
    channels: z.array(
      z.object({
        detected_language: z.string().nullish(),
        alternatives: z.array(
          z.object({ transcript: z.string(), confidence: z.number().nullish(), words: z.array(Word).default([]) }),
        ),
      }),
    ),
    utterances: z.array(Utterance).nullish(),
  }),
});
type Answer = z.infer<typeof Answer>;

/** Deepgram's prerecorded API, `POST /v1/listen`: channels by `multichannel`, voices of a mix by `diarize`. */
export function createDeepgram(options: DeepgramOptions): SpeechEngine {
  const model = options.model ?? modelDefault;
  return {
    name: 'deepgram',
    async transcribe(request) {
      const { audio, language, signal } = request;
      const upload = await chooseUpload(request);
      const query = new URLSearchParams({ model, punctuate: 'true', utterances: 'true', utt_split: '0.7' });
      query.set(audio.layout === 'separate' ? 'multichannel' : 'diarize', 'true');
      if (language) query.set('language', language);
      else query.set('detect_language', 'true');
      const answer = await callProvider({
        provider,
        url: `${(options.baseUrl ?? baseUrlDefault).replace(/\/+$/, '')}/v1/listen?${query}`,
        headers: {
          authorization: `Token ${options.apiKey}`,
          'content-type': audioContentTypes[upload.format],
          accept: 'application/json',
        },
        body: (await openAsBlob(upload.path)) as BodyInit,
        schema: Answer,
        signal,
        timeoutMs: options.timeoutMs ?? timeoutMsDefault,
        secret: options.apiKey,
      });
      const utterances = readUtterances(answer, upload.channels, audio.layout === 'mixed');
      assertTimes(utterances, audio.durationMs, provider);
      const detected = answer.results.channels[0]?.detected_language ?? null;
      return { model: `deepgram/${model}`, language: language ?? detected, utterances };
    },
  };
}

type Upload = {
  path: string;
  format: AudioFormat;
  /** Channel of the recording for each channel that is sent. */ channels: number[];
};

/** The recording itself if every channel speaks and is intact; else a smaller file with only the voices. */
async function chooseUpload({ source, audio, workDir, signal }: SpeechRequest): Promise<Upload> {
  const sounding = audio.voices.filter(({ isSilent }) => !isSilent);
  const voices = sounding.length > 0 ? sounding : audio.voices;
  const channels = voices.map(({ channel }) => channel);
  // Only the decoded copy of a damaged recording keeps its timing.
  const isWhole = voices.length === audio.channels && audio.missingMs === 0;
  if (isWhole) return { path: source.path, format: source.format, channels };
  const path = join(workDir, 'voices.flac');
  await encodeVoices({ inputs: voices.map((voice) => voice.path), path, signal });
  return { path, format: 'flac', channels };
}

function readUtterances({ results }: Answer, channels: number[], isMixed: boolean): HeardUtterance[] {
  const spoken =
    results.utterances ??
    results.channels.flatMap((channel, index) => {
      const [best] = channel.alternatives;
      const [first, last] = [best?.words[0], best?.words.at(-1)];
      if (!best || !first || !last) return [];
      return [
        {
          start: first.start,
          end: last.end,
          confidence: best.confidence,
          channel: index,
          speaker: null,
          transcript: best.transcript,
          words: best.words,
        },
      ];
    });
  return spoken.flatMap((utterance) => {
    const channel = channels[utterance.channel ?? 0] ?? 0;
    if (!isMixed) return [toUtterance(utterance, channel, null)];
    return byVoice(utterance).map((part) => toUtterance(part, channel, String(part.speaker ?? 0)));
  });
}

/** Splits where the voice changes: an utterance without a longer pause can contain both. */
function byVoice(utterance: z.infer<typeof Utterance>): z.infer<typeof Utterance>[] {
  const parts: z.infer<typeof Utterance>[] = [];
  for (const word of utterance.words) {
    const speaker = word.speaker ?? utterance.speaker ?? 0;
    const last = parts.at(-1);
    if (last?.speaker === speaker) {
      last.words.push(word);
      last.end = word.end;
      last.transcript += ` ${word.punctuated_word ?? word.word}`;
    } else {
      const transcript = word.punctuated_word ?? word.word;
      parts.push({ ...utterance, speaker, start: word.start, end: word.end, transcript, words: [word] });
    }
  }
  return parts.length > 1 ? parts : [{ ...utterance, speaker: parts[0]?.speaker ?? utterance.speaker }];
}

function toUtterance(utterance: z.infer<typeof Utterance>, channel: number, voice: string | null): HeardUtterance {
  return {
    channel,
    voice,
    startMs: toMs(utterance.start, 0),
    endMs: toMs(utterance.end, 0),
    text: utterance.transcript,
    confidence: toConfidence(utterance.confidence),
    words: utterance.words.map(toWord),
  };
}

function toWord({ word, punctuated_word: punctuated, start, end, confidence }: z.infer<typeof Word>): HeardWord {
  return {
    text: punctuated ?? word,
    startMs: toMs(start, 0),
    endMs: toMs(end, 0),
    confidence: toConfidence(confidence),
  };
}
