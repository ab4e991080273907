import { z } from 'zod';
import { toConfidence, toMs } from './heard-times.ts';
import type { HeardUtterance, HeardWord } from './interface.ts';
import type { UploadPart } from './upload-parts.ts';

const AnswerWord = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  probability: z.number().nullish(),
});
type AnswerWord = z.infer<typeof AnswerWord>;

const AnswerSegment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  avg_logprob: z.number().nullish(),
  speaker: z.string().nullish(),
  words: z.array(AnswerWord).nullish(),
});
type AnswerSegment = z.infer<typeof AnswerSegment>;

/** Answers of OpenAI and its many imitations: only `text` is always present. */
export const OpenaiAnswer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(AnswerSegment).nullish(),
  words: z.array(AnswerWord).nullish(),
});
export type OpenaiAnswer = z.infer<typeof OpenaiAnswer>;

/** An empty answer needs no times. */
export function hasTimes(answer: OpenaiAnswer): boolean {
  return !answer.text.trim() || Boolean(answer.segments?.length || answer.words?.length);
}

export type ToUtterancesInput = {
  answer: OpenaiAnswer;
  part: UploadPart;
  channel: number;
  /** Whether the part is the whole voice: speaker labels of different parts are unrelated. */
  isOnly: boolean;
};

export function toUtterances({ answer, part, channel, isOnly }: ToUtterancesInput): HeardUtterance[] {
  const scale = timeScale(answer, (part.endMs - part.startMs) / 1000);
  const at = (time: number): number => toMs(time * scale, part.startMs);
  const toWord = ({ word, start, end, probability }: AnswerWord): HeardWord => ({
    text: word.trim(),
    startMs: at(start),
    endMs: at(end),
    confidence: toConfidence(probability),
  });
  const { segments, words } = answer;
  if (segments?.length) {
    const owned = ownWords(segments, words ?? []);
    return segments.map((segment, index) => ({
      channel,
      voice: isOnly ? (segment.speaker ?? null) : null,
      startMs: at(segment.start),
      endMs: at(segment.end),
      text: segment.text.trim(),
      confidence: toConfidence(typeof segment.avg_logprob === 'number' ? Math.exp(segment.avg_logprob) : null),
      words: (segment.words ?? owned[index] ?? []).map(toWord),
    }));
  }
  const heard = (words ?? []).map(toWord);
  const [first, last] = [heard[0], heard.at(-1)];
  if (!first || !last) return [];
  const text = answer.text.trim();
  return [{ channel, voice: null, startMs: first.startMs, endMs: last.endMs, text, confidence: null, words: heard }];
}

/** Each word belongs to the segment that contains its middle, or to the next one. */
function ownWords(segments: AnswerSegment[], words: AnswerWord[]): AnswerWord[][] {
  const owned = segments.map((): AnswerWord[] => []);
  let index = 0;
  for (const word of words) {
    const middle = (word.start + word.end) / 2;
    while (index < segments.length - 1 && middle > (segments[index]?.end ?? 0)) index += 1;
    owned[index]?.push(word);
  }
  return owned;
}

/** Seconds, but LocalAI uses nanoseconds. */
function timeScale(answer: OpenaiAnswer, durationSeconds: number): number {
  const latest = (answer.segments ?? []).reduce((most, { end }) => Math.max(most, end), 0);
  return latest > Math.max(1, durationSeconds) * 100_000 ? 1e-9 : 1;
}
