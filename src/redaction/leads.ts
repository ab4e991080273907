import { LEADS, type Topic } from './lexicon.ts';
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
  return [...longest.values()].sort((a, b) => a.to - b.to || a.from - b.from);
}

function matches(tokens: readonly Token[], from: number, { parts }: Pattern): boolean {
  return parts.every(({ word, isPrefix }, index) => {
    const token = tokens[from + index];
    if (!token || token.kind === 'placeholder') return false;
    return isPrefix ? token.word.startsWith(word) : token.word === word;
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
