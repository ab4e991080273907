import type { Scorecard } from '../domain/analyses/schemas.ts';
import type { ScoredBy } from '../domain/records/processing.ts';
import type { Rubric } from '../domain/profiles/rubric.ts';
import type { Segment, Transcript } from '../domain/records/transcript.ts';
import { scoreCall } from '../scoring/score-call.ts';
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

/** Throws an error that no retry mends where scoring fails: it is pure, so what it cannot do once, it never can. */
export function scoreTranscript(input: ScoringInput): { scorecard: Scorecard; scoredBy: ScoredBy } {
  const { transcript, rubric, profile, agentName, durationSeconds } = input;
  const { recordId, language, source, model, channels, speakers, segments, version: transcriptVersion } = transcript;
  const durationMs = transcript.durationMs ?? (durationSeconds === null ? endOf(segments) : durationSeconds * 1000);
  const text = segments.map((segment) => segment.text).join('\n');
  try {
    const scorecard = scoreCall({
      transcript: { recordId, language, source, model, channels, speakers, segments, text },
      durationMs,
      rubric,
      agentName,
    });
    const engine = { kind: 'rules' as const, model: null };
    const scoredBy = { profile, engine, transcriptVersion, transcriptSource: source, durationMs };
    return { scorecard, scoredBy };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw poison('SCORING_FAILED', `The call could not be scored: ${reason}`);
  }
}

function endOf(segments: readonly Segment[]): number {
  return Math.max(0, ...segments.map((segment) => segment.endMs));
}
