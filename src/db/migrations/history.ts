import type { ISql, TransactionSql } from 'postgres';
import { version } from '../../lib/version.ts';

/** A migration that the database has applied. */
export type Applied = { hash: string; createdAt: number };

/** A release that has changed the database, and the oldest release that may still work beside it. */
export type PastRelease = { version: string; worksBeside: string };

export type History = { applied: Applied[]; releases: PastRelease[] };

/** Raise this with a release whose migrations remove what an older release needs. */
const worksBeside = '0.1.0';

/** What was applied to the database so far, in order. Empty for a new one. */
export async function readHistory(sql: ISql): Promise<History> {
  const [known] = await sql<{ migrations: boolean; releases: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as migrations,
           to_regclass('drizzle.earshot_releases') is not null as releases`;
  const applied = known?.migrations
    ? await sql<{ hash: string; createdAt: string }[]>`
        select hash, coalesce(created_at, 0) as "createdAt" from drizzle.__drizzle_migrations order by id`
    : [];
  const releases = known?.releases
    ? await sql<PastRelease[]>`select version, works_beside as "worksBeside" from drizzle.earshot_releases`
    : [];
  return { applied: applied.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) })), releases };
}

/** The table of drizzle's migrator, which release 0.1.0 and drizzle's own tools use. */
export async function openHistory(tx: TransactionSql): Promise<void> {
  await tx`create schema if not exists drizzle`;
  await tx`
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  await tx`
    create table if not exists drizzle.earshot_releases (
      version text primary key, works_beside text not null, migrated_at timestamptz not null default now())`;
}

export async function noteMigration(tx: TransactionSql, { hash, when }: { hash: string; when: number }): Promise<void> {
  await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
}

export async function noteRelease(tx: TransactionSql): Promise<void> {
  await tx`
    insert into drizzle.earshot_releases (version, works_beside) values (${version}, ${worksBeside})
    on conflict (version) do update set works_beside = excluded.works_beside, migrated_at = now()`;
}
