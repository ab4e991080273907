import postgres from 'postgres';
import type { TestApp } from './app.ts';

export type Stored = {
  /** A digest of every table, whoever its rows belong to. */
  read(): Promise<Record<string, string>>;
  close(): Promise<void>;
};

/** What a database holds, past all roles and policies: to be compared with what it held before. */
export function openStored(t: TestApp): Stored {
  const superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  return {
    async read() {
      const tables = await superuser<{ name: string }[]>`
        select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
      const digests = tables.map(({ name }) =>
        // When a token was used last moves by itself.
        superuser.unsafe(`select md5(string_agg(row, '' order by row)) as digest
          from (select (to_jsonb(r) - 'last_used_at')::text as row from ${name} r) rows`),
      );
      const rows = await Promise.all(digests);
      return Object.fromEntries(tables.map(({ name }, index) => [name, String(rows[index]?.[0]?.['digest'])]));
    },
    close: () => superuser.end(),
  };
}
