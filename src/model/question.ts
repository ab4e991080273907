import type { SpeakerRole } from './transcript.ts';

/** What has to be shown with words of the call: that something was said, or that something forbidden was. */
export type Expectation = 'present' | 'absent';

/** Which parts of a call that was cut into windows may decide. */
export type Deciding = 'any' | 'first' | 'last';

/** One question of a rubric for a language model. */
export type Question = {
  /** `q1`, `q2` …, in the order of the rubric: what one prompt and its answer call it. */
  id: string;
  /** The check or rule and a digest of what is asked of it: what answers are kept under, whatever becomes of the rubric. */
  ref: string;
  of: 'check' | 'rule';
  key: string;
  title: string;
  text: string;
  expect: Expectation;
  /** Whose words have to be among the evidence; null where anybody's do. */
  saidBy: SpeakerRole | null;
  deciding: Deciding;
  /** Evidence that must not repeat what was said in full. */
  isSecret: boolean;
};

/** One segment with speech, or a piece of a very long one, as a model reads it. */
export type Line = {
  /** The place of its segment among those with speech, from 1: what quotes refer to. */
  number: number;
  role: SpeakerRole;
  startMs: number;
  text: string;
  /** Seconds of silence before it, where they are many. */
  silenceSeconds: number | null;
};
