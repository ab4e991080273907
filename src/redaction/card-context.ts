import type { Conversation } from './conversation.ts';
import { turnAt } from './turns.ts';
import type { Finding } from './spans.ts';

const beforeTokens = 60;
const afterTokens = 15;
const otherWithinTokens = 8;

/**
 * Whether the conversation is about a card here: a number was said, a placeholder stands for one, or a word names it.
 */
export function isAboutCard({ tokens, leads }: Conversation, at: number, cards: readonly Finding[]): boolean {
  const isNear = (from: number, to: number): boolean => from <= at + afterTokens && to >= at - beforeTokens;
  if (cards.some(({ from, to }) => isNear(from, to))) return true;
  for (let place = Math.max(0, at - beforeTokens); place < at; place += 1) {
    if (tokens[place]?.word === '[card number]') return true;
  }
  return leads.some(({ topic, from, to }) => topic === 'card' && isNear(from, to));
}

/** Whether something other than a card was named just before: a voucher expires as well. */
export function isAboutOther({ leads, turns }: Conversation, at: number): boolean {
  const from = turns[turnAt(turns, at)]?.from ?? 0;
  return leads.some(({ topic, to }) => topic === 'other' && to > from && to <= at && at - to <= otherWithinTokens);
}
