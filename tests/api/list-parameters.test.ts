import postgres, { type Sql } from 'postgres';
import { parse, stringify } from 'superjson';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredits } from '../../src/domain/billing/service.ts';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { objectShape } from '../../src/http/coerce.ts';
import { newId } from '../../src/lib/ids.ts';
import { appRouter } from '../../src/api/router.ts';
import { operations, type Ids, type Operation } from '../security/operations.ts';
import { createResources } from '../security/resources.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { audience, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

/** Every procedure that answers a page of something, as its schema says. A new one joins by itself. */
type Procedure = { _def: { inputs: z.core.$ZodType[]; output?: z.core.$ZodType } };
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>);
const lists = procedures.flatMap(([path, { _def }]) => {
  const { meta } = _def.output ? objectShape(_def.output) : {};
  const operation = operations.find(({ rpc }) => rpc === path);
  // A search is ranked, not sorted: see search-finds.test.ts.
  if (!operation || !meta || !('page' in objectShape(meta)) || 'query' in objectShape(meta)) return [];
  const [input] = _def.inputs;
  return [{ path, operation, parameters: input ? objectShape(input) : {}, title: path }];
});

const count = 5;
const firstDay = Date.parse('2026-03-02T00:00:00.000Z');
const dayMs = 86_400_000;
/** No two of a list are of one time, and none is where its id would put it. */
const times = [3, 0, 4, 1, 2].map((day) => new Date(firstDay + day * dayMs + 36_000_000));

let t: TestApp;
let superuser: Sql;
let idp: IdentityProvider;
let owner: TestMember;
let session: string;
let ids: Ids;

beforeAll(async () => {
  idp = await startIdentityProvider();
  t = await createTestApp({ runPipeline: false, env: { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience } });
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  owner = await t.createOrg('Lists');
  await seed();
  const [user] = await superuser<{ email: string }[]>`select email from users where id = ${owner.userId}`;
  session = await idp.sign({ sub: owner.userId, email: user?.email, email_verified: true });
});
afterAll(async () => {
  await superuser.end();
  await t.close();
  await idp.close();
});

/** Some of everything that is listed, below one record, analysis, alert and webhook where it belongs to such. */
async function seed(): Promise<void> {
  const { db } = t.deps.services;
  const { orgId, projectId, userId } = owner;
  for (let index = 0; index < count; index += 1) ids = await createResources(t, owner);
  const post = (url: string, payload: object) => t.as(owner, { method: 'POST', url: `/api/v1${url}`, payload });
  const rows = times.map((createdAt) => ({ createdAt, status: 'completed' as const, projectId: ids.projectId }));
  const recordIds = await seedRecords(t, owner, rows);
  for (const [index, recordId] of recordIds.entries()) {
    await seedAnalysis(t, owner, {
      recordId,
      projectId: ids.projectId,
      createdAt: times[index],
      qualityScore: 60 + index,
    });
  }
  for (let index = 0; index < count; index += 1) {
    await post(`/analyses/${ids.analysisId}/annotations`, {
      text: 'A note',
      ...(index % 2 && { startMs: 100 - index }),
    });
    await post(`/analyses/${ids.analysisId}/review`, { verdict: 'approved' });
    await post(`/webhooks/${ids.webhookId}/test`, {});
    const correction = { tags: [`tag-${index}`] };
    await t.as(owner, { method: 'PATCH', url: `/api/v1/records/${ids.recordId}`, payload: correction });
    await post('/users/invite', { email: `list${index}@example.com`, role: 'agent', projectIds: [ids.projectId] });
    await grantCredits({ db }, { orgId, type: 'grant', amount: String(10 - (index % 3)), description: 'Grant' });
    await db.withOrg(orgId, (tx) => issueToken(tx, userId, { name: `Token ${9 - index}`, expiresAt: null }));
    const place = { memberId: newId('portal'), domain: `p${9 - index}.bitrix24.com` };
    await linkPortal({ db, system: t.deps.connections.system }, orgId, place);
    await superuser`insert into crm_calls (org_id, member_id, call_id, portal_id, status, announced_by)
      values (${orgId}, ${place.memberId}, ${`call-${index}`}, ${ids.portalId}, 'taken', 'event')`;
    await superuser`insert into alert_events (org_id, id, alert_id, analysis_id, record_id, project_id, cause, severity,
                                              field, operator, threshold, value, triggered_at)
      select a.org_id, ${newId('event')}, ${ids.alertId}, a.id, a.record_id, a.project_id, 'analysis', 'warning',
             'qualityScore', 'lt', '50'::jsonb, '40'::jsonb, now()
        from analyses a where a.org_id = ${orgId} and a.record_id = ${recordIds[index] ?? ''}`;
    const other = await t.createOrg(`Other ${index}`);
    await superuser`insert into memberships (org_id, user_id, role) values (${other.orgId}, ${userId}, 'agent')`;
  }
  // Whatever is analysed is completed.
  await superuser`update records set status = 'completed' where org_id = ${orgId}`;
  await superuser`update projects set updated_at = created_at + interval '1 day' where id = ${projectId}`;
  await spread('alert_events', 'triggered_at');
  const others = [
    'alerts',
    'annotations',
    'api_tokens',
    'credit_entries',
    'crm_calls',
    'invites',
    'memberships',
    'portals',
    'record_changes',
  ];
  for (const table of [...others, 'profiles', 'projects', 'webhook_deliveries', 'webhooks']) await spread(table);
  await superuser`update review_entries set created_at = ${times[1] ?? null}::timestamptz + position * interval '1 hour'`;
  await superuser`update orgs set created_at = ${times[1] ?? null}::timestamptz + (ascii(right(id, 1)) % 7) * interval '1 day'`;
}

/** Days apart, some of them the same, in an order of their own. */
async function spread(table: string, column = 'created_at'): Promise<void> {
  await superuser.unsafe(
    `update ${table} set ${column} = $1::timestamptz + (ascii(md5(ctid::text)) % 5) * interval '1 day'`,
    [times[1] ?? null],
  );
}

type Item = Record<string, string | number | null>;
type Answer = {
  status: number;
  data: Item[];
  total: number;
  nextCursor: string | null;
  details: { path: string }[];
};
type List = (typeof lists)[number];

/** All items, page after page by cursor. */
async function walk(list: List, further: Record<string, unknown>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const answer = await ask(list, { ...further, ...(cursor !== null && { cursor }) });
    items.push(...answer.data);
    cursor = answer.nextCursor;
  } while (cursor !== null);
  return items;
}

/** Over REST with an API token, over RPC as somebody who has signed in: what only people may do has no REST. */
async function ask({ operation }: List, further: Record<string, unknown>): Promise<Answer> {
  const input = { ...operation.input({ ...ids, projectId: '' }), ...further };
  // Lists of everything, but for what stands in the path.
  for (const name of ['projectId', 'recordId', 'portalId']) if (!(name in further)) delete input[name];
  const { status, body } = await (operation.rest === undefined ? askRpc(operation, input) : askRest(operation, input));
  const { total, nextCursor = null } = body.meta ?? {};
  return { status, data: body.data ?? [], total, nextCursor, details: body.error?.details ?? [] };
}

async function askRest({ rest = '' }: Operation, input: Record<string, unknown>) {
  const others = { ...input };
  const url = rest.replace('GET ', '/api/v1').replace(/\{(\w+)\}/g, (_, key: string) => {
    delete others[key];
    return String(input[key]);
  });
  const query = Object.fromEntries(Object.entries(others).map(([key, value]) => [key, String(value)]));
  return t.as(owner, { url, query });
}

async function askRpc({ rpc = '' }: Operation, input: Record<string, unknown>) {
  const headers = { ...owner.headers, authorization: `Bearer ${session}` };
  const response = await t.app.inject({ url: `/api/trpc/${rpc}`, query: { input: stringify(input) }, headers });
  const { result, error } = response.json();
  // As REST would write it.
  const plain = result ? JSON.parse(JSON.stringify(parse(JSON.stringify(result.data)))) : { error: error.json.data };
  return { status: response.statusCode, body: plain };
}

function timeOf(item: Item): string {
  return String(item['createdAt'] ?? item['triggeredAt']);
}

function keyOf(item: Item): string {
  return String(item['id'] ?? item['callId'] ?? item['key'] ?? item['revision']);
}

/** What is compared of an item: a field of the same name, text without its case. */
function valueOf(item: Item, sort: string): string | number | null {
  const value = sort === 'createdAt' ? timeOf(item) : (item[sort] ?? null);
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function sorted(items: Item[], sort: string, order: string): Item[] {
  const sign = order === 'asc' ? 1 : -1;
  return items.toSorted((a, b) => {
    const [left, right] = [valueOf(a, sort), valueOf(b, sort)];
    if (left === right) return sign * (keyOf(a) < keyOf(b) ? -1 : 1);
    if (left === null) return 1;
    if (right === null) return -1;
    return sign * (left < right ? -1 : 1);
  });
}

async function everything(list: List): Promise<Item[]> {
  const { status, data, total } = await ask(list, { pageSize: 100 });
  expect([status, data.length]).toEqual([200, total]);
  return data;
}

function sortsOf({ parameters }: List): string[] {
  const { sort } = parameters as { sort?: z.ZodDefault<z.ZodEnum<Record<string, string>>> };
  return sort?.unwrap().options ?? [];
}

/** The catalogue has one time for all of its templates, and its own order for those of one time. */
const catalogues = new Set(['profiles.templates']);
const dated = lists.filter(({ path }) => !catalogues.has(path));

describe('every list', () => {
  it('is found', () => {
    expect(lists.length).toBeGreaterThanOrEqual(16);
    for (const { parameters } of lists) {
      expect(Object.keys(parameters)).toEqual(
        expect.arrayContaining(['page', 'pageSize', 'sort', 'order', 'from', 'to']),
      );
      expect(sortsOf({ parameters } as List)).toContain('createdAt');
    }
  });

  it.each(lists)('is walked by cursor to the same end, whatever it is sorted by: $title', async (list) => {
    for (const sort of sortsOf(list)) {
      for (const order of ['asc', 'desc']) {
        const { data, total } = await ask(list, { sort, order, pageSize: 100 });
        const walked = await walk(list, { sort, order, pageSize: 3 });
        expect(walked).toHaveLength(total);
        expect({ sort, order, ids: walked.map(keyOf) }).toEqual({ sort, order, ids: data.map(keyOf) });
      }
    }
  });

  it.each(lists)('refuses a cursor of another order, one that is none, and a page beside it: $title', async (list) => {
    const { nextCursor } = await ask(list, { order: 'asc', pageSize: 1 });
    expect(nextCursor).toMatch(/^[\w-]+$/);
    const cut = String(nextCursor).slice(0, -2);
    for (const [wrong, path] of [
      [{ order: 'desc', cursor: nextCursor }, 'cursor'],
      [{ order: 'asc', to: '2027-01-01', cursor: nextCursor }, 'cursor'],
      [{ order: 'asc', cursor: cut }, 'cursor'],
      [{ order: 'asc', cursor: 'W10' }, 'cursor'],
      [{ order: 'asc', cursor: '\u00e9' }, 'cursor'],
      [{ order: 'asc', cursor: '' }, 'cursor'],
      [{ order: 'asc', page: 2, cursor: nextCursor }, 'page'],
    ] as const) {
      const { status, details } = await ask(list, wrong);
      expect([status, details]).toEqual([400, [expect.objectContaining({ path })]]);
    }
  });

  it.each(dated)('sorts by each of its fields, both ways, over its pages: $title', async (list) => {
    const items = await everything(list);
    expect(items.length).toBeGreaterThanOrEqual(count);
    expect(new Set(items.map(timeOf)).size).toBeGreaterThan(1);
    for (const sort of sortsOf(list)) {
      for (const order of ['asc', 'desc']) {
        const paged: Item[] = [];
        for (let page = 1; page <= Math.ceil(items.length / 4); page += 1) {
          const { data, total } = await ask(list, { sort, order, page, pageSize: 4 });
          expect(total).toBe(items.length);
          paged.push(...data);
        }
        const expected = list.path === 'reviews.history' ? historyIn(items, order) : sorted(items, sort, order);
        expect({ sort, order, ids: paged.map(keyOf) }).toEqual({ sort, order, ids: expected.map(keyOf) });
      }
    }
  });

  it.each(dated)('keeps to a period, and counts what is in it: $title', async (list) => {
    const items = await everything(list);
    const all = items.map(timeOf).toSorted();
    const middle = all[Math.floor(all.length / 2)] ?? '';
    const day = middle.slice(0, 10);
    const minute = `${middle.slice(0, 16)}Z`;
    const cases: [query: Record<string, string>, isIn: (time: string) => boolean][] = [
      [{ from: middle }, (time) => time >= middle],
      [{ to: middle }, (time) => time <= middle],
      [{ from: middle, to: middle }, (time) => time === middle],
      [{ from: day, to: day }, (time) => time.startsWith(day)],
      [{ to: day }, (time) => time.slice(0, 10) <= day],
      [{ from: minute }, (time) => time >= `${middle.slice(0, 16)}:00.000Z`],
      [{ to: '2020-01-01' }, () => false],
    ];
    for (const [query, isIn] of cases) {
      const { status, data, total } = await ask(list, { ...query, pageSize: 100 });
      const expected = items.filter((item) => isIn(timeOf(item))).map(keyOf);
      expect({ query, status, total, ids: data.map(keyOf).toSorted() }).toEqual({
        query,
        status: 200,
        total: expected.length,
        ids: expected.toSorted(),
      });
    }
  });

  it.each(lists)('refuses what none of them is: $title', async (list) => {
    const wrong: [string, Record<string, unknown>][] = [
      ['sort', { sort: 'nonsense' }],
      ['order', { order: 'up' }],
      ['from', { from: '2026-02-30' }],
      ['to', { to: '2026-01-01T12:00' }],
      ['from', { from: '2026-01-02', to: '2026-01-01' }],
      ['page', { page: 0 }],
      ['pageSize', { pageSize: 101 }],
      ['pagesize', { pagesize: 10 }],
    ];
    for (const [path, query] of wrong) {
      const { status, details } = await ask(list, query);
      expect({ query, status, paths: details.map((detail) => detail.path) }).toEqual({
        query,
        status: 400,
        paths: [path],
      });
    }
  });

  it.each(lists.filter(({ parameters }) => 'projectId' in parameters))('keeps to a project: $title', async (list) => {
    const { status, data, total } = await ask(list, { projectId: ids.projectId, pageSize: 100 });
    const items = await everything(list);
    const expected = items.filter(({ projectId }) => projectId === ids.projectId);
    expect([status, total, data.length]).toEqual([200, expected.length, expected.length]);
  });

  it.each(lists.filter(({ parameters }) => 'status' in parameters))('keeps to a status: $title', async (list) => {
    const items = await everything(list);
    for (const status of new Set(items.map((item) => String(item['status'])))) {
      const { data, total } = await ask(list, { status, pageSize: 100 });
      const expected = items.filter((item) => item['status'] === status);
      expect({ status, total, ids: data.map(keyOf).toSorted() }).toEqual({
        status,
        total: expected.length,
        ids: expected.map(keyOf).toSorted(),
      });
    }
  });

  it('is the catalogue of templates, too, whose entries are of one time', async () => {
    const list = lists.find(({ path }) => catalogues.has(path));
    if (!list) throw new Error('There is one.');
    const items = await everything(list);
    const { data } = await ask(list, { sort: 'name', order: 'desc' });
    expect(data.map(({ name }) => name)).toEqual(
      items
        .map(({ name }) => name)
        .toSorted()
        .toReversed(),
    );
    expect((await ask(list, { from: timeOf(items[0] ?? {}) })).total).toBe(items.length);
    expect((await ask(list, { to: '2020-01-01' })).total).toBe(0);
  });
});

/** Entries have no id but their place. */
function historyIn(items: Item[], order: string): Item[] {
  return order === 'asc' ? items : items.toReversed();
}
