import { CODE_OTHERS, CODE_SECRETS, LEADS, type Topic } from './lexicon.ts';
import { findNearMisses } from './near-misses.ts';
import { numberWord } from './number-words.ts';
import { plainWord, type Token } from './tokens.ts';

/** Words that name what is said next (or what was said just before): tokens `[from, to)`. */
export type Lead = { topic: Topic; from: number; to: number };

type Pattern = { topic: Topic; parts: { word: string; isPrefix: boolean }[] };

const KEY_LETTERS = 3;
const patterns = Map.groupBy(
  Object.entries(LEADS).flatMap(([topic, phrases]) => phrases.map((phrase) => compile(topic as Topic, phrase))),
  ({ parts }) => keyOf(parts[0]?.word ?? ''),
);

/** All leads in the order of their ends; of several that end at one place the longest. */
export function findLeads(tokens: readonly Token[]): Lead[] {
  const longest = new Map<number, Lead>();
  for (const [from, token] of tokens.entries()) {
    for (const pattern of patterns.get(keyOf(token.word)) ?? []) {
      if (!matches(tokens, from, pattern)) continue;
      const to = from + pattern.parts.length;
      const known = longest.get(to);
      if (!known || known.from > from) longest.set(to, { topic: pattern.topic, from, to });
    }
  }
  for (const lead of findNearMisses(tokens)) if (!longest.has(lead.to)) longest.set(lead.to, lead);
  const leads = [...longest.values()].flatMap((lead) => (lead.topic === 'someCode' ? decideCode(tokens, lead) : lead));
  return leads.sort((a, b) => a.to - b.to || a.from - b.from);
}

const codeWithinTokens = 24;
const otherWithinTokens = 10;

/** Whether a code is one that proves who somebody is, by the words around it. */
function decideCode(tokens: readonly Token[], { from, to }: Lead): Lead[] {
  const near = (reach: number): readonly Token[] => tokens.slice(Math.max(0, from - reach), to + reach);
  const isOther = near(otherWithinTokens).some(({ word }) => CODE_OTHERS.test(word));
  const isSecret = !isOther && near(codeWithinTokens).some(({ word }) => CODE_SECRETS.test(word));
  if (isOther) return [{ topic: 'other', from, to }];
  return isSecret || isFigureNext(tokens, to) ? [{ topic: 'code', from, to }] : [];
}

const figureWithinTokens = 3;

function isFigureNext(tokens: readonly Token[], from: number): boolean {
  return tokens
    .slice(from, from + figureWithinTokens)
    .some(({ kind, word }) => kind === 'digits' || numberWord(word)?.needs === 'nothing');
}

function matches(tokens: readonly Token[], from: number, { parts }: Pattern): boolean {
  return parts.every(({ word, isPrefix }, index) => {
    const token = tokens[from + index];
    if (!token || token.kind === 'placeholder') return false;
    return isPrefix ? token.word.startsWith(word) : token.word === word || token.word === `${word}'s`;
  });
}

function compile(topic: Topic, phrase: string): Pattern {
  const parts = phrase
    .split(' ')
    .map((part) => ({ word: plainWord(part.replace('*', '')), isPrefix: part.endsWith('*') }));
  return { topic, parts };
}

function keyOf(word: string): string {
  return word.slice(0, KEY_LETTERS);
}
