import { z } from 'zod';
import { Severity } from '../analyses/schemas.ts';

const key = z
  .string()
  .max(80)
  .regex(
    /^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/u,
    'Use letters and digits, parted by dots, dashes or underscores.',
  );
const title = z.string().trim().min(1).max(160);
const weight = z.number().min(0).max(1000).meta({ description: 'Relative to the weights beside it.' });

const phrases = z
  .array(
    z
      .string()
      .min(2)
      .max(300)
      .refine((text) => /[\p{L}\p{N}]/u.test(text), 'A phrase needs at least one word.')
      .refine((text) => !text.includes('\0'), 'A phrase must not contain NUL.')
      .refine((text) => text.split(/\s+/u).filter((part) => part === '*').length <= 3, 'At most three gaps (*).'),
  )
  .min(1)
  .max(300)
  .meta({
    description:
      'Plain words. `a/b` are alternatives for one place, `*` stands for up to three words. Never a regular expression; small recognition errors are tolerated.',
    examples: [['thank you for calling', 'how can/may i help']],
  });

/** Which part of the call is looked at. Turns are counted for the party of the rule. */
export const Part = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('whole') }),
  z.strictObject({ part: z.literal('firstTurns'), turns: z.int().min(1).max(100) }),
  z.strictObject({ part: z.literal('lastTurns'), turns: z.int().min(1).max(100) }),
  z.strictObject({ part: z.literal('firstSeconds'), seconds: z.int().min(1).max(3600) }),
  z.strictObject({ part: z.literal('secondHalf') }),
  z.strictObject({ part: z.literal('betweenGreetingAndClosing') }),
]);
export type Part = z.infer<typeof Part>;

/** A reason why a check cannot apply to a call; the check is then left out of the weights. */
export const Exemption = z.enum([
  'midCallStart',
  'needStatedFirst',
  'customerEndsFirst',
  'noChanceToClose',
  'noCustomerSpeech',
  'unknownSpeakers',
]);
export type Exemption = z.infer<typeof Exemption>;

const base = {
  key,
  title,
  weight,
  critical: z.boolean().default(false).meta({ description: 'A failed critical check caps the quality score at 49.' }),
  exemptions: z.array(Exemption).max(6).default([]),
};
const role = z.enum(['agent', 'customer', 'anyone']);

export const PhraseCheck = z.strictObject({
  ...base,
  kind: z.literal('phrase'),
  role: role.default('agent'),
  where: Part.default({ part: 'whole' }),
  expect: z.enum(['present', 'absent']).default('present'),
  phrases,
  ignore: phrases.optional().meta({ description: 'Phrases that look like a hit and are none, e.g. "nothing else".' }),
  elsewhere: z
    .enum(['fail', 'partial'])
    .default('fail')
    .meta({ description: 'The answer where a phrase is only found outside the part.' }),
  elsewherePhrases: phrases.optional().meta({ description: 'Further phrases that count outside the part only.' }),
});
export type PhraseCheck = z.infer<typeof PhraseCheck>;

export const MetricName = z.enum([
  'agentInterruptions',
  'customerInterruptions',
  'agentOverlapPercent',
  'agentWordsPerMinute',
  'customerWordsPerMinute',
  'agentTalkPercent',
  'longestMonologueSeconds',
  'nonTalkSeconds',
  'customerSentiment',
  'agentSentiment',
]);
export type MetricName = z.infer<typeof MetricName>;

const Limits = z
  .strictObject({ min: z.number().optional(), max: z.number().optional(), below: z.number().optional() })
  .refine(
    ({ min, max, below }) => min !== undefined || max !== undefined || below !== undefined,
    'Give min, max or below.',
  )
  .refine(
    ({ min, max, below }) => (min ?? -Infinity) <= Math.min(max ?? Infinity, below ?? Infinity),
    'min must not exceed max or below.',
  );
export type Limits = z.infer<typeof Limits>;

export const MetricCheck = z.strictObject({
  ...base,
  kind: z.literal('metric'),
  limits: z
    .array(z.strictObject({ metric: MetricName, pass: Limits, partial: Limits.optional() }))
    .min(1)
    .max(5)
    .meta({ description: 'Every limit is judged; the worst answer counts.' }),
  agentTalkSecondsMin: z
    .number()
    .min(0)
    .optional()
    .meta({ description: 'With less agent talk the check does not apply.' }),
});
export type MetricCheck = z.infer<typeof MetricCheck>;

/** Built-in detectors: what the rules engine answers a question for a language model with. */
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
  key,
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

const ruleBase = { key, title, severity: Severity, enabled: z.boolean().default(true) };

export const ComplianceRule = z.discriminatedUnion('kind', [
  z.strictObject({
    ...ruleBase,
    kind: z.literal('phrase'),
    role: role.default('agent'),
    where: Part.default({ part: 'whole' }),
    expect: z.enum(['present', 'absent']),
    phrases,
    ignore: phrases.optional(),
  }),
  z.strictObject({
    ...ruleBase,
    kind: z.literal('model'),
    question,
    expect,
    detector: ComplianceDetector.nullable().default(null),
  }),
]);
export type ComplianceRule = z.infer<typeof ComplianceRule>;

/** What a call is judged by. Keys are unique, and every level has some weight. */
export const Rubric = z
  .strictObject({
    categories: z.array(Category).min(1).max(20),
    compliance: z.array(ComplianceRule).max(50),
  })
  .check((ctx) => {
    for (const { path, message } of contradictions(ctx.value)) {
      ctx.issues.push({ code: 'custom', input: ctx.value, path, message });
    }
  });
export type Rubric = z.infer<typeof Rubric>;

type Contradiction = { path: (string | number)[]; message: string };

function contradictions({
  categories,
  compliance,
}: {
  categories: Category[];
  compliance: ComplianceRule[];
}): Contradiction[] {
  const checks = categories.flatMap((category, index) =>
    category.checks.map((check, place) => ({ key: check.key, path: ['categories', index, 'checks', place, 'key'] })),
  );
  return [
    ...repeatedKeys(
      categories.map(({ key }, index) => ({ key, path: ['categories', index, 'key'] })),
      'category',
    ),
    ...repeatedKeys(checks, 'check'),
    ...repeatedKeys(
      compliance.map(({ key }, index) => ({ key, path: ['compliance', index, 'key'] })),
      'compliance rule',
    ),
    ...withoutWeight(categories),
  ];
}

function repeatedKeys(entries: { key: string; path: (string | number)[] }[], what: string): Contradiction[] {
  const seen = new Set<string>();
  return entries.flatMap(({ key, path }) => {
    if (!seen.has(key)) return seen.add(key) && [];
    return [{ path, message: `Another ${what} already has the key "${key}".` }];
  });
}

function withoutWeight(categories: Category[]): Contradiction[] {
  const sum = (parts: { weight: number }[]): number => parts.reduce((total, part) => total + part.weight, 0);
  const empty = categories.flatMap(({ key, checks }, index) =>
    sum(checks) > 0
      ? []
      : [{ path: ['categories', index, 'checks'], message: `The checks of "${key}" have no weight.` }],
  );
  if (sum(categories) > 0) return empty;
  return [...empty, { path: ['categories'], message: 'The categories have no weight: at least one must be above 0.' }];
}
