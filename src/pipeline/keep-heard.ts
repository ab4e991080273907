import { setImmediate } from 'node:timers/promises';
import type { HeavyWork } from '../domain/heavy-work.ts';
import type { KeptTranscript } from '../domain/transcripts/service.ts';
import type { RedactionDepth } from '../model/redaction.ts';
import type { Segment, Transcript } from '../model/transcript.ts';
import { AppError } from '../lib/errors.ts';
import { TooExpensiveError } from '../lib/too-expensive.ts';
import { poison } from './base/faults.ts';

type Heard = { orgId: string; transcript: Transcript; redaction: RedactionDepth; agentName: string | null };

/** Prepares a heard transcript for storage. Throws a final error if it has more words than can be scored. */
export async function keepHeard(
  heavyWork: HeavyWork,
  { orgId, transcript, redaction, agentName }: Heard,
): Promise<KeptTranscript> {
  const { text: _text, segments, ...said } = transcript;
  const kept = { ...said, segments: await toJson(segments), redactions: null, namesRedacted: false };
  try {
    const input = { transcript: kept, redaction, agentName };
    return await heavyWork.run('keepTranscript', input, { orgId, isAwaited: false });
  } catch (error) {
    const isTooLong = error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE';
    if (isTooLong) throw poison('TRANSCRIPT_TOO_LONG', error.message, error);
    if (!(error instanceof TooExpensiveError)) throw error;
    throw poison('TRANSCRIPT_TOO_LONG', 'The recording contains more words than can be processed.', error);
  }
}

const slice = 500;

/** Serializing hours of words takes a while, so requests are served in between. */
async function toJson(segments: readonly Segment[]): Promise<string> {
  const parts: string[] = [];
  for (let at = 0; at < segments.length; at += slice) {
    if (at > 0) await setImmediate();
    parts.push(JSON.stringify(segments.slice(at, at + slice)).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}
