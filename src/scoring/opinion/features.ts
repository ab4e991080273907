import type { Token } from '../../model/text/tokens.ts';
import { clauseKindsOf, type ClauseKind } from '../lexicon/clause-words.ts';
import { isSpokenFigure, secretKindsOf } from '../lexicon/secret-words.ts';
import { ROLE_WORDS } from '../lexicon/role-words.ts';
import { readUtterance } from '../roles/features.ts';

/** What somebody says, with who says it. */
export type Said = { role: 'agent' | 'customer'; tokens: readonly Token[] };

/** Names of features are hashed into this many places. */
export const PLACES = 1 << 14;

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
 * The features of one utterance: where their weights are, and how much each counts. The first `anywhere` of them say nothing of the place in
 * the call.
 */
export type Features = { places: Uint16Array; values: Float32Array; anywhere: number };

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
  return said.map((utterance, index) => {
    const { role, tokens } = utterance;
    const near = tokens.slice(0, TOKENS_MAX);
    const builder = new Builder();
    addWords(builder, near, common);
    addEdgeWords(builder, near, { own: counts[role], back: totals[role] - 1 - counts[role] });
    addForms(builder, near);
    addPhrases(builder, near);
    const other = role === 'agent' ? 'customer' : 'agent';
    addClauses(builder, near);
    addEcho(builder, near, heard[other]);
    addSecrets(builder, said, index);
    addContext(builder, said, index);
    addPlace(builder, { index, of: said.length, own: counts[role], ownOf: totals[role] });
    builder.add(`lang ${language ?? 'none'}`);
    counts[role] += 1;
    heard[role].add(near);
    return builder.build();
  });
}

/** Words are many and share their say, by group; forms and set phrases are few, and each has one of its own. */
class Builder {
  readonly #words = new Set<number>();
  readonly #edges = new Set<number>();
  readonly #placed = new Set<number>();
  readonly #clauses = new Set<number>();
  readonly #context = new Set<number>();
  readonly #forms = new Set<number>();

  addWord(name: string): void {
    this.#words.add(hash(name) % PLACES);
  }

  addEdge(name: string): void {
    this.#edges.add(hash(name) % PLACES);
  }

  addPlaced(name: string): void {
    this.#placed.add(hash(name) % PLACES);
  }

  addClause(name: string): void {
    this.#clauses.add(hash(name) % PLACES);
  }

  addContext(name: string): void {
    this.#context.add(hash(name) % PLACES);
  }

  add(name: string): void {
    this.#forms.add(hash(name) % PLACES);
  }

  build(): Features {
    const words = WORDS_SHARE / Math.sqrt(Math.max(1, this.#words.size + this.#edges.size));
    const groups: [Set<number>, number][] = [
      [this.#words, words],
      [this.#clauses, CLAUSES_SHARE / Math.sqrt(Math.max(1, this.#clauses.size))],
      [this.#context, CONTEXT_SHARE / Math.sqrt(Math.max(1, this.#context.size))],
      [this.#forms, FORM_SHARE],
      [this.#edges, words],
      [this.#placed, FORM_SHARE],
    ];
    const places = groups.flatMap(([names]) => [...names]);
    const values = groups.flatMap(([names, share]) => Array.from(names, () => share));
    const anywhere = places.length - this.#edges.size - this.#placed.size;
    return { places: Uint16Array.from(places), values: Float32Array.from(values), anywhere };
  }
}

const WORDS_SHARE = 2;
const CLAUSES_SHARE = 1;
const CONTEXT_SHARE = 1;
const FORM_SHARE = 0.5;

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

function addWords(builder: Builder, tokens: readonly Token[], common: CommonWords): void {
  let before = '^';
  let kept = '^';
  for (const { word } of tokens) {
    const plain = /\d/u.test(word) ? '0' : word;
    builder.addWord(`w ${plain}`);
    builder.addWord(`b ${before} ${plain}`);
    if (plain.length > 4) builder.addWord(`p ${plain.slice(0, 4)}`);
    const framed = `<${plain}>`;
    for (let at = 0; at + 4 <= framed.length && at < 12; at += 1) builder.addWord(`c ${framed.slice(at, at + 4)}`);
    before = plain;
    const next = isCommon(common, word) ? plain : '?';
    builder.addWord(`k ${kept} ${next}`);
    kept = next;
  }
  builder.addWord(`b ${before} $`);
  builder.addWord(`k ${kept} $`);
  const first = tokens.slice(0, 2).map(({ word }) => word);
  builder.addWord(`s ${first[0] ?? ''}`);
  builder.addWord(`s2 ${first.join(' ')}`);
}

/** The first and last things that somebody says have words of their own for greeting, naming, offering and parting. */
function addEdgeWords(builder: Builder, tokens: readonly Token[], { own, back }: { own: number; back: number }): void {
  if (own > 1 && back > 1) return;
  const edge = own <= 1 ? 'first' : 'last';
  for (const { word } of tokens) builder.addEdge(`${edge} ${word}`);
}

function addForms(builder: Builder, tokens: readonly Token[]): void {
  const { length } = tokens;
  builder.add(`n ${length <= 1 ? 1 : length <= 3 ? 3 : length <= 6 ? 6 : length <= 12 ? 12 : length <= 25 ? 25 : 99}`);
  if (tokens.at(-1)?.pause === 'question') builder.add('ends asking');
  if (tokens.some(({ pause }) => pause === 'question')) builder.add('asks');
  if (!tokens.some(({ pause }) => pause !== 'none')) builder.add('unwritten');
}

/** Set phrases of the lexicon, kinds of small words, and whether something is asked. */
function addPhrases(builder: Builder, tokens: readonly Token[]): void {
  const { acts, asks, endsAsking, isSeveral } = readUtterance({ tokens, text: '' });
  for (const act of acts) builder.add(`act ${String(act)}`);
  const mood = asks ? 'ask' : 'say';
  builder.add(mood);
  if (endsAsking) builder.add('ends with a question');
  if (isSeveral) builder.add('several sentences');
  for (const [name, words] of Object.entries(ROLE_WORDS)) {
    if (!tokens.some(({ word }) => words.has(word))) continue;
    builder.add(`kind ${name}`);
    builder.add(`${mood} ${name}`);
  }
}

/** So many words are one clause where nobody writes stops. */
const CLAUSE_WORDS_MAX = 14;

/** What the words of each clause do, by themselves and in pairs: "not" beside "done", "I" beside "will". */
function addClauses(builder: Builder, tokens: readonly Token[]): void {
  let kinds: ClauseKind[] = [];
  let words = 0;
  let isFirst = true;
  const end = (pause: Token['pause']): void => {
    const own = [...new Set(kinds)].sort();
    for (const [at, kind] of own.entries()) {
      builder.addClause(`does ${kind}`);
      if (isFirst) builder.addClause(`first does ${kind}`);
      if (pause === 'question') builder.addClause(`asks ${kind}`);
      for (const other of own.slice(at + 1)) builder.addClause(`does ${kind} ${other}`);
    }
    let before = '^';
    for (const kind of kinds) {
      builder.addClause(`then ${before} ${kind}`);
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

function addEcho(builder: Builder, tokens: readonly Token[], other: Heard): void {
  const { said, repeated } = other.figures(tokens);
  if (said > 0) builder.add(repeated > 0 ? 'figures repeated' : 'figures new');
  if (said > 2) builder.add('many figures');
  builder.add(`echo ${Math.min(4, other.words(tokens))}`);
}

/** How many figures and single letters are said, and what they may be by what was named just before. */
function addSecrets(builder: Builder, said: readonly Said[], index: number): void {
  const own = said[index]?.tokens ?? [];
  const figures = sizeOf(own.reduce((sum, { word }) => sum + figuresIn(word), 0));
  const letters = own.filter(({ word }) => word.length === 1 && !/\d/u.test(word)).length;
  if (letters > 2) builder.add('spells');
  if (own.some(({ word }) => /\d/u.test(word) && /\p{L}/u.test(word))) builder.add('letters and figures in one');
  builder.add(`figures ${figures}`);
  for (const [at, away] of [0, -1, -2].entries()) {
    const tokens = said[index + away]?.tokens.slice(-SECRET_TOKENS_MAX) ?? [];
    const kinds = new Set(tokens.flatMap(({ word }) => secretKindsOf(word)));
    for (const kind of kinds) {
      builder.addClause(`secret ${kind} ${String(Math.min(1, at))}`);
      builder.add(`secret ${kind} figures ${figures}`);
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
function addContext(builder: Builder, said: readonly Said[], index: number): void {
  const own = said[index]?.role;
  const before = said[index - 1];
  if (before) {
    const who = before.role === own ? 'own' : 'other';
    for (const { word } of before.tokens.slice(-CONTEXT_TOKENS_MAX)) builder.addContext(`< ${who} ${word}`);
    if (before.tokens.at(-1)?.pause === 'question') builder.add(`< ${who} asks`);
  }
  const next = said[index + 1];
  if (!next) return;
  const who = next.role === own ? 'own' : 'other';
  for (const { word } of next.tokens.slice(0, NEXT_TOKENS_MAX)) {
    builder.addContext(`> ${who} ${word}`);
    for (const kind of clauseKindsOf(word)) builder.addContext(`> ${who} does ${kind}`);
  }
}

function addPlace(
  builder: Builder,
  { index, of, own, ownOf }: { index: number; of: number; own: number; ownOf: number },
): void {
  const back = ownOf - 1 - own;
  builder.addPlaced(`from start ${Math.min(4, own)}`);
  builder.addPlaced(`from end ${Math.min(4, back)}`);
  builder.addPlaced(`quarter ${Math.floor((4 * index) / Math.max(1, of))}`);
  if (index === 0) builder.addPlaced('first of all');
  if (index === of - 1) builder.addPlaced('last of all');
}

/** FNV-1a over the UTF-16 units. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c_1b_3c_6d);
  return (value ^ (value >>> 12)) >>> 0;
}
