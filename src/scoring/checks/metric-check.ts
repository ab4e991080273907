import type { CheckAnswer } from '../../model/scorecard.ts';
import type { MetricCheck } from '../../model/checks.ts';
import type { Limits, MetricName } from '../../model/rubric-parts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import { quoteUtterance } from '../findings/evidence.ts';
import { exemptionOf } from '../findings/exemptions.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clock, listWords } from '../report/format.ts';
import { unread } from './unjudged.ts';

/** Answers a check from measurements: each limit is judged, the worst answer counts. */
export function answerMetricCheck(check: MetricCheck, facts: CallFacts): Finding {
  const exempted = exemptionOf(check.exemptions, facts);
  if (exempted !== null) return finding('not_applicable', exempted);
  const agentMs = facts.measurements.metrics.talkTimeMs.agent;
  if (check.agentTalkSecondsMin !== undefined && agentMs < check.agentTalkSecondsMin * 1000) {
    return finding(
      'not_applicable',
      `The agent speaks for less than ${String(check.agentTalkSecondsMin)} seconds: too little to judge.`,
    );
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
  const judged = limits.map(({ metric, pass, partial }) => {
    const value = readMetric(metric, facts);
    return { metric, value, answer: judge(value, pass, partial) };
  });
  if (judged.every(({ answer }) => answer === 'not_applicable'))
    return finding('not_applicable', 'The call gives nothing to measure here.');
  const answer = worst(judged.map((each) => each.answer));
  const relevant = judged.filter((each) => each.value !== null && (answer === 'pass' || each.answer === answer));
  const some = relevant.filter(({ metric, value }) => !isNothing(metric, value ?? 0));
  const telling = some.length > 0 ? some : relevant.slice(0, 1);
  const rationale = `${listWords(telling.map(({ metric, value }) => describe(metric, value ?? 0)))}.`;
  return {
    ...finding(answer, rationale.charAt(0).toUpperCase() + rationale.slice(1)),
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

function describe(metric: MetricName, value: number): string {
  const count = value === 0 ? 'never' : value === 1 ? 'once' : value === 2 ? 'twice' : `${String(value)} times`;
  switch (metric) {
    case 'agentInterruptions':
      return `the agent ${value === 0 ? 'never interrupts' : 'interrupts'} the customer${value === 0 ? '' : ` ${count}`}`;
    case 'customerInterruptions':
      return value === 0 ? 'the customer never interrupts the agent' : `the customer interrupts the agent ${count}`;
    case 'agentOverlapPercent':
      if (isNothing(metric, value)) return 'the agent does not talk over the customer';
      return `the agent talks over the customer for ${value.toFixed(value < 10 ? 1 : 0)} % of the time`;
    case 'agentWordsPerMinute':
      return `the agent speaks ${String(Math.round(value))} words a minute`;
    case 'customerWordsPerMinute':
      return `the customer speaks ${String(Math.round(value))} words a minute`;
    case 'agentTalkPercent':
      return `the agent has ${String(Math.round(value))} % of the talk time`;
    case 'longestMonologueSeconds':
      return `the longest monologue lasts ${String(Math.round(value))} seconds`;
    case 'nonTalkSeconds':
      return `nobody speaks for ${String(Math.round(value))} seconds in all`;
    case 'longestSilenceSeconds':
      return `the longest silence lasts ${String(Math.round(value))} seconds`;
    case 'durationSeconds':
      return `the call lasts ${String(Math.round(value))} seconds`;
    case 'customerSentiment':
      return `the customer's words score ${value.toFixed(2)} between -1 and 1`;
    case 'agentSentiment':
      return `the agent's words score ${value.toFixed(2)} between -1 and 1`;
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
    notes: [listWords(interruptions.slice(0, 4).map(({ overlap }) => clock(overlap.startMs)))],
  };
}
