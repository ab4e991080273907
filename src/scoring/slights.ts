import type { Conversation, PlacedToken } from './conversation.ts';
import type { Finder } from './finder.ts';
import { clauseStart, isNegated, wordsOf } from './finder.ts';
import { inOtherLanguages } from './lexicon/other-languages.ts';
import * as lexicon from './lexicon/respect.ts';
import { plainWord } from '../model/text/tokens.ts';
import type { PhraseSet } from '../model/text/compile-phrases.ts';
import { compilePhrases } from '../model/text/compile-phrases.ts';

export type SlightKind = 'insult' | 'profanity' | 'sarcasm' | 'blame' | 'threat';
/** Something rude that the agent says, at the places `[from, to)`. */
export type Slight = { kind: SlightKind; from: number; to: number };

const PHRASES: [SlightKind, PhraseSet][] = [
  ['insult', compilePhrases([...lexicon.INSULT_PHRASES, ...inOtherLanguages('insults')])],
  ['sarcasm', compilePhrases(lexicon.SARCASM_PHRASES)],
  ['blame', compilePhrases(lexicon.BLAME_PHRASES)],
  ['threat', compilePhrases([...lexicon.THREAT_PHRASES, ...inOtherLanguages('threats')])],
];
/** Swearing in any language; what is an insult in English is weighed as one. */
export const SWEARWORDS: ReadonlySet<string> = new Set([
  ...lexicon.PROFANITY,
  ...inOtherLanguages('profanity')
    .map(plainWord)
    .filter((word) => !lexicon.INSULT_WORDS.has(word)),
]);

/** What the agent says to insult, swear at, mock, blame or threaten the customer, in order. */
export function findSlights(conversation: Conversation, finder: Finder): Slight[] {
  const phrases = PHRASES.flatMap(([kind, set]) =>
    finder
      .find(set, 'agent')
      .filter(({ from }) => !isReported(conversation, from))
      .map(({ from, to }) => ({ kind, from, to })),
  );
  const words = conversation.agentTurns.flatMap((turn) =>
    turn.tokens.flatMap(({ word, at }) => wordSlight(conversation, word, at)),
  );
  return [...phrases, ...words].toSorted((a, b) => a.from - b.from);
}

function wordSlight(conversation: Conversation, word: string, at: number): Slight[] {
  const isSwearing = SWEARWORDS.has(word);
  if (!isSwearing && !lexicon.INSULT_WORDS.has(word)) return [];
  if (isReported(conversation, at)) return [];
  if (isSwearing) return [{ kind: 'profanity', from: at, to: at + 1 }];
  const { tokens } = conversation;
  const start = clauseStart(tokens, at);
  const before = wordsOf(tokens, Math.max(start, at - 5), at);
  const after = wordsOf(tokens, at + 1, at + 3);
  if (after.some((each) => lexicon.THINGS.has(each))) return [];
  if (before.slice(-4).some((each) => lexicon.OWN.has(each)) && !before.includes('you')) return [];
  const isAimed =
    before.some((each) => ['you', 'your', 'are'].includes(each)) || before.length === 0 || after.includes('you');
  const isNoun = ['idiot', 'idiots', 'moron', 'morons', 'imbecile', 'loser', 'liar', 'stupid'].includes(word);
  return isAimed || isNoun ? [{ kind: 'insult', from: at, to: at + 1 }] : [];
}

/** "He called you an idiot", "nobody thinks that you are stupid": reported or denied, not said. */
function isReported({ tokens }: Conversation, at: number): boolean {
  const start = clauseStart(tokens, at);
  const before = wordsOf(tokens, Math.max(start, at - 7), at);
  const isQuoting = before.some((word, index) => lexicon.QUOTING.has(word) && !isRebuke(before, index));
  return isQuoting || isNegated(tokens, at);
}

/** "I told you that …": the agent's own words, not somebody else's. */
function isRebuke(words: readonly string[], at: number): boolean {
  return words[at] === 'told' && words[at + 1] === 'you' && words.slice(Math.max(0, at - 2), at).includes('i');
}

/** Whether something rude stands in the same segment as this place, so that its surroundings must not be shown. */
export function hasSlightBeside(tokens: readonly PlacedToken[], slights: readonly Slight[], at: number): boolean {
  const segment = tokens[at]?.utterance;
  return slights.some(({ from, to }) => tokens[from]?.utterance === segment || tokens[to - 1]?.utterance === segment);
}

/** The part of a stretch around its words `core` that is free of rudeness; null where the words themselves are rude. */
export function withoutSlights(
  slights: readonly Slight[],
  stretch: { from: number; to: number },
  core: number,
): { from: number; to: number } | null {
  let { from, to } = stretch;
  for (const slight of slights) {
    if (slight.from <= core && core < slight.to) return null;
    if (slight.to <= core) from = Math.max(from, slight.to);
    else to = Math.min(to, slight.from);
  }
  return { from, to };
}
