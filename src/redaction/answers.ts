import { ASKS_BACK, HEDGES, REFUSALS, RESUMES, SMALL_TALK } from './small-talk.ts';
import type { Token } from './tokens.ts';
import type { Turn } from './turns.ts';

type Place = { from: number; to: number };

const answerTokensMax = 45;
const asksBackTokensMax = 9;

/**
 * What an answer in words gives away: from its first to its last word that is no small talk, since nobody can tell which
 * of them are the secret. Null for a refusal, a question, small talk alone, and where something has been taken out.
 */
export function secretOf(tokens: readonly Token[], { from, to }: Turn): Place | null {
  if (to - from > answerTokensMax) return null;
  const said = tokens.slice(from, to);
  if (said.some(({ kind }) => kind === 'placeholder')) return null;
  const start = afterRefusal(said);
  if (start === null) return null;
  if (ASKS_BACK.has(said[start]?.word ?? '') && said.length - start <= asksBackTokensMax && !hasFigures(said))
    return null;
  const telling = (token: Token): boolean => !SMALL_TALK.has(token.word) || isSpelled(token);
  const first = said.findIndex((token, at) => at >= start && telling(token));
  const last = said.findLastIndex((token, at) => at >= start && telling(token));
  return first < 0 ? null : { from: from + first, to: from + last + 1 };
}

/** Where the answer begins after it was refused at first; null where it stays refused. */
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

/** One letter is a part of what is spelled, unless it is a word by itself. */
function isSpelled({ kind, word }: Token): boolean {
  return kind === 'digits' || (/^\p{L}$/u.test(word) && !/^[aiyoeuаиоувкся]$/u.test(word));
}
