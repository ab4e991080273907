import { z } from 'zod';
import { Severity } from './scorecard.ts';
import { Key, Limits, MetricName, Phrases, spoken } from './rubric-parts.ts';

const title = z.string().trim().min(1).max(160);
const weight = z
  .number()
  .min(0)
  .max(1000)
  .meta({ description: 'Relative to the weights beside it, of which one at least is above 0.' });
/** Findings are identified by their key alone, so checks and rules share one set of keys. */
const ruleKey = Key.meta({ description: 'Of no other check and no other compliance rule of the profile.' });
const expected = z.enum(['present', 'absent']);

/** A reason why a check does not apply to a call; its weight then does not count. */
export const Exemption = z.enum([
  'midCallStart',
  'needStatedFirst',
  'customerEndsFirst',
  'noChanceToClose',
  'noCustomerSpeech',
  'unknownSpeakers',
]);
export type Exemption = z.infer<typeof Exemption>;

/** A condition that must hold in a call for a rule to apply. */
export const Condition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('phrase'), expect: expected.default('present'), ...spoken }),
  z.strictObject({ kind: z.literal('metric'), metric: MetricName, limits: Limits }),
  z.strictObject({
    kind: z.literal('answer'),
    check: Key.meta({ description: 'Key of a check of this profile that has no such condition itself.' }),
    answers: z
      .array(z.enum(['pass', 'partial', 'fail']))
      .min(1)
      .max(3),
  }),
]);
export type Condition = z.infer<typeof Condition>;

const appliesWhen = Condition.optional().meta({
  description: 'Where this is not so in a call, the answer is `not_applicable` and the weights leave it out.',
});

const base = {
  key: ruleKey,
  title,
  weight,
  critical: z.boolean().default(false).meta({ description: 'A failed critical check caps the quality score at 49.' }),
  exemptions: z.array(Exemption).max(6).default([]),
  appliesWhen,
};

export const PhraseCheck = z.strictObject({
  ...base,
  kind: z.literal('phrase'),
  ...spoken,
  expect: expected.default('present'),
  times: z
    .int()
    .min(1)
    .max(20)
    .optional()
    .meta({ description: 'How often it has to be said; less often is `partial`. Default: once.' }),
  elsewhere: z
    .enum(['fail', 'partial'])
    .default('fail')
    .meta({ description: 'The answer where a phrase is only found outside the part.' }),
  elsewherePhrases: Phrases.optional().meta({ description: 'Further phrases that count outside the part only.' }),
});
export type PhraseCheck = z.infer<typeof PhraseCheck>;

const limits = z
  .array(z.strictObject({ metric: MetricName, pass: Limits, partial: Limits.optional() }))
  .min(1)
  .max(5)
  .meta({ description: 'Every limit is judged; the worst answer counts.' });

export const MetricCheck = z.strictObject({
  ...base,
  kind: z.literal('metric'),
  limits,
  agentTalkSecondsMin: z
    .number()
    .min(0)
    .optional()
    .meta({ description: 'With less agent talk the check does not apply.' }),
});
export type MetricCheck = z.infer<typeof MetricCheck>;

/** Built-in detectors, with which the rules engine answers a check of kind `model`. */
export const CheckDetector = z.enum([
  'company',
  'ownName',
  'understood',
  'details',
  'resolved',
  'accepted',
  'respect',
  'hold',
]);
export type CheckDetector = z.infer<typeof CheckDetector>;

const question = z.string().trim().min(5).max(1000).meta({ description: 'What a language model is asked.' });
const expect = z.enum(['present', 'absent']).optional().meta({
  description:
    'What a language model has to prove with words of the call: `present` a pass (something had to be said), `absent` a fail (something had to be left unsaid). Default: what the detector looks for, else `present`.',
});

export const ModelCheck = z.strictObject({
  ...base,
  kind: z.literal('model'),
  question,
  expect,
  detector: CheckDetector.nullable().default(null).meta({
    description: 'The built-in detector that answers where no language model is used; without one a person must look.',
  }),
});
export type ModelCheck = z.infer<typeof ModelCheck>;

export const Check = z.discriminatedUnion('kind', [PhraseCheck, MetricCheck, ModelCheck]);
export type Check = z.infer<typeof Check>;

export const Category = z.strictObject({
  key: Key.meta({ description: 'Of no other category of the profile.' }),
  title,
  weight,
  critical: z
    .boolean()
    .default(false)
    .meta({ description: 'A score below 50 in this category caps the quality score at 49.' }),
  checks: z.array(Check).min(1).max(50),
});
export type Category = z.infer<typeof Category>;

export const ComplianceDetector = z.enum(['sensitiveData', 'pressure']);
export type ComplianceDetector = z.infer<typeof ComplianceDetector>;

const ruleBase = { key: ruleKey, title, severity: Severity, enabled: z.boolean().default(true), appliesWhen };

export const ComplianceRule = z.discriminatedUnion('kind', [
  z.strictObject({ ...ruleBase, kind: z.literal('phrase'), ...spoken, expect: expected }),
  z.strictObject({ ...ruleBase, kind: z.literal('metric'), limits }),
  z.strictObject({
    ...ruleBase,
    kind: z.literal('model'),
    question,
    expect,
    detector: ComplianceDetector.nullable().default(null),
  }),
]);
export type ComplianceRule = z.infer<typeof ComplianceRule>;
