import type { Check } from '../../model/checks.ts';
import { finding, type Finding } from '../findings/answer.ts';
import { quoteUtterance } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clock } from '../messages/format.ts';
import { decide, type Decision } from './decide.ts';
import { opinionKeyOf } from './opinion-key.ts';
import { type Opinion, readOpinion, readTold } from './opinion.ts';
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
  const key = learnedKeyFor(check, facts);
  if (key === null || byRules.answer === 'needs_review') return byRules;
  const opinion = readOpinion(key, facts, byRules);
  if (mode === 'tells') return { ...byRules, confidence: rounded(opinion.shares[byRules.answer]) };
  const decision = decideFor(key, byRules, { facts, opinion });
  const grounds = { basis: decision.basis, confidence: rounded(decision.confidence) };
  if (decision.answer === byRules.answer) return { ...byRules, ...grounds };
  return { ...reworded(key, decision, { byRules, facts }), ...grounds };
}

/**
 * Sets what a language model answers against what the rules and the second opinion decide, and against words of the call that
 * the rules have for another answer: where they disagree, a person listens. How sure it is, the second opinion tells.
 */
export function weighModel(
  check: Check,
  found: Finding,
  { byRules, facts }: { byRules: Finding; facts: CallFacts },
): Finding {
  const key = learnedKeyFor(check, facts);
  if (found.answer === 'needs_review' || byRules.answer === 'needs_review') return found;
  const isShown = byRules.answer === 'pass' || byRules.answer === 'partial' || byRules.way === 'objected';
  if (isShown && byRules.evidence.length > 0 && byRules.answer !== found.answer)
    return disagreement(found, byRules, facts);
  if (key === null) return found;
  const opinion = readOpinion(key, facts, byRules);
  const decision = decideFor(key, byRules, { facts, opinion });
  const isOther = decision.answer !== 'needs_review' && decision.answer !== found.answer;
  if (isOther) return disagreement(found, decision, facts);
  return { ...found, confidence: rounded(opinion.shares[found.answer]) };
}

function disagreement(found: Finding, { answer }: Pick<Finding, 'answer'>, { messages }: CallFacts): Finding {
  const { byModel, labels } = messages.answers;
  const rationale = byModel.disagrees(labels[found.answer], labels[answer]);
  return { ...found, answer: 'needs_review', rationale };
}

/** Null for checks of which nothing was learned, and where there is too little talk to tell. */
function learnedKeyFor(check: Check, { language, conversation }: CallFacts): OpinionKey | null {
  const { customerTurns, agentTurns, spoken } = conversation;
  const isTalk = customerTurns.length > 0 && agentTurns.length > 0 && spoken.length >= UTTERANCES_MIN;
  return isTalk ? opinionKeyOf(check, language) : null;
}

function decideFor(
  key: OpinionKey,
  byRules: Finding,
  { facts, opinion }: { facts: CallFacts; opinion: Opinion },
): Decision {
  const isShown = byRules.evidence.length > 0;
  const heard = strongestOf(readTold(facts), SHOWN_BY[key]);
  const plain = readPlainness(facts);
  return decide({ key, answer: byRules.answer, isShown, plain, heard }, opinion);
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

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
  const { weighed: say } = facts.messages.answers;
  switch (answer) {
    case 'pass':
    case 'partial':
      return { ...finding(answer, say[answer](key, at), quotes), ...heard, isByModel: true };
    case 'fail':
    case 'not_applicable':
      return { ...finding(answer, say[answer](key)), isByModel: true };
    case 'needs_review':
      return { ...finding('needs_review', say.needs_review(key, at), shown), ...heard };
    default:
      return answer satisfies never;
  }
}
