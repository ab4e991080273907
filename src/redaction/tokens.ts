import { placeholderPattern } from '../model/redaction.ts';

export type TokenKind = 'word' | 'digits' | 'at' | 'placeholder';

/** One word, one string of digits or one `@`, with its position. */
export type Token = {
  kind: TokenKind;
  /** Plain: lower case, without accents, figures of any script as 0-9. */
  word: string;
  /** Index of the segment, and the range `[from, to)` in its text. */
  segment: number;
  from: number;
  to: number;
  /** The text between the previous token, or the segment's start, and this one. */
  gap: string;
  /** The rest of the segment after its last token; empty for others. */
  tail: string;
};

/** The tokens `[from, to)`. */
export type TokenRange = { from: number; to: number };

/** Notes by transcribers, which nobody has said. */
const NOTES =
  'noise|unk|laughter|laughs|silence|sil|music|inaudible|unintelligible|crosstalk|breath|cough|beep|hesitation|pause|spn';
const TOKEN = new RegExp(
  String.raw`(${placeholderPattern})|(\p{Nd}+)|(@)|([[<(](?:${NOTES})[\])>])|[\p{L}\p{M}]+(?:['\u2019][\p{L}\p{M}]+)*`,
  'gu',
);

/**
 * Times, network addresses and versions: digits that are not personal. Dates and digits in equal groups are not among
 * them.
 */
const TIME = String.raw`(?<![\d:.,])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])`;
const DOTTED = String.raw`(?<![\d.])(?!\d{1,2}\.\d{1,2}\.(?:\d\d){1,2}(?!\.?\d))(?=[\d.]*\.\d{1,2}(?:\.|(?!\d)))(?!\d\d(?:\.\d\d){3,}(?!\d))(?!\d{1,3}(?:\.\d{3})+(?!\d))\d{1,4}(?:\.\d{1,4}){2,}`;
const NOBODYS = new RegExp(`${TIME}|${DOTTED}`, 'g');

export function readTokens(text: string, segment: number): Token[] {
  const nobodys = [...text.matchAll(NOBODYS)].map(({ 0: raw, index }) => ({ from: index, to: index + raw.length }));
  const tokens: Token[] = [];
  let end = 0;
  for (const found of text.matchAll(TOKEN)) {
    const [raw, placeholder, digits, at, note] = found;
    if (note) continue;
    const from = found.index;
    const to = from + raw.length;
    const gap = text.slice(end, from);
    end = to;
    if (placeholder) tokens.push({ kind: 'placeholder', word: raw, segment, from, to, gap, tail: '' });
    else if (digits && nobodys.some((place) => place.from <= from && to <= place.to))
      tokens.push({ kind: 'word', word: toFigures(raw), segment, from, to, gap, tail: '' });
    else if (digits) tokens.push({ kind: 'digits', word: toFigures(raw), segment, from, to, gap, tail: '' });
    else tokens.push({ kind: at ? 'at' : 'word', word: plainWord(raw), segment, from, to, gap, tail: '' });
  }
  const last = tokens.at(-1);
  if (last) last.tail = text.slice(last.to);
  return tokens;
}

/** The spelling that all word lists use. */
export function plainWord(raw: string): string {
  if (/^[a-z]+$/.test(raw)) return raw;
  return raw
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '');
}

/** Decimal digits of any script as 0-9. Blocks of ten follow each other without gaps, each starting at its zero. */
export function toFigures(digits: string): string {
  if (/^[0-9]*$/.test(digits)) return digits;
  return [...digits].map(figureOf).join('');
}

function figureOf(figure: string): string {
  const code = figure.codePointAt(0) ?? 0;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
