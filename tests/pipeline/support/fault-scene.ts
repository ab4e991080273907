import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { connect } from '../../../src/db/client.ts';
import { createDatabase } from '../../../src/db/scope.ts';
import { upsertBudget } from '../../../src/domain/billing/metering-queries.ts';
import { createOrg } from '../../../src/domain/onboarding/service.ts';
import { issueToken } from '../../../src/domain/tokens/service.ts';
import { callVtt } from './calls.ts';
import { sleep } from './hosts.ts';
import { expectNothingLeft, startSweep, type Rest } from './invariants.ts';
import { silentWav, startRecordingServer } from './recording-server.ts';
import { startService, type ServiceProcess } from './service-process.ts';
import { invoke, serverEnv } from './services.ts';

/**
 * An organization whose telephony system sends calls to a service that faults befall, on a database that is given, and
 * what has to be true of everything that was sent once the service is at rest.
 */
export type FaultScene = Awaited<ReturnType<typeof createFaultScene>>;

const wav = silentWav(800);

export async function createFaultScene(databaseUrl: string, { inngestUrl }: { inngestUrl?: string } = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-faults-'));
  const server = await startRecordingServer((_req, res) => void setTimeout(() => res.end(wav), 30));
  const connections = connect({ url: databaseUrl, poolSizeMax: 4 });
  const db = createDatabase(connections);
  const { orgId, projectId, userId } = await createOrg(
    { db, system: connections.system },
    { name: 'Tormented', owner: 'owner@example.com' },
  );
  // With a limit, so that reserving and settling are a part of it.
  await db.withOrg(orgId, (tx) => upsertBudget(tx, '1000'));
  const { token } = await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: 'test', expiresAt: null }));
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
  const recording = await makeRecording(dataDir);
  const services: ServiceProcess[] = [];
  const deliveries: Promise<void>[] = [];

  function start(env: Record<string, string> = {}): ServiceProcess {
    const service = startService({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      OUTBOUND_ALLOW: '127.0.0.1',
      DATABASE_POOL_SIZE: '6',
      ...(inngestUrl && serverEnv(inngestUrl)),
      ...env,
    });
    services.push(service);
    return service;
  }

  /** As a telephony system would: sends the next call until somebody has taken it. */
  function sendNext(addresses: () => string[]): void {
    deliveries.push(deliver(deliveries.length, addresses));
  }

  async function deliver(n: number, addresses: () => string[]): Promise<void> {
    for (;;) {
      for (const baseUrl of addresses()) {
        const response = await request(baseUrl, n).catch(() => undefined);
        if (response?.ok) return;
        if (response && response.status < 500) throw new Error(`${response.status}: ${await response.text()}`);
      }
      await sleep(50);
    }
  }

  function request(baseUrl: string, n: number): Promise<Response> {
    const signal = AbortSignal.timeout(10_000);
    if (n % 10 === 3) {
      const call = { externalId: `x-${n}`, projectId, recordingUrl: server.url(`/${n}.wav`), transcript: callVtt };
      return fetch(`${baseUrl}/api/v1/records/ingest`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(call),
        signal,
      });
    }
    const form = new FormData();
    form.set('projectId', projectId);
    form.set('metadata', JSON.stringify({ externalId: `x-${n}` }));
    // A few go through speech recognition, where there is one; without, they fail with a reason.
    const isHeard = n % 25 === 7;
    if (!isHeard) form.set('transcript', callVtt);
    form.set('file', new Blob([Uint8Array.from(isHeard ? recording : wav)]), `${n}.wav`);
    return fetch(`${baseUrl}/api/v1/records/upload`, { method: 'POST', headers, body: form, signal });
  }

  /** Waits until every call has been taken and everything is at rest, sweeps, and looks at what there is. Gives the number of records. */
  async function expectNothingLost(
    expected: Partial<Pick<Rest, 'callCount' | 'completedMin' | 'restMs'>> = {},
  ): Promise<number> {
    await Promise.all(deliveries);
    const { system } = connections;
    return expectNothingLeft({ databaseUrl, dataDir, system, callCount: deliveries.length, runSweep, ...expected });
  }

  async function runSweep(): Promise<void> {
    if (inngestUrl) await invoke(inngestUrl, 'sweep');
    else await startSweep(connections.system);
  }

  async function close(): Promise<void> {
    await Promise.all(services.map((service) => service.kill()));
    await server.close();
    await connections.close();
    await rm(dataDir, { recursive: true, force: true });
  }

  return {
    dataDir,
    orgId,
    projectId,
    headers,
    db,
    start,
    sendNext,
    runSweep,
    expectNothingLost,
    close,
    sent: () => deliveries.length,
    /** Once everything that was sent has been taken. */
    allTaken: async () => void (await Promise.all(deliveries)),
  };
}

/** Short, spoken where the machine can speak. */
async function makeRecording(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'spoken.wav');
  try {
    await promisify(execFile)('flite', ['-t', 'thank you for calling, how can I help you', '-o', file]);
    return await readFile(file);
  } catch {
    return wav;
  }
}
