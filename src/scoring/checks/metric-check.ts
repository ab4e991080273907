import type { CheckAnswer } from '../../model/scorecard.ts';
import type { MetricCheck } from '../../model/checks.ts';
import type { Limits, MetricName } from '../../model/rubric-parts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import { quoteUtterance } from '../findings/evidence.ts';
import { exemptionOf } from '../findings/exemptions.ts';
import type { CallFacts } from '../facts/facts.ts';
import { capitalize, clock } from '../messages/format.ts';
import { unread } from './unjudged.ts';

/** Answers a check from measurements: each limit is judged, the worst answer counts. */
export function answerMetricCheck(check: MetricCheck, facts: CallFacts): Finding {
  const exempted = exemptionOf(check.exemptions, facts);
  if (exempted !== null) return finding('not_applicable', exempted);
  const agentMs = facts.measurements.metrics.talkTimeMs.agent;
  if (check.agentTalkSecondsMin !== undefined && agentMs < check.agentTalkSecondsMin * 1000) {
    return finding('not_applicable', facts.messages.answers.exempt.tooLittleTalk(check.agentTalkSecondsMin));
  }
  return answerLimits(check.limits, facts);
}

/** How words sound is known where they are read. */
function isOfWords({ metric }: MetricCheck['limits'][number]): boolean {
  return metric === 'customerSentiment' || metric === 'agentSentiment';
}

/** Judges each limit by the measurements; the worst answer counts. */
export function answerLimits(limits: MetricCheck['limits'], facts: CallFacts): Finding {
  if (facts.languages.doubt !== null && limits.some(isOfWords)) return unread(facts);
  const { answers: say } = facts.messages;
  const judged = limits.map(({ metric, pass, partial }) => {
    const value = readMetric(metric, facts);
    return { metric, value, answer: judge(value, pass, partial) };
  });
  if (judged.every(({ answer }) => answer === 'not_applicable'))
    return finding('not_applicable', say.exempt.nothingToMeasure);
  const answer = worst(judged.map((each) => each.answer));
  const relevant = judged.filter((each) => each.value !== null && (answer === 'pass' || each.answer === answer));
  const some = relevant.filter(({ metric, value }) => !isNothing(metric, value ?? 0));
  const telling = some.length > 0 ? some : relevant.slice(0, 1);
  const rationale = `${say.list(telling.map(({ metric, value }) => say.metrics[metric](value ?? 0)))}.`;
  return {
    ...finding(answer, capitalize(rationale)),
    ...pointTo(judged[0]?.metric, answer, facts),
  };
}

/** "0.0 % of the time" tells nobody anything; that nobody is interrupted is told as such. */
function isNothing(metric: MetricName, value: number): boolean {
  return metric === 'agentOverlapPercent' && value < PERCENT_SHOWN_MIN;
}

const PERCENT_SHOWN_MIN = 0.05;

const ORDER: CheckAnswer[] = ['fail', 'partial', 'pass', 'not_applicable', 'needs_review'];

function worst(answers: readonly CheckAnswer[]): CheckAnswer {
  return ORDER.find((answer) => answers.includes(answer)) ?? 'not_applicable';
}

function judge(value: number | null, pass: Limits, partial: Limits | undefined): CheckAnswer {
  if (value === null) return 'not_applicable';
  if (isWithin(value, pass)) return 'pass';
  return partial && isWithin(value, partial) ? 'partial' : 'fail';
}

export function isWithin(value: number, { min, above, max, below }: Limits): boolean {
  const isEnough = value >= (min ?? -Infinity) && (above === undefined || value > above);
  return isEnough && value <= (max ?? Infinity) && (below === undefined || value < below);
}

export function readMetric(metric: MetricName, { measurements, conversation }: CallFacts): number | null {
  const { metrics, agentOverlapShare } = measurements;
  switch (metric) {
    case 'agentInterruptions':
      return metrics.interruptions.agent;
    case 'customerInterruptions':
      return metrics.interruptions.customer;
    case 'agentOverlapPercent':
      return agentOverlapShare * 100;
    case 'agentWordsPerMinute':
      return metrics.wordsPerMinute.agent;
    case 'customerWordsPerMinute':
      return metrics.wordsPerMinute.customer;
    case 'agentTalkPercent':
      return metrics.talkRatio === null ? null : metrics.talkRatio * 100;
    case 'longestMonologueSeconds':
      return metrics.longestMonologueMs / 1000;
    case 'nonTalkSeconds':
      return metrics.nonTalkTimeMs / 1000;
    case 'longestSilenceSeconds':
      return measurements.silences.reduce((most, { startMs, endMs }) => Math.max(most, endMs - startMs), 0) / 1000;
    case 'durationSeconds':
      return conversation.durationMs / 1000;
    case 'customerSentiment':
      return metrics.sentiment.customer;
    case 'agentSentiment':
      return metrics.sentiment.agent;
    default:
      return metric satisfies never;
  }
}

/** Interruptions can be listened to: they are quoted, with their times. */
function pointTo(metric: MetricName | undefined, answer: CheckAnswer, facts: CallFacts): Partial<Finding> {
  const interruptions = facts.measurements.interruptionsByAgent;
  const [first] = interruptions;
  if (metric !== 'agentInterruptions' || answer === 'pass' || !first) return {};
  return {
    evidence: interruptions.slice(0, 5).flatMap(({ by }) => quoteUtterance(by)),
    atMs: first.overlap.startMs,
    notes: interruptions.slice(0, 4).map(({ overlap }) => clock(overlap.startMs)),
  };
}
