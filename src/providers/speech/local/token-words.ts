import type { HeardWord } from '../interface.ts';

/** What a model recognised in one utterance. Times in seconds from the start of the cut. */
export type HeardTokens = {
  text: string;
  tokens: string[];
  /** Start of each token; empty if the model gives none. */
  timestamps: number[];
  /** Length of each token, if the model gives any. */
  durations: number[];
  /** Logarithm of each token's probability, if the model gives any. */
  logProbabilities: number[];
};

/** On the recording's clock: where the sound was cut, and where its speech begins and ends. */
export type UtterancePlace = { fromMs: number; startMs: number; endMs: number };

/** The typical duration of a spoken letter. */
const letterMs = 65;
const tokenMsMin = 80;

/**
 * The words of an utterance on the recording's clock: from the times of its tokens, or spread over the speech by their
 * length if the model gives no times. Such words have no confidence.
 */
export function toWords(heard: HeardTokens, place: UtterancePlace): HeardWord[] {
  const words = heard.text.trim().split(/\s+/).filter(Boolean);
  return timedWords(words, heard, place) ?? spreadWords(words, place);
}

type TimedToken = {
  letters: string;
  startMs: number;
  lengthMs: number | undefined;
  logProbability: number | undefined;
};

/** Null if tokens have no times or do not spell the text. */
function timedWords(words: string[], heard: HeardTokens, place: UtterancePlace): HeardWord[] | null {
  const { tokens, timestamps } = heard;
  if (tokens.length === 0 || timestamps.length !== tokens.length) return null;
  const timed = tokens.map((token, index) => ({
    letters: token.replaceAll(/[\s▁]/g, ''),
    startMs: place.fromMs + (timestamps[index] ?? 0) * 1000,
    lengthMs: seconds(heard.durations[index]),
    logProbability: heard.logProbabilities[index],
  }));
  const groups = groupByWord(words, timed);
  if (!groups) return null;
  return groups.flatMap((group, index) => {
    const nextMs = groups[index + 1]?.[0]?.startMs ?? Number.POSITIVE_INFINITY;
    return joinTokens(words[index] ?? '', group, { ...place, endMs: Math.min(place.endMs, nextMs) });
  });
}

/** Each token belongs to the word that contains its first letter. Null if a word gets none. */
function groupByWord(words: string[], tokens: TimedToken[]): TimedToken[][] | null {
  if (tokens.map(({ letters }) => letters).join('') !== words.join('')) return null;
  const groups = words.map((): TimedToken[] => []);
  let wordIndex = 0;
  let wordEnd = words[0]?.length ?? 0;
  let position = 0;
  for (const token of tokens) {
    while (position >= wordEnd && wordIndex < words.length - 1) {
      wordIndex += 1;
      wordEnd += words[wordIndex]?.length ?? 0;
    }
    if (token.letters !== '') groups[wordIndex]?.push(token);
    position += token.letters.length;
  }
  return groups.every((group) => group.length > 0) ? groups : null;
}

function joinTokens(text: string, group: TimedToken[], place: UtterancePlace): HeardWord[] {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return [];
  // Transducers report how far they look next, which may be less than what was said.
  const lengthMs = Math.max(tokenMsMin, last.letters.length * letterMs, last.lengthMs ?? 0);
  const startMs = clamp(first.startMs, place);
  const endMs = Math.max(startMs, clamp(last.startMs + lengthMs, place));
  return [{ text, startMs, endMs, confidence: confidenceOf(group) }];
}

function spreadWords(words: string[], { startMs, endMs }: UtterancePlace): HeardWord[] {
  const weights = words.map((word) => word.length + 1);
  const perLetter =
    (endMs - startMs) /
    Math.max(
      1,
      weights.reduce((sum, weight) => sum + weight, 0),
    );
  let at = startMs;
  return words.map((text, index) => {
    const word = { text, startMs: Math.round(at), endMs: Math.round(at + text.length * perLetter), confidence: null };
    at += (weights[index] ?? 0) * perLetter;
    return word;
  });
}

function confidenceOf(group: TimedToken[]): number | null {
  const known = group.flatMap(({ logProbability }) => (logProbability === undefined ? [] : [logProbability]));
  if (known.length !== group.length) return null;
  const mean = Math.exp(known.reduce((sum, value) => sum + value, 0) / known.length);
  return Number.isFinite(mean) ? Math.round(Math.min(1, mean) * 1000) / 1000 : null;
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined || value <= 0 ? undefined : value * 1000;
}

function clamp(timeMs: number, { startMs, endMs }: UtterancePlace): number {
  return Math.round(Math.max(startMs, Math.min(endMs, timeMs)));
}
