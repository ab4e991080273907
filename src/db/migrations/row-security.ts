import type { ISql, TransactionSql } from 'postgres';

/** Whether this connection's user sees all rows regardless of policies. */
export async function seesEveryRow(sql: ISql): Promise<boolean> {
  const [row] = await sql<{ sees: boolean }[]>`
    select rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user`;
  return row?.sees ?? false;
}

/** Lets the owner of the tables see all rows for part of a transaction. */
export type LiftedPolicies = {
  /** Call again after each statement that may have created a table. */
  lift(): Promise<void>;
  restore(): Promise<void>;
};

/**
 * Policies are forced on owners too, and a migration that moves rows would find none of them. Superusers do not need
 * this.
 */
export async function liftPolicies(tx: TransactionSql): Promise<LiftedPolicies> {
  const isNeeded = !(await seesEveryRow(tx));
  const lifted = new Set<string>();

  async function lift(): Promise<void> {
    if (!isNeeded) return;
    const forced = await tx<{ name: string }[]>`
      select oid::regclass::text as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity order by relname`;
    for (const { name } of forced) {
      await tx.unsafe(`alter table ${name} no force row level security`);
      lifted.add(name);
    }
  }

  async function restore(): Promise<void> {
    for (const name of lifted) await tx.unsafe(`alter table if exists ${name} force row level security`);
  }
  return { lift, restore };
}
