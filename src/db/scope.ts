import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql, TransactionSql } from 'postgres';
import type { Connections } from './client.ts';
import { startedInTime } from './deadline.ts';

declare const scope: unique symbol;

/** A transaction that sees one organization and nothing else. Only `withOrg` makes one. */
export type OrgTx = Omit<PostgresJsDatabase, 'transaction'> & { readonly orgId: string; readonly [scope]: true };

export type Database = {
  /** Runs `work` inside the organization: committed when it resolves, rolled back when it rejects. */
  withOrg<T>(orgId: string, work: (tx: OrgTx) => Promise<T>): Promise<T>;
};

/**
 * Opens organization scopes. Never hold one across a call to a provider: it keeps a connection and its locks.
 * `execute()` queues the switch at once, so it precedes every statement of `work` and costs no round trip of its own.
 */
export function createDatabase({ app }: Pick<Connections, 'app'>): Database {
  async function withOrg<T>(orgId: string, work: (tx: OrgTx) => Promise<T>): Promise<T> {
    const scope = { isOpen: true };
    try {
      return await startedInTime(async (started) => {
        const result = await app.begin(async (client) => {
          if (!started()) throw new Error('Nobody waits for this transaction any more.');
          const entered = client`select set_config('role', 'earshot_app', true), set_config('app.org_id', ${orgId}, true)`;
          entered.execute();
          const [done] = await Promise.all([work(orgTx({ app, client, orgId, scope })), entered]);
          return { done };
        });
        return result.done;
      });
    } finally {
      scope.isOpen = false;
    }
  }
  return { withOrg };
}

type ScopeOptions = { app: Sql; client: TransactionSql; orgId: string; scope: { isOpen: boolean } };

/**
 * The one place that vouches for the brand: `client` is a transaction on which the switch has been queued.
 * Statements are prepared by name, which saves the round trip that postgres.js spends on describing unnamed ones.
 */
function orgTx({ app, client, orgId, scope }: ScopeOptions): OrgTx {
  const adapter = {
    options: app.options,
    unsafe(query: string, params: never[]) {
      // The connection may serve another organization by now.
      if (!scope.isOpen) throw new Error('This organization scope has ended.');
      return client.unsafe(query, params, { prepare: true });
    },
  };
  return Object.assign(drizzle(adapter as unknown as Sql), { orgId }) as unknown as OrgTx;
}
