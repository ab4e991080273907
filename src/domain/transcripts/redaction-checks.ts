import type { OrgTx } from '../../db/scope.ts';
import type { HeavyWork } from '../heavy-work.ts';
import type { KeptTranscript } from './kept-transcript.ts';
import { depthOf, isShallower, type RedactionDepth } from '../../model/redaction.ts';
import { selectDepths, selectRedactionPolicy } from './redaction-queries.ts';
import { renewMuted } from '../recordings/muting.ts';

export { selectRedactionPolicy } from './redaction-queries.ts';

/** The words that were read are less redacted than they must be now. */
export class UnredactedError extends Error {
  readonly asked: RedactionDepth;

  constructor(message: string, asked: RedactionDepth) {
    super(message);
    this.asked = asked;
  }
}

/** Identifies the transcript that something was derived from, and its redaction when it was read. */
export type WordsRead = { transcriptVersion: number; redaction: RedactionDepth };

/**
 * Checks, in the transaction that stores something derived from a transcript, that its words may still be shown. Throws
 * what `withRedactedWords` handles.
 */
export async function requireRedactedWords(
  tx: OrgTx,
  recordId: string,
  { transcriptVersion, redaction }: WordsRead,
): Promise<void> {
  const depths = redaction === 'names' ? undefined : await selectDepths(tx, recordId, transcriptVersion);
  if (!depths) return;
  const { asked, done } = depths;
  if (isShallower(redaction, asked) || isShallower(redaction, done)) {
    throw new UnredactedError('What was read has to be redacted.', asked);
  }
}

/**
 * Checks, in the transaction that stores a transcript, that it is redacted if the project asks for that. Throws what
 * `storingRedacted` handles.
 */
export async function requireRedaction(
  tx: OrgTx,
  recordId: string,
  transcript: Pick<KeptTranscript, 'redactions' | 'namesRedacted'>,
): Promise<void> {
  const policy = await selectRedactionPolicy(tx, recordId);
  if (policy && isShallower(depthOf(transcript), policy.asked))
    throw new UnredactedError('The transcript has to be redacted.', policy.asked);
  if (policy && transcript.redactions !== null) await renewMuted(tx, recordId, policy.hasRecording);
}

/** Stores a transcript; if redaction was turned on at that moment, stores it again, redacted. */
export async function storingRedacted<T>(
  { heavyWork, orgId }: { heavyWork: HeavyWork; orgId: string },
  transcript: KeptTranscript,
  store: (transcript: KeptTranscript) => Promise<T>,
): Promise<T> {
  try {
    return await store(transcript);
  } catch (error) {
    if (!(error instanceof UnredactedError)) throw error;
    const input = { transcript, redaction: error.asked, agentName: null };
    return store(await heavyWork.run('keepTranscript', input, { orgId, isAwaited: true }));
  }
}
