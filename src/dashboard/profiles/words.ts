import type { Check, Condition, Exemption } from '../../model/checks.ts';
import type { MetricName, Part } from '../../model/rubric-parts.ts';
import type { Outputs } from '../lib/trpc.ts';

type Labels<Name extends string> = Record<Name, string>;

export const kinds: Labels<Check['kind']> = { phrase: 'Phrases', metric: 'Figures', model: 'Question' };

export const kindHints: Labels<Check['kind']> = {
  phrase: 'Looks for words in the transcript.',
  metric: 'Compares a figure of the call with limits.',
  model: 'A question for a language model. Without one, a built-in detector answers, else a person has to look.',
};

export const roles = { agent: 'The agent', customer: 'The customer', anyone: 'Anyone' } as const;

export const parts: Labels<Part['part']> = {
  whole: 'anywhere in the call',
  firstTurns: 'in their first turns',
  lastTurns: 'in their last turns',
  firstSeconds: 'in the first seconds',
  lastSeconds: 'in the last seconds',
  firstHalf: 'in the first half',
  secondHalf: 'in the second half',
  betweenGreetingAndClosing: 'between greeting and closing',
};

export const metrics: Labels<MetricName> = {
  agentInterruptions: 'Interruptions by the agent',
  customerInterruptions: 'Interruptions by the customer',
  agentOverlapPercent: 'Talk over the customer (%)',
  agentWordsPerMinute: 'Agent, words per minute',
  customerWordsPerMinute: 'Customer, words per minute',
  agentTalkPercent: 'Talk ratio of the agent (%)',
  longestMonologueSeconds: 'Longest monologue (seconds)',
  longestSilenceSeconds: 'Longest silence (seconds)',
  nonTalkSeconds: 'Time without talk (seconds)',
  durationSeconds: 'Length of the call (seconds)',
  customerSentiment: 'Sentiment of the customer (−1 to 1)',
  agentSentiment: 'Sentiment of the agent (−1 to 1)',
};

export const exemptions: Labels<Exemption> = {
  midCallStart: 'The recording starts mid-call',
  needStatedFirst: 'The customer says first what is needed',
  customerEndsFirst: 'The customer ends the call first',
  noChanceToClose: 'The call breaks off before a closing',
  noCustomerSpeech: 'The customer says nothing',
  unknownSpeakers: 'The voices cannot be told apart',
};

export const checkDetectors = {
  company: 'Company or department is named',
  ownName: 'Agent’s own name',
  understood: 'The need is understood',
  details: 'Details are confirmed',
  resolved: 'The request is resolved',
  accepted: 'The customer accepts',
  respect: 'Respect',
  hold: 'Silences are announced',
} as const;

export const ruleDetectors = {
  sensitiveData: 'Sensitive data aloud',
  pressure: 'Threats, guarantees, secrecy',
} as const;

export const severities = { low: 'Low', medium: 'Medium', high: 'High' } as const;

export const conditionKinds: Labels<Condition['kind']> = {
  phrase: 'when something is said',
  metric: 'when a figure is within limits',
  answer: 'when another check has an answer',
};

export type Template = Outputs['profiles']['templates']['data'][number];
export type TemplateKey = Template['key'];

export const templateTitles: Labels<TemplateKey> = {
  service: 'Service',
  sales: 'Sales',
  support: 'Support',
  collections: 'Collections',
};

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
