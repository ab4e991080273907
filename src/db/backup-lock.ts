import { sql } from 'drizzle-orm';
import type { ISql, Sql } from 'postgres';
import type { OrgTx } from './scope.ts';

/**
 * Any fixed number below 2³². While the lock is held, a backup reads recordings named by an older snapshot, so none may
 * be deleted.
 */
const backupLock = 2_903_146_577;

/** Held for the life of the connection. False if another backup is running. */
export async function takeBackupLock(session: Sql): Promise<boolean> {
  const [row] = await session<{ taken: boolean }[]>`select pg_try_advisory_lock(${backupLock}) as taken`;
  return row?.taken ?? false;
}

export async function releaseBackupLock(session: ISql): Promise<void> {
  await session`select pg_advisory_unlock(${backupLock})`;
}

/** Checks without taking the lock: a backup that starts at this moment must not be turned away. */
export async function isBackupUnderWay(tx: OrgTx): Promise<boolean> {
  const rows = await tx.execute(sql`
    select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${backupLock}::bigint::oid and objsubid = 1
       and granted and database = (select oid from pg_database where datname = current_database())`);
  return rows.length > 0;
}
