import { isDeepStrictEqual } from 'node:util';
import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { maskPhone } from '../../lib/mask.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import type { FieldChange } from '../../model/record.ts';
import { authorOf } from '../author.ts';
import type { OrgContext } from '../context.ts';
import type { RecordRow } from '../records/rows.ts';
import type { RecordDetail } from '../records/schemas.ts';
import { lockRecord, requireRecord, updateRecord as saveRecord } from '../records/service.ts';
import { refusingTaken } from '../taken-name.ts';
import * as queries from './queries.ts';
import type { ListRecordChangesInput, RecordChange, UpdateRecordInput } from './schemas.ts';

const takenId = 'Another call has this external id.';

/**
 * Corrects what is known of a call, and keeps who did so and what it said before. Throws NOT_FOUND, CONFLICT for an
 * external id that another call has, UNPROCESSABLE for an agent who is no member and for the id of a portal's call.
 */
export async function updateRecord({ db, actor }: OrgContext, input: UpdateRecordInput): Promise<RecordDetail> {
  return refusingTaken('records_external', takenId, () =>
    db.withOrg(actor.orgId, async (tx) => {
      const row = await lockRecord(tx, input.id, visibilityOf(actor));
      if (!row) throw notFound('Record');
      const columns = await toChanges(tx, row, input);
      const changes = changesOf(row, columns);
      if (changes.length > 0) {
        if (changes.some(({ field }) => field === 'externalId')) await assertFree(tx, row, columns.externalId ?? null);
        const { id: authorId, name: authorName } = authorOf(actor);
        await saveRecord(tx, row.id, columns);
        await queries.insertChange(tx, { id: newId('change'), recordId: row.id, changes, authorId, authorName });
      }
      return requireRecord(tx, actor, row.id);
    }),
  );
}

/** The corrections of a call, newest first by default. Throws NOT_FOUND. */
export async function listRecordChanges(
  { db, actor }: OrgContext,
  input: ListRecordChangesInput,
): Promise<Page<RecordChange>> {
  const [rows, total] = await db.withOrg(actor.orgId, async (tx) => {
    await requireRecord(tx, actor, input.id);
    return Promise.all(queries.selectChanges(tx, input.id, input));
  });
  const items = rows.map(({ id, authorId, authorName, changes, createdAt }) => {
    return { id, author: { id: authorId, name: authorName }, changes, createdAt };
  });
  return toPage(items, total, input);
}

/** The columns of what an update takes: a field without a column does not compile. */
type Corrected = Pick<RecordRow, Exclude<keyof UpdateRecordInput, 'id' | 'agentId'> | 'agentUserId'>;

/** The columns that were given. */
async function toChanges(tx: OrgTx, row: RecordRow, input: UpdateRecordInput): Promise<Partial<Corrected>> {
  const { id: _id, agentId, startedAt, tags, metadata, ...asGiven } = input;
  const columns: Partial<Corrected> = {
    ...given(asGiven),
    ...(startedAt !== undefined && { startedAt: startedAt === null ? null : new Date(startedAt) }),
    ...(agentId !== undefined && { agentUserId: agentId }),
    ...(tags !== undefined && { tags: tags ?? [] }),
    ...(metadata !== undefined && { metadata: merged(row.metadata, metadata) }),
  };
  if (typeof agentId !== 'string') return columns;
  const name = await queries.selectMemberName(tx, agentId);
  if (name === undefined) {
    throw new AppError('UNPROCESSABLE', 'There is no such member.', {
      details: [{ path: 'agentId', message: 'Expected the user id of a member of the organization.' }],
    });
  }
  const isNamed = (columns.agentName === undefined ? row.agentName : columns.agentName) !== null;
  return isNamed ? columns : { ...columns, agentName: name };
}

/** The fields that are not left out. */
function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

function merged(present: Record<string, unknown>, changes: Record<string, unknown> | null): Record<string, unknown> {
  if (changes === null) return {};
  return Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null));
}

/** Throws CONFLICT if another call of the same source has the id; `records_external` sees to it where two come at once. */
async function assertFree(tx: OrgTx, row: RecordRow, externalId: string | null): Promise<void> {
  if (row.source === 'bitrix24') {
    throw new AppError('UNPROCESSABLE', 'The portal knows this call by its external id, which stays.');
  }
  if (externalId === null || row.source !== 'upload') return;
  await queries.holdExternalId(tx, row.projectId, externalId);
  const other = await queries.selectUpload(tx, row.projectId, externalId, row.id);
  if (other) throw new AppError('CONFLICT', takenId, { details: [{ path: 'externalId', message: other.id }] });
}

/** What is different, under the names of the API. */
function changesOf(row: RecordRow, columns: Partial<Corrected>): FieldChange[] {
  return (Object.keys(columns) as (keyof Corrected)[]).flatMap((name) => {
    const [before, after] = [row[name], columns[name]];
    if (isDeepStrictEqual(before, after)) return [];
    return [{ field: name === 'agentUserId' ? 'agentId' : name, from: shown(name, before), to: shown(name, after) }];
  });
}

/** What is kept of a value: it outlives the retention of the call. */
function shown(name: keyof Corrected, value: Corrected[keyof Corrected] | undefined): unknown {
  if (name === 'customerPhone') return maskPhone(typeof value === 'string' ? value : null);
  if (name === 'metadata') return Object.keys(value ?? {}).toSorted();
  return value instanceof Date ? value.toISOString() : (value ?? null);
}
