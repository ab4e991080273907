import { useDeferredValue, useMemo, useState } from 'react';
import type { Segment } from './segments.ts';
import type { TextRange } from './tokens.ts';

/** A match: the utterance's index, and the position in its text. */
export type Match = TextRange & { index: number };

const lettersMin = 2;

/** Finds text in the transcript, ignoring case, and steps through the matches. */
export function useFind(segments: readonly Segment[]) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const matches = useMemo(() => findAll(segments, wanted), [segments, wanted]);
  const bySegment = useMemo(() => Map.groupBy(matches, ({ index }) => index), [matches]);
  const place = matches.length === 0 ? -1 : ((at % matches.length) + matches.length) % matches.length;
  return {
    text,
    isFinding: wanted.length >= lettersMin,
    count: matches.length,
    place,
    current: matches[place] ?? null,
    bySegment,
    find(next: string) {
      setText(next);
      setAt(0);
    },
    step: (by: 1 | -1) => setAt(place + by),
  };
}

function findAll(segments: readonly Segment[], wanted: string): Match[] {
  if (wanted.length < lettersMin) return [];
  return segments.flatMap(({ text }, index) => {
    const lower = text.toLowerCase();
    const matches: Match[] = [];
    for (let from = lower.indexOf(wanted); from >= 0; from = lower.indexOf(wanted, from + wanted.length)) {
      matches.push({ index, from, to: from + wanted.length });
    }
    return matches;
  });
}
