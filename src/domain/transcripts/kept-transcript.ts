import type { Redaction } from '../../model/redaction.ts';
import type { Transcript } from '../../model/transcript.ts';

/** A transcript as it is stored. Whoever only hands it on never reads its segments, which may be megabytes. */
export type KeptTranscript = Omit<Transcript, 'segments' | 'text'> & {
  /** `Segment[]` as JSON. */
  segments: string;
  /** Where something was taken out of the segments; null where they are as they were heard. */
  redactions: Redaction[] | null;
  /** Whether names were taken out with the rest. */
  namesRedacted: boolean;
};
