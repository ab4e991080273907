import type { ISql, TransactionSql } from 'postgres';
import { copiedRows } from '../db/driver/copied-rows.ts';
import { seesEveryRow } from '../db/migrations/row-security.ts';
import { workAs, type Identity } from '../db/scope.ts';

export type Table = { name: string; columns: string[] };

/**
 * The tables of the service, recognized by their forced policies. None refers to a later one. Anything else that an
 * operator keeps in the database is left out.
 */
export async function listTables(sql: ISql): Promise<Table[]> {
  const tables = await sql<(Table & { needs: string[] })[]>`
    select c.relname as name,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
           array(select k.confrelid::regclass::text from pg_constraint k
                  where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relforcerowsecurity
     order by c.relname`;
  const ordered: Table[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ needs }) => !needs.some((name) => waiting.has(name)));
    if (ready.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}.`);
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      waiting.delete(name);
    }
  }
  return ordered;
}

export type RowReader = (table: Table, where?: string) => AsyncGenerator<Uint8Array>;

/**
 * Reads every row in the format of `COPY`. Policies are forced on the owner of the tables too; if they apply to this
 * user, rows are read as the service reads them.
 */
export async function createRowReader(tx: TransactionSql): Promise<RowReader> {
  const isFree = await seesEveryRow(tx);
  const orgIds = isFree ? [] : await readOrgIds(tx);

  return async function* read({ name, columns }, where = 'true') {
    const readers = isFree ? [null] : await readersOf(tx, { name, orgIds });
    for (const reader of readers) {
      if (reader) await workAs(tx, reader);
      yield* copiedRows(tx`copy (select ${tx(columns)} from ${tx(name)} where ${tx.unsafe(where)}) to stdout`);
      if (reader) await workAs(tx, { role: 'none', orgId: '' });
    }
  };
}

async function readOrgIds(tx: TransactionSql): Promise<string[]> {
  await workAs(tx, { role: 'earshot_system', orgId: '' });
  const rows = await tx<{ id: string }[]>`select id from orgs order by id`;
  await workAs(tx, { role: 'none', orgId: '' });
  return rows.map(({ id }) => id);
}

type Reading = { name: string; orgIds: string[] };

async function readersOf(tx: TransactionSql, { name, orgIds }: Reading): Promise<Identity[]> {
  const [policy] = await tx<{ system: boolean; app: boolean }[]>`
    select bool_or('earshot_system' = any (roles) and qual = 'true' and cmd in ('ALL', 'SELECT'))
             and has_table_privilege('earshot_system', ${name}, 'select') as system,
           bool_or('earshot_app' = any (roles)) and has_table_privilege('earshot_app', ${name}, 'select') as app
      from pg_policies where schemaname = 'public' and tablename = ${name}`;
  if (policy?.system) return [{ role: 'earshot_system', orgId: '' }];
  if (policy?.app) return orgIds.map((orgId) => ({ role: 'earshot_app', orgId }));
  throw new Error(`The rows of ${name} cannot be read by the user of DATABASE_URL: let a superuser make the backup.`);
}
