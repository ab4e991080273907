import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { maskPhone } from '../../lib/mask.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import { plainJson, storedList } from '../../lib/plain-json.ts';
import { parsePeriod } from '../../lib/timestamp.ts';
import { mayUseProject, visibilityOf, type Actor } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { releaseRecords, reserveRecord } from '../billing/metering.ts';
import type { BilledContext, HeavyContext, OrgContext } from '../context.ts';
import { emitEvents } from '../events/service.ts';
import { conflictWith } from '../state-conflict.ts';
import type { Pass } from './processing.ts';
import * as queries from './queries.ts';
import * as reading from './reading-queries.ts';
import type {
  ListRecordsInput,
  RecordDetail,
  RecordListItem,
  RecordReceipt,
  RecordResult,
  RecordResultsInput,
} from './schemas.ts';
import { goneWithRetention } from './recording.ts';
import type { KeptTranscript } from './kept-transcript.ts';
import { discardMuted, requireRedaction } from './redacting.ts';
import type { RedactionDepth } from '../../model/redaction.ts';
import { formatKeptTranscript, type TranscriptFormat } from './transcript-formats.ts';
import type { Segment, TranscriptDetail } from '../../model/transcript.ts';

export async function listRecords({ db, actor }: OrgContext, input: ListRecordsInput): Promise<Page<RecordListItem>> {
  const { from, to, ...filters } = input;
  const filter = { ...filters, ...parsePeriod({ from, to }), visibility: visibilityOf(actor) };
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([reading.selectRecords(tx, filter, input), reading.countRecords(tx, filter)]),
  );
  return toPage(
    rows.map((row) => ({ ...row, customerPhone: maskPhone(row.customerPhone) })),
    total,
    input,
  );
}

/** Those of the named records that the actor may see, in the order of the names. */
export async function listResults({ db, actor }: OrgContext, { ids }: RecordResultsInput): Promise<RecordResult[]> {
  const rows = await db.readOrg(actor.orgId, (tx) => reading.selectResults(tx, ids, visibilityOf(actor)));
  const found = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => {
    const row = found.get(id);
    if (!row) return [];
    const { analysisId, reviewed, ...item } = row;
    const { qualityScore, complianceStatus } = item;
    const analysis = analysisId === null ? null : { id: analysisId, qualityScore, complianceStatus, reviewed };
    return [{ ...item, customerPhone: maskPhone(item.customerPhone), analysis }];
  });
}

/** Throws NOT_FOUND for every record that the actor may not see, whatever the reason. */
export async function getRecord({ db, actor }: OrgContext, { id }: { id: string }): Promise<RecordDetail> {
  const row = await db.readOrg(actor.orgId, (tx) => reading.selectRecord(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Record');
  return toDetail(row, actor);
}

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

/** As subtitles or plain text. Throws as `getTranscript` does. */
export async function writeTranscript(
  context: HeavyContext,
  { id, format }: { id: string; format: TranscriptFormat },
): Promise<string> {
  const { speakers, segments, longText } = await readTranscript(context, id);
  const kept = { speakers, segments, format };
  // What is short is done sooner here than anywhere else.
  if (longText === null) return formatKeptTranscript(kept);
  return context.heavyWork.run('formatKeptTranscript', kept, { orgId: context.actor.orgId, isAwaited: true });
}

type Shown = NonNullable<Awaited<ReturnType<typeof queries.selectShownTranscript>>>;

async function readTranscript({ db, actor }: OrgContext, id: string): Promise<Shown> {
  const [record, transcript] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([reading.selectRecord(tx, id, visibilityOf(actor)), queries.selectShownTranscript(tx, id)]),
  );
  if (!record) throw notFound('Record');
  if (record.contentDeletedAt !== null) throw goneWithRetention('transcript');
  if (!transcript) throw new AppError('CONFLICT', 'The transcript is not ready yet.');
  return transcript;
}

function readSaid(json: string): Pick<TranscriptDetail, 'segments' | 'text'> {
  const segments = plainJson(JSON.parse(json) as Segment[]);
  return { segments, text: segments.map(({ text }) => text).join('\n') };
}

/** Takes the record, its transcript and analyses away at once; the stored object follows by the pipeline. */
export async function deleteRecord({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  await db.withOrg(actor.orgId, async (tx) => {
    const row = await queries.lockRecord(tx, id, visibilityOf(actor));
    if (!row) throw notFound('Record');
    await removeRecords(tx, [row]);
  });
}

/** `failed → pending`. Throws NOT_FOUND, CONFLICT for a record that has not failed or cannot be helped, or BUDGET_EXCEEDED. */
export async function retryRecord(
  { db, actor, prices }: BilledContext,
  { id }: { id: string },
): Promise<RecordReceipt> {
  return db.withOrg(actor.orgId, async (tx) => {
    const row = await queries.lockRecord(tx, id, visibilityOf(actor));
    if (!row) throw notFound('Record');
    if (row.status !== 'failed') throw conflictWith(row.status, `A record that is ${row.status} cannot be retried.`);
    assertRetained(row);
    await assertRetryable(tx, row);
    const needsTranscription = !(await queries.hasSuppliedTranscript(tx, id));
    const work = { durationSeconds: row.durationSeconds, needsTranscription };
    return retryLocked(tx, { ...row, reservedCost: await reserveRecord(tx, prices, work) });
  });
}

/**
 * The same for operators, by the pass that failed, whatever the budget. False while that pass is not at its end.
 * Throws NOT_FOUND for a record that was deleted, CONFLICT for one that is completed or was retried since.
 */
export async function retryPass(tx: OrgTx, { recordId, attempt }: Pass): Promise<boolean> {
  const row = await queries.lockRecord(tx, recordId, { projectIds: null, ownUserId: null });
  if (!row) throw new AppError('NOT_FOUND', `The record ${recordId} has been deleted: nothing is left to retry.`);
  const name = `The record ${recordId}`;
  if (row.attempt !== attempt) throw new AppError('CONFLICT', `${name} was retried since, and is ${row.status} now.`);
  if (row.status === 'completed') throw new AppError('CONFLICT', `${name} is completed: nothing is left to retry.`);
  assertRetained(row);
  if (row.status === 'failed') await retryLocked(tx, row);
  return row.status === 'failed';
}

function assertRetained({ contentDeletedAt }: queries.RecordRow): void {
  if (contentDeletedAt === null) return;
  throw new AppError(
    'CONFLICT',
    'The call was deleted at the end of its retention period: nothing is left to process.',
  );
}

async function assertRetryable(tx: OrgTx, row: queries.RecordRow): Promise<void> {
  const { failure } = row;
  if (failure === null || failure.retryable) return;
  if (failure.code === 'SCORING_TOO_EXPENSIVE' && (await queries.hasNewerProfile(tx, row))) return;
  throw new AppError('CONFLICT', `Processing this record again cannot help: ${failure.message}`);
}

async function retryLocked(tx: OrgTx, row: queries.RecordRow): Promise<RecordReceipt> {
  const attempt = row.attempt + 1;
  const { reservedCost } = row;
  const unfixed = { passProfileId: null, passProfileVersion: null, passTranscriptVersion: null };
  await queries.updateRecord(tx, row.id, {
    status: 'pending',
    stage: null,
    failure: null,
    attempt,
    reservedCost,
    ...unfixed,
  });
  await emitEvents(tx, [processingRequest(row.id, attempt)]);
  return toReceipt({ ...row, status: 'pending' });
}

type RemovableRecord = { id: string; projectId: string; externalId: string | null; storageKey: string | null };

/** Deletes locked rows and orders the removal of their recordings, in the caller's transaction. */
export async function removeRecords(tx: OrgTx, rows: RemovableRecord[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await discardMuted(tx, ids);
  // Before the counters of the day are locked, which whoever accepts a call needs after the budget.
  await releaseRecords(tx, ids);
  await queries.deleteRecords(tx, ids);
  await emitEvents(
    tx,
    rows.flatMap(({ id, projectId, externalId, storageKey }) => [
      {
        type: 'record.deleted' as const,
        data: { recordId: id, projectId, externalId },
        dedupeKey: `record.deleted:${id}`,
      },
      ...(storageKey === null ? [] : [{ type: 'object.delete.requested' as const, data: { storageKey } }]),
    ]),
  );
}

/**
 * Adds the record, its supplied transcript, its events and the order to process it, in the caller's transaction.
 * Null when a call with the same source and external id exists. To be called by way of `storingRedacted`.
 */
export async function createRecord(
  tx: OrgTx,
  record: queries.NewRecord,
  transcript: KeptTranscript | null,
): Promise<RecordReceipt | null> {
  const row = await queries.insertRecord(tx, { ...record, language: record.language ?? transcript?.language ?? null });
  if (!row) return null;
  if (transcript) {
    await requireRedaction(tx, row.id, transcript);
    await queries.insertTranscript(tx, { ...transcript, recordId: row.id, version: 1 });
  }
  const { id, projectId, externalId, attempt } = row;
  const createdAt = row.createdAt.toISOString();
  await emitEvents(tx, [
    {
      type: 'record.created',
      data: { recordId: id, projectId, externalId, createdAt, status: 'pending' },
      dedupeKey: `record.created:${id}`,
    },
    processingRequest(id, attempt),
  ]);
  return toReceipt(row);
}

/** Throws NOT_FOUND for a project that does not exist or that the actor may not use: both read the same. It stays until the end of the transaction. */
export async function requireProject(
  tx: OrgTx,
  actor: Actor,
  projectId: string,
): Promise<{ redaction: RedactionDepth }> {
  const project = mayUseProject(actor, projectId) ? await queries.holdProject(tx, projectId) : undefined;
  if (!project) throw notFound('Project');
  return project;
}

export function newRecordId(): string {
  return newId('record');
}

export function toReceipt({ id, status, projectId, createdAt }: RecordReceipt): RecordReceipt {
  return { id, status, projectId, createdAt };
}

function processingRequest(recordId: string, attempt: number) {
  return {
    type: 'record.process.requested' as const,
    data: { recordId, attempt },
    dedupeKey: `record.process.requested:${recordId}:${attempt}`,
  };
}

function toDetail(row: queries.RecordRow, actor: Actor): RecordDetail {
  const seesPhone = actor.role === 'owner' || actor.role === 'admin' || actor.role === 'supervisor';
  const { id, projectId, type, status, qualityScore, complianceStatus, agentName, createdAt, completedAt } = row;
  const {
    analysisId,
    source,
    direction,
    externalId,
    startedAt,
    language,
    channels,
    stage,
    failure,
    crm,
    metadata,
    contentDeletedAt,
    uploadedBy,
  } = row;
  return {
    id,
    projectId,
    type,
    status,
    duration: row.durationSeconds,
    qualityScore,
    complianceStatus,
    agentName,
    customerPhone: seesPhone ? row.customerPhone : maskPhone(row.customerPhone),
    createdAt,
    completedAt,
    analysisId,
    source,
    direction,
    externalId,
    startedAt,
    language,
    channels,
    file: toFile(row),
    stage,
    failure,
    crm,
    metadata,
    contentDeletedAt,
    uploadedBy,
  };
}

function toFile(row: queries.RecordRow): RecordDetail['file'] {
  const { fileName: name, fileSizeBytes: size, fileContentType: contentType, fileSha256: sha256, fileMissingMs } = row;
  if (size === null || contentType === null || sha256 === null) return null;
  return { name, size, contentType, sha256, damage: fileMissingMs === null ? null : { missingMs: fileMissingMs } };
}
