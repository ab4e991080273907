import { drizzle } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type { Actor } from '../../src/auth/principal.ts';
import type { Database, OrgTx } from '../../src/db/scope.ts';
import { ListRecordsInput } from '../../src/domain/records/filters.ts';
import { getRecord, listRecords } from '../../src/domain/records/service.ts';

export type Statement = { text: string; parameters: unknown[] };
export type Case = { name: string; path: string; statements: Statement[] };

type BenchIds = { orgId: string; projectId: string; recordId: string };

const filters: Record<string, Record<string, string>> = {
  'no filter': {},
  project: { projectId: '' },
  completed: { status: 'completed' },
  failed: { status: 'failed' },
  'whole days': { from: '2026-02-10', to: '2026-02-20' },
  'broken days': { from: '2026-02-10T10:00:00Z', to: '2026-02-20T10:00:00Z' },
  'project, status and days': { projectId: '', status: 'completed', from: '2026-02-10', to: '2026-02-20' },
};

/** Every documented sort in both directions under every kind of filter, a deep page, and one record. */
export async function casesOf(place: BenchIds): Promise<Case[]> {
  const cases: Case[] = [{ name: 'one record', ...(await detailCase(place)) }];
  for (const [filterName, filter] of Object.entries(filters)) {
    for (const sort of ['createdAt', 'duration', 'qualityScore']) {
      for (const order of ['asc', 'desc']) {
        const query = { ...filter, ...('projectId' in filter && { projectId: place.projectId }), sort, order };
        cases.push({ name: `${filterName}, ${sort} ${order}`, ...(await listCase(place, query)) });
      }
    }
  }
  cases.push({ name: 'page 500', ...(await listCase(place, { page: '500' })) });
  return cases;
}

async function listCase(place: BenchIds, query: Record<string, string>): Promise<Omit<Case, 'name'>> {
  const { page, status, ...rest } = query;
  const input = ListRecordsInput.parse({
    ...rest,
    ...(status !== undefined && { status: status.split(',') }),
    ...(page !== undefined && { page: Number(page) }),
  });
  const statements = await statementsOf(place, (db, actor) => listRecords({ db, actor }, input));
  return { path: `/api/v1/records?${new URLSearchParams(query).toString()}`, statements };
}

async function detailCase(place: BenchIds): Promise<Omit<Case, 'name'>> {
  const statements = await statementsOf(place, (db, actor) =>
    // It finds nothing in a recording, which is all that is asked of it.
    getRecord({ db, actor }, { id: place.recordId }).catch(() => {}),
  );
  return { path: `/api/v1/records/${place.recordId}`, statements };
}

/** What the service sends to Postgres for that work, taken down instead of executed. */
export async function statementsOf(
  { orgId }: Pick<BenchIds, 'orgId'>,
  work: (db: Database, actor: Actor) => Promise<unknown>,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const recorder = {
    options: { parsers: {}, serializers: {} },
    unsafe(text: string, parameters: unknown[]) {
      statements.push({ text, parameters });
      return Object.assign(Promise.resolve([]), { values: () => Promise.resolve([]) });
    },
  };
  const tx = Object.assign(drizzle(recorder as unknown as Sql), { orgId, client: recorder }) as unknown as OrgTx;
  const within: Database['withOrg'] = (_orgId, use) => use(tx);
  const db: Database = {
    withOrg: within,
    readOrg: within,
    findInOrg: within,
    searchOrg: within,
    together: (_orgId, use) => use(db, tx),
    afterCommit: (use) => use(),
    asOf: () => db,
  };
  const user = { id: 'usr_bench', email: 'bench@example.com', name: 'Bench' };
  const principal = { kind: 'session' as const, user, memberships: [] };
  await work(db, { principal, orgId, userId: user.id, role: 'owner', projectIds: null });
  return statements;
}
