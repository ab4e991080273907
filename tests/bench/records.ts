import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgresJs from 'postgres';
import { connect } from '../../src/db/client.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase } from '../../src/db/scope.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { casesOf, type Case } from './records-cases.ts';
import { seedRecords } from './records-seed.ts';
import { load, median, round, startServer, type BenchServer, type Load } from './support.ts';

/**
 * `GET /records` of an organization with 200,000 records beside others, 1 M in all, in every sort and under every kind
 * of filter, beside a bare Fastify and postgres.js with the same statements and no credential.
 * Must reach half of its requests a second, and a p99 below five times its own.
 */
const ratioMin = 0.5;
const p99FactorMax = 5;
const recordsPerOrg = Number(process.env['BENCH_RECORDS_PER_ORG'] ?? 200_000);
const orgCount = 5;
const clients = Number(process.env['BENCH_CLIENTS'] ?? 8);
/**
 * Both are measured as they run for hours: long enough that neither new connections nor code that is still being
 * compiled count. The service has far more of it; with turns of half a second it lost a quarter to it.
 */
const warmUpMs = 2_000;
const durationMs = Number(process.env['BENCH_CASE_MS'] ?? 2_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const only = process.env['BENCH_ONLY'];

const dataDir = process.env['BENCH_DATA_DIR'] ?? (await mkdtemp(path.join(tmpdir(), 'earshot-bench-')));
const log = createLogger('warn');
const postgres = await startEmbeddedPostgres({ dataDir, log, fsync: false });
const servers: BenchServer[] = [];
try {
  const target = await prepare();
  const cases = (await casesOf(target)).filter(({ name }) => only === undefined || name.includes(only));
  const input = { databaseUrl: postgres.url, dataDir, cases };
  const service = await startServer(new URL('records-service.ts', import.meta.url), input);
  servers.push(service);
  const bare = await startServer(new URL('records-bare.ts', import.meta.url), input);
  servers.push(bare);
  const results = [];
  for (const [index, one] of cases.entries()) {
    const result = await compare(one, {
      bareUrl: `${bare.baseUrl}/${index}`,
      serviceUrl: service.baseUrl,
      headers: target.headers,
    });
    process.stderr.write(
      `${result.name.padEnd(46)} ${result.ratio}  ${result.perSecond}/${result.barePerSecond} a second, p99 ${result.p99Ms}/${result.bareP99Ms} ms\n`,
    );
    results.push(result);
  }
  report(results);
} finally {
  for (const server of servers) await server.stop();
  await postgres.stop();
  if (process.env['BENCH_DATA_DIR'] === undefined) await rm(dataDir, { recursive: true, force: true });
}

type Target = { orgId: string; projectId: string; recordId: string; headers: Record<string, string> };

/** The organizations, their records and a token. A folder that is kept is filled once. */
async function prepare(): Promise<Target> {
  await migrate({ url: postgres.url, log });
  const connections = connect({ url: postgres.url, poolSizeMax: 2 });
  const superuser = postgresJs(postgres.url, { max: 1, onnotice: () => {} });
  const db = createDatabase(connections);
  try {
    const [known] = await superuser`select count(*)::int as n from orgs`;
    if (known?.n === 0) {
      const orgs = [];
      for (let index = 0; index < orgCount; index += 1) {
        const { orgId, projectId } = await createOrg(
          { db, system: connections.system },
          { name: `Org ${index}`, owner: 'owner@example.com' },
        );
        await superuser`insert into projects (org_id, id, name, profile_id)
          select org_id, id || suffix, name || suffix, profile_id from projects, unnest(array['x', 'y']) as suffix where org_id = ${orgId}`;
        orgs.push({ orgId, projectIds: [projectId, `${projectId}x`, `${projectId}y`] });
      }
      await seedRecords(superuser, { orgs, recordsPerOrg });
    }
    const [row] = await superuser<{ orgId: string; projectId: string; recordId: string; userId: string }[]>`
      select o.id as "orgId", m.user_id as "userId",
             (select min(id) from projects p where p.org_id = o.id) as "projectId",
             (select id from records r where r.org_id = o.id order by created_at offset 1000 limit 1) as "recordId"
        from orgs o join memberships m on m.org_id = o.id order by o.id offset 2 limit 1`;
    if (!row) throw new Error('There is no organization.');
    const { token } = await db.withOrg(row.orgId, (tx) =>
      issueToken(tx, row.userId, { name: 'bench', expiresAt: null }),
    );
    return { ...row, headers: { authorization: `Bearer ${token}`, 'x-selected-org-id': row.orgId } };
  } finally {
    await superuser.end();
    await connections.close();
  }
}

type Targets = { bareUrl: string; serviceUrl: string; headers: Record<string, string> };

/** The two take turns, so that whatever else the machine does falls on both; the median of the turns counts. */
async function compare({ name, path: address }: Case, { bareUrl, serviceUrl, headers }: Targets) {
  const bare: Load[] = [];
  const service: Load[] = [];
  await load({ url: bareUrl, clients, durationMs: warmUpMs });
  await load({ url: `${serviceUrl}${address}`, headers, clients, durationMs: warmUpMs });
  for (let turn = 0; turn < rounds; turn += 1) {
    bare.push(await load({ url: bareUrl, clients, durationMs }));
    service.push(await load({ url: `${serviceUrl}${address}`, headers, clients, durationMs }));
  }
  const of = (loads: Load[], key: keyof Load): number => median(loads.map((one) => one[key]));
  const [perSecond, barePerSecond] = [of(service, 'requestsPerSecond'), of(bare, 'requestsPerSecond')];
  const [p99Ms, bareP99Ms] = [of(service, 'p99Ms'), of(bare, 'p99Ms')];
  return {
    name,
    ratio: round(perSecond / barePerSecond),
    perSecond: Math.round(perSecond),
    barePerSecond: Math.round(barePerSecond),
    p99Ms: round(p99Ms),
    bareP99Ms: round(bareP99Ms),
    p99Factor: round(p99Ms / bareP99Ms, 1),
  };
}

type Result = Awaited<ReturnType<typeof compare>>;

function report(results: Result[]): void {
  const ratios = results.map(({ ratio }) => ratio);
  const missed = results.filter(({ ratio, p99Factor }) => ratio < ratioMin || p99Factor >= p99FactorMax);
  const summary = {
    cases: results.length,
    ratio: { median: median(ratios), worst: Math.min(...ratios) },
    p99Factor: {
      median: median(results.map(({ p99Factor }) => p99Factor)),
      worst: Math.max(...results.map(({ p99Factor }) => p99Factor)),
    },
    slowest: results
      .toSorted((a, b) => b.p99Ms - a.p99Ms)
      .slice(0, 3)
      .map(({ name, p99Ms }) => ({ name, p99Ms })),
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  if (missed.length === 0) return;
  const names = missed.map(({ name, ratio, p99Factor }) => `${name} (${ratio}, p99 × ${p99Factor})`);
  process.stdout.write(`missed the goal of ${ratioMin} and p99 × ${p99FactorMax}: ${names.join('; ')}\n`);
  process.exitCode = 1;
}
