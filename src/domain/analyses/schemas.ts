import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { listAsStored } from '../../lib/plain-json.ts';
import { Segment } from '../records/transcript.ts';

/** The answer to one check of a rubric. Scores: pass 100, partial 50, fail 0; the rest is left out of the weights. */
export const CheckAnswer = z.enum(['pass', 'partial', 'fail', 'not_applicable', 'needs_review']).meta({
  id: 'CheckAnswer',
  description: 'Scores: `pass` 100, `partial` 50, `fail` 0. The others are left out of the weights.',
});
export type CheckAnswer = z.infer<typeof CheckAnswer>;

/** A verbatim excerpt that supports an answer; `quote` is always found in the segment that it names. */
export const Evidence = z
  .object({
    segmentId: z.string().meta({ description: 'Segment of the transcript (`seg_…`).' }),
    quote: z.string().meta({ description: 'Verbatim; always found in that segment.' }),
    startMs: z.int().nonnegative().meta({ description: 'Milliseconds from the start of the recording.' }),
  })
  .meta({ id: 'Evidence', description: 'A verbatim excerpt that supports an answer.' });
export type Evidence = z.infer<typeof Evidence>;

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
  })
  .meta({ id: 'ComplianceFinding' });
export type ComplianceFinding = z.infer<typeof ComplianceFinding>;

export const ComplianceStatus = z.enum(['passed', 'failed', 'needs_review', 'not_applicable']).meta({
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

/** What scoring makes of a transcript and a profile: everything in it can be traced to answers and evidence. */
export const Scorecard = z.object({
  qualityScore: z.int().min(0).max(100).nullable(),
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

export const AnalysisStatus = z.enum(['pending', 'processing', 'completed', 'failed']).meta({ id: 'AnalysisStatus' });

export const AnalysisId = z
  .string()
  .meta({ description: 'Analysis id (`ana_…`).', examples: ['ana_01m7ysd48genfrajdx960h48hv'] });
const span = { startMs: z.int().nonnegative(), endMs: z.int().nonnegative() };

/** When something happens between the parties, in milliseconds from the start of the recording, in order. */
export const CallMoments = z.object({
  interruptions: z.array(z.object({ by: z.enum(['agent', 'customer']), ...span })),
  silences: z.array(z.object(span)),
});
export type CallMoments = z.infer<typeof CallMoments>;

export const AnalysisParams = z.strictObject({ id: AnalysisId });

/** Who answered the checks. */
export const AnalysisEngine = z
  .object({
    kind: z.enum(['rules', 'model']).meta({ description: 'The rules alone, or a language model beside them.' }),
    model: z.string().nullable().meta({ description: 'Provider and model, e.g. `openai/gpt-5-mini`.' }),
    fallback: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the rules answered although a language model was to; else null.' }),
  })
  .meta({ id: 'AnalysisEngine' });
export type AnalysisEngine = z.infer<typeof AnalysisEngine>;

export const AnalysisListItem = z
  .object({
    id: AnalysisId,
    recordId: z.string(),
    projectId: z.string(),
    qualityScore: Scorecard.shape.qualityScore.meta({
      description:
        'Weighted mean of the categories, 0-100; null when no agent speaks. The final one where it is reviewed.',
    }),
    summary: z.string().meta({ description: 'What happened in the call, in a few sentences.' }),
    improvements: z.array(z.string()).meta({ description: 'What the agent could do better, most valuable first.' }),
    complianceStatus: ComplianceStatus.nullable(),
    categories: Scorecard.shape.categories.meta({
      description: 'Score by category key, 0-100; null where no check of the category applies.',
      examples: [{ greeting: 100, problemResolution: 86, professionalism: 91, closing: 67 }],
    }),
    version: z.int().positive().meta({ description: 'Counts the analyses of the record, from 1.' }),
    current: z.boolean().meta({ description: 'Whether this is the version that the record shows.' }),
    status: AnalysisStatus,
    profile: z.object({ id: z.string(), name: z.string(), version: z.int().positive() }),
    engine: AnalysisEngine,
    agentName: z.string().nullable(),
    reviewed: z.boolean().meta({ description: 'Whether a person has reviewed it.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'AnalysisListItem' });
export type AnalysisListItem = z.infer<typeof AnalysisListItem>;

/** The values that a review can change. */
export const Scores = z
  .object({
    qualityScore: Scorecard.shape.qualityScore,
    categories: Scorecard.shape.categories,
    complianceStatus: ComplianceStatus.nullable(),
  })
  .meta({ id: 'Scores' });
export type Scores = z.infer<typeof Scores>;

export const AnalysisDetail = AnalysisListItem.extend({
  automatic: Scores.meta({ description: 'What was computed from the checks; a review never changes it.' }),
  checks: z.array(CheckResult),
  complianceFindings: z.array(ComplianceFinding),
  metrics: Metrics.nullable(),
  topics: z.array(z.string()),
  actionItems: z.array(z.string()),
  segments: listAsStored(Segment),
  modelUsage: z
    .object({
      inputTokens: z.int().nonnegative(),
      outputTokens: z.int().nonnegative(),
      cost: z.number().meta({ description: 'Of these tokens; part of the cost of the analysis. At most 4 decimals.' }),
    })
    .nullable()
    .meta({ description: 'What a language model took for it; null where the rules answered alone.' }),
  failure: z
    .object({ code: z.string(), message: z.string(), retryable: z.boolean() })
    .nullable()
    .meta({ description: 'Why the analysis failed; null unless it did.' }),
  reason: z.string().nullable().meta({ description: 'Why a re-analysis was asked for.' }),
  completedAt: Timestamp.nullable(),
}).meta({ id: 'Analysis' });
export type AnalysisDetail = z.infer<typeof AnalysisDetail>;

const score = z.int().min(0).max(100);

export const ListAnalysesInput = listInput(
  { sorts: ['createdAt', 'qualityScore'], order: 'desc' },
  {
    projectId: z.string().optional().meta({ description: 'Only analyses of this project.' }),
    recordId: z.string().optional().meta({ description: 'Only analyses of this record.' }),
    complianceStatus: ComplianceStatus.optional().meta({ description: 'Only analyses with this compliance status.' }),
    minScore: score.optional().meta({ description: 'Quality score of at least this.' }),
    maxScore: score.optional().meta({ description: 'Quality score of at most this.' }),
    reviewed: z.boolean().optional().meta({ description: 'Only analyses that a person has, or has not, reviewed.' }),
    agentName: z.string().max(255).optional().meta({ description: 'The exact name of the agent.' }),
    status: AnalysisStatus.optional().meta({ description: 'Only analyses in this status.' }),
    versions: z
      .enum(['current', 'all'])
      .default('current')
      .meta({ description: 'Whether superseded versions are listed too.' }),
  },
).refine(({ minScore, maxScore }) => minScore === undefined || maxScore === undefined || minScore <= maxScore, {
  path: ['minScore'],
  message: '`minScore` is above `maxScore`',
});
export type ListAnalysesInput = z.infer<typeof ListAnalysesInput>;

export const AnalysisPage = pageOf(AnalysisListItem).meta({ id: 'AnalysisPage' });

export const ReplaceReview = z.boolean().default(false).meta({
  description:
    'Of a call that was reviewed: whether the new analysis may take the place of the review. Until it is completed the reviewed score stays in force.',
});

export const ReanalyzeInput = z.strictObject({
  id: AnalysisId,
  profileId: z.string().meta({ description: 'The profile to score by, in its present version.' }),
  retranscribe: z
    .boolean()
    .default(false)
    .meta({ description: 'Transcribe the recording again instead of using the transcript that is there.' }),
  replaceReview: ReplaceReview,
  reason: z.string().trim().max(1_000).nullish().meta({ description: 'For people; kept with the new analysis.' }),
});
export type ReanalyzeInput = z.infer<typeof ReanalyzeInput>;

/** What asking for a re-analysis answers. */
export const ReanalysisReceipt = z
  .object({
    id: AnalysisId.meta({ description: 'The new analysis.' }),
    previousAnalysisId: AnalysisId.meta({ description: 'The analysis that was named in the request.' }),
    recordId: z.string(),
    profileId: z.string(),
    status: AnalysisStatus,
    createdAt: Timestamp,
  })
  .meta({ id: 'ReanalysisReceipt' });
export type ReanalysisReceipt = z.infer<typeof ReanalysisReceipt>;
