import type { Conversation, Turn } from '../conversation/conversation.ts';
import type { Finder, Hit } from '../conversation/finder.ts';
import { CUSTOMER_ENDS, FAREWELLS, MORE_OFFERS, NOT_FAREWELLS, NOT_MORE_OFFERS } from '../lexicon/closing.ts';
import { OBJECTIONS } from '../lexicon/acceptance.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import type { Need } from './need.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

const moreOffers = compilePhrases([...MORE_OFFERS, ...inOtherLanguages('moreOffers')]);
const notMoreOffers = compilePhrases(NOT_MORE_OFFERS);
const farewells = compilePhrases([
  ...FAREWELLS,
  ...inOtherLanguages('farewells'),
  'thank you for calling/choosing/being',
  'thanks for calling/choosing/being',
]);
const notFarewells = compilePhrases(NOT_FAREWELLS);
const customerEnds = compilePhrases([...CUSTOMER_ENDS, ...inOtherLanguages('leaveTakings')]);
const objections = compilePhrases([...OBJECTIONS, ...inOtherLanguages('objections')]);

const CLOSING_TURNS = 3;

export type Ending = {
  /** Where the agent starts to close (asks what else, thanks for the call, says goodbye). */
  closingFrom: number;
  /** The customer says that the call is over before the agent starts to close. */
  customerEndsFirst: boolean;
  /** The customer ends the call, and the agent does not get another word in. */
  hasNoChanceToClose: boolean;
};

export function readEnding(conversation: Conversation, finder: Finder, need: Need | null): Ending {
  const lastTurns = conversation.agentTurns.slice(-CLOSING_TURNS);
  const closingTurns = new Set(lastTurns);
  const after = need?.from ?? 0;
  const isFree = (hit: Hit, blocked: Hit[]): boolean => !blocked.some(({ from, to }) => from < hit.to && hit.from < to);
  const offers = finder.find(moreOffers, 'agent').filter((hit) => isFree(hit, finder.find(notMoreOffers, 'agent')));
  const farewell = finder
    .find(farewells, 'agent')
    .find((hit) => hit.from > after && closingTurns.has(hit.turn) && isFree(hit, finder.find(notFarewells, 'agent')));
  const offer = offers.findLast((hit) => hit.from > after && turnsAfter(conversation, hit.turn) <= CLOSING_TURNS);
  const closingFrom = Math.min(offer?.from ?? Infinity, farewell?.from ?? Infinity, conversation.tokens.length);
  return {
    closingFrom,
    customerEndsFirst: endsFirst(conversation, finder, { after, closingFrom }),
    hasNoChanceToClose: hangsUp(conversation, finder),
  };
}

function turnsAfter(conversation: Conversation, turn: Turn): number {
  return conversation.agentTurns.filter(({ index }) => index > turn.index).length;
}

function endsFirst(
  conversation: Conversation,
  finder: Finder,
  bounds: { after: number; closingFrom: number },
): boolean {
  if (hangsUp(conversation, finder)) return true;
  const end = finder
    .find(customerEnds, 'customer')
    .find(({ from, turn }) => from > bounds.after && conversation.turns.length - turn.index <= 4);
  return end !== undefined && end.from < bounds.closingFrom;
}

/** The last words are the customer's, who says goodbye or breaks off in anger. */
function hangsUp(conversation: Conversation, finder: Finder): boolean {
  const last = conversation.turns.at(-1);
  if (!last || last.role !== 'customer') return false;
  const isIn = (hit: Hit): boolean => hit.turn === last;
  return finder.find(customerEnds, 'customer').some(isIn) || finder.find(objections, 'customer').some(isIn);
}
