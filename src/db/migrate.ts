import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import type { Logger } from '../lib/logger.ts';

const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));
/** Any fixed number; it keeps two starting instances from migrating at the same time. */
const migrationLock = 4_271_983_155;
const lockTimeoutMs = 15_000;

/** Brings the database up to date, one instance at a time. Throws when a migration fails; each one is a transaction. */
export async function migrate({ url, log }: { url: string; log: Logger }): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'earshot-migrate' } });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    await client`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, false)`;
    const startedAt = performance.now();
    await applyMigrations(drizzle(client), { migrationsFolder });
    log.debug({ durationMs: Math.round(performance.now() - startedAt) }, 'database is up to date');
  } finally {
    await client.end({ timeout: 5 });
  }
}
