import { notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { maskPhone } from '../../lib/mask.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import { parsePeriod } from '../../lib/timestamp.ts';
import { visibilityOf, type Actor } from '../../auth/principal.ts';
import type { ListRecordsInput } from './filters.ts';
import type { OrgTx } from '../../db/scope.ts';
import { releaseRecords } from '../billing/metering.ts';
import type { OrgContext } from '../context.ts';
import { emitEvents, newEvent } from '../events/service.ts';
import * as queries from './queries.ts';
import * as reading from './reading-queries.ts';
import type { RecordDetail, RecordListItem, RecordReceipt, RecordResult, RecordResultsInput } from './schemas.ts';
import { discardMuted } from '../recordings/muting.ts';
import { deletionsOf } from '../recordings/objects.ts';

export { countRecords, selectRecord } from './reading-queries.ts';
export { filterValues, ListRecordsInput, recordConditions, recordFilters, type RecordFilter } from './filters.ts';

export { insertRecord, lockRecord, selectByExternalId, updateRecord } from './queries.ts';

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

/** Those of the given records that the actor may see, in the given order. */
export async function listResults({ db, actor }: OrgContext, { ids }: RecordResultsInput): Promise<RecordResult[]> {
  const rows = await db.readOrg(actor.orgId, (tx) => reading.selectResults(tx, ids, visibilityOf(actor)));
  const found = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => {
    const row = found.get(id);
    if (!row) return [];
    const { analysisId, reviewed, ...item } = row;
    const { qualityScore, judgedShare, complianceStatus } = item;
    const scores = { qualityScore, judgedShare, complianceStatus };
    const analysis = analysisId === null ? null : { id: analysisId, ...scores, reviewed };
    return [{ ...item, customerPhone: maskPhone(item.customerPhone), analysis }];
  });
}

/** Throws NOT_FOUND for every record that the actor may not see, whatever the reason. */
export async function getRecord({ db, actor }: OrgContext, { id }: { id: string }): Promise<RecordDetail> {
  return db.findInOrg(actor.orgId, (tx) => requireRecord(tx, actor, id));
}

/** The same in the caller's transaction. */
export async function requireRecord(tx: OrgTx, actor: Actor, id: string): Promise<RecordDetail> {
  const row = await reading.selectRecord(tx, id, visibilityOf(actor));
  if (!row) throw notFound('Record');
  return toDetail(row, actor);
}

/** Deletes the record, its transcript and analyses at once; the pipeline deletes the stored object. */
export async function deleteRecord({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  await db.withOrg(actor.orgId, async (tx) => {
    const row = await queries.lockRecord(tx, id, visibilityOf(actor));
    if (!row) throw notFound('Record');
    await removeRecords(tx, [row]);
  });
}

const removalBatchSize = 500;

/** Deletes all records of a project in batches, in the caller's transaction. */
export async function removeProjectRecords(tx: OrgTx, projectId: string): Promise<void> {
  await queries.lockProjectRecords(tx, projectId);
  const nextBatch = () => queries.selectProjectRecords(tx, projectId, removalBatchSize);
  for (let rows = await nextBatch(); rows.length > 0; rows = await nextBatch()) await removeRecords(tx, rows);
}

type RemovableRecord = { id: string; projectId: string; externalId: string | null; storageKey: string | null };

/** Deletes locked rows and orders the deletion of their recordings, in the caller's transaction. */
async function removeRecords(tx: OrgTx, rows: RemovableRecord[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await discardMuted(tx, ids);
  // Before locking the counters of the day, which accepting a call locks after the budget.
  await releaseRecords(tx, ids);
  await queries.deleteRecords(tx, ids);
  await emitEvents(
    tx,
    rows.flatMap(({ id, projectId, externalId, storageKey }) => [
      newEvent('record.deleted', { recordId: id, projectId, externalId }, id),
      ...deletionsOf([storageKey]),
    ]),
  );
}

export function newRecordId(): string {
  return newId('record');
}

export function toReceipt({ id, status, projectId, createdAt }: RecordReceipt): RecordReceipt {
  return { id, status, projectId, createdAt };
}

export function processingRequest(recordId: string, attempt: number) {
  return newEvent('record.process.requested', { recordId, attempt }, `${recordId}:${attempt}`);
}

type DetailRow = NonNullable<Awaited<ReturnType<typeof reading.selectRecord>>>;

function toDetail({ file, ...row }: DetailRow, { role }: Actor): RecordDetail {
  const seesPhone = role === 'owner' || role === 'admin' || role === 'supervisor';
  const customerPhone = seesPhone ? row.customerPhone : maskPhone(row.customerPhone);
  return { ...row, customerPhone, file: toFile(file) };
}

function toFile({ name, size, contentType, sha256, missingMs }: DetailRow['file']): RecordDetail['file'] {
  if (size === null || contentType === null || sha256 === null) return null;
  return { name, size, contentType, sha256, damage: missingMs === null ? null : { missingMs } };
}
