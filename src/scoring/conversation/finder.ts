import type { Conversation, PlacedToken, Turn } from './conversation.ts';
import type { PhraseSet } from '../../model/text/compile-phrases.ts';
import { findIndexed, indexWords, type Match, searchAgain, type Searched, type WordIndex } from '../text/phrases.ts';
import type { Work } from '../text/work.ts';

/** A phrase found in a turn; `from` and `to` are positions in the conversation. */
export type Hit = { turn: Turn; from: number; to: number; phrase: string };
export type Side = 'agent' | 'customer' | 'anyone';

export type Finder = {
  /** Every position where the side says one of the phrases, in order. Each set is searched for once per call. */
  find: (set: PhraseSet, side: Side) => Hit[];
  /**
   * The same for phrases that customers write. Throws `TooExpensiveError` once they exceed the work allowed per call.
   * Built-in phrases are known to be cheap and not counted.
   */
  findWithin: (set: PhraseSet, side: Side) => Hit[];
  /** The first match at or after `from` and before `to`. */
  first: (set: PhraseSet, side: Side, range?: { from?: number; to?: number }) => Hit | undefined;
  /** For searching the same words with other turns; null if nobody will. */
  searches: Searches | null;
};

export type Searches = { index: WordIndex; bySet: Map<PhraseSet, Searched> };

/**
 * Steps that the phrases of a rubric may take in a call of any length: some seconds. Three hundred checks with nine
 * phrases each take a tenth of them in a call of an hour.
 */
const WORK_MAX = 100_000_000;

/** With the searches of another finder in the same words, only what may differ is searched for again. */
export function createFinder(conversation: Conversation, before: Searches | null = null): Finder {
  const cache = new Map<PhraseSet, Hit[]>();
  const allowed: Work = { left: WORK_MAX };
  const index = before?.index ?? indexWords(conversation.tokens);
  const searches = before ?? (conversation.areSpeakersKnown ? null : { index, bySet: new Map<PhraseSet, Searched>() });
  const turnAt = (at: number): Turn | undefined => conversation.turns[conversation.tokens[at]?.utterance.turn ?? -1];
  const ends = new Uint32Array(conversation.tokens.length);
  for (const { from, to } of conversation.turns) ends.fill(to, from, to);
  const endOf = (at: number): number => ends[at] ?? at + 1;
  const search = (set: PhraseSet, work?: Work): Match[] => {
    const looking = { index, set, endOf, ...(work && { work }) };
    if (!searches) return findIndexed(looking);
    const { found, searched } = searchAgain({ ...looking, before: searches.bySet.get(set) });
    searches.bySet.set(set, searched);
    return found;
  };
  const all = (set: PhraseSet, work?: Work): Hit[] => {
    const known = cache.get(set);
    if (known) return known;
    const hits = search(set, work).flatMap(({ from, to, phrase }) => {
      const turn = turnAt(from);
      return turn ? [{ turn, from, to, phrase }] : [];
    });
    cache.set(set, hits);
    return hits;
  };
  const of = (hits: Hit[], side: Side): Hit[] =>
    side === 'anyone' ? hits : hits.filter(({ turn }) => turn.role === side);
  const find = (set: PhraseSet, side: Side): Hit[] => of(all(set), side);
  return {
    searches,
    find,
    findWithin: (set, side) => of(all(set, allowed), side),
    first: (set, side, range = {}) =>
      find(set, side).find(({ from, to }) => from >= (range.from ?? 0) && to <= (range.to ?? Infinity)),
  };
}

/**
 * The words from `from` to the end of the clause: up to written punctuation, a new segment after a pause, or the turn's
 * end.
 */
export function clauseEnd(tokens: readonly PlacedToken[], from: number): number {
  return clausesOf(tokens).ends[from] ?? from;
}

/** The start of the clause at this position. */
export function clauseStart(tokens: readonly PlacedToken[], at: number): number {
  return clausesOf(tokens).starts[at] ?? at;
}

/**
 * The start and end of each word's clause, precomputed since they are needed constantly, and a clause may be a whole
 * call.
 */
type Clauses = { starts: Uint32Array; ends: Uint32Array };
const clauses = new WeakMap<readonly PlacedToken[], Clauses>();

function clausesOf(tokens: readonly PlacedToken[]): Clauses {
  const known = clauses.get(tokens);
  if (known) return known;
  const starts = new Uint32Array(tokens.length);
  const ends = new Uint32Array(tokens.length);
  let start = 0;
  for (let at = 1; at <= tokens.length; at += 1) {
    if (at < tokens.length && !isNewClause(tokens[at - 1], tokens[at])) continue;
    starts.fill(start, start, at);
    ends.fill(at, start, at);
    start = at;
  }
  const found = { starts, ends };
  clauses.set(tokens, found);
  return found;
}

function isNewClause(before: PlacedToken | undefined, token: PlacedToken | undefined): boolean {
  return !before || !token || before.utterance.turn !== token.utterance.turn || isNewSentence(before, token);
}

const NEW_SENTENCE_PAUSE_MS = 700;

function isNewSentence(before: PlacedToken, token: PlacedToken): boolean {
  if (before.pause === 'stop' || before.pause === 'question') return true;
  if (before.utterance === token.utterance) return false;
  return token.utterance.segment.startMs - before.utterance.segment.endMs >= NEW_SENTENCE_PAUSE_MS;
}

const NEGATORS = new Set(
  `not no never nothing nobody none without unable neither nor hardly barely cannot nicht kein keine keinen nie niemals
  nunca jamas sin tampoco не нет ни никогда без`.split(/\s+/u),
);

/** Whether one of the few words before (in the same clause) negates the phrase at this position. */
export function isNegated(tokens: readonly PlacedToken[], at: number, reach = 4): boolean {
  const start = Math.max(clauseStart(tokens, at), at - reach);
  for (let place = start; place < at; place += 1) if (NEGATORS.has(tokens[place]?.word ?? '')) return true;
  return false;
}

export function wordsOf(tokens: readonly PlacedToken[], from: number, to: number): string[] {
  return tokens.slice(Math.max(0, from), to).map(({ word }) => word);
}
