import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrate.ts';
import { examine, reportTrouble } from '../../src/doctor/doctor.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeOwner } from '../support/old-database.ts';
import { runProgram } from '../support/program.ts';
import { seedRecords } from '../support/seed.ts';

let database: TestDatabase;
let sql: Sql;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-doctor-'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const checks = [
  'database',
  'clock',
  'migrations',
  'roles',
  'tables',
  'policies',
  'grants',
  'functions',
  'indexes',
  'storage',
  'recordings',
  'programs',
  'space',
  'keys',
  'settings',
];

type DoctorSetup = { url?: string; dataDir?: string; env?: Record<string, string> };

function look({ url = database.url, dataDir = folder, env = {} }: DoctorSetup = {}): Promise<Finding[]> {
  const config = loadConfig({ DATABASE_URL: url, DATA_DIR: dataDir, ...env });
  const storage = createLocalStorage({ directory: path.join(dataDir, 'objects') });
  return examine({ config, storage, openServer: async () => ({ databaseUrl: url }) });
}

/** What is not well. */
async function complaints(place?: DoctorSetup): Promise<Finding[]> {
  return (await look(place)).filter(({ state }) => state !== 'ok');
}

async function without<T>(harm: string, work: () => Promise<T>, cure: string): Promise<T> {
  await sql.unsafe(harm);
  try {
    return await work();
  } finally {
    await sql.unsafe(cure);
  }
}

describe('doctor', () => {
  it('says of each thing that it is well, as a command with exit code 0', async () => {
    const env = { DATABASE_URL: database.url, DATA_DIR: folder };
    const { code, stdout, stderr } = await runProgram('src/admin.ts', ['doctor', '--json'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { isWell, findings } = JSON.parse(stdout) as { isWell: boolean; findings: Finding[] };
    expect(findings.map(({ check, state }) => ({ check, state }))).toEqual(
      checks.map((check) => ({ check, state: 'ok' })),
    );
    expect(isWell).toBe(true);
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
    // As many as a backup names: columns and constraints have figures of their own.
    expect(findings.find(({ check }) => check === 'tables')?.message).toMatch(
      new RegExp(`^${count} tables, \\d+ columns, \\d+ constraints: all as the migrations make them$`),
    );
  });

  it('makes nothing where nothing is, and does not ask for what the first start makes', async () => {
    const dataDir = path.join(folder, 'nothing');
    const { code, stdout } = await runProgram('src/admin.ts', ['doctor'], { DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {2}database +there is none in .* yet: the first start makes it$/m);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  });

  it('ends with exit code 1 where something hurts, and says what', async () => {
    const env = {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      DATA_DIR: folder,
      PATH: '/nowhere',
      RATE_LIMT_PER_MINUTE: '1000',
    };
    const { code, stdout, stderr } = await runProgram('src/admin.ts', ['doctor'], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ERROR +database +The database cannot be used: .*ECONNREFUSED/m);
    expect(stdout).toMatch(/^ERROR +programs +Missing: ffmpeg \(decodes recordings\), ffprobe/m);
    expect(stdout).toMatch(/^WARN +settings +RATE_LIMT_PER_MINUTE .* Did you mean RATE_LIMIT_PER_MINUTE\?$/m);
    expect(stderr).toBe('');
  });

  it.each([
    {
      harm: 'drop policy search_read on search_documents',
      cure: 'create policy search_read on search_documents for select to earshot_search using (true)',
      finding: {
        check: 'policies',
        state: 'error',
        message: expect.stringContaining('policy search_read on search_documents'),
      },
    },
    {
      harm: 'create policy everything on records to earshot_app using (true)',
      cure: 'drop policy everything on records',
      finding: {
        check: 'policies',
        state: 'warning',
        message: expect.stringContaining('policy everything on records'),
      },
    },
    {
      harm: 'revoke insert on records from earshot_app',
      cure: 'grant insert on records to earshot_app',
      finding: { check: 'grants', state: 'error', message: expect.stringContaining('grant to earshot_app on records') },
    },
    {
      harm: 'alter table records disable row level security',
      cure: 'alter table records enable row level security',
      finding: { check: 'tables', state: 'error', message: expect.stringContaining('table records') },
    },
    {
      harm: 'drop trigger records_search_insert on records',
      cure: 'create trigger records_search_insert after insert on records for each row execute function keep_searchable()',
      finding: {
        check: 'functions',
        state: 'error',
        message: expect.stringContaining('trigger records_search_insert on records'),
      },
    },
    {
      harm: 'drop index records_agent_name',
      cure: 'create index records_agent_name on records (org_id, agent_name, id)',
      finding: {
        check: 'indexes',
        state: 'warning',
        message: expect.stringContaining('index records_agent_name on records'),
      },
    },
    {
      harm: "insert into drizzle.__drizzle_migrations (hash, created_at) values ('unknown', 1)",
      cure: "delete from drizzle.__drizzle_migrations where hash = 'unknown'",
      finding: { check: 'migrations', state: 'error', message: expect.stringContaining('does not know: unknown') },
    },
  ])('finds what $harm does', async ({ harm, cure, finding }) => {
    expect(await without(harm, () => complaints(), cure)).toEqual([finding]);
    expect(await complaints()).toEqual([]);
  });

  it('says which migrations the next start applies, and looks at no schema of older times', async () => {
    await using old = await createTestDatabase({ isEmpty: true });
    const empty = await look({ url: old.url });
    expect(empty).toContainEqual({
      check: 'migrations',
      state: 'ok',
      message: expect.stringContaining('the first start fills it'),
    });
    await sql`update drizzle.__drizzle_migrations set hash = 'x' || hash where id = (select max(id) from drizzle.__drizzle_migrations)`;
    const removed = await sql<{ id: number; hash: string; at: string }[]>`
      delete from drizzle.__drizzle_migrations where hash like 'x%' returning id, substr(hash, 2) as hash, created_at as at`;
    const findings = await look();
    for (const { id, hash, at } of removed) {
      await sql`insert into drizzle.__drizzle_migrations (id, hash, created_at) values (${id}, ${hash}, ${at})`;
    }
    expect(findings).toContainEqual({
      check: 'migrations',
      state: 'warning',
      message: expect.stringMatching(/^The next start applies \d{4}_/),
    });
    expect(findings.map(({ check }) => check)).not.toContain('policies');
  });

  it('finds roles that are missing or not ours, with the SQL for an administrator', async () => {
    await using other = await createTestDatabase({ isEmpty: true });
    const owner = await makeOwner(sql, other);
    await migrate({ url: owner.url, log: createLogger('silent') });
    await sql.unsafe(`revoke earshot_search from owner_${other.name}`);
    const findings = await look({ url: owner.url });
    await other.drop();
    await owner.drop();
    expect(findings).toContainEqual({
      check: 'roles',
      state: 'error',
      message: `earshot_search may not be used. As an administrator of the server run: grant earshot_search to "owner_${other.name}";`,
    });
  });

  it('finds a database that takes no changes', async () => {
    await using other = await createTestDatabase();
    const admin = postgres(other.url, { max: 1, onnotice: () => {} });
    await admin.unsafe(`alter database ${other.name} set default_transaction_read_only = on`);
    await admin.end();
    expect(await look({ url: other.url })).toContainEqual({
      check: 'database',
      state: 'error',
      message: expect.stringContaining('is read-only or a standby'),
    });
  });

  it.each([
    {
      aheadMs: 10_000,
      state: 'warning',
      says: /^The clock of this machine is (9|10)(\.\d)? s ahead of that of the database/,
    },
    {
      aheadMs: -60_000,
      state: 'error',
      says: /^The clock of this machine is (59|60)(\.\d)? s behind that of the database/,
    },
  ])('finds a clock that is $aheadMs ms off', async ({ aheadMs, state, says }) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
    const findings = await complaints();
    expect(findings).toEqual([{ check: 'clock', state, message: expect.stringMatching(says) }]);
  });
});

describe('doctor, of a service with calls', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ runPipeline: false });
    const owner = await t.createOrg();
    await seedRecords(t, owner, [{ storageKey: `${owner.orgId}/lost` }]);
    const payload = { url: 'https://hooks.example.com/x', events: ['record.completed'] };
    await t.as(owner, { method: 'POST', url: '/api/v1/webhooks', payload });
  });
  afterAll(() => t.close());

  it('finds recordings and keys that are somewhere else', async () => {
    const url = t.deps.config.DATABASE_URL ?? '';
    const dataDir = await mkdtemp(path.join(folder, 'other-'));
    const findings = await complaints({ url, dataDir });
    expect(findings).toEqual([
      { check: 'recordings', state: 'error', message: expect.stringContaining('1 are missing, such as org_') },
      {
        check: 'keys',
        state: 'error',
        message: expect.stringContaining('which is not here: put it back into DATA_DIR/secrets.key'),
      },
    ]);
    const wrongKey = { SECRETS_KEY: 'another-key-that-nothing-was-sealed-with' };
    expect(await complaints({ url, dataDir, env: wrongKey })).toContainEqual({
      check: 'keys',
      state: 'error',
      message: expect.stringContaining('behind the first one in SECRETS_KEY'),
    });
    await chmod(path.join(t.dataDir, 'secrets.key'), 0o644);
    expect(await complaints({ url, dataDir: t.dataDir })).toContainEqual({
      check: 'keys',
      state: 'warning',
      message: 'Others may read DATA_DIR/secrets.key: chmod 600 it.',
    });
    await writeFile(path.join(dataDir, 'secrets.key'), 'cut');
    expect(await complaints({ url, dataDir })).toContainEqual({
      check: 'keys',
      state: 'error',
      message: expect.stringContaining('does not contain a complete key'),
    });
  });

  it('is asked by every start for what it can go on with', async () => {
    let log = '';
    const stream = new Writable({ write: (chunk, _encoding, done) => done(void (log += String(chunk))) });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    vi.stubEnv('RATE_LIMT_PER_MINUTE', '1000');
    await reportTrouble({
      config: t.deps.config,
      system: t.deps.connections.system,
      log: createLogger('warn', stream),
    });
    expect(log).toContain('"check":"clock"');
    expect(log).toContain('ahead of that of the database');
    expect(log).toContain('"check":"settings"');
    expect(log).toContain('RATE_LIMT_PER_MINUTE is not a setting of Earshot');
  });
});
