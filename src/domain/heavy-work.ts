import type { CallMoments, Scorecard } from '../model/scorecard.ts';
import type { SwappedWords, WordsToSwap } from './processing/swap-roles.ts';
import type { RubricToCheck } from '../model/rubric-to-check.ts';
import type { KeptTranscript } from './transcripts/kept-transcript.ts';
import type { RedactedWords, WordsToRedact } from './processing/redact-stored.ts';
import type { RedactionDepth } from '../model/redaction.ts';
import type { formatKeptTranscript } from './transcripts/transcript-formats.ts';
import type { SuppliedTranscriptInput } from './transcripts/supplied-transcript.ts';
import type { KeyedAnswers } from '../model/model-answers.ts';
import type { Question, Line } from '../model/question.ts';

/** A call as it is stored, with what it is to be judged by. */
export type CallToScore = {
  transcript: Omit<KeptTranscript, 'redactions' | 'namesRedacted'> & { durationMs: number | null };
  /** As JSON. What is made of a rubric is kept under its key; a draft has none. */
  rubric: { key: string | null; json: string };
  agentName: string | null;
  /** Of the record, for transcripts that do not know how long the recording is. */
  durationSeconds: number | null;
};

/**
 * Work on whole transcripts and rubrics. It takes seconds where they are long, so none of it is done where requests are
 * answered. They go in and come out as JSON: to write down or to copy their objects would take time there, too.
 */
export type HeavyTasks = {
  /** Throws VALIDATION_ERROR that names the line or the path of a mistake, PAYLOAD_TOO_LARGE for too many words. */
  readTranscript(input: SuppliedTranscriptInput & { redaction: RedactionDepth }): KeptTranscript;
  /** Makes one that was heard, or written down before, ready to be stored. Throws PAYLOAD_TOO_LARGE for too many words. */
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
  /** What a language model is to be asked; null where there is nothing to judge. */
  prepareCall(call: CallToScore): { questions: Question[]; lines: Line[] } | null;
  findMoments(segments: string): CallMoments;
  /** Gives the rubric with its defaults. Throws VALIDATION_ERROR. */
  checkRubric(rubric: RubricToCheck): string;
};

/** Whose share of the processes it takes. What somebody waits for comes before what the pipeline does. */
export type Workload = { orgId: string; isAwaited: boolean };

export type HeavyWork = {
  /**
   * Throws what the task throws, `TooExpensiveError` where it takes more time or memory than it may, and
   * SERVICE_UNAVAILABLE where too much waits already or the service stops.
   */
  run<Name extends keyof HeavyTasks>(
    name: Name,
    input: Parameters<HeavyTasks[Name]>[0],
    workload: Workload,
  ): Promise<ReturnType<HeavyTasks[Name]>>;
};
