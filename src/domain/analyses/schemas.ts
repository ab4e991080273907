import { z } from 'zod';
import { order, pageOf, pageQuery } from '../../lib/paging.ts';
import { DateOrTime, isOrderedPeriod, Timestamp, unorderedPeriod } from '../../lib/timestamp.ts';
import { Segment } from '../records/transcript.ts';

/** The answer to one check of a rubric. Scores: pass 100, partial 50, fail 0; the rest is left out of the weights. */
export const CheckAnswer = z.enum(['pass', 'partial', 'fail', 'not_applicable', 'needs_review']);
export type CheckAnswer = z.infer<typeof CheckAnswer>;

/** A verbatim excerpt that supports an answer; `quote` is always found in the segment that it names. */
export const Evidence = z.object({ segmentId: z.string(), quote: z.string(), startMs: z.int().nonnegative() });
export type Evidence = z.infer<typeof Evidence>;

export const CheckResult = z.object({
  key: z.string(),
  category: z.string(),
  title: z.string(),
  weight: z.number(),
  critical: z.boolean(),
  answer: CheckAnswer,
  score: z.int().min(0).max(100).nullable().meta({ description: 'Null where the answer carries no score.' }),
  rationale: z.string(),
  evidence: z.array(Evidence),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const Severity = z.enum(['low', 'medium', 'high']);
export type Severity = z.infer<typeof Severity>;

export const ComplianceFinding = z.object({
  key: z.string(),
  title: z.string(),
  severity: Severity,
  answer: CheckAnswer,
  rationale: z.string(),
  evidence: z.array(Evidence),
});
export type ComplianceFinding = z.infer<typeof ComplianceFinding>;

export const ComplianceStatus = z.enum(['passed', 'failed', 'needs_review', 'not_applicable']);
export type ComplianceStatus = z.infer<typeof ComplianceStatus>;

const perParty = <T extends z.ZodType>(value: T) => z.object({ agent: value, customer: value });

export const Metrics = z.object({
  talkTimeMs: perParty(z.int().nonnegative()),
  talkRatio: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: "Agent's share of all talk time; null without speech." }),
  nonTalkTimeMs: z.int().nonnegative().meta({ description: 'Time in which nobody speaks.' }),
  longestMonologueMs: z.int().nonnegative(),
  interruptions: perParty(z.int().nonnegative()),
  wordsPerMinute: perParty(z.number().nonnegative().nullable()),
  sentiment: z.object({
    agent: z.number().min(-1).max(1).nullable(),
    customer: z.number().min(-1).max(1).nullable(),
    overall: z.number().min(-1).max(1).nullable(),
  }),
});
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

export const AnalysisStatus = z.enum(['pending', 'processing', 'completed', 'failed']);

export const AnalysisId = z
  .string()
  .max(255)
  .meta({ description: 'Analysis id (`ana_…`).', examples: ['ana_01ky8v3tq6e5ztsn2hj5r5e6dn'] });
export const AnalysisParams = z.object({ id: AnalysisId });

export const AnalysisListItem = z
  .object({
    id: AnalysisId,
    recordId: z.string(),
    projectId: z.string(),
    qualityScore: Scorecard.shape.qualityScore.meta({
      description: 'Weighted mean of the categories, 0-100; null when no agent speaks.',
    }),
    summary: z.string(),
    improvements: z.array(z.string()),
    complianceStatus: ComplianceStatus.nullable(),
    categories: Scorecard.shape.categories.meta({
      description: 'Score by category key, 0-100; null where no check of the category applies.',
      examples: [{ greeting: 100, problemResolution: 86, professionalism: 91, closing: 67 }],
    }),
    version: z.int().positive(),
    current: z.boolean(),
    status: AnalysisStatus,
    profile: z.object({ id: z.string(), name: z.string(), version: z.int().positive() }),
    engine: z.object({ kind: z.enum(['rules', 'model']), model: z.string().nullable() }),
    agentName: z.string().nullable(),
    reviewed: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: 'AnalysisListItem' });
export type AnalysisListItem = z.infer<typeof AnalysisListItem>;

export const AnalysisDetail = AnalysisListItem.extend({
  checks: z.array(CheckResult),
  complianceFindings: z.array(ComplianceFinding),
  metrics: Metrics.nullable(),
  topics: z.array(z.string()),
  actionItems: z.array(z.string()),
  segments: z.array(Segment),
  failure: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
  completedAt: Timestamp.nullable(),
}).meta({ id: 'Analysis' });
export type AnalysisDetail = z.infer<typeof AnalysisDetail>;

const score = z.int().min(0).max(100);

export const ListAnalysesInput = z
  .object({
    ...pageQuery,
    projectId: z.string().max(255).optional(),
    recordId: z.string().max(255).optional(),
    complianceStatus: ComplianceStatus.optional(),
    minScore: score.optional(),
    maxScore: score.optional(),
    reviewed: z.boolean().optional(),
    agentName: z.string().max(255).optional().meta({ description: 'The exact name.' }),
    status: AnalysisStatus.optional(),
    versions: z
      .enum(['current', 'all'])
      .default('current')
      .meta({ description: 'Whether superseded versions are listed too.' }),
    from: DateOrTime.optional(),
    to: DateOrTime.optional(),
    sort: z.enum(['createdAt', 'qualityScore']).default('createdAt'),
    order,
  })
  .refine(isOrderedPeriod, unorderedPeriod)
  .refine(({ minScore, maxScore }) => minScore === undefined || maxScore === undefined || minScore <= maxScore, {
    path: ['minScore'],
    message: '`minScore` is above `maxScore`',
  });
export type ListAnalysesInput = z.infer<typeof ListAnalysesInput>;

export const AnalysisPage = pageOf(AnalysisListItem);
