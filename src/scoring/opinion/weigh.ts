import type { Check } from '../../model/checks.ts';
import { finding, type Finding } from '../findings/answer.ts';
import { quoteUtterance } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clock } from '../report/format.ts';
import { decide, type Decision } from './decide.ts';
import { opinionKeyOf } from './opinion-key.ts';
import { readOpinion, readTold } from './opinion.ts';
import { readPlainness } from './plainness.ts';
import { SHOWN_BY, SIGNALS, type OpinionKey } from './signals.ts';
import { saidIn } from './told.ts';
import { likeliestFor, strongestOf } from './windows.ts';

/** Of less than this nothing was learned: greetings into the void, messages on a machine. */
const UTTERANCES_MIN = 4;

/** Whether the second opinion only tells how sure an answer is, or decides with the rules. */
export type SecondOpinion = 'tells' | 'decides';

/** Sets what the rules found against the second opinion, where the check is one of those that it has learned. */
export function weigh(
  check: Check,
  byRules: Finding,
  { facts, mode }: { facts: CallFacts; mode: SecondOpinion },
): Finding {
  const key = opinionKeyOf(check, facts.language);
  const { customerTurns, agentTurns, isSupplied, spoken } = facts.conversation;
  const isTalk = customerTurns.length > 0 && agentTurns.length > 0 && spoken.length >= UTTERANCES_MIN;
  if (key === null || !isTalk || byRules.answer === 'needs_review') return byRules;
  const opinion = readOpinion(key, facts, byRules);
  if (mode === 'tells') return { ...byRules, confidence: rounded(opinion.shares[byRules.answer]) };
  const isShown = byRules.evidence.length > 0;
  const kind = `${facts.language ?? ''} ${isSupplied ? 'typed' : 'spoken'}`;
  const heard = strongestOf(readTold(facts), SHOWN_BY[key]);
  const plain = readPlainness(facts);
  const decision = decide({ key, answer: byRules.answer, isShown, kind, plain, heard }, opinion);
  const grounds = { basis: decision.basis, confidence: rounded(decision.confidence) };
  if (decision.answer === byRules.answer) return { ...byRules, ...grounds };
  return { ...reworded(key, decision, { byRules, facts }), ...grounds };
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

/** What is asked, as a clause. */
const ASKED: Record<OpinionKey, string> = {
  'greeting.opens': 'the agent greets the customer',
  'greeting.company': 'the agent names the company or department',
  'greeting.name': 'the agent gives their own name',
  'greeting.offer': 'the agent asks how they can help',
  'problem.understood': 'the agent makes sure of the need',
  'problem.details': 'the agent confirms the details',
  'problem.resolved': 'the request is resolved',
  'problem.accepted': 'the customer accepts',
  'professionalism.courtesy': 'the agent is courteous throughout',
  'professionalism.respect': 'the agent treats the customer with respect',
  'closing.more': 'the agent asks what else is needed',
  'closing.thanks': 'the agent thanks the customer',
  'closing.farewell': 'the agent says goodbye',
};

/** An answer that is not that of the rules, with the place of the call where it is decided. */
function reworded(
  key: OpinionKey,
  { answer }: Decision,
  { byRules, facts }: { byRules: Finding; facts: CallFacts },
): Finding {
  const place = likeliestFor(readTold(facts), SIGNALS[key]);
  const utterance = place === null ? undefined : saidIn(facts)[place]?.utterance;
  const quotes = utterance ? [quoteUtterance(utterance)] : [];
  const shown = byRules.evidence.length > 0 ? byRules.evidence.slice(0, 2) : quotes;
  const [first] = answer === 'needs_review' ? shown : quotes;
  const at = clock(first?.startMs ?? 0);
  const heard = first ? { atMs: first.startMs } : {};
  const asked = ASKED[key];
  switch (answer) {
    case 'pass':
      return { ...finding('pass', `In other words than usual, ${asked} at ${at}.`, quotes), ...heard, isByModel: true };
    case 'partial':
      return {
        ...finding('partial', `Only in part can it be said that ${asked}; see ${at}.`, quotes),
        ...heard,
        isByModel: true,
      };
    case 'fail':
      return { ...finding('fail', `Nothing in the call sounds as if ${asked}.`), isByModel: true };
    case 'not_applicable':
      return { ...finding('not_applicable', `The call leaves no room to ask whether ${asked}.`), isByModel: true };
    case 'needs_review':
      return { ...finding('needs_review', `Not sure whether ${asked}: listen at ${at}.`, shown), ...heard };
    default:
      return answer satisfies never;
  }
}
