import type { RedactionKind } from '../../model/redaction.ts';
import { isQuantity, type Conversation } from '../conversation.ts';
import type { Topic } from '../lexicon.ts';
import { findRequests, type Request } from '../requests.ts';
import type { Run } from '../runs.ts';
import type { Finding } from '../spans.ts';
import type { Turn } from '../turns.ts';
import { isLastPart } from './national-ids.ts';

/** How many figures a number has, a few of them misheard or lost. */
type Length = { kind: RedactionKind; digitsMin: number; digitsMax: number; digitsUsual: number };

const LENGTHS: Partial<Record<Topic, Length>> = {
  card: { kind: 'card_number', digitsMin: 8, digitsMax: 22, digitsUsual: 15 },
  iban: { kind: 'iban', digitsMin: 10, digitsMax: 40, digitsUsual: 18 },
  account: { kind: 'bank_account', digitsMin: 5, digitsMax: 26, digitsUsual: 18 },
  id: { kind: 'national_id', digitsMin: 5, digitsMax: 20, digitsUsual: 12 },
  phone: { kind: 'phone_number', digitsMin: 6, digitsMax: 16, digitsUsual: 9 },
};
/** Spoken of beside a number without being another one. */
const BESIDE: Partial<Record<Topic, ReadonlySet<Topic>>> = {
  iban: new Set(['account']),
  account: new Set(['iban']),
};

/**
 * All digits in answer to a request for a number, with any words in between ("… hold on, I turned the page …"), also
 * over several turns, as long as nothing else is named and their number fits.
 */
export function findDictations(conversation: Conversation): Finding[] {
  return findRequests(conversation, ({ topic }) => LENGTHS[topic] !== undefined).flatMap((request) => {
    const length = LENGTHS[request.lead.topic];
    if (!length || !request.isSure || request.isOfCustomer || isLastPart(conversation.tokens, request.lead)) return [];
    const pieces = piecesOf(conversation, request, length);
    const digits = pieces.reduce((sum, piece) => sum + piece.digits.length, 0);
    if (digits < length.digitsMin) return [];
    return pieces.map(({ from, to }) => ({ kind: length.kind, from, to }));
  });
}

const gapTokensMax = 16;
const openingTokensMax = 2;
/** A number that has its usual length continues only after hardly a word. */
const wholeGapMax = 4;

function piecesOf(
  conversation: Conversation,
  { lead, answers }: Request,
  { digitsMin, digitsMax, digitsUsual }: Length,
): Run[] {
  const pieces: Run[] = [];
  let digits = 0;
  for (const turn of answers) {
    const isWhole = digits >= digitsMin;
    for (const run of runsIn(conversation, turn, lead.topic)) {
      // Digits after a complete number are something else, unless they follow at once.
      if (isWhole && (pieces.at(-1)?.to ?? 0) <= turn.from && run.from - turn.from > openingTokensMax) return pieces;
      const last = pieces.at(-1);
      const isFar = last !== undefined && last.to > turn.from && run.from - last.to > gapTokensMax;
      if (isFar || digits + run.digits.length > digitsMax) return pieces;
      const gap = last ? run.from - last.to : 0;
      const isCount = gap > 0 && run.digits.length <= 2;
      if (digits >= digitsUsual && (gap > wholeGapMax || isCount)) return pieces;
      const isStray = run.digits.length === 1 && (last === undefined || gap > wholeGapMax);
      const isRest = digits >= digitsMin;
      if (isStray || isQuantity(conversation, run) || isYear(run)) continue;
      if (!isRest && isLastPart(conversation.tokens, run)) continue;
      pieces.push(run);
      digits += run.digits.length;
    }
  }
  return pieces;
}

/** Those of a turn until something else is named. */
function runsIn({ runs, leads }: Conversation, turn: Turn, topic: Topic): Run[] {
  const end = leads.find(
    (lead) => lead.from >= turn.from && lead.topic !== topic && BESIDE[topic]?.has(lead.topic) !== true,
  );
  return runs.filter((run) => run.from >= turn.from && run.to <= Math.min(turn.to, end?.from ?? Infinity));
}

function isYear({ groups, digits }: Run): boolean {
  return groups.length === 1 && /^(?:19|20)\d\d$/.test(digits);
}
