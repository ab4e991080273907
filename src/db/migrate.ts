import postgres, { type Sql } from 'postgres';
import type { Logger } from '../lib/logger.ts';
import { readExpectedCatalogue } from './migrations/catalogue.ts';
import { readHistory } from './migrations/history.ts';
import { readJournal } from './migrations/journal.ts';
import { planUpgrade } from './migrations/plan.ts';
import { upgrade, verifySchema } from './migrations/upgrade.ts';

/** Any fixed number; keeps two instances from migrating at the same time. */
const migrationLock = 4_271_983_155;
const lockTimeoutMs = 15_000;

type Target = { url: string; log: Logger };

/**
 * Migrates the database, one instance at a time, all or nothing. Throws SchemaError with the reason if that is
 * impossible, or if the result lacks something that the service relies on.
 */
export async function migrate({ url, log }: Target): Promise<void> {
  await withMigrator(url, async (sql) => {
    const startedAt = performance.now();
    const [journal, expected, history] = await Promise.all([readJournal(), readExpectedCatalogue(), readHistory(sql)]);
    const plan = planUpgrade({ journal, history });
    if (plan.isAhead) log.warn('a newer release has changed the database; this one goes on beside it');
    else if (plan.steps.length > 0) await upgrade(sql, { plan, journal, expected, log });
    else await verifySchema(sql, { journal, expected, log });
    log.debug({ durationMs: Math.round(performance.now() - startedAt) }, 'database is up to date');
  });
}

/** A separate connection, while nobody else migrates or restores this database. */
export async function withMigrator<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    // No time limit: with the server's default, a long migration would be restarted for ever and never finish.
    connection: { application_name: 'earshot-migrate', statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, false)`;
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
