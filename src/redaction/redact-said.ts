import type { Redaction } from '../model/redaction.ts';
import type { Segment, Speaker } from '../model/transcript.ts';
import type { RedactionOptions } from './detect.ts';
import { redactSpeakers } from './redact-speakers.ts';
import { redactTranscript, type RedactedSpan } from './redact-transcript.ts';

type Said = { speakers: Speaker[]; segments: Segment[]; redactions: Redaction[] | null };
type Redacted<T extends Said> = T & { redactions: Redaction[]; namesRedacted: boolean; spans: RedactedSpan[] };

/** Redacts a transcript and its speakers. Earlier redactions are kept in its list; `spans` has only the new ones. */
export function redactSaid<T extends Said>(said: T, options: RedactionOptions): Redacted<T> {
  const named = redactSpeakers(said, options);
  const { segments, spans, redactions } = redactTranscript(named.segments, options);
  const all = [...(said.redactions ?? []), ...redactions].toSorted((a, b) => a.startMs - b.startMs);
  return { ...named, segments, spans, redactions: all, namesRedacted: options.names };
}
