import type { Evidence } from '../../model/scorecard.ts';
import type { Segment } from '../../model/transcript.ts';

const quoteLengthMax = 240;
const quoteWordsMax = 80;
const secretLengthMax = 24;
const figuresShown = 4;

/**
 * Words of any script; in scripts without spaces, each character is a word. Marks and invisible characters belong to
 * their word.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]|[\p{L}\p{N}](?:['’]?[\p{L}\p{N}\p{M}\p{Cf}])*/gu;

/**
 * Finds a quote in the segment that it names, ignoring case, punctuation, spacing, compatibility forms and invisible
 * characters; every word and their order must match. Returns the transcript's own words, so that they can be found
 * again; null if they do not occur, or are too few to prove anything.
 */
export function findQuote(segment: Segment, quote: string, { isSecret = false } = {}): Evidence | null {
  const said = wordsOf(segment.text);
  const sought = wordsOf(quote).slice(0, quoteWordsMax);
  const isWhole = sought.length === said.length;
  if (sought.length === 0 || (sought.length < 2 && !isWhole)) return null;
  const at = indexOfWords(said, sought);
  const first = said[at];
  const last = said[at + sought.length - 1];
  if (!first || !last) return null;
  const words = cut(segment.text, { from: first.from, to: last.to, isSecret });
  return { segmentId: segment.id, quote: words, startMs: startOf(segment, at, said.length) };
}

type PlacedWord = { key: string; from: number; to: number };

function wordsOf(text: string): PlacedWord[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    key: word
      .normalize('NFKC')
      .replace(/[\p{Cf}'’]/gu, '')
      .toLowerCase(),
    from: index,
    to: index + word.length,
  }));
}

/** Segments and quotes are short, so trying every position is fast. */
function indexOfWords(said: readonly PlacedWord[], sought: readonly PlacedWord[]): number {
  for (let at = 0; at + sought.length <= said.length; at += 1) {
    if (sought.every(({ key }, offset) => said[at + offset]?.key === key)) return at;
  }
  return -1;
}

/** At a word's end if it is long; for a secret, only the beginning, and four digits of a number. */
function cut(text: string, { from, to, isSecret }: { from: number; to: number; isSecret: boolean }): string {
  const lengthMax = isSecret ? secretLengthMax : quoteLengthMax;
  let end = to;
  if (to - from > lengthMax) {
    const space = text.lastIndexOf(' ', from + lengthMax);
    end = space > from ? space : from + lengthMax;
  }
  const words = text.slice(from, end);
  const figures = isSecret ? /(?:\p{N}[\s.-]*){5,}/u.exec(words) : null;
  return (figures ? words.slice(0, figures.index + figuresShown) : words).toWellFormed().trim();
}

function startOf(segment: Segment, at: number, count: number): number {
  return segment.words.length === count ? (segment.words[at]?.startMs ?? segment.startMs) : segment.startMs;
}
