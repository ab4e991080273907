import type { CallMoments, Scorecard } from '../model/scorecard.ts';
import type { SwappedWords, WordsToSwap } from './processing/swap-roles.ts';
import type { RubricToCheck } from '../model/rubric-to-check.ts';
import type { KeptTranscript } from './transcripts/kept-transcript.ts';
import type { RedactedWords, WordsToRedact } from './processing/redact-words.ts';
import type { RedactionDepth } from '../model/redaction.ts';
import type { formatKeptTranscript } from './transcripts/transcript-formats.ts';
import type { SuppliedTranscriptInput } from './transcripts/supplied-transcript.ts';
import type { KeyedAnswers } from '../model/model-answers.ts';
import type { Question, Line } from '../model/question.ts';

/** A stored call and the rubric to score it by. */
export type CallToScore = {
  transcript: Omit<KeptTranscript, 'redactions' | 'namesRedacted'> & { durationMs: number | null };
  /** As JSON. What is derived from a rubric is cached under its key; a draft has none. */
  rubric: { key: string | null; json: string };
  agentName: string | null;
  /** The record's duration, for transcripts that do not know how long the recording is. */
  durationSeconds: number | null;
};

/**
 * Work on whole transcripts and rubrics. It can take seconds, so it is never done in the process that answers requests.
 * Inputs and results are JSON, since serializing or copying the objects would take time there too.
 */
export type HeavyTasks = {
  /** Throws VALIDATION_ERROR with the line or path of a mistake, PAYLOAD_TOO_LARGE for too many words. */
  readTranscript(input: SuppliedTranscriptInput & { redaction: RedactionDepth }): KeptTranscript;
  /** Prepares a transcript for storage. Throws PAYLOAD_TOO_LARGE for too many words. */
  keepTranscript(input: {
    transcript: KeptTranscript;
    redaction: RedactionDepth;
    agentName: string | null;
  }): KeptTranscript;
  formatKeptTranscript: typeof formatKeptTranscript;
  swapRoles(words: WordsToSwap): SwappedWords;
  redactStored(words: WordsToRedact): RedactedWords;
  score(call: CallToScore & { modelAnswers: readonly KeyedAnswers[] | null }): {
    scorecard: Scorecard;
    language: string | null;
    durationMs: number;
  };
  /** The questions for a language model; null if there is nothing to ask. */
  prepareCall(call: CallToScore): { questions: Question[]; lines: Line[] } | null;
  findMoments(segments: string): CallMoments;
  /** Returns the rubric with its defaults. Throws VALIDATION_ERROR. */
  checkRubric(rubric: RubricToCheck): string;
};

/** Whose share of the processes the task uses. Tasks that somebody is waiting for precede those of the pipeline. */
export type Workload = { orgId: string; isAwaited: boolean };

export type HeavyWork = {
  /**
   * Throws what the task throws, `TooExpensiveError` if it exceeds its time or memory, and SERVICE_UNAVAILABLE if too
   * many tasks are waiting or the service is stopping.
   */
  run<Name extends keyof HeavyTasks>(
    name: Name,
    input: Parameters<HeavyTasks[Name]>[0],
    workload: Workload,
  ): Promise<ReturnType<HeavyTasks[Name]>>;
};
