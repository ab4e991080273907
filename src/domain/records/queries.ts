import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { records } from '../../db/schema/index.ts';
import { visibleRecords } from '../visible-records.ts';
import type { RecordRow, NewRecord } from './rows.ts';

/** Locks the row until the transaction ends, so that two changes of its state cannot both succeed. */
export async function lockRecord(tx: OrgTx, id: string, visibility: Visibility): Promise<RecordRow | undefined> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(byId(tx, records, id), visibleRecords(visibility)))
    .for('update');
  return row;
}

export async function selectByExternalId(
  tx: OrgTx,
  source: RecordRow['source'],
  externalId: string,
): Promise<RecordRow | undefined> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.source, source), eq(records.externalId, externalId)));
  return row;
}

/** Null if the call (organization, source, external id) exists. */
export async function insertRecord(tx: OrgTx, record: NewRecord): Promise<RecordRow | null> {
  const [row] = await tx
    .insert(records)
    .values({ ...record, orgId: tx.orgId })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function updateRecord(tx: OrgTx, id: string, changes: Partial<NewRecord>): Promise<void> {
  await tx
    .update(records)
    .set({ ...changes, updatedAt: new Date() })
    .where(byId(tx, records, id));
}

export async function deleteRecords(tx: OrgTx, ids: string[]): Promise<void> {
  await tx.delete(records).where(and(eq(records.orgId, tx.orgId), inArray(records.id, ids)));
}

/**
 * Locks all records of a project at once: completing a record locks it before the counters of its day, which deleting
 * the first batch locks too.
 */
export async function lockProjectRecords(tx: OrgTx, projectId: string): Promise<void> {
  await tx.execute(sql`select count(*) from (
    select from ${records} where org_id = ${tx.orgId} and project_id = ${projectId} order by id for update) locked`);
}

/** The next records of a project, for deletion in batches. */
export function selectProjectRecords(tx: OrgTx, projectId: string, limit: number) {
  return tx
    .select({
      id: records.id,
      projectId: records.projectId,
      externalId: records.externalId,
      storageKey: records.storageKey,
    })
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.projectId, projectId)))
    .orderBy(asc(records.id))
    .limit(limit);
}
