import { z } from 'zod';
import { ComplianceStatus, JudgedShare, NeedsReviewCount, Scorecard } from './scorecard.ts';

export const analysisStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export const AnalysisStatus = z.enum(analysisStatuses).meta({ id: 'AnalysisStatus' });

export const engineKinds = ['rules', 'model'] as const;

export const AnalysisId = z
  .string()
  .meta({ description: 'Analysis id (`ana_…`).', examples: ['ana_01m7ysd48genfrajdx960h48hv'] });

/** Who answered the checks. */
export const AnalysisEngine = z
  .object({
    kind: z.enum(engineKinds).meta({ description: 'The rules alone, or a language model beside them.' }),
    model: z.string().nullable().meta({ description: 'Provider and model, e.g. `openai/gpt-5-mini`.' }),
    fallback: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the rules answered although a language model was to; else null.' }),
  })
  .meta({ id: 'AnalysisEngine' });

export type AnalysisEngine = z.infer<typeof AnalysisEngine>;

/** The values that a review can change. */
export const Scores = z
  .object({
    qualityScore: Scorecard.shape.qualityScore,
    categories: Scorecard.shape.categories,
    judgedShare: JudgedShare,
    needsReviewCount: NeedsReviewCount.nullable(),
    complianceStatus: ComplianceStatus.nullable(),
  })
  .meta({ id: 'Scores' });

export type Scores = z.infer<typeof Scores>;

type Verdict = Omit<Scores, 'categories'>;

/** The scores of the call as a whole. */
export function verdictOf<Scored extends Verdict>(scored: Scored): Pick<Scored, keyof Verdict> {
  const { qualityScore, judgedShare, needsReviewCount, complianceStatus } = scored;
  return { qualityScore, judgedShare, needsReviewCount, complianceStatus };
}
