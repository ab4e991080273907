import { and, eq, ne, sql } from 'drizzle-orm';
import { ofRecord } from '../../db/keys.ts';
import { inPeriod, paged } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { recordChanges, records, users } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';

export async function selectMemberIdByEmail(tx: OrgTx, email: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`);
  return row?.id ?? null;
}

export async function selectMemberName(tx: OrgTx, userId: string): Promise<string | undefined> {
  const [row] = await tx.select({ name: users.name }).from(users).where(eq(users.id, userId));
  return row?.name;
}

/**
 * Whoever gives an upload this external id goes first until the end of the transaction. No unique index says so: earlier
 * releases have stored the same id several times.
 */
export async function holdExternalId(tx: OrgTx, projectId: string, externalId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.orgId} ${projectId} ${externalId}`}, 48))`,
  );
}

/** The first upload of the project with this external id. */
export async function selectUpload(tx: OrgTx, projectId: string, externalId: string, otherThan = '') {
  const [row] = await tx
    .select()
    .from(records)
    .where(
      and(
        eq(records.orgId, tx.orgId),
        eq(records.externalId, externalId),
        eq(records.projectId, projectId),
        eq(records.source, 'upload'),
        ne(records.id, otherThan),
      ),
    )
    .orderBy(records.createdAt, records.id)
    .limit(1);
  return row;
}

export async function insertChange(tx: OrgTx, change: Omit<typeof recordChanges.$inferInsert, 'orgId'>): Promise<void> {
  await tx.insert(recordChanges).values({ ...change, orgId: tx.orgId });
}

/** A page, and how many there are in all. */
export function selectChanges(tx: OrgTx, recordId: string, input: ListRequest<'createdAt'>) {
  const where = and(ofRecord(tx, recordChanges, recordId), inPeriod(recordChanges.createdAt, input));
  const query = tx.select().from(recordChanges).$dynamic();
  const page = paged(query, { where, page: input, sorting: { by: recordChanges.createdAt, id: recordChanges.id } });
  return [page, tx.$count(recordChanges, where)] as const;
}
