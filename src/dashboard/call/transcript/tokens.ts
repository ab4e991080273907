import type { Segment } from './segments.ts';

/** A word of an utterance: its position in the text, and its time. */
export type Token = { from: number; to: number; startMs: number; endMs: number; isRedacted: boolean };
export type TextRange = { from: number; to: number };

const placeholder = /\[[A-Za-z -]+\]/g;
const known = new WeakMap<Segment, Token[]>();

/** The words of an utterance. Without word times, they are spread over the utterance by length. */
export function tokensOf(segment: Segment): Token[] {
  const found = known.get(segment);
  if (found) return found;
  const tokens = markRedacted(segment.text, place(segment) ?? spread(segment));
  known.set(segment, tokens);
  return tokens;
}

/** Index of the word at that time, or the last one before it; -1 before the first. */
export function tokenAt(tokens: readonly Token[], ms: number): number {
  return tokens.findLastIndex(({ startMs }) => startMs <= ms);
}

/** The position of a text in another, ignoring case; null if it does not occur. */
export function findQuote(text: string, quote: string): TextRange | null {
  const from = text.toLowerCase().indexOf(quote.toLowerCase());
  return from < 0 || quote === '' ? null : { from, to: from + quote.length };
}

function place({ text, words }: Segment): Token[] | null {
  const lower = text.toLowerCase();
  const tokens: Token[] = [];
  let at = 0;
  for (const word of words) {
    const from = lower.indexOf(word.text.toLowerCase(), at);
    if (from < 0 || word.text === '') continue;
    at = from + word.text.length;
    tokens.push({ from, to: at, startMs: word.startMs, endMs: word.endMs, isRedacted: false });
  }
  return tokens.length > 0 && tokens.length >= words.length / 2 ? tokens : null;
}

function spread({ text, startMs, endMs }: Segment): Token[] {
  const msPerCharacter = (endMs - startMs) / Math.max(1, text.length);
  return Array.from(text.matchAll(/\[[A-Za-z -]+\]|\S+/g), (match) => {
    const from = match.index;
    const to = from + match[0].length;
    const [begin, end] = [from, to].map((place) => Math.round(startMs + place * msPerCharacter));
    return { from, to, startMs: begin ?? startMs, endMs: end ?? endMs, isRedacted: false };
  });
}

function markRedacted(text: string, tokens: Token[]): Token[] {
  const taken = Array.from(text.matchAll(placeholder), ({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }));
  if (taken.length === 0) return tokens;
  return tokens.map((token) => ({ ...token, isRedacted: taken.some((range) => overlaps(range, token)) }));
}

export function overlaps(a: TextRange, b: TextRange): boolean {
  return a.from < b.to && b.from < a.to;
}
