import type { PlacedToken } from '../conversation/conversation.ts';
import { ANSWERING_WORDS, COMPANY_WORDS, NOT_NAMES } from '../lexicon/naming.ts';

type Range = { from: number; to: number };
type Stretches = { company: Range | null; ownName: Range | null; nameAt: number | null };
type IsName = (word: string) => boolean;

const LENGTH_MAX = 6;

/**
 * Reads "this is …", "my name is …", "… speaking", "… from …" in one turn. "This is Mary" names a person, "this is
 * Harper Valley Bank" a company; what decides is given names, trades' words and how many words the name has.
 */
export function readNameStretches(tokens: readonly PlacedToken[], isName: IsName): Stretches {
  const result: Stretches = { company: null, ownName: null, nameAt: null };
  tokens.forEach((token, index) => {
    const previous = tokens[index - 1]?.word;
    const before = tokens[index - 2]?.word;
    if (previous === 'is' && before === 'name') setName(result, tokens, index);
    else if (previous === 'is' && before === 'this') readThisIs(result, { tokens, index, isName });
    else if (['with', 'to'].includes(previous ?? '') && ['speaking', 'talking'].includes(before ?? '')) {
      if (!NOT_NAMES.has(token.word)) setName(result, tokens, index);
    } else if (token.word === 'speaking' || token.word === 'here') readBefore(result, { tokens, index, isName });
    else if (previous === 'am' && before === 'i' && isName(token.word)) setName(result, tokens, index);
    else if (isAffiliating(tokens, index) && isName(previous ?? '')) {
      readAffiliation(result, { tokens, index, isName });
    }
  });
  if (tokens[0]?.utterance.turn !== undefined && tokens[0].utterance.turn <= 1) readBareNames(result, tokens, isName);
  result.company ??= beforeIntroduction(tokens, isName) ?? beforeOwnName(tokens);
  return result;
}

type TokenPosition = { tokens: readonly PlacedToken[]; index: number; isName: IsName };

function setName(result: Stretches, tokens: readonly PlacedToken[], index: number): void {
  const token = tokens[index];
  if (!token || NOT_NAMES.has(token.word)) return;
  setOwn(result, tokens, { from: index - 2, at: index });
}

/** The first own name counts. */
function setOwn(result: Stretches, tokens: readonly PlacedToken[], { from, at }: { from: number; at: number }): void {
  if (result.ownName) return;
  result.ownName = rangeOf(tokens, from, at + 1);
  result.nameAt = tokens[at]?.at ?? null;
}

function readThisIs(result: Stretches, { tokens, index, isName }: TokenPosition): void {
  const end = stretchEnd(tokens, index);
  const words = tokens.slice(index, end).map(({ word }) => word);
  const first = words[0];
  if (!first) return;
  const next = tokens[end]?.word ?? '';
  const isPerson = isName(first) || ['speaking', 'here'].includes(next) || (words.length === 1 && next === 'from');
  const hasTrade = words.some((word) => COMPANY_WORDS.has(word));
  if (isPerson && !(hasTrade && !isName(first))) {
    setOwn(result, tokens, { from: index - 2, at: index });
    if (isAffiliating(tokens, end)) readAffiliation(result, { tokens, index: end, isName });
    else if (hasTrade) result.company ??= rangeOf(tokens, index + 1, end);
  } else if (hasTrade || words.length > 1 || result.ownName || hasNameLater(tokens, end)) {
    result.company ??= rangeOf(tokens, index - 2, end);
  } else if (next === '' || AFTER_NAME.has(next) || tokens[end - 1]?.pause !== 'none') {
    setOwn(result, tokens, { from: index - 2, at: index });
  }
}

const AFTER_NAME = new Set(['how', 'what', 'can', 'may', 'i', 'and', 'good', 'thank', 'thanks', 'your']);

function hasNameLater(tokens: readonly PlacedToken[], from: number): boolean {
  return tokens.some((token, at) => at > from && token.word === 'is' && tokens[at - 1]?.word === 'name');
}

/** "Tom speaking", "Lakeside Clinic, Tom here". */
function readBefore(result: Stretches, { tokens, index, isName }: TokenPosition): void {
  const previous = tokens[index - 1];
  if (!previous || NOT_NAMES.has(previous.word)) return;
  if (tokens[index]?.word === 'here' && !isName(previous.word) && !isFirstSentence(tokens, index)) return;
  if (!result.ownName) {
    result.ownName = rangeOf(tokens, index - 1, index + 1);
    result.nameAt = previous.at;
  }
  let start = index - 1;
  while (start > 0 && index - 1 - start < LENGTH_MAX && !NOT_NAMES.has(tokens[start - 1]?.word ?? '')) start -= 1;
  const own = tokens.slice(start, index - 1).filter(({ word }) => !isName(word));
  if (own.length > 0) result.company ??= rangeOf(tokens, start, index - 1);
}

/** "Sarah from Northwind": the agent's own, if it is not about somebody else ("the email from Sarah at…"). */
function readAffiliation(result: Stretches, { tokens, index }: TokenPosition): void {
  const end = stretchEnd(tokens, tokens[index + 1]?.word === 'the' ? index + 2 : index + 1);
  if (end <= index + 1) return;
  result.company ??= rangeOf(tokens, index, end);
  setOwn(result, tokens, { from: index - 1, at: index - 1 });
}

/** "Harper Valley Bank, my name is …", "Northwind Energy, how can I help": the name opens the turn. */
function beforeIntroduction(tokens: readonly PlacedToken[], isName: IsName): Range | null {
  let start = 0;
  while (start < 8 && ANSWERING_WORDS.has(tokens[start]?.word ?? '')) start += 1;
  const end = stretchEnd(tokens, start);
  const words = tokens.slice(start, end).map(({ word }) => word);
  const next = tokens[end]?.word ?? '';
  const after = tokens[end + 1]?.word ?? '';
  const isIntroduced = ['my', 'how', 'what', 'this', 'can', 'may', 'good', 'hello', 'speaking', 'you'].includes(next);
  if (!isIntroduced && !(next === '' && start > 0)) return null;
  const isParted = tokens[end - 1]?.pause !== 'none' && words.length > 1;
  if (next === 'what' && after !== 'can' && !isParted) return null;
  const own = words.filter((word) => !isName(word));
  return own.length > 0 && words[0] !== undefined && !isName(words[0]) ? rangeOf(tokens, start, end) : null;
}

/** "Shield Mutual, Farah here": only where the telephone is answered. */
function isFirstSentence(tokens: readonly PlacedToken[], index: number): boolean {
  if ((tokens[0]?.at ?? 1) !== 0 && tokens[0]?.utterance.turn !== 0) return false;
  return (
    index <= 7 &&
    tokens
      .slice(0, index)
      .every(({ word, pause }) => pause !== 'question' && !['there', 'is', 'i', 'you'].includes(word))
  );
}

/** "Metro Cable, Gary.": a first sentence of nothing but a company's and a person's name. */
function readBareNames(result: Stretches, tokens: readonly PlacedToken[], isName: IsName): void {
  let start = 0;
  while (start < 6 && ANSWERING_WORDS.has(tokens[start]?.word ?? '')) start += 1;
  let end = start;
  while (end < tokens.length && end < start + LENGTH_MAX && !NOT_NAMES.has(tokens[end]?.word ?? '')) {
    end += 1;
    const pause = tokens[end - 1]?.pause;
    if (pause === 'stop' || pause === 'question') break;
  }
  const last = tokens[end - 1];
  if (!last || end - start < 2 || !isName(last.word) || (end < tokens.length && last.pause === 'none')) return;
  setOwn(result, tokens, { from: end - 1, at: end - 1 });
  result.company ??= rangeOf(tokens, start, end - 1);
}

/** "Sarah from Northwind"; "for" only where a trade's word follows ("Tom for Valley Bank"). */
function isAffiliating(tokens: readonly PlacedToken[], index: number): boolean {
  const word = tokens[index]?.word ?? '';
  const isAddress = tokens.slice(index, index + 5).some((token) => token.word === 'dot' || token.word === 'com');
  if (word === 'from' || word === 'with' || (word === 'at' && !isAddress)) return true;
  return (
    word === 'for' &&
    tokens.slice(index + 1, stretchEnd(tokens, index + 1)).some((token) => COMPANY_WORDS.has(token.word))
  );
}

/** "… Harper Valley, my name is …": what stands right before the introduction, where at least two words do. */
function beforeOwnName(tokens: readonly PlacedToken[]): Range | null {
  const my = tokens.findIndex(
    ({ word }, at) => word === 'my' && tokens[at + 1]?.word === 'name' && tokens[at + 2]?.word === 'is',
  );
  let start = my;
  while (start > 0 && my - start < LENGTH_MAX && !NOT_NAMES.has(tokens[start - 1]?.word ?? '')) start -= 1;
  return my - start >= 2 ? rangeOf(tokens, start, my) : null;
}

/** The end of a name that begins at this place: at a written stop, a small word or after six words. */
function stretchEnd(tokens: readonly PlacedToken[], from: number): number {
  let end = from;
  while (end < tokens.length && end < from + LENGTH_MAX) {
    const token = tokens[end];
    if (!token || NOT_NAMES.has(token.word)) break;
    end += 1;
    if (token.pause !== 'none') break;
  }
  return end;
}

function rangeOf(tokens: readonly PlacedToken[], from: number, to: number): Range | null {
  const first = tokens[Math.max(0, from)];
  const last = tokens[Math.min(tokens.length, to) - 1];
  return first && last && to > from ? { from: first.at, to: last.at + 1 } : null;
}
