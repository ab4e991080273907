import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql, TransactionSql } from 'postgres';

type Scoped = {
  /** A transaction on which the switch to the organization has been queued. */
  client: Sql | TransactionSql;
  options: Sql['options'];
  state: { readonly isOpen: boolean };
};

/** What drizzle asks of a client of postgres.js: nothing but these two. */
export type ScopedClient = {
  readonly options: Sql['options'];
  unsafe(query: string, params: never[]): unknown;
};

/**
 * A client for one scope: it refuses whatever is asked after the end of it, when the connection may serve another
 * organization. Statements are prepared by name, which saves the round trip that postgres.js spends on describing
 * unnamed ones.
 */
export function createScopedClient({ client, options, state }: Scoped): ScopedClient {
  return {
    options,
    unsafe(query, params) {
      if (!state.isOpen) throw scopeHasEnded();
      return client.unsafe(query, params, { prepare: true });
    },
  };
}

export function scopeHasEnded(): Error {
  return new Error('This organization scope has ended.');
}

/** The one place that vouches for it: the types of drizzle ask for a whole client. */
export function drizzleOn(client: ScopedClient): PostgresJsDatabase {
  return drizzle(client as unknown as Sql);
}
