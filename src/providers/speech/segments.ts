import type { HeardUtterance, HeardWord } from './interface.ts';

/** A pause this long ends a segment. */
const pauseMsMax = 700;

/**
 * Splits utterances at longer pauses, puts their words in order and all of them on the clock: within the recording,
 * never backwards, none empty. Sorted by start, then channel. Without word times an utterance stays whole.
 */
export function toSegments(utterances: HeardUtterance[], durationMs: number): HeardUtterance[] {
  const byVoice = Map.groupBy(utterances, ({ channel, voice }) => `${channel}/${voice ?? ''}`);
  const segments = [...byVoice.values()].flatMap((all) => voiceSegments(all, durationMs));
  return segments.sort((a, b) => a.startMs - b.startMs || a.channel - b.channel || a.endMs - b.endMs);
}

function voiceSegments(utterances: HeardUtterance[], durationMs: number): HeardUtterance[] {
  const segments: HeardUtterance[] = [];
  for (const utterance of utterances.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)) {
    if (!utterance.text.trim()) continue;
    if (utterance.words.length === 0) segments.push(onClock({ ...utterance, text: utterance.text.trim() }, durationMs));
    else appendWords(segments, utterance, durationMs);
  }
  return segments;
}

/** An engine's spelling of the whole (capitals, commas) is kept wherever its words can be told apart in it. */
function appendWords(segments: HeardUtterance[], utterance: HeardUtterance, durationMs: number): void {
  const ordered = orderWords(utterance.words, durationMs);
  const tokens = utterance.text.trim().split(/\s+/);
  let used = 0;
  for (const words of splitAtPauses(ordered)) {
    const isWhole = words.length === ordered.length;
    const spelled =
      tokens.length === ordered.length ? tokens.slice(used, used + words.length) : words.map(({ text }) => text);
    used += words.length;
    append(segments, { ...utterance, text: isWhole ? utterance.text.trim() : spelled.join(' '), words });
  }
}

/** Joins to the segment before where hardly any pause lies between and both have word times. */
function append(segments: HeardUtterance[], next: HeardUtterance): void {
  const last = segments.at(-1);
  const startMs = next.words[0]?.startMs ?? 0;
  const isJoined = last !== undefined && last.words.length > 0 && startMs - last.endMs <= pauseMsMax;
  const words = isJoined ? orderWords([...last.words, ...next.words], Number.MAX_SAFE_INTEGER) : next.words;
  const segment = {
    ...next,
    startMs: words[0]?.startMs ?? 0,
    endMs: Math.max(...words.map(({ endMs }) => endMs)),
    text: isJoined ? `${last.text} ${next.text}` : next.text,
    confidence: meanConfidence(words) ?? next.confidence,
    words,
  };
  if (isJoined) segments[segments.length - 1] = segment;
  else segments.push(segment);
}

function splitAtPauses(words: HeardWord[]): HeardWord[][] {
  const groups: HeardWord[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && word.startMs - before.endMs <= pauseMsMax) group.push(word);
    else groups.push([word]);
  }
  return groups;
}

function orderWords(words: HeardWord[], durationMs: number): HeardWord[] {
  let earliestMs = 0;
  const ordered = words.filter((word) => word.text.trim()).sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  return ordered.map((word) => {
    const startMs = Math.min(durationMs, Math.max(earliestMs, Math.round(word.startMs)));
    const endMs = Math.min(durationMs, Math.max(startMs, Math.round(word.endMs)));
    earliestMs = startMs;
    return { ...word, text: word.text.trim(), startMs, endMs };
  });
}

function onClock(utterance: HeardUtterance, durationMs: number): HeardUtterance {
  const startMs = Math.max(0, Math.min(durationMs, Math.round(utterance.startMs)));
  return { ...utterance, startMs, endMs: Math.max(startMs, Math.min(durationMs, Math.round(utterance.endMs))) };
}

function meanConfidence(words: HeardWord[]): number | null {
  const known = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  if (known.length === 0) return null;
  return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 1000) / 1000;
}
