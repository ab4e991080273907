import type { Conversation } from '../conversation/conversation.ts';
import { clauseStart, type Finder } from '../conversation/finder.ts';
import { bookFor, type ReadBook } from './books.ts';
import type { PhraseSet } from '../../model/text/compile-phrases.ts';

/** A call with what is looked for in it, and where it stands that takes a sign back or bears it out. */
export type Reading = {
  conversation: Conversation;
  finder: Finder;
  book: ReadBook;
  /** Where the clauses begin in which something is offered, or in which the customer's wish is done. */
  offered: ReadonlySet<number>;
  /** Turns of the customer that protest. */
  protested: ReadonlySet<number>;
  /** Turns of the customer that resist being hurried, or keeping a secret. */
  resisted: ReadonlySet<number>;
  /** Stretches of words that hold a demand, by their number. */
  demands: ReadonlySet<number>;
};

/** So many words are one stretch. */
const STRETCH_WORDS = 32;

export function readFor(
  { conversation, finder }: { conversation: Conversation; finder: Finder },
  language: string | null,
): Reading {
  const book = bookFor(language);
  const { tokens } = conversation;
  const offered = new Set(finder.find(book.offers, 'agent').map(({ from }) => clauseStart(tokens, from)));
  const turnsWith = (set: PhraseSet): ReadonlySet<number> =>
    new Set(finder.find(set, 'customer').map(({ turn }) => turn.index));
  const [protested, resisted] = [turnsWith(book.protests), turnsWith(book.resistance)];
  const demands = new Set(finder.find(book.conditions, 'agent').map(({ from }) => stretchOf(from)));
  return { conversation, finder, book, offered, protested, resisted, demands };
}

function stretchOf(at: number): number {
  return Math.floor(at / STRETCH_WORDS);
}

/** Whether a demand stands in this stretch of words or beside it. */
export function isNearDemand({ demands }: Reading, at: number): boolean {
  const stretch = stretchOf(at);
  return [stretch - 1, stretch, stretch + 1].some((each) => demands.has(each));
}
