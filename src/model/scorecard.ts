import { z } from 'zod';

/** The answer to one check of a rubric. Scores: pass 100, partial 50, fail 0; the other answers do not count. */
export const CheckAnswer = z.enum(['pass', 'partial', 'fail', 'not_applicable', 'needs_review']).meta({
  id: 'CheckAnswer',
  description: 'Scores: `pass` 100, `partial` 50, `fail` 0. The others are left out of the weights.',
});
export type CheckAnswer = z.infer<typeof CheckAnswer>;

/** A verbatim quote that supports an answer; it is always found in the segment that it names. */
export const Evidence = z
  .object({
    segmentId: z.string().meta({ description: 'Segment of the transcript (`seg_…`).' }),
    quote: z.string().meta({ description: 'Verbatim; always found in that segment.' }),
    startMs: z.int().nonnegative().meta({ description: 'Milliseconds from the start of the recording.' }),
  })
  .meta({ id: 'Evidence', description: 'A verbatim excerpt that supports an answer.' });
export type Evidence = z.infer<typeof Evidence>;

/** What an answer rests on. */
export const AnswerBasis = z.enum(['evidence', 'absence', 'metric', 'model', 'human']).meta({
  id: 'AnswerBasis',
  description:
    'What an answer rests on: words of the call, that nothing was found, a measurement, a learned or a language model, or a person.',
});
export type AnswerBasis = z.infer<typeof AnswerBasis>;

const grounds = {
  basis: AnswerBasis.optional().meta({ description: 'Left out in analyses of earlier releases.' }),
  confidence: z.number().min(0).max(1).nullable().optional().meta({
    description:
      'How likely a careful reader gives the same answer, as measured on labelled calls; of `needs_review` the likeliest one. Null where nothing was measured, left out in analyses of earlier releases.',
  }),
};

export const CheckResult = z
  .object({
    key: z.string(),
    category: z.string().meta({ description: 'Key of the category that the check counts for.' }),
    title: z.string(),
    weight: z.number().meta({ description: 'Relative to the other checks of the category.' }),
    critical: z.boolean().meta({ description: 'Whether a failure caps the quality score at 49.' }),
    answer: CheckAnswer,
    score: z.int().min(0).max(100).nullable().meta({ description: 'Null where the answer carries no score.' }),
    rationale: z.string().meta({ description: 'Why this answer was given.' }),
    evidence: z.array(Evidence),
    ...grounds,
  })
  .meta({ id: 'CheckResult' });
export type CheckResult = z.infer<typeof CheckResult>;

export const Severity = z.enum(['low', 'medium', 'high']).meta({ id: 'Severity' });
export type Severity = z.infer<typeof Severity>;

export const ComplianceFinding = z
  .object({
    key: z.string(),
    title: z.string(),
    severity: Severity,
    answer: CheckAnswer,
    rationale: z.string().meta({ description: 'Why this answer was given.' }),
    evidence: z.array(Evidence),
    ...grounds,
  })
  .meta({ id: 'ComplianceFinding' });
export type ComplianceFinding = z.infer<typeof ComplianceFinding>;

export const complianceStatuses = ['passed', 'failed', 'needs_review', 'not_applicable'] as const;
export const ComplianceStatus = z.enum(complianceStatuses).meta({
  id: 'ComplianceStatus',
  description:
    '`failed` on a breach of high severity, `needs_review` on any other or where a rule could not be judged.',
});
export type ComplianceStatus = z.infer<typeof ComplianceStatus>;

const perParty = <T extends z.ZodType>(value: T) => z.object({ agent: value, customer: value });

const sentiment = z.number().min(-1).max(1).nullable();

export const Metrics = z
  .object({
    talkTimeMs: perParty(z.int().nonnegative()).meta({ description: 'Speech of each party, overlaps counted once.' }),
    talkRatio: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: "Agent's share of all talk time; null without speech." }),
    nonTalkTimeMs: z.int().nonnegative().meta({ description: 'Time in which nobody speaks.' }),
    longestMonologueMs: z
      .int()
      .nonnegative()
      .meta({ description: 'The longest speech of either party, uninterrupted.' }),
    interruptions: perParty(z.int().nonnegative()).meta({ description: 'How often each party interrupts the other.' }),
    wordsPerMinute: perParty(z.number().nonnegative().nullable()).meta({
      description:
        'Over own talk time. Stretches too short for their words, such as captions without a length, are left out.',
    }),
    sentiment: z
      .object({ agent: sentiment, customer: sentiment, overall: sentiment })
      .meta({ description: 'From -1 (negative) to 1 (positive); null without words.' }),
  })
  .meta({ id: 'Metrics' });
export type Metrics = z.infer<typeof Metrics>;

/** 0.823, not 0.8235: only a fully judged call has 1, and a share below a minimum is never rounded up to it. */
export const JudgedShare = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({
    description:
      'Share (0-1) of the weight that was judged, of what applies to the call: `not_applicable` checks do not count, `needs_review` ones are not judged. In thousandths, rounded down; null where no check applies.',
    examples: [0.823],
  });

export const NeedsReviewCount = z
  .int()
  .nonnegative()
  .meta({ description: 'How many checks are left to a person (`needs_review`).', examples: [2] });

/** The result of scoring a transcript by a profile. Everything in it can be traced to answers and evidence. */
export const Scorecard = z.object({
  qualityScore: z.int().min(0).max(100).nullable(),
  judgedShare: JudgedShare,
  needsReviewCount: NeedsReviewCount,
  categories: z.record(z.string(), z.int().min(0).max(100).nullable()),
  complianceStatus: ComplianceStatus,
  summary: z.string(),
  improvements: z.array(z.string()),
  checks: z.array(CheckResult),
  complianceFindings: z.array(ComplianceFinding),
  metrics: Metrics,
  topics: z.array(z.string()),
  actionItems: z.array(z.string()),
});
export type Scorecard = z.infer<typeof Scorecard>;

const span = { startMs: z.int().nonnegative(), endMs: z.int().nonnegative() };

/** When things happen in the conversation, in milliseconds from the start of the recording, in order. */
export const CallMoments = z.object({
  interruptions: z.array(z.object({ by: z.enum(['agent', 'customer']), ...span })),
  silences: z.array(z.object(span)),
});
export type CallMoments = z.infer<typeof CallMoments>;
