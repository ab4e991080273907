import type { Outputs } from '../lib/trpc.ts';
import { parse } from './snippet.tsx';

type Segment = Outputs['records']['transcript']['segments'][number];

/** Where in the call a snippet is said, in milliseconds: the utterance with most of its words. */
export function findMoment(segments: readonly Segment[], snippet: string): number | null {
  const [excerpt = ''] = snippet.split(' … ');
  const parts = parse(excerpt);
  const matches = parts.filter(({ isMatch }) => isMatch).map(({ said }) => said.toLowerCase());
  const context = wordsOf(parts.map(({ said }) => said).join(''));
  let best: { segment: Segment; rank: number } | null = null;
  for (const segment of segments) {
    const text = segment.text.toLowerCase();
    const hits = matches.filter((match) => text.includes(match)).length;
    if (hits === 0) continue;
    const words = new Set(wordsOf(text));
    const rank = hits * 1000 + context.filter((word) => words.has(word)).length;
    if (!best || rank > best.rank) best = { segment, rank };
  }
  if (!best) return null;
  const first = matches[0] ?? '';
  const word = best.segment.words.find(({ text }) => wordsOf(text).includes(first));
  return word?.startMs ?? best.segment.startMs;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}
