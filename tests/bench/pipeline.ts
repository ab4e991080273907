import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../src/config/config.ts';
import { connect } from '../../src/db/client.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { openHeavyWork } from '../../src/setup/open-heavy-work.ts';
import { createPipeline } from '../../src/pipeline/assembly/pipeline.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { openSecretBox } from '../../src/setup/secrets.ts';
import { suppliedTranscript } from '../pipeline/support/calls.ts';
import { postgresCpuMs } from './support/processor-time.ts';

/**
 * Calls with supplied transcripts, every commit on disk: what the pipeline itself costs.
 * Must reach 40 records a second, and 150 ms from accepted to completed (median) when idle.
 */
const countMin = 40;
const idleMsMax = 150;
const recordCount = Number(process.env['BENCH_RECORDS'] ?? 600);
const idleCount = 60;

const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-bench-'));
const log = createLogger('warn');
const postgres = await startEmbeddedPostgres({ dataDir, log });
try {
  await migrate({ url: postgres.url, log });
  const config = loadConfig({ ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const connections = connect({ url: postgres.url, poolSizeMax: config.DATABASE_POOL_SIZE });
  const { system } = connections;
  const db = createDatabase(connections);
  const heavyWork = openHeavyWork(config, log);
  const pipeline = createPipeline({
    config,
    log,
    databaseUrl: postgres.url,
    db,
    system,
    heavyWork,
    storage: createLocalStorage({ directory: path.join(dataDir, 'objects') }),
    mailer: { send: async () => {} },
    secrets: await openSecretBox(config),
    crm: { call: () => Promise.reject(new Error('No call here comes from a portal.')) },
    transcribe: () => Promise.reject(new Error('Every call here brings its transcript.')),
  });
  await pipeline.start();
  const orgs = await Promise.all(
    Array.from({ length: Number(process.env['BENCH_ORGS'] ?? 3) }, (_, n) => `org-${n}`).map((name) =>
      createOrg({ db, system }, { name, owner: `${name}@example.com` }),
    ),
  );

  const accept = async (n: number): Promise<string> => {
    const org = orgs[n % orgs.length];
    if (!org) throw new Error('no organization');
    const id = newRecordId();
    await db.withOrg(org.orgId, (tx) =>
      createRecord(
        tx,
        { id, projectId: org.projectId, source: 'upload', durationSeconds: 59, uploadedBy: org.userId },
        suppliedTranscript(id),
      ),
    );
    return id;
  };
  const countCompleted = async (): Promise<number> => {
    const [row] = await system<{ n: number }[]>`select count(*)::int as n from records where status = 'completed'`;
    return row?.n ?? 0;
  };
  const until = async (done: () => Promise<boolean>, pauseMs: number): Promise<void> => {
    while (!(await done())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  };

  await accept(0);
  await until(async () => (await countCompleted()) === 1, 5);

  const latencies: number[] = [];
  for (let n = 0; n < idleCount; n += 1) {
    const before = await countCompleted();
    await accept(n);
    const acceptedAt = performance.now();
    await until(async () => (await countCompleted()) > before, 1);
    latencies.push(performance.now() - acceptedAt);
  }
  latencies.sort((a, b) => a - b);
  const p50 = latencies[Math.floor(latencies.length / 2)] ?? Infinity;
  const p95 = latencies[Math.floor(latencies.length * 0.95)] ?? Infinity;

  const before = await countCompleted();
  const cpuBefore = process.cpuUsage();
  const postgresBefore = await postgresCpuMs(system);
  const startedAt = performance.now();
  let next = 0;
  const uploader = async (): Promise<void> => {
    while (next < recordCount) await accept(next++);
  };
  await Promise.all(Array.from({ length: 8 }, uploader));
  const acceptedAfterMs = performance.now() - startedAt;
  await until(async () => (await countCompleted()) === before + recordCount, 20);
  const tookMs = performance.now() - startedAt;
  const cpu = process.cpuUsage(cpuBefore);
  const rate = (recordCount / tookMs) * 1000;
  const report = {
    records: recordCount,
    recordsPerSecond: Math.round(rate),
    acceptedPerSecond: Math.round((recordCount / acceptedAfterMs) * 1000),
    nodeCpuMsPerRecord: Math.round((cpu.user + cpu.system) / 10 / recordCount) / 100,
    postgresCpuMsPerRecord: Math.round((((await postgresCpuMs(system)) - postgresBefore) * 100) / recordCount) / 100,
    idleP50Ms: Math.round(p50 * 10) / 10,
    idleP95Ms: Math.round(p95 * 10) / 10,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  await pipeline.stop();
  await heavyWork.close();
  await connections.close();
  if (rate < countMin || p50 > idleMsMax) {
    process.stdout.write(`below the goal: ${countMin} records a second, ${idleMsMax} ms\n`);
    process.exitCode = 1;
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
