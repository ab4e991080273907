import type { Redaction } from '../../model/redaction.ts';
import type { Transcript } from '../../model/transcript.ts';

/** A transcript as stored. Callers that only pass it on never parse its segments, which may be megabytes. */
export type KeptTranscript = Omit<Transcript, 'segments' | 'text'> & {
  /** `Segment[]` as JSON. */
  segments: string;
  /** What was redacted in the segments; null if they are as they were heard. */
  redactions: Redaction[] | null;
  /** Whether names were redacted too. */
  namesRedacted: boolean;
};
