import type { OrgTx } from '../../db/scope.ts';
import { newEvent, emitEvents } from '../events/service.ts';
import * as queries from '../records/service.ts';
import type { NewRecord } from '../records/rows.ts';
import { insertTranscript } from '../transcripts/service.ts';
import type { RecordReceipt } from '../records/schemas.ts';
import type { KeptTranscript } from '../transcripts/kept-transcript.ts';
import { requireRedaction } from '../transcripts/redaction-checks.ts';
import type { CallFacts } from './schemas.ts';
import { processingRequest, toReceipt } from '../records/service.ts';

/** What callers say of a call, as columns of its record: a fact without a column does not compile. */
export function toColumns(facts: CallFacts): { [Name in keyof CallFacts]-?: NewRecord[Name] } {
  const { agentName = null, customerPhone = null, direction = null, language = null, channelMap = null } = facts;
  const startedAt = facts.startedAt ? new Date(facts.startedAt) : null;
  return { agentName, customerPhone, direction, startedAt, language, channelMap };
}

/**
 * Inserts the record, its supplied transcript, its events and the order to process it, in the caller's transaction.
 * Null if a call with the same source and external id exists. Call it through `storingRedacted`.
 */
export async function createRecord(
  tx: OrgTx,
  record: NewRecord,
  transcript: KeptTranscript | null,
): Promise<RecordReceipt | null> {
  const row = await queries.insertRecord(tx, { ...record, language: record.language ?? transcript?.language ?? null });
  if (!row) return null;
  if (transcript) {
    await requireRedaction(tx, row.id, transcript);
    await insertTranscript(tx, { ...transcript, recordId: row.id, version: 1 });
  }
  const { id, projectId, externalId, attempt } = row;
  const createdAt = row.createdAt.toISOString();
  await emitEvents(tx, [
    newEvent('record.created', { recordId: id, projectId, externalId, createdAt, status: 'pending' }, id),
    processingRequest(id, attempt),
  ]);
  return toReceipt(row);
}
