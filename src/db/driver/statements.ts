import { sql, type Placeholder } from 'drizzle-orm';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { OrgTx } from '../scope.ts';

export type Values = Record<string, unknown>;
export type PlaceholdersOf<V extends Values> = { [Key in keyof V]: Placeholder };

type Prepared<Row> = { execute(values: Values): Promise<Row[]> };
type Query<Row> = { prepare(name: string): Prepared<Row> };

export type Statement<V extends Values, Row> = {
  /** Identifies the variant that `build` produces, if it depends on more than which values are given. */
  shape?: string;
  values: V;
  /** Called once for each shape and set of values, with a placeholder for every value. */
  build: (db: PostgresJsDatabase, placeholders: PlaceholdersOf<V>) => Query<Row>;
};

/** Only generates SQL; no query is ever sent through it. */
const sqlGenerator = drizzle.mock();

/**
 * A frequent query whose SQL is generated once per shape. drizzle takes longer to generate the SQL of a short query
 * than Postgres takes to answer it.
 */
export function createStatements() {
  const statements = new Map<string, unknown>();

  return function runStatement<V extends Values, Row>(
    tx: OrgTx,
    { shape = '', values, build }: Statement<V, Row>,
  ): Promise<Row[]> {
    const key = `${shape}:${Object.keys(values).join()}`;
    const statement = (statements.get(key) ??
      build(sqlGenerator, placeholdersOf(values)).prepare(key)) as Prepared<Row>;
    statements.set(key, statement);
    // A drizzle statement is bound to its connection; this one runs wherever the scope is.
    const bound = Object.create(statement, { client: { value: tx.client } }) as Prepared<Row>;
    return bound.execute(values);
  };
}

function placeholdersOf<V extends Values>(values: V): PlaceholdersOf<V> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, sql.placeholder(name)])) as PlaceholdersOf<V>;
}
