import type { Token } from '../../model/text/tokens.ts';
import { clauseKindsOf, type ClauseKind } from '../lexicon/clause-words.ts';
import { meaningsOf } from '../lexicon/meanings/meanings.ts';
import { isSpokenFigure, secretKindsOf } from '../lexicon/secret-words.ts';
import { isRead } from '../languages/language.ts';
import { ROLE_WORDS } from '../lexicon/role-words.ts';
import { readUtterance } from '../roles/features.ts';
import { FeatureList, hash, type Features } from './feature-list.ts';
import { hashOfMeaning, hashOfPair, hashesNearby } from './meaning-hashes.ts';

/** What somebody says, with who says it. */
export type Said = { role: 'agent' | 'customer'; tokens: readonly Token[] };

/** Words that many calls have, one bit each. What is not among them is a name as often as not. */
export type CommonWords = Uint8Array;

export const COMMON_BITS = 1 << 15;

export function placeOfWord(word: string): number {
  return hash(word) % COMMON_BITS;
}

function isCommon(common: CommonWords, word: string): boolean {
  const place = placeOfWord(word);
  return (((common[place >> 3] ?? 0) >> (place & 7)) & 1) === 1 || /\d/u.test(word);
}

/** Beyond this the rest of a monologue says no more about what it does. */
const TOKENS_MAX = 80;
const CONTEXT_TOKENS_MAX = 12;
const NEXT_TOKENS_MAX = 10;

/**
 * What the utterances of a call look like: words, pairs of words, beginnings and inner parts of words, the end of what the
 * other said before, the place in the call, and whether figures and words are repeated from the other party.
 */
export function featuresOf(
  said: readonly Said[],
  { language, common }: { language: string | null; common: CommonWords },
): Features[] {
  const counts = { agent: 0, customer: 0 };
  const totals = { agent: 0, customer: 0 };
  for (const { role } of said) totals[role] += 1;
  const heard = { agent: new Heard(), customer: new Heard() };
  const meant = meantIn(said, language);
  return said.map((utterance, index) => {
    const { role, tokens } = utterance;
    const near = tokens.slice(0, TOKENS_MAX);
    const list = new FeatureList();
    addWords(list, near, common);
    addEdgeWords(list, near, { own: counts[role], back: totals[role] - 1 - counts[role], common });
    addForms(list, near);
    addPhrases(list, near);
    const other = role === 'agent' ? 'customer' : 'agent';
    addClauses(list, near);
    addMeanings(list, said, { index, meant });
    addEcho(list, near, heard[other]);
    addSecrets(list, said, index);
    addContext(list, said, index);
    addPlace(list, { index, of: said.length, own: counts[role], ownOf: totals[role] });
    list.add(`lang ${language ?? 'none'}`);
    counts[role] += 1;
    heard[role].add(near);
    return list.build();
  });
}

/** What one party has said before, for what the other repeats of it. */
class Heard {
  readonly #figures = new Set<string>();
  readonly #words = new Set<string>();

  add(tokens: readonly Token[]): void {
    for (const { word } of tokens) {
      if (/\d/u.test(word)) this.#figures.add(word);
      else if (word.length > 3) this.#words.add(word.slice(0, 5));
    }
  }

  figures(tokens: readonly Token[]): { said: number; repeated: number } {
    const figures = tokens.filter(({ word }) => /\d/u.test(word));
    return { said: figures.length, repeated: figures.filter(({ word }) => this.#figures.has(word)).length };
  }

  words(tokens: readonly Token[]): number {
    return tokens.filter(({ word }) => word.length > 3 && this.#words.has(word.slice(0, 5))).length;
  }
}

function addWords(list: FeatureList, tokens: readonly Token[], common: CommonWords): void {
  let before = '^';
  let kept = '^';
  for (const { word } of tokens) {
    const plain = /\d/u.test(word) ? '0' : word;
    list.addWord(`w ${plain}`);
    list.addWord(`b ${before} ${plain}`);
    if (plain.length > 4) list.addWord(`p ${plain.slice(0, 4)}`);
    const framed = `<${plain}>`;
    for (let at = 0; at + 4 <= framed.length && at < 12; at += 1) list.addWord(`c ${framed.slice(at, at + 4)}`);
    before = plain;
    const next = isCommon(common, word) ? plain : '?';
    list.addWord(`k ${kept} ${next}`);
    kept = next;
  }
  list.addWord(`b ${before} $`);
  list.addWord(`k ${kept} $`);
  const first = tokens.slice(0, 2).map(({ word }) => word);
  list.addWord(`s ${first[0] ?? ''}`);
  list.addWord(`s2 ${first.join(' ')}`);
}

/** The first and last things that somebody says have words of their own for greeting, naming, offering and parting. */
function addEdgeWords(
  list: FeatureList,
  tokens: readonly Token[],
  { own, back, common }: { own: number; back: number; common: CommonWords },
): void {
  if (own > 1 && back > 1) return;
  const edge = own <= 1 ? 'first' : 'last';
  for (const { word } of tokens) list.addEdge(`${edge} ${word}`);
  addNames(list, tokens, { edge, common });
}

/** Names are words that few calls have: how many there are, beside the set phrases that one of them belongs to. */
function addNames(
  list: FeatureList,
  tokens: readonly Token[],
  { edge, common }: { edge: string; common: CommonWords },
): void {
  const names = `${edge} names ${String(Math.min(NAMES_MAX, tokens.filter(({ word }) => !isCommon(common, word)).length))}`;
  list.addPlaced(names);
  for (const act of readUtterance({ tokens, text: '' }).acts) list.addPlaced(`${names} ${String(act)}`);
}

const NAMES_MAX = 4;

function addForms(list: FeatureList, tokens: readonly Token[]): void {
  const { length } = tokens;
  list.add(`n ${length <= 1 ? 1 : length <= 3 ? 3 : length <= 6 ? 6 : length <= 12 ? 12 : length <= 25 ? 25 : 99}`);
  if (tokens.at(-1)?.pause === 'question') list.add('ends asking');
  if (tokens.some(({ pause }) => pause === 'question')) list.add('asks');
  if (!tokens.some(({ pause }) => pause !== 'none')) list.add('unwritten');
}

/** Set phrases of the lexicon, kinds of small words, and whether something is asked. */
function addPhrases(list: FeatureList, tokens: readonly Token[]): void {
  const { acts, asks, endsAsking, isSeveral } = readUtterance({ tokens, text: '' });
  for (const act of acts) list.add(`act ${String(act)}`);
  const mood = asks ? 'ask' : 'say';
  list.add(mood);
  if (endsAsking) list.add('ends with a question');
  if (isSeveral) list.add('several sentences');
  for (const [name, words] of Object.entries(ROLE_WORDS)) {
    if (!tokens.some(({ word }) => words.has(word))) continue;
    list.add(`kind ${name}`);
    list.add(`${mood} ${name}`);
  }
}

/** So many words are one clause where nobody writes stops. */
const CLAUSE_WORDS_MAX = 14;

/** What the words of each clause do, by themselves and in pairs: "not" beside "done", "I" beside "will". */
function addClauses(list: FeatureList, tokens: readonly Token[]): void {
  let kinds: ClauseKind[] = [];
  let words = 0;
  let isFirst = true;
  const end = (pause: Token['pause']): void => {
    const own = [...new Set(kinds)].sort();
    for (const [at, kind] of own.entries()) {
      list.addClause(`does ${kind}`);
      if (isFirst) list.addClause(`first does ${kind}`);
      if (pause === 'question') list.addClause(`asks ${kind}`);
      for (const other of own.slice(at + 1)) list.addClause(`does ${kind} ${other}`);
    }
    let before = '^';
    for (const kind of kinds) {
      list.addClause(`then ${before} ${kind}`);
      before = kind;
    }
    kinds = [];
    words = 0;
    isFirst = false;
  };
  for (const { word, pause } of tokens) {
    const [kind, ...more] = clauseKindsOf(word);
    if (kind) kinds.push(kind, ...more);
    words += 1;
    if (pause !== 'none' || words >= CLAUSE_WORDS_MAX) end(pause);
  }
  if (words > 0) end('none');
}

/** Beyond this an utterance says so much that any two meanings stand in it. */
const PAIRED_TOKENS_MAX = 30;

/** What the words of an utterance mean, word by word. */
type Meant = readonly (readonly number[])[];

function meantIn(said: readonly Said[], language: string | null): Meant[] {
  if (language === null || !isRead(language)) return said.map(() => []);
  return said.map(({ tokens }) => tokens.map(({ word }) => meaningsOf(word, language)));
}

/** What is meant, by itself and in pairs, and what is meant just before and after. */
function addMeanings(
  list: FeatureList,
  said: readonly Said[],
  { index, meant }: { index: number; meant: Meant[] },
): void {
  const own = said[index];
  const words = meant[index] ?? [];
  if (!own) return;
  const some = eachOnce(words.slice(0, TOKENS_MAX));
  const arePaired = words.length <= PAIRED_TOKENS_MAX;
  for (const [at, one] of some.entries()) {
    list.addMeaning(hashOfMeaning(one));
    if (arePaired)
      for (let other = at + 1; other < some.length; other += 1) list.addMeaning(hashOfPair(one, some[other] ?? 0));
  }
  const addNear = (away: -1 | 1, around: Meant): void => {
    const who = said[index + away]?.role === own.role ? 'own' : 'other';
    for (const one of eachOnce(around)) list.addMeantNear(hashesNearby(`m${away < 0 ? '<' : '>'} ${who}`)[one] ?? 0);
  };
  if (index > 0) addNear(-1, meant[index - 1]?.slice(-CONTEXT_TOKENS_MAX) ?? []);
  if (index + 1 < said.length) addNear(1, meant[index + 1]?.slice(0, NEXT_TOKENS_MAX) ?? []);
}

function eachOnce(meant: Meant): number[] {
  return [...new Set(meant.flat())].sort((a, b) => a - b);
}

function addEcho(list: FeatureList, tokens: readonly Token[], other: Heard): void {
  const { said, repeated } = other.figures(tokens);
  if (said > 0) list.add(repeated > 0 ? 'figures repeated' : 'figures new');
  if (said > 2) list.add('many figures');
  list.add(`echo ${Math.min(4, other.words(tokens))}`);
}

/** How many figures and single letters are said, and what they may be by what was named just before. */
function addSecrets(list: FeatureList, said: readonly Said[], index: number): void {
  const own = said[index]?.tokens ?? [];
  const figures = sizeOf(own.reduce((sum, { word }) => sum + figuresIn(word), 0));
  const letters = own.filter(({ word }) => word.length === 1 && !/\d/u.test(word)).length;
  if (letters > 2) list.add('spells');
  if (own.some(({ word }) => /\d/u.test(word) && /\p{L}/u.test(word))) list.add('letters and figures in one');
  list.add(`figures ${figures}`);
  for (const [at, away] of [0, -1, -2].entries()) {
    const tokens = said[index + away]?.tokens.slice(-SECRET_TOKENS_MAX) ?? [];
    const kinds = new Set(tokens.flatMap(({ word }) => secretKindsOf(word)));
    for (const kind of kinds) {
      list.addClause(`secret ${kind} ${String(Math.min(1, at))}`);
      list.add(`secret ${kind} figures ${figures}`);
    }
  }
}

const SECRET_TOKENS_MAX = 40;

function figuresIn(word: string): number {
  const digits = /\d+/u.exec(word)?.[0].length ?? 0;
  return digits > 0 ? digits : Number(isSpokenFigure(word));
}

function sizeOf(figures: number): string {
  return figures === 0 ? 'none' : figures < 3 ? 'few' : figures < 5 ? 'code' : figures < 8 ? 'more' : 'many';
}

/** How the other party's last words end, and how its next ones begin. */
function addContext(list: FeatureList, said: readonly Said[], index: number): void {
  const own = said[index]?.role;
  const before = said[index - 1];
  if (before) {
    const who = before.role === own ? 'own' : 'other';
    for (const { word } of before.tokens.slice(-CONTEXT_TOKENS_MAX)) list.addContext(`< ${who} ${word}`);
    if (before.tokens.at(-1)?.pause === 'question') list.add(`< ${who} asks`);
  }
  const next = said[index + 1];
  if (!next) return;
  const who = next.role === own ? 'own' : 'other';
  for (const { word } of next.tokens.slice(0, NEXT_TOKENS_MAX)) {
    list.addContext(`> ${who} ${word}`);
    for (const kind of clauseKindsOf(word)) list.addContext(`> ${who} does ${kind}`);
  }
}

function addPlace(
  list: FeatureList,
  { index, of, own, ownOf }: { index: number; of: number; own: number; ownOf: number },
): void {
  const back = ownOf - 1 - own;
  list.addPlaced(`from start ${Math.min(4, own)}`);
  list.addPlaced(`from end ${Math.min(4, back)}`);
  list.addPlaced(`quarter ${Math.floor((4 * index) / Math.max(1, of))}`);
  if (index === 0) list.addPlaced('first of all');
  if (index === of - 1) list.addPlaced('last of all');
}
