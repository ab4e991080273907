import postgres from 'postgres';
import { inject } from 'vitest';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { serverUrl, unregister } from './hosts.ts';
import { runCron } from './run-cron.ts';

/** The whole service, with what runs its functions. */
export type DrivenService = TestApp & {
  baseUrl: string;
  /** Has a function run now that is run by the clock. What it does may end later. */
  runScheduled(name: string): Promise<void>;
};

export type ServiceKind = {
  name: string;
  isAvailable: boolean;
  /** `log` takes the log, for tests of what it holds. */
  start(env: Record<string, string>, log?: NodeJS.WritableStream): Promise<DrivenService>;
};

export const serviceKinds: ServiceKind[] = [
  { name: 'embedded engine', isAvailable: true, start: startOnEngine },
  {
    name: 'Inngest server',
    isAvailable: serverUrl !== undefined,
    start: (env, log) => startOnServer(env, serverUrl ?? '', log),
  },
];

async function startOnEngine(env: Record<string, string>, log?: NodeJS.WritableStream): Promise<DrivenService> {
  const t = await createTestApp({ env, ...(log && { log }) });
  return { ...t, baseUrl: await t.listen(), runScheduled: async (name) => void (await runCron(t, name)) };
}

/** A server knows one address of an application: one service at a time, whichever files of tests run side by side. */
async function startOnServer(
  env: Record<string, string>,
  inngestUrl: string,
  log?: NodeJS.WritableStream,
): Promise<DrivenService> {
  const release = await takeServer();
  const t = await createTestApp({ env: { ...env, ...serverEnv(inngestUrl) }, ...(log && { log }) });
  const baseUrl = await t.listen();
  await register(baseUrl);
  return {
    ...t,
    baseUrl,
    runScheduled: (name) => invoke(inngestUrl, name),
    async close() {
      await unregister(inngestUrl, baseUrl);
      await t.close();
      await release();
    },
  };
}

const serverLock = 4_271_983_200;

/** Held by a session in the run's own Postgres. */
async function takeServer(): Promise<() => Promise<void>> {
  const sql = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} });
  await sql`select pg_advisory_lock(${serverLock})`;
  return () => sql.end({ timeout: 5 });
}

/** Settings of a service whose functions a dev server runs. */
export function serverEnv(inngestUrl: string): Record<string, string> {
  return { PIPELINE_ENGINE: 'inngest', INNGEST_DEV: '1', INNGEST_BASE_URL: inngestUrl };
}

/** Has the service at the address tell its server which functions it has, as an operator does after a deployment. */
export async function register(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/api/inngest`, { method: 'PUT' });
  if (!response.ok) throw new Error(`The server refused the functions: ${response.status} ${await response.text()}`);
}

/** Runs a function of the application now. */
export async function invoke(inngestUrl: string, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${inngestUrl}/invoke/earshot-${name}`, {
    method: 'POST',
    headers,
    body: '{"data":{}}',
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}
