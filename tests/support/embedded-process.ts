import postgres from 'postgres';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';

/**
 * A service in miniature: holds the embedded Postgres of the folder in its first argument (`durable` as the second
 * keeps fsync on), prints its url, and on SIGINT or SIGTERM finishes its work in the database before it stops it.
 */
const [, , dataDir = '', durability] = process.argv;
const ignore = (): void => {};
const log = { info: ignore, warn: ignore, error: ignore };

const server = await startEmbeddedPostgres({ dataDir, log, fsync: durability === 'durable' });
const keepAlive = setInterval(ignore, 1_000);
process.once('SIGINT', () => void finish());
process.once('SIGTERM', () => void finish());
print({ url: server.url });

async function finish(): Promise<void> {
  const sql = postgres(server.url, { max: 1 });
  const [row] = await sql`select 'drained' as word`;
  await sql.end();
  await server.stop();
  print({ word: row?.word });
  clearInterval(keepAlive);
}

function print(fact: object): void {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}
