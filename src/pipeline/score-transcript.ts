import type { AnalysisEngine, Scorecard } from '../domain/analyses/schemas.ts';
import type { StoredAnswer } from '../domain/analyses/model-answers.ts';
import type { ScoredBy } from '../domain/records/processing.ts';
import type { Rubric } from '../domain/profiles/rubric.ts';
import type { Segment, Transcript } from '../domain/records/transcript.ts';
import { scoreCall, type ScoreCallInput } from '../scoring/score-call.ts';
import { poison } from './faults.ts';

type StoredTranscript = Omit<Transcript, 'text'> & { version: number; durationMs: number | null };

export type ScoringInput = {
  transcript: StoredTranscript;
  rubric: Rubric;
  profile: ScoredBy['profile'];
  agentName: string | null;
  /** Of the record, for transcripts that do not know how long the recording is. */
  durationSeconds: number | null;
};

/** How asking a language model ended: with answers, or with the reason why there are none. */
export type ModelOutcome =
  | { model: string; answers: readonly StoredAnswer[] }
  | { fallback: NonNullable<AnalysisEngine['fallback']> };

/** Throws an error that no retry mends where scoring fails: it is pure, so what it cannot do once, it never can. */
export function scoreTranscript(
  input: ScoringInput,
  outcome: ModelOutcome | null,
): { scorecard: Scorecard; scoredBy: ScoredBy } {
  const { transcript, profile } = input;
  const call = toCall(input);
  const answers = outcome && 'answers' in outcome ? outcome.answers : null;
  try {
    const scorecard = scoreCall({ ...call, modelAnswers: answers?.map((each) => each.answers) ?? null });
    const scoredBy = {
      profile,
      engine: engineOf(outcome),
      tokens: answers && sumTokens(answers),
      transcriptVersion: transcript.version,
      transcriptSource: transcript.source,
      durationMs: call.durationMs,
    };
    return { scorecard, scoredBy };
  } catch (error) {
    throw poison('SCORING_FAILED', 'The call could not be scored because of an internal error.', error);
  }
}

/** A stored call as scoring takes it. */
export function toCall({ transcript, rubric, agentName, durationSeconds }: ScoringInput): ScoreCallInput {
  const { recordId, language, source, model, channels, speakers, segments } = transcript;
  const durationMs = transcript.durationMs ?? (durationSeconds === null ? endOf(segments) : durationSeconds * 1000);
  const text = segments.map((segment) => segment.text).join('\n');
  return {
    transcript: { recordId, language, source, model, channels, speakers, segments, text },
    durationMs,
    rubric,
    agentName,
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

function endOf(segments: readonly Segment[]): number {
  return Math.max(0, ...segments.map((segment) => segment.endMs));
}
