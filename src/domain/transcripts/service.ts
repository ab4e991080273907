import { notFound } from '../../lib/errors.ts';
import { plainJson, storedList } from '../../lib/plain-json.ts';
import { visibilityOf } from '../../auth/principal.ts';
import type { HeavyContext, OrgContext } from '../context.ts';
import { selectShownTranscript, selectSubject, selectTranscriptPart } from './queries.ts';
import { goneWithRetention } from '../gone-with-retention.ts';
import { notMade } from '../state-conflict.ts';
import { formatKeptTranscript, type TranscriptFormat } from './transcript-formats.ts';
import type { Segment, TranscriptDetail, TranscriptPart } from '../../model/transcript.ts';
import type { TranscriptPartInput } from './schemas.ts';

export { hasSuppliedTranscript, insertNextTranscript, insertTranscript, selectKeptTranscript } from './queries.ts';
export type { KeptTranscript } from './kept-transcript.ts';
export { transcriptSizeBytesMax } from './supplied-transcript.ts';
export { supplyTranscript } from './supply-transcript.ts';
export { captionMediaTypes, transcriptFormats, transcriptMediaTypes } from './transcript-formats.ts';
export { requireRedactedWords, storingRedacted, UnredactedError, type WordsRead } from './redaction-checks.ts';

/** Throws NOT_FOUND, also once retention has deleted it, or CONFLICT while there is no transcript yet. */
export async function getTranscript(context: OrgContext, { id }: { id: string }): Promise<TranscriptDetail> {
  const { longText, ...transcript } = await readTranscript(context, id);
  const { language, source, model, channels, speakers, redactions } = transcript;
  const said =
    longText === null
      ? readSaid(transcript.segments)
      : { text: longText, segments: storedList<Segment>(transcript.segments) };
  return { recordId: id, language, source, model, channels, speakers, ...said, redactions };
}

/** Some of its segments. Throws as `getTranscript` does. */
export async function getTranscriptPart(
  { db, actor }: OrgContext,
  { id, from, count }: TranscriptPartInput,
): Promise<TranscriptPart> {
  const [record, part] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([selectSubject(tx, id, visibilityOf(actor)), selectTranscriptPart(tx, id, { from, count })]),
  );
  const { language, speakers, segments, total } = readable(record, part);
  return { recordId: id, language, speakers, segments, total, next: from + count < total ? from + count : null };
}

/** As subtitles or plain text. Throws as `getTranscript` does. */
export async function writeTranscript(
  context: HeavyContext,
  { id, format }: { id: string; format: TranscriptFormat },
): Promise<string> {
  const { speakers, segments, longText } = await readTranscript(context, id);
  const kept = { speakers, segments, format };
  // Short ones are faster here than in another process.
  if (longText === null) return formatKeptTranscript(kept);
  return context.heavyWork.run('formatKeptTranscript', kept, { orgId: context.actor.orgId, isAwaited: true });
}

type Shown = NonNullable<Awaited<ReturnType<typeof selectShownTranscript>>>;

async function readTranscript({ db, actor }: OrgContext, id: string): Promise<Shown> {
  const [record, transcript] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([selectSubject(tx, id, visibilityOf(actor)), selectShownTranscript(tx, id)]),
  );
  return readable(record, transcript);
}

function readable<T>(record: Awaited<ReturnType<typeof selectSubject>>, transcript: T | undefined): T {
  if (!record) throw notFound('Record');
  if (record.contentDeletedAt !== null) throw goneWithRetention('transcript');
  if (!transcript) throw notMade('transcript', record);
  return transcript;
}

function readSaid(json: string): Pick<TranscriptDetail, 'segments' | 'text'> {
  const segments = plainJson(JSON.parse(json) as Segment[]);
  return { segments, text: segments.map(({ text }) => text).join('\n') };
}
