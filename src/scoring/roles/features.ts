import type { Concept } from '../lexicon/phrasebook.ts';
import { PHRASEBOOKS } from '../lexicon/phrasebooks.ts';
import { ROLE_ACTS } from '../lexicon/role-acts.ts';
import { ROLE_QUESTIONS } from '../lexicon/role-questions.ts';
import { ANSWER_STARTS, QUESTION_STARTS, ROLE_WORDS } from '../lexicon/role-words.ts';
import { AGENT_CUES, CUSTOMER_CUES } from '../lexicon/role-cues.ts';
import { AGENT_CUES_ABROAD, CUSTOMER_CUES_ABROAD } from '../lexicon/role-cues-abroad.ts';
import { compilePhrases, type Phrase, type PhraseSet } from '../../model/text/compile-phrases.ts';
import { push } from '../../model/text/multimap.ts';
import { findPhrases } from '../text/phrases.ts';
import type { Token } from '../../model/text/tokens.ts';

/** What of an utterance tells who says it, by name; what is absent is 0. */
export type Features = ReadonlyMap<string, number>;

export type UtteranceToTell = { tokens: readonly Token[]; text: string };

/** Place of an utterance among those that are told apart. */
export type Place = { index: number; count: number };

const countMax = 3;
/** Beyond this, the rest of a monologue says no more about who speaks. */
const tokensMax = 120;

/** What one utterance says about its speaker. */
export function featuresOf({ tokens: all }: UtteranceToTell, { index, count }: Place): Features {
  const tokens = all.slice(0, tokensMax);
  const features = new Map<string, number>();
  for (const name of heardActs(tokens)) features.set(name, 1);
  const isQuestion = asks(tokens);
  const kind = isQuestion ? 'ask' : 'say';
  features.set(kind, 1);
  for (const [name, words] of Object.entries(ROLE_WORDS)) {
    const heard = Math.min(countMax, tokens.filter(({ word }) => words.has(word)).length);
    if (heard === 0) continue;
    features.set(`${name}`, heard);
    features.set(`${kind} ${name}`, heard);
  }
  for (const [name, value] of Object.entries(formsOf(tokens))) if (value > 0) features.set(name, value);
  const start = startOf(tokens);
  if (start !== null) features.set(`starts ${start}`, 1);
  const place = index === 0 ? 'first' : index === count - 1 ? 'last' : index === 1 ? 'second' : null;
  if (place !== null) {
    features.set(place, 1);
    features.set(`${place} ${tokens.length <= 3 ? 'short' : kind}`, 1);
    if (start !== null) features.set(`${place} ${start}`, 1);
  }
  return features;
}

/** What two utterances, one after the other, say about whether their speaker is the same. */
export function pairFeaturesOf(before: UtteranceToTell, next: UtteranceToTell): Features {
  const features = new Map<string, number>([['any', 1]]);
  const [asked, asks_] = [asks(before.tokens, 'end'), asks(next.tokens)];
  const length = lengthOf(before.tokens);
  const nextLength = lengthOf(next.tokens);
  const start = startOf(next.tokens);
  features.set(`${asked ? 'ask' : 'say'} then ${asks_ ? 'ask' : 'say'}`, 1);
  features.set(`${length} then ${nextLength}`, 1);
  if (start !== null) features.set(`${asked ? 'ask' : 'say'} then ${start}`, 1);
  const startBefore = startOf(before.tokens);
  if (startBefore !== null && startBefore === start) features.set(`${start} twice`, 1);
  const has = (words: ReadonlySet<string>, { tokens }: UtteranceToTell): boolean =>
    tokens.some(({ word }) => words.has(word));
  if (has(ROLE_WORDS.thanks, before) && has(ROLE_WORDS.welcome, next)) features.set('thanks then welcome', 1);
  if (has(ROLE_WORDS.thanks, before) && has(ROLE_WORDS.thanks, next)) features.set('thanks twice', 1);
  if (has(ANSWER_STARTS.bye, before) && has(ANSWER_STARTS.bye, next)) features.set('bye twice', 1);
  if (has(ANSWER_STARTS.hello, before) && has(ANSWER_STARTS.hello, next)) features.set('hello twice', 1);
  if (isUnfinished(before) || /^\p{Ll}/u.test(next.text.trim()))
    features.set('unfinished', isUnfinished(before) ? 1 : 0);
  return features;
}

/** Every phrase that tells something, with the names of what it tells. */
let known: { phrases: PhraseSet; namesOf: ReadonlyMap<string, readonly string[]> } | undefined;

function acts(): NonNullable<typeof known> {
  if (known) return known;
  const namesOf = new Map<string, string[]>();
  const add = (name: string, phrases: readonly string[]): void => {
    for (const phrase of phrases) push(namesOf, phrase, name);
  };
  for (const [name, phrases] of Object.entries({ ...ROLE_ACTS, ...ROLE_QUESTIONS })) add(name, phrases);
  for (const book of Object.values(PHRASEBOOKS)) {
    for (const concept of Object.keys(book) as Concept[]) add(`book ${concept}`, book[concept]);
  }
  for (const cues of [AGENT_CUES, AGENT_CUES_ABROAD]) for (const cue of cues) add(`agent ${cue.weight}`, cue.phrases);
  for (const cues of [CUSTOMER_CUES, CUSTOMER_CUES_ABROAD])
    for (const cue of cues) add(`customer ${cue.weight}`, cue.phrases);
  known = { phrases: asSaid(compilePhrases([...namesOf.keys()])), namesOf };
  return known;
}

/** Looked for as they are said alone: there are thousands, and one that is missed is made up for by the others. */
function asSaid({ byWord }: PhraseSet): PhraseSet {
  const exact = [...byWord].map(([word, phrases]): [string, Phrase[]] => [
    word,
    phrases.map((phrase) => ({ ...phrase, slips: 0, isLong: false })),
  ]);
  return { byWord: new Map(exact), bySound: new Map() };
}

function heardActs(tokens: readonly Token[]): Set<string> {
  const { phrases, namesOf } = acts();
  return new Set(findPhrases(tokens, phrases).flatMap(({ phrase }) => namesOf.get(phrase) ?? []));
}

/** With a question mark, or as questions begin: recognisers write no marks. */
function asks(tokens: readonly Token[], where: 'anywhere' | 'end' = 'anywhere'): boolean {
  const last = tokens.at(-1);
  if (!last) return false;
  if (last.pause === 'question') return true;
  if (where === 'anywhere' && tokens.some(({ pause }) => pause === 'question')) return true;
  if (last.pause === 'stop') return false;
  const start = Math.max(0, tokens.findLastIndex(({ pause }, at) => pause === 'stop' && at < tokens.length - 1) + 1);
  const [first, second, third] = tokens.slice(start, start + 3).map(({ word }) => word);
  if (first === undefined) return false;
  return [first, ...(LEADS.has(first) ? [second, third] : [])].some(
    (word) => word !== undefined && QUESTION_STARTS.has(word),
  );
}

const LEADS = new Set(
  'and so okay ok yes und ja also dann y pero entonces а и так хорошо alright thanks thank'.split(' '),
);

function formsOf(tokens: readonly Token[]): Record<string, number> {
  const count = (pattern: RegExp): number => Math.min(countMax, tokens.filter(({ word }) => pattern.test(word)).length);
  const digits = tokens.filter(({ word }) => /\d/u.test(word) || NUMBERS.has(word)).length;
  const length = lengthOf(tokens);
  return {
    [`length ${length}`]: 1,
    'mostly figures': tokens.length > 0 && digits * 2 >= tokens.length ? 1 : 0,
    figures: Math.min(countMax, digits) / countMax,
    'words in mos': count(/^[a-z]{3,}mos$/u),
    'words in ite': count(/^[а-я]{3,}(?:ите|йте|ьте)(?:сь)?$/u),
    'words in em': count(/^[а-я]{4,}(?:ем|им)(?:ся)?$/u),
    'several sentences': tokens.filter(({ pause }) => pause === 'stop' || pause === 'question').length > 1 ? 1 : 0,
  };
}

const NUMBERS = new Set(
  (
    'zero oh one two three four five six seven eight nine null eins zwei drei vier funf sechs sieben acht neun ' +
    'cero uno dos tres cuatro cinco seis siete ocho nueve ноль один два три четыре пять шесть семь восемь девять'
  ).split(' '),
);

function lengthOf(tokens: readonly Token[]): 'word' | 'short' | 'middle' | 'long' {
  if (tokens.length <= 1) return 'word';
  if (tokens.length <= 4) return 'short';
  return tokens.length <= 12 ? 'middle' : 'long';
}

function startOf(tokens: readonly Token[]): string | null {
  const first = tokens[0]?.word;
  if (first === undefined) return null;
  for (const [name, words] of Object.entries(ANSWER_STARTS)) if (words.has(first)) return name;
  if (ROLE_WORDS.thanks.has(first)) return 'thanks';
  return NUMBERS.has(first) || /^\d/u.test(first) ? 'figure' : null;
}

/** Whether it ends in the middle of a sentence, in a text that has marks at all. */
function isUnfinished({ text, tokens }: UtteranceToTell): boolean {
  return /,\s*$/u.test(text) || (/\p{Lu}/u.test(text) && /[,;]/u.test(text) && tokens.at(-1)?.pause === 'none');
}
