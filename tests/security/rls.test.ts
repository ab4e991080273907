import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql as fragment } from 'drizzle-orm';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedEveryTable } from './rls-seed.ts';

const serviceRoles = ['earshot_app', 'earshot_system'];
const wall = '(org_id = current_org_id())';
/** Tables without `org_id`, and what the role of requests may do with them. */
const sharedTables: Record<string, string> = {
  orgs: 'ALL (id = current_org_id())',
  users:
    'SELECT (EXISTS ( SELECT FROM memberships m WHERE ((m.user_id = users.id) AND (m.org_id = current_org_id()))))',
};
/** Unique across organizations, because none of them is ever chosen by a client. */
const globalUniqueIndexes = [
  'account_events_pkey',
  'account_links_pkey',
  'accounts_address',
  'accounts_pkey',
  'api_tokens_hash',
  'identities_issuer_subject_pk',
  'identity_matches_pkey',
  'identity_matches_subject',
  'orgs_pkey',
  'outbox_pkey',
  'passkey_challenges_pkey',
  'passkey_holders_handle',
  'passkey_holders_pkey',
  'passkeys_credential',
  'passkeys_pkey',
  'portal_installations_pkey',
  'portals_member',
  'provider_entries_model_hash_pk',
  'provider_keys_pkey',
  'recovery_codes_user_id_hash_pk',
  'sessions_hash',
  'sign_in_attempts_pkey',
  'sign_ins_pkey',
  'totp_secrets_pkey',
  'users_email',
  'users_pkey',
];

let t: TestApp;
let superuser: Sql;
let mine: TestMember;
let theirs: TestMember;
let tables: string[];
let tenantTables: string[];
const unseeded = new Set<string>();

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 2, onnotice: () => {} });
  mine = await t.createOrg();
  theirs = await t.createOrg();
  await seedEveryTable(t, mine);
  await seedEveryTable(t, theirs);
  const rows = await superuser<{ name: string; isTenant: boolean }[]>`
    select c.relname as name,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped) as "isTenant"
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;
  tables = rows.map(({ name }) => name);
  tenantTables = rows.filter(({ isTenant }) => isTenant).map(({ name }) => name);
  for (const table of tenantTables) {
    const seeded = await Promise.all([mine, theirs].map(({ orgId }) => rowsOf(table, orgId)));
    if (seeded.some((found) => found.length === 0)) unseeded.add(table);
  }
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

describe('the schema', () => {
  it('has row-level security enabled, forced and governed by a policy on every table', async () => {
    expect(tables.length).toBeGreaterThan(10);
    const open = await superuser`
      select c.relname from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not (c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p where p.polrelid = c.oid))`;
    expect(open.map((row) => row.relname)).toEqual([]);
  });

  it('walls every table with an organization by that organization, for reading and for writing', async () => {
    expect(tenantTables).toEqual(expect.arrayContaining(['records', 'analyses', 'transcripts', 'outbox']));
    const policies = await superuser`
      select tablename, policyname, permissive, roles::text[] as roles, cmd, qual, with_check from pg_policies
       where schemaname = 'public' and (roles && array['earshot_app', 'public']::name[]) order by 1`;
    const rule = { policyname: 'org_isolation', permissive: 'PERMISSIVE', roles: ['earshot_app'], cmd: 'ALL' };
    expect(policies.filter((policy) => tenantTables.includes(policy.tablename)).map(plain)).toEqual(
      tenantTables.map((tablename) => ({ tablename, ...rule, qual: wall, with_check: wall })),
    );
    const others = policies.filter((policy) => !tenantTables.includes(policy.tablename));
    const rules = others.map(({ tablename, cmd, qual }) => [tablename, `${cmd} ${qual.replace(/\s+/g, ' ')}`]);
    expect(Object.fromEntries(rules)).toEqual(sharedTables);
  });

  it('gives the roles of the service nothing that would carry them past a policy', async () => {
    const roles = await superuser`
      select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
             (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships,
             (select count(*)::int from pg_class c where c.relowner = r.oid) as owned
        from pg_roles r where rolname in ${superuser(serviceRoles)} order by 1`;
    expect(roles.map((role) => ({ ...role }))).toEqual(
      serviceRoles.map((rolname) => ({
        rolname,
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolcanlogin: false,
        memberships: 0,
        owned: 0,
      })),
    );
  });

  it('has no view that reads as its owner, and functions that run as theirs only for search, of a role that reads nothing else', async () => {
    const views = await superuser`
      select relname from pg_class
       where relnamespace = 'public'::regnamespace
         and (relkind = 'm' or relkind = 'v' and not coalesce(reloptions @> array['security_invoker=true'], false))`;
    expect(views.map((row) => row.relname)).toEqual([]);
    const functions = await superuser`
      select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`;
    expect(functions.map((row) => row.proname)).toEqual(['search_found', 'search_matches']);
    const rights = await superuser`
      select pg_get_userbyid(p.proowner) as owner, has_function_privilege('public', p.oid, 'execute') as "isPublic",
             r.rolsuper or r.rolbypassrls or r.rolcanlogin as "isStrong",
             (select array_agg(c.relname::text order by c.relname) from pg_class c
               where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                 and has_table_privilege(r.oid, c.oid, 'select')) as readable,
             (select count(*)::int from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                 and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate')) as writable
        from pg_proc p join pg_roles r on r.oid = p.proowner where p.proname in ('search_found', 'search_matches')`;
    const little = {
      owner: 'earshot_search',
      isPublic: false,
      isStrong: false,
      readable: ['search_documents', 'search_languages'],
      writable: 0,
    };
    expect(rights.map((row) => ({ ...row }))).toEqual([little, little]);
  });

  it('ties rows together by organization in every foreign key between tables that have one', async () => {
    const loose = await superuser`
      select k.conrelid::regclass::text as source, k.conname
        from pg_constraint k
        join pg_attribute s on s.attrelid = k.conrelid and s.attname = 'org_id'
        join pg_attribute f on f.attrelid = k.confrelid and f.attname = 'org_id'
       where k.contype = 'f'
         and not exists (select from unnest(k.conkey, k.confkey) as pair(own, foreign_)
                          where own = s.attnum and foreign_ = f.attnum)`;
    expect(loose.map((row) => row.conname)).toEqual([]);
  });

  it('keeps uniqueness inside the organization, so that a refused value tells nothing about others', async () => {
    const wide = await superuser`
      select i.indexrelid::regclass::text as name from pg_index i
        join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
       where i.indisunique and c.relname not like 'engine_%'
         and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'org_id' and a.attnum = any(i.indkey))
       order by 1`;
    expect(wide.map((row) => row.name)).toEqual(globalUniqueIndexes);
  });
});

describe('a query outside an organization', () => {
  it('returns no row of any table, though every table has rows', async () => {
    const [counts] = await superuser.unsafe(
      `select ${tenantTables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`,
    );
    expect(Object.entries(counts ?? {}).filter(([, count]) => count < 2)).toEqual([]);
    const seen = await forEach(tables, (table) => t.deps.connections.app.unsafe(`select * from ${table}`));
    const leaks = Object.entries(seen).filter(([, result]) => result !== 'refused' && !isEmpty(result));
    expect(leaks).toEqual([]);
  });

  it('writes no row either', async () => {
    const { app } = t.deps.connections;
    const inserted = await forEach(tenantTables, async (table) =>
      insertRow(app, table, await rowOf(table, mine.orgId)),
    );
    expect(inserted).toEqual(same('refused'));
    const updated = await forEach(tenantTables, (table) =>
      app.unsafe(`update ${table} set org_id = org_id returning 1`),
    );
    expect(updated).toEqual(same([]));
    const deleted = await forEach(tenantTables, (table) => app.unsafe(`delete from ${table} returning 1`));
    expect(deleted).toEqual(same([]));
  });
});

describe('a search', () => {
  const matches = "select record_id from search_matches('hello', null, null, null, null, 100)";

  it('finds nothing outside an organization, and inside one only what is its own', async () => {
    expect(await t.deps.connections.app.unsafe(matches)).toHaveLength(0);
    for (const member of [mine, theirs]) {
      const found = await inScope(member, (run) => run(matches));
      const own = await superuser`select record_id from search_documents where org_id = ${member.orgId}`;
      expect(own.map((row) => row.record_id)).toEqual(
        expect.arrayContaining((found as { record_id: string }[]).map((row) => row.record_id)),
      );
      expect(found).not.toHaveLength(0);
    }
  });

  it('is refused to the role that works across organizations', async () => {
    await expect(t.deps.connections.system.unsafe(matches)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a query inside an organization', () => {
  it('sees the rows of that organization only, in every table', async () => {
    const seen = await forEach(tenantTables, (table) =>
      inScope(mine, (run) => run(`select distinct org_id from ${table}`)),
    );
    expect(seen).toEqual(same([{ org_id: mine.orgId }]));
    const people = await inScope(mine, (run) => run('select id from users order by 1'));
    expect(people).toEqual([{ id: mine.userId }]);
    expect(await inScope(mine, (run) => run('select id from orgs'))).toEqual([{ id: mine.orgId }]);
  });

  it("touches nothing of another organization's rows", async () => {
    const before = await forEach(tenantTables, (table) => rowsOf(table, theirs.orgId));
    const where = `where org_id = '${theirs.orgId}' returning 1`;
    const updated = await forEach(tenantTables, (table) =>
      inScope(mine, (run) => run(`update ${table} set org_id = org_id ${where}`)),
    );
    expect(updated).toEqual(same([]));
    const deleted = await forEach(tenantTables, (table) =>
      inScope(mine, (run) => run(`delete from ${table} ${where}`)),
    );
    expect(deleted).toEqual(same([]));
    expect(await forEach(tenantTables, (table) => rowsOf(table, theirs.orgId))).toEqual(before);
  });

  it('can neither write into another organization nor move its own rows there', async () => {
    const written = await forEach(tenantTables, async (table) => {
      const row = await rowOf(table, theirs.orgId);
      return inScope(mine, (_run, sql) => insertRow(sql, table, row));
    });
    expect(written).toEqual(same('refused'));
    const moved = await forEach(tenantTables, (table) =>
      inScope(mine, (run) => run(`update ${table} set org_id = '${theirs.orgId}'`)),
    );
    expect(moved).toEqual(same('refused'));
  });

  it('stays inside when hundreds of scopes share a few connections, and leaves no trace when it fails', async () => {
    const { db } = t.deps.services;
    const seen = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { orgId } = index % 2 ? mine : theirs;
        const work = db.withOrg(orgId, async (tx) => {
          const rows = await tx.execute(fragment`select org_id from projects`);
          if (index % 5 === 0) throw new Error('refused');
          return rows.map((row) => row.org_id);
        });
        const result = await work.catch((error: Error) => error.message);
        return index % 5 === 0 ? result === 'refused' : result.toString() === orgId;
      }),
    );
    expect(seen.every(Boolean)).toBe(true);
    const after = await Promise.all(
      Array.from({ length: 20 }, () => t.deps.connections.app`select current_setting('app.org_id', true) as org`),
    );
    expect(after.every(([row]) => !row?.org)).toBe(true);
  });
});

describe('the source', () => {
  it('makes an organization scope in db/scope.ts and nowhere else', async () => {
    const offenders: string[] = [];
    for (const file of await filesUnder('src')) {
      if (file === 'src/db/scope.ts') continue;
      const text = await readFile(file, 'utf8');
      if (/\bas\s+(?:unknown\s+as\s+)?OrgTx\b|<OrgTx>\s*[({]|app\.org_id|set\s+(?:local\s+)?role\b/i.test(text)) {
        offenders.push(file);
      }
    }
    expect(offenders).toEqual([]);
  });

  it('reaches past the scope in the few places that speak for all organizations', async () => {
    const users: string[] = [];
    for (const file of await filesUnder('src/domain')) {
      // Accounts belong to people, whatever their organizations.
      if (file.startsWith('src/domain/accounts/')) continue;
      if (/\bfrom 'postgres'/.test(await readFile(file, 'utf8'))) users.push(file);
    }
    expect(users.toSorted()).toEqual([
      'src/domain/embedded/queries.ts',
      'src/domain/embedded/service.ts',
      'src/domain/matches/queries.ts',
      'src/domain/matches/service.ts',
      'src/domain/orgs/queries.ts',
      'src/domain/orgs/service.ts',
      'src/domain/portals/access.ts',
      'src/domain/portals/credentials.ts',
      'src/domain/portals/events.ts',
      'src/domain/portals/installation-queries.ts',
      'src/domain/portals/installations.ts',
    ]);
  });
});

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** What came of the work by table; `refused` where Postgres named a lack of permission or a policy. */
async function forEach(names: string[], work: (table: string) => Promise<unknown>): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const table of names) {
    results[table] = await work(table).then(
      (result) => (Array.isArray(result) ? result.map(plain) : result),
      (error: { code?: string }) => (error.code === '42501' ? 'refused' : error),
    );
  }
  return results;
}

function plain(value: unknown): unknown {
  return typeof value === 'object' ? { ...value } : value;
}

function same(result: unknown): Record<string, unknown> {
  return Object.fromEntries(tenantTables.map((table) => [table, result]));
}

function isEmpty(result: unknown): boolean {
  return Array.isArray(result) && result.length === 0;
}

type Run = (query: string) => Promise<Record<string, unknown>[]>;

/** The scope that requests get, and the same switch on a raw connection for what takes parameters. */
async function inScope<T>({ orgId }: TestMember, work: (run: Run, sql: Sql) => Promise<T>): Promise<T> {
  const result = await t.deps.connections.app.begin(async (sql) => {
    await sql`select set_config('role', 'earshot_app', true), set_config('app.org_id', ${orgId}, true)`;
    const run: Run = async (query) => (await sql.unsafe(query)).map((row) => ({ ...row }));
    return { value: await work(run, sql as unknown as Sql) };
  });
  return result.value as T;
}

async function rowsOf(table: string, orgId: string): Promise<string[]> {
  const rows = await superuser.unsafe(`select to_jsonb(r)::text as row from ${table} r where org_id = $1`, [orgId]);
  return rows.map(({ row }) => row).toSorted();
}

async function rowOf(table: string, orgId: string): Promise<string> {
  const [row] = await rowsOf(table, orgId);
  if (row !== undefined) return row;
  if (unseeded.has(table)) throw new Error(`seedEveryTable makes no row of ${table}: add one.`);
  throw new Error(`The row of ${table} that seedEveryTable made is gone: a statement before changed or deleted it.`);
}

async function insertRow(sql: Sql, table: string, row: string): Promise<void> {
  const columns = await sql`
    select quote_ident(attname) as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  const names = columns.map(({ name }) => name).join(', ');
  await sql.unsafe(
    `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1::text::jsonb)`,
    [row],
  );
}
