import Fastify from 'fastify';
import { Inngest, type InngestFunction } from 'inngest';
import { serve } from 'inngest/fastify';
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { connect } from '../../../src/db/client.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Engine, type EngineOptions } from '../../../src/pipeline/engine/engine.ts';
import { createSdkLogger } from '../../../src/pipeline/sdk-logger.ts';
import { SmallResults } from '../../../src/pipeline/small-results.ts';
import { createTestDatabase } from '../../support/database.ts';

export type BuildFunctions = (client: Inngest.Any) => InngestFunction.Any[];

/** Something that runs functions: the engine of our own, or a server. */
export type Host = { client: Inngest.Any; stop(): Promise<void> };

export type HostKind = { name: string; isAvailable: boolean; start(build: BuildFunctions): Promise<Host> };

export const log = createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent');

type EmbeddedOptions = Partial<Omit<EngineOptions, 'sql' | 'databaseUrl' | 'log'>>;
export type EmbeddedHost = Host & { engine: Engine; connections: ReturnType<typeof connect>; databaseUrl: string };

/** The engine on a database of its own, or on a given one beside other instances. */
export async function startEmbedded(
  build: BuildFunctions,
  { databaseUrl, ...options }: EmbeddedOptions & { databaseUrl?: string } = {},
): Promise<EmbeddedHost> {
  const database = databaseUrl === undefined ? await createTestDatabase() : undefined;
  const url = databaseUrl ?? database?.url ?? '';
  const connections = connect({ url, poolSizeMax: 10 });
  const engine = new Engine({
    sql: connections.system,
    databaseUrl: url,
    log,
    concurrency: 8,
    backoffMs: () => 20,
    ...options,
  });
  const client = createTestClient({ fetch: engine.fetch });
  engine.serve(client, build(client));
  await engine.start();
  const stop = async (): Promise<void> => {
    await engine.stop({ graceMs: 1000 });
    await connections.close();
    await database?.drop();
  };
  return { client, engine, connections, databaseUrl: url, stop };
}

export function createTestClient(options: { fetch?: typeof fetch; baseUrl?: string; id?: string }): Inngest {
  return new Inngest({
    id: 'test',
    isDev: true,
    aiMetadata: false,
    logger: createSdkLogger(log),
    checkpointing: { bufferedSteps: 20 },
    // As the client of the service has it: what the engines would keep differently is refused on both.
    middleware: [SmallResults],
    ...options,
  });
}

/** A dev server of Inngest that tests may use. It calls back at 127.0.0.1, so it runs on this machine. */
export const serverUrl = process.env['INNGEST_TEST_URL'];

/** A server calls us back, so the functions are served on a port of this machine. */
async function startOnServer(build: BuildFunctions): Promise<Host> {
  const client = createTestClient({ id: `test-${randomUUID()}`, ...(serverUrl ? { baseUrl: serverUrl } : {}) });
  const app = Fastify();
  app.route({
    method: ['GET', 'POST', 'PUT'],
    url: '/api/inngest',
    handler: serve({ client, functions: build(client) }),
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const response = await fetch(`${address}/api/inngest`, { method: 'PUT' });
  if (!response.ok)
    throw new Error(`The Inngest server refused the functions: ${response.status} ${await response.text()}`);
  const stop = async (): Promise<void> => {
    await unregister(serverUrl ?? '', address);
    await app.close();
  };
  return { client, stop };
}

/** So that events of later tests start nothing at an address where nobody is any more. */
export async function unregister(inngestUrl: string, baseUrl: string): Promise<void> {
  const url = encodeURIComponent(`${baseUrl}/api/inngest`);
  await fetch(`${inngestUrl}/fn/remove?url=${url}`, { method: 'DELETE' });
}

export const hostKinds: HostKind[] = [
  { name: 'embedded engine', isAvailable: true, start: (build) => startEmbedded(build) },
  { name: 'Inngest server', isAvailable: serverUrl !== undefined, start: startOnServer },
];

if (serverUrl === undefined) {
  process.stdout.write('The suite against an Inngest server is skipped: INNGEST_TEST_URL names none.\n');
}

/** A look costs processor time, which what is waited for needs: the longer it takes, the less often one looks. */
const lookMs = { min: 10, max: 50, shareOfWait: 0.1 };

/** Waits until `read` gives something, or fails. */
export async function eventually<T>(
  read: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 45_000,
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`Nothing came within ${timeoutMs} ms.`);
    await sleep(Math.min(lookMs.max, Math.max(lookMs.min, waitedMs * lookMs.shareOfWait)));
  }
}

/** What waits for its next attempt is due at once, and the engine hears of it, which else looks once a second. */
export async function hurry(sql: postgres.Sql): Promise<void> {
  await sql`
    with due as (
      update engine_queue set available_at = now() where owner is null and available_at > now() returning id
    )
    select pg_notify('earshot_engine', '') from due limit 1`;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs as the superuser of the test server, past every role. */
export async function asAdmin<T>(databaseUrl: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
