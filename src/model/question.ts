import type { SpeakerRole } from './transcript.ts';

/** What a quote has to prove: that something was said, or that something forbidden was. */
export type Expectation = 'present' | 'absent';

/** Which windows of a long call may decide the answer. */
export type Deciding = 'any' | 'first' | 'last';

/** A question of a rubric for a language model. */
export type Question = {
  /** `q1`, `q2` …, in the order of the rubric: its name in one prompt and its answer. */
  id: string;
  /**
   * The key of the check or rule plus a digest of the question: answers are stored under it, and survive changes of the
   * rubric.
   */
  ref: string;
  of: 'check' | 'rule';
  key: string;
  title: string;
  text: string;
  expect: Expectation;
  /** Whose words the evidence must include; null for anybody's. */
  saidBy: SpeakerRole | null;
  deciding: Deciding;
  /** Whether evidence must not repeat in full what was said. */
  isSecret: boolean;
};

/** A segment with speech, or part of a very long one, as a model reads it. */
export type Line = {
  /** The position of its segment among those with speech, from 1; quotes refer to it. */
  number: number;
  role: SpeakerRole;
  startMs: number;
  text: string;
  /** Seconds of silence before it, if there are many. */
  silenceSeconds: number | null;
};
