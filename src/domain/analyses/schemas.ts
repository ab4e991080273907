import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { listAsStored } from '../../lib/plain-json.ts';
import { Segment } from '../../model/transcript.ts';
import { AnalysisStatus, AnalysisId, AnalysisEngine, Scores } from '../../model/analysis.ts';
import {
  CheckResult,
  ComplianceFinding,
  ComplianceStatus,
  JudgedShare,
  Metrics,
  NeedsReviewCount,
  Scorecard,
} from '../../model/scorecard.ts';
import { isOrderedShare, unorderedShare } from '../judged-share.ts';

export const AnalysisParams = z.strictObject({ id: AnalysisId });

export const AnalysisListItem = z
  .object({
    id: AnalysisId,
    recordId: z.string(),
    projectId: z.string(),
    qualityScore: Scorecard.shape.qualityScore.meta({
      description:
        'Weighted mean of the categories, 0-100; null when no agent speaks, or when less was judged than the profile asks for. The final one where it is reviewed.',
    }),
    judgedShare: JudgedShare,
    needsReviewCount: NeedsReviewCount.nullable(),
    summary: z.string().meta({ description: 'What happened in the call, in a few sentences.' }),
    improvements: z.array(z.string()).meta({ description: 'What the agent could do better, most valuable first.' }),
    complianceStatus: ComplianceStatus.nullable().meta({ description: 'Null until analysed.' }),
    categories: Scorecard.shape.categories.meta({
      description: 'Score by category key, 0-100; null where no check of the category applies.',
      examples: [{ greeting: 100, problemResolution: 86, professionalism: 91, closing: 67 }],
    }),
    version: z.int().positive().meta({ description: 'Counts the analyses of the record, from 1.' }),
    current: z.boolean().meta({ description: 'Whether this is the version that the record shows.' }),
    status: AnalysisStatus,
    profile: z
      .object({ id: z.string(), name: z.string(), version: z.int().positive() })
      .meta({ description: 'What the call was judged by, with the name that it had then.' }),
    engine: AnalysisEngine,
    agentName: z.string().nullable(),
    reviewed: z.boolean().meta({ description: 'Whether a person has reviewed it.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'AnalysisListItem' });
export type AnalysisListItem = z.infer<typeof AnalysisListItem>;

export const AnalysisDetail = AnalysisListItem.extend({
  automatic: Scores.meta({ description: 'What was computed from the checks; a review never changes it.' }),
  checks: z.array(CheckResult),
  complianceFindings: z.array(ComplianceFinding),
  metrics: Metrics.nullable().meta({ description: 'Null until analysed.' }),
  topics: z.array(z.string()).meta({ description: 'What the call is about, as far as the engine can tell.' }),
  actionItems: z.array(z.string()).meta({ description: 'What remains to be done after the call.' }),
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
  completedAt: Timestamp.nullable().meta({ description: 'Null until it is completed.' }),
}).meta({ id: 'Analysis' });
export type AnalysisDetail = z.infer<typeof AnalysisDetail>;

const score = z.int().min(0).max(100);
const share = z.number().min(0).max(1);

export const ListAnalysesInput = listInput(
  { sorts: ['createdAt', 'qualityScore', 'judgedShare'], order: 'desc', dated: 'Analysed' },
  {
    projectId: z.string().optional().meta({ description: 'Only analyses of this project.' }),
    recordId: z.string().optional().meta({ description: 'Only analyses of this record.' }),
    complianceStatus: ComplianceStatus.optional().meta({ description: 'Only analyses with this compliance status.' }),
    minScore: score.optional().meta({ description: 'Quality score of at least this; not above `maxScore`.' }),
    maxScore: score.optional().meta({ description: 'Quality score of at most this.' }),
    minJudgedShare: share
      .optional()
      .meta({ description: 'Judged share of at least this; not above `maxJudgedShare`.' }),
    maxJudgedShare: share.optional().meta({ description: 'Judged share of at most this.' }),
    awaitsReview: z.boolean().optional().meta({
      description:
        'Only analyses that need a review for a score, or only others: too little was judged, and nobody has reviewed them.',
    }),
    reviewed: z.boolean().optional().meta({ description: 'Only analyses that a person has, or has not, reviewed.' }),
    agentName: z.string().max(255).optional().meta({ description: 'The exact name of the agent.' }),
    status: AnalysisStatus.optional().meta({ description: 'Only analyses in this status.' }),
    versions: z
      .enum(['current', 'all'])
      .default('current')
      .meta({ description: 'Whether superseded versions are listed too.' }),
  },
)
  .refine(({ minScore, maxScore }) => minScore === undefined || maxScore === undefined || minScore <= maxScore, {
    path: ['minScore'],
    message: '`minScore` is above `maxScore`',
  })
  .refine(isOrderedShare, { path: ['minJudgedShare'], message: unorderedShare });
export type ListAnalysesInput = z.infer<typeof ListAnalysesInput>;

export const AnalysisPage = pageOf(AnalysisListItem).meta({ id: 'AnalysisPage' });
