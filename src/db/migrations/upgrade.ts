import type { ISql, Sql, TransactionSql } from 'postgres';
import type { Logger } from '../../lib/logger.ts';
import { compareCatalogues, isHarmless, readCatalogue, subjectOf, type ExpectedCatalogue } from './catalogue.ts';
import { noteMigration, noteRelease, openHistory } from './history.ts';
import { digestOfJournal, type Migration } from './journal.ts';
import type { Plan, Step } from './plan.ts';
import { ensureRoles } from './roles.ts';
import { liftPolicies, type LiftedPolicies } from './row-security.ts';
import { listed, SchemaError } from './schema-error.ts';

export type Upgrade = { plan: Plan; journal: readonly Migration[]; expected: ExpectedCatalogue; log: Logger };

/**
 * Executes the plan in one transaction: afterwards the database is verified to be up to date, or unchanged. Throws
 * SchemaError.
 */
export async function upgrade(sql: Sql, { plan, journal, expected, log }: Upgrade): Promise<void> {
  if (plan.late.length > 0) log.warn({ migrations: plan.late }, 'migrations that were passed over are made up for');
  await sql.begin(async (tx) => {
    await applySteps(tx, plan.steps);
    await noteRelease(tx);
    if (plan.late.length > 0) await rebuildIndexes(tx, expected);
    await verifySchema(tx, { journal, expected, log });
  });
}

/** The caller holds the migration lock and the transaction. */
export async function applySteps(tx: TransactionSql, steps: readonly Step[]): Promise<void> {
  await openHistory(tx);
  await ensureRoles(tx);
  const policies = await liftPolicies(tx);
  for (const step of steps) await applyStep(tx, step, policies);
  await policies.restore();
}

async function applyStep(
  tx: TransactionSql,
  { tag, hash, when, statements }: Step,
  policies: LiftedPolicies,
): Promise<void> {
  try {
    for (const statement of statements) {
      await policies.lift();
      await tx.unsafe(statement);
    }
    // Runs deferred checks now: a table with pending ones cannot be altered.
    await tx`set constraints all immediate`;
    await tx`set constraints all deferred`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaError(
      `Migration ${tag} failed: ${reason}. The database is as it was: the release before this one works on it.`,
      { cause: error },
    );
  }
  await noteMigration(tx, { hash, when });
}

/** A late migration may have replaced a newer form of an index with an older one. Rebuilding an index loses nothing. */
async function rebuildIndexes(tx: TransactionSql, expected: ExpectedCatalogue): Promise<void> {
  const { missing, extra } = compareCatalogues(expected.lines, await readCatalogue(tx));
  const isThere = new Set(extra.map(subjectOf));
  for (const line of missing.filter((one) => one.startsWith('index '))) {
    const [, name = '', definition = ''] = /^index (\S+) on \S+: (.*)$/s.exec(line) ?? [];
    if (isThere.has(subjectOf(line))) await tx`drop index public.${tx(name)}`;
    await tx.unsafe(definition);
  }
}

type Verification = Pick<Upgrade, 'journal' | 'expected' | 'log'>;

/** Throws SchemaError if something is missing that the service relies on. */
export async function verifySchema(sql: ISql, { journal, expected, log }: Verification): Promise<void> {
  // Only while migrations are being written is there no catalogue of them yet; a test makes sure that it follows.
  if (expected.digest !== digestOfJournal(journal)) return;
  const { missing } = compareCatalogues(expected.lines, await readCatalogue(sql));
  const lost = missing.filter((line) => !isHarmless(line)).map(subjectOf);
  if (lost.length > 0) {
    throw new SchemaError(
      `The database is not what its migrations make. It lacks, or has otherwise: ${listed(lost)}. ` +
        'See "Backup and restore" in docs/operations.md.',
    );
  }
  const slow = missing.map(subjectOf);
  if (slow.length > 0) log.warn({ indexes: slow }, 'indexes are missing: some requests are slow');
}
