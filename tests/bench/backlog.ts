import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/**
 * A backlog of calls with supplied transcripts that the embedded engine finds when it starts. Time must be linear in its
 * length (the second half at least 0.8 times as fast as the first), and memory must not grow with it.
 */
const recordCount = Number(process.env['BENCH_BACKLOG'] ?? 10_000);
const orgCount = 5;
const speedRatioMin = 0.8;
const growthMax = 1.25;
const growthBytes = 32 * 1024 * 1024;
const sampleMs = 250;

type Sample = { atMs: number; completed: number; heapBytes: number };

const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-bench-'));
const log = createLogger('warn');
const postgres = await startEmbeddedPostgres({ dataDir, log });
try {
  await migrate({ url: postgres.url, log });
  const config = loadConfig({ ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const connections = connect({ url: postgres.url, poolSizeMax: config.DATABASE_POOL_SIZE });
  const { system } = connections;
  const db = createDatabase(connections);
  const orgs = await Promise.all(
    Array.from({ length: orgCount }, (_, n) =>
      createOrg({ db, system }, { name: `org-${n}`, owner: `org-${n}@example.com` }),
    ),
  );

  let next = 0;
  const fill = async (): Promise<void> => {
    while (next < recordCount) {
      const org = orgs[next++ % orgs.length];
      if (!org) throw new Error('no organization');
      const id = newRecordId();
      const record = { id, projectId: org.projectId, source: 'upload' as const, durationSeconds: 59 };
      await db.withOrg(org.orgId, (tx) =>
        createRecord(tx, { ...record, uploadedBy: org.userId }, suppliedTranscript(id)),
      );
    }
  };
  await Promise.all(Array.from({ length: 8 }, fill));

  const heavyWork = openHeavyWork(config, log);
  const pipeline = createPipeline({
    config,
    log,
    databaseUrl: postgres.url,
    db,
    system,
    heavyWork,
    storage: createLocalStorage({ directory: path.join(dataDir, 'objects') }),
    secrets: await openSecretBox(config),
    crm: { call: () => Promise.reject(new Error('No call here comes from a portal.')) },
    mailer: { send: async () => {} },
    transcribe: () => Promise.reject(new Error('Every call here brings its transcript.')),
  });
  const samples: Sample[] = [];
  const startedAt = performance.now();
  await pipeline.start();
  for (let completed = 0; completed < recordCount;) {
    await sleep(sampleMs);
    const [row] = await system<{ n: number }[]>`select count(*)::int as n from records where status = 'completed'`;
    completed = row?.n ?? 0;
    samples.push({ atMs: performance.now() - startedAt, completed, heapBytes: process.memoryUsage().heapUsed });
  }
  const report = describe(samples);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  await pipeline.stop();
  await heavyWork.close();
  await connections.close();
  if (report.speedRatio < speedRatioMin || !report.isMemoryFlat) {
    process.stdout.write(`below the goal: second half at ${speedRatioMin} of the first, memory flat\n`);
    process.exitCode = 1;
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function describe(taken: Sample[]) {
  const last = taken.at(-1);
  const half = taken.find(({ completed }) => completed >= recordCount / 2);
  if (!last || !half) throw new Error('nothing was measured');
  const firstRate = half.completed / half.atMs;
  const secondRate = (last.completed - half.completed) / (last.atMs - half.atMs);
  // The least in a stretch of time is what the collector could not take away.
  const floorOf = (part: Sample[]) => Math.min(...part.map(({ heapBytes }) => heapBytes));
  const quarter = Math.ceil(taken.length / 4);
  const [early, late] = [floorOf(taken.slice(quarter, 2 * quarter)), floorOf(taken.slice(-quarter))];
  return {
    records: recordCount,
    recordsPerSecond: Math.round((last.completed / last.atMs) * 1000),
    speedRatio: Math.round((secondRate / firstRate) * 100) / 100,
    heapEarlyMb: Math.round(early / 1e6),
    heapLateMb: Math.round(late / 1e6),
    isMemoryFlat: late <= Math.max(early * growthMax, early + growthBytes),
  };
}
