import type { CallFacts } from '../facts/facts.ts';
import type { Result } from '../facts/results.ts';
import type { Finding } from '../findings/answer.ts';
import { withoutSlights } from '../accusations/slights.ts';
import { clauseEnd } from '../conversation/finder.ts';
import { agentActs, likeliest, rangeOf, shareOf } from './acts-said.ts';
import { requestOf } from './request.ts';
import { isRead } from '../languages/language.ts';
import { meaningNamed, meaningsOf } from '../lexicon/meanings/meanings.ts';
import { quoted, sentenceStart } from './speech.ts';

/** Whether the words that the rules take for the result are more likely something else, and others are it. */
export function isUnlikely(facts: CallFacts, { kind, from }: Result): boolean {
  const utterance = facts.conversation.tokens[from]?.utterance;
  const shares = (['result_done', 'explanation', 'next_step'] as const).map(
    (act) => shareOf(agentActs(facts, act), utterance) ?? 1,
  );
  const best = likeliest(agentActs(facts, kind === 'next' ? 'next_step' : 'result_done'))?.share ?? 0;
  const isElsewhere = kind !== 'next' && best >= OUTCOME_EVIDENT && (shares[0] ?? 1) < OUTCOME_SHARE_MIN;
  return isElsewhere || (Math.max(...shares) < OUTCOME_SHARE_MIN && best >= OUTCOME_SURE);
}

/** From here on nobody doubts where the result is. */
const OUTCOME_EVIDENT = 0.85;
const OUTCOME_SURE = 0.6;

/** The agent's words that most likely are the result, or the next step; null where they are too few to tell it. */
export function likelyOutcome(facts: CallFacts, { answer }: Finding): { from: number; to: number } | null {
  const { need } = facts;
  const steps = agentActs(facts, 'next_step');
  const after = agentActs(facts, 'result_done').flatMap(({ utterance, share: result }) => {
    const range = rangeOf(facts, utterance);
    if (!range || range.from < (need?.from ?? 0)) return [];
    const step = shareOf(steps, utterance) ?? 0;
    const [asResult, asStep] = [result - step / 2, step / 2];
    const share = answer === 'partial' ? step : answer === 'pass' ? asResult : Math.max(asResult, asStep);
    const said = answer === 'partial' ? step : answer === 'pass' ? result : Math.max(result, step);
    return said < OUTCOME_SHARE_MIN ? [] : [{ utterance, share: share - (isConditional(facts, range) ? IF_LESS : 0) }];
  });
  const found = likeliest(after);
  const range = found && rangeOf(facts, found.utterance);
  const clean = range ? withoutSlights(facts.slights, range, range.to - 1) : null;
  return clean && clean.to - clean.from >= OUTCOME_WORDS_MIN ? clean : null;
}

/** "If it drops again, call me" is said beside the result. */
function isConditional({ conversation, messages }: CallFacts, { from, to }: { from: number; to: number }): boolean {
  const { language } = messages;
  if (!isRead(language)) return false;
  return conversation.tokens.slice(from, to).some(({ word }) => meaningsOf(word, language).includes(IF));
}

const IF = meaningNamed('if_once');
const IF_LESS = 0.2;
const OUTCOME_SHARE_MIN = 0.3;
const OUTCOME_WORDS_MIN = 4;

/** What became of the request: the last that is done, else the answer, else a step. */
export function mainResult(facts: CallFacts): Result | undefined {
  const from = Math.min(facts.need?.from ?? 0, requestOf(facts)?.from ?? Infinity);
  const after = facts.results.filter(({ to }) => to > from);
  return (
    after.findLast(({ kind }) => kind === 'done') ??
    after.find(({ kind }) => kind === 'answer') ??
    after.findLast(({ kind }) => kind === 'next')
  );
}

/** The words of a result to show, without anything rude beside them; empty where nothing fit to show is left. */
export function resultRange(
  { conversation, questions, slights }: CallFacts,
  { from, to }: { from: number; to: number },
): { from: number; to: number } {
  const end = Math.max(to, clauseEnd(conversation.tokens, from));
  const question = questions.find((each) => each.from >= to && each.from < end);
  const stretch = { from: sentenceStart(conversation, from), to: question ? question.from : end };
  return withoutSlights(slights, stretch, to - 1) ?? { from: to, to };
}

/** What the first quote of a finding is taken from, in quotes; null without one. */
export function saidIn(
  facts: CallFacts,
  { evidence }: { evidence: readonly { segmentId: string }[] },
  wordsMax = 16,
): string | null {
  const [shown] = evidence;
  const tokens = facts.conversation.tokens.filter(({ utterance }) => utterance.segment.id === shown?.segmentId);
  const [first] = tokens;
  const last = tokens.at(-1);
  return first && last ? quoted(facts, { from: first.at, to: last.at + 1 }, wordsMax) : null;
}
