import type { AnalysisEngine } from '../model/analysis.ts';
import type { Scorecard } from '../model/scorecard.ts';
import type { StoredAnswer } from '../domain/analyses/service.ts';
import type { ScoredBy } from '../domain/processing/service.ts';
import type { CallToScore, HeavyWork } from '../domain/heavy-work.ts';
import { type KeptTranscript, UnredactedError } from '../domain/transcripts/service.ts';
import { depthOf, isShallower, type RedactionDepth } from '../model/redaction.ts';
import { AppError, messageOf } from '../lib/errors.ts';
import { TooExpensiveError } from '../lib/too-expensive.ts';
import { poison, toStepError } from './base/faults.ts';

export type ScoringInput = Omit<CallToScore, 'transcript'> & {
  transcript: CallToScore['transcript'] & Pick<KeptTranscript, 'redactions' | 'namesRedacted'> & { version: number };
  requestedRedaction: RedactionDepth;
  profile: ScoredBy['profile'];
};

/** How asking a language model ended: with answers, or with the reason why there are none. */
export type ModelOutcome =
  | { model: string; answers: readonly StoredAnswer[] }
  | { fallback: NonNullable<AnalysisEngine['fallback']> };

type Scoring = { heavyWork: HeavyWork; orgId: string };

/** Throws a final error if scoring fails: it is pure, so a retry would fail too. */
export async function scoreTranscript(
  { heavyWork, orgId }: Scoring,
  input: ScoringInput,
  outcome: ModelOutcome | null,
): Promise<{ scorecard: Scorecard; scoredBy: ScoredBy }> {
  const { transcript, profile } = input;
  const answers = outcome && 'answers' in outcome ? outcome.answers : null;
  const modelAnswers = answers?.map((each) => each.answers) ?? null;
  try {
    const call = { ...toCall(input), modelAnswers };
    const { scorecard, durationMs } = await heavyWork.run('score', call, { orgId, isAwaited: false });
    const scoredBy = {
      profile,
      engine: engineOf(outcome),
      tokens: answers && sumTokens(answers),
      transcriptVersion: transcript.version,
      redaction: depthOf(transcript),
      transcriptSource: transcript.source,
      durationMs,
    };
    return { scorecard, scoredBy };
  } catch (error) {
    throw toScoringFault(error);
  }
}

/** If the service is stopping, the work is left for later. */
export function toScoringFault(error: unknown): unknown {
  if (error instanceof AppError || error instanceof TooExpensiveError) return toStepError(error);
  const reason = messageOf(error);
  return poison('SCORING_FAILED', `The call could not be scored: ${reason}`, error);
}

/** Throws what `withRedactedWords` handles: no model and no analysis gets words that the project wants redacted. */
export function refuseUnredacted({
  transcript,
  requestedRedaction,
}: {
  transcript: Redactable;
  requestedRedaction: RedactionDepth;
}) {
  if (transcript && isShallower(depthOf(transcript), requestedRedaction))
    throw new UnredactedError('The call has to be redacted first.', requestedRedaction);
}

type Redactable = Pick<KeptTranscript, 'redactions' | 'namesRedacted'> | null;

/** A stored call in the format of scoring. */
export function toCall({ transcript, rubric, agentName, durationSeconds }: ScoringInput): CallToScore {
  const { recordId, language, source, model, channels, speakers, segments, durationMs } = transcript;
  return {
    transcript: { recordId, language, source, model, channels, speakers, segments, durationMs },
    rubric,
    agentName,
    durationSeconds,
  };
}

function engineOf(outcome: ModelOutcome | null): AnalysisEngine {
  if (!outcome) return { kind: 'rules', model: null, fallback: null };
  if ('fallback' in outcome) return { kind: 'rules', model: null, fallback: outcome.fallback };
  return { kind: 'model', model: outcome.model, fallback: null };
}

function sumTokens(answers: readonly StoredAnswer[]): NonNullable<ScoredBy['tokens']> {
  return {
    inputTokens: answers.reduce((sum, each) => sum + each.inputTokens, 0),
    outputTokens: answers.reduce((sum, each) => sum + each.outputTokens, 0),
  };
}
