import { hasPlaceholder, isQuantity, type Conversation } from './conversation.ts';
import type { Lead } from './lead.ts';
import type { Topic } from './lexicon.ts';
import type { Run } from './runs.ts';

type Announced = {
  topic: Topic;
  /** Of all pieces together. */
  digitsMin: number;
  digitsMax: number;
};

const firstWithinTokens = 14;
const betweenTokensMax = 10;
const pieceDigitsMin = 3;
const leadsAheadMax = 12;
const announcing = /^(?:number|digit|.*nummer|numero|номер)/u;

/**
 * "The card number is four one one one … sorry, where was I … one one one one": the pieces of a number after a lead that
 * speaks of one, with other words between, until something else is named.
 */
export function findPieces(conversation: Conversation, announced: Announced): Run[] {
  const { leads, tokens } = conversation;
  return leads.flatMap((lead, index) => {
    const isAnnouncing = tokens.slice(lead.from, lead.to).some(({ word }) => announcing.test(word));
    if (lead.topic !== announced.topic || !isAnnouncing) return [];
    const ahead = leads.slice(index + 1, index + leadsAheadMax);
    const other = ahead.find(({ topic }) => topic !== announced.topic);
    return piecesAfter(conversation, { ...announced, lead, end: other?.from ?? Infinity });
  });
}

type Search = Announced & { lead: Lead; end: number };

function piecesAfter(conversation: Conversation, { lead, end, digitsMin, digitsMax }: Search): Run[] {
  const { tokens, runs } = conversation;
  const pieces: Run[] = [];
  let length = 0;
  let reached = lead.to + firstWithinTokens;
  for (let index = firstRunAt(runs, lead.to); index < runs.length; index += 1) {
    const run = runs[index];
    if (!run || run.from > reached || run.from >= end || hasPlaceholder(tokens, lead.to, run.from)) break;
    if (run.digits.length < pieceDigitsMin || isQuantity(conversation, run)) continue;
    pieces.push(run);
    length += run.digits.length;
    reached = run.to + betweenTokensMax;
    if (length > digitsMax) return [];
  }
  return length >= digitsMin ? pieces : [];
}

/** Index of the first run at or after this token. */
function firstRunAt(runs: readonly Run[], at: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.from ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
