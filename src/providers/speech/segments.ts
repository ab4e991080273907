import type { HeardUtterance, HeardWord } from './interface.ts';

/** A pause of this length ends a segment. */
const pauseMsMax = 700;

export type ToSegmentsOptions = {
  durationMs: number;
  /** `mixed`: several people on one track, so the next utterance may be somebody else's. */
  layout: 'separate' | 'mixed';
};

/**
 * Splits utterances at longer pauses, sorts their words, and fits all of them to the clock: within the recording, never
 * backwards, none empty. If a track has one voice, utterances that were cut without a pause are joined. Sorted by
 * start, then channel. Utterances without word times stay whole.
 */
export function toSegments(utterances: HeardUtterance[], options: ToSegmentsOptions): HeardUtterance[] {
  const byVoice = Map.groupBy(utterances, ({ channel, voice }) => `${channel}/${voice ?? ''}`);
  const segments = [...byVoice.values()].flatMap((all) => voiceSegments(all, options));
  return segments.sort((a, b) => a.startMs - b.startMs || a.channel - b.channel || a.endMs - b.endMs);
}

function voiceSegments(utterances: HeardUtterance[], { durationMs, layout }: ToSegmentsOptions): HeardUtterance[] {
  const segments: HeardUtterance[] = [];
  let open: Piece[] = [];
  const close = (): void => {
    if (open.length > 0) segments.push(toSegment(open));
    open = [];
  };
  for (const utterance of utterances.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)) {
    const text = storableText(utterance.text);
    if (text === '') continue;
    const pieces = splitWords({ ...utterance, text }, durationMs);
    if (pieces.length === 0) {
      close();
      segments.push(onClock({ ...utterance, text, words: [] }, durationMs));
    }
    for (const [at, piece] of pieces.entries()) {
      const last = open.at(-1);
      const isJoined = at === 0 && layout === 'separate' && last !== undefined && follows(last, piece);
      if (!isJoined) close();
      open.push(piece);
    }
  }
  close();
  return segments;
}

/** Part of an utterance without a longer pause. */
type Piece = { utterance: HeardUtterance; text: string; words: HeardWord[] };

/** Whether there is hardly a pause between them, and the words keep the order of the text. */
function follows(before: Piece, next: Piece): boolean {
  const startMs = next.words[0]?.startMs ?? 0;
  return startMs >= (before.words.at(-1)?.startMs ?? 0) && startMs - latestEnd(before.words) <= pauseMsMax;
}

/** Keeps the engine's spelling of the whole text (capitals, commas) wherever its words can be matched with it. */
function splitWords(utterance: HeardUtterance, durationMs: number): Piece[] {
  const spoken = utterance.words
    .map((word) => ({ ...onClock(word, durationMs), text: storableText(word.text) }))
    .filter(({ text }) => text !== '');
  const tokens = utterance.text.split(/\s+/);
  const isSpelled = tokens.length === spoken.length;
  const timed = spoken.map((word, at) => ({ word, spelled: isSpelled ? (tokens[at] ?? word.text) : word.text }));
  const pieces = splitAtPauses(timed.sort((a, b) => a.word.startMs - b.word.startMs));
  return pieces.map((piece) => {
    const isKept = !isSpelled && pieces.length === 1;
    const text = isKept ? utterance.text : piece.map(({ spelled }) => spelled).join(' ');
    return { utterance, text, words: piece.map(({ word }) => word) };
  });
}

type SpelledWord = { word: HeardWord; spelled: string };

function splitAtPauses(words: readonly SpelledWord[]): SpelledWord[][] {
  const groups: SpelledWord[][] = [];
  let endMs = 0;
  for (const item of words) {
    const group = groups.at(-1);
    if (group && item.word.startMs - endMs <= pauseMsMax) group.push(item);
    else groups.push([item]);
    endMs = Math.max(endMs, item.word.endMs);
  }
  return groups;
}

function toSegment(pieces: readonly Piece[]): HeardUtterance {
  const words = pieces.flatMap((piece) => piece.words);
  const [first] = pieces;
  if (!first) throw new Error('A segment without words was asked for.');
  return {
    ...first.utterance,
    startMs: words[0]?.startMs ?? first.utterance.startMs,
    endMs: latestEnd(words),
    text: pieces.map(({ text }) => text).join(' '),
    confidence: meanConfidence(words) ?? first.utterance.confidence,
    words,
  };
}

function onClock<Timed extends { startMs: number; endMs: number }>(timed: Timed, durationMs: number): Timed {
  const startMs = Math.max(0, Math.min(durationMs, Math.round(timed.startMs)));
  return { ...timed, startMs, endMs: Math.max(startMs, Math.min(durationMs, Math.round(timed.endMs))) };
}

function latestEnd(words: readonly HeardWord[]): number {
  return words.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
}

/** Replaces what Postgres cannot store in the text of a foreign server. */
function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim();
}

function meanConfidence(words: HeardWord[]): number | null {
  const known = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  if (known.length === 0) return null;
  return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 1000) / 1000;
}
