import { ASKS_BACK, HEDGES, REFUSALS, RESUMES, SMALL_TALK } from './small-talk.ts';
import type { Token, TokenRange } from './tokens.ts';
import type { Turn } from './turns.ts';

const answerTokensMax = 45;
const asksBackTokensMax = 9;

/**
 * The secret part of an answer in words: everything between its first and last word that is not small talk, as it
 * cannot be known which of them are the secret. Null for a refusal, a question, small talk alone, or if something has
 * been redacted already.
 */
export function secretOf(tokens: readonly Token[], { from, to }: Turn): TokenRange | null {
  if (to - from > answerTokensMax) return null;
  const said = tokens.slice(from, to);
  if (said.some(({ kind }) => kind === 'placeholder')) return null;
  const start = afterRefusal(said);
  if (start === null) return beforeRefusal(tokens, { from, to });
  if (ASKS_BACK.has(said[start]?.word ?? '') && said.length - start <= asksBackTokensMax && !hasFigures(said))
    return null;
  const telling = (token: Token): boolean => !SMALL_TALK.has(token.word) || isSpelled(token);
  const first = said.findIndex((token, at) => at >= start && telling(token));
  const last = said.findLastIndex((token, at) => at >= start && telling(token));
  return first < 0 ? null : { from: from + first, to: from + last + 1 };
}

const HEAD_LINKS = new Set(["it's", 'is', 'ist', 'war', 'es', 'era', 'lautet', 'это', 'goes', 'nennt', 'heisst']);
const CLAUSES = new Set([
  'and',
  'but',
  'because',
  'und',
  'aber',
  'sonst',
  'y',
  'pero',
  'porque',
  'а',
  'но',
  'и',
  'потому',
]);

/** "It's pineapple, and it's her gran coming, not me": what was said before the clause that refuses something. */
function beforeRefusal(tokens: readonly Token[], { from, to }: TokenRange): TokenRange | null {
  const isEnd = ({ word, gap }: Token, at: number): boolean => at > from && (CLAUSES.has(word) || /[,.;]\s/.test(gap));
  const end = tokens.findIndex((token, at) => at >= from && at < to && isEnd(token, at));
  const head = end < 0 ? [] : tokens.slice(from, end);
  const link = head.findIndex(({ word }) => HEAD_LINKS.has(word));
  if (link < 0 || head.some(({ word }) => REFUSALS.has(word))) return null;
  const first = head.findIndex(({ word }, at) => at > link && !SMALL_TALK.has(word));
  return first < 0 ? null : { from: from + first, to: end };
}

/** Where the answer begins if it was refused at first; null if it stays refused. */
function afterRefusal(said: readonly Token[]): number | null {
  const last = said.findLastIndex(
    ({ word }, at) => (REFUSALS.has(word) || isSpanishNo(said, at)) && !isHedged(said, at),
  );
  if (last < 0) return 0;
  const resumed = said.findIndex(({ word }, at) => at > last && RESUMES.has(word));
  return resumed < 0 || resumed === said.length - 1 ? null : resumed + 1;
}

const AFTER_NO = new Set([
  'se',
  'la',
  'lo',
  'me',
  'te',
  'le',
  'voy',
  'quiero',
  'pienso',
  'tengo',
  'puedo',
  'hay',
  'sabria',
]);

/** "No se la voy a dar", and not the "no" of a correction. */
function isSpanishNo(said: readonly Token[], at: number): boolean {
  return said[at]?.word === 'no' && AFTER_NO.has(said[at + 1]?.word ?? '');
}

function isHedged(said: readonly Token[], at: number): boolean {
  return HEDGES.some((phrase) =>
    phrase.some((_, index) => phrase.every((word, offset) => said[at - index + offset]?.word === word)),
  );
}

function hasFigures(said: readonly Token[]): boolean {
  return said.some(({ kind }) => kind === 'digits');
}

/** A single letter is spelling, unless it is a word by itself. */
function isSpelled({ kind, word }: Token): boolean {
  return kind === 'digits' || (/^\p{L}$/u.test(word) && !/^[aiyoeuаиоувкся]$/u.test(word));
}
