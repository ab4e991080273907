import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { startWithCall, wave, type Answer, type Integrator, type IntegratorOrg } from '../support/integrator.ts';

/** Calls are found: pages, orders, filters and words, by facts that are known; and corrected. */
let s: Integrator;
let owner: TestMember;
let stranger: TestMember;
let other: string;
let anna: IntegratorOrg['anna'];
let record: IntegratorOrg['record'];
let bob: IntegratorOrg['anna'];
let cleo: IntegratorOrg['anna'];

beforeAll(async () => {
  ({ s, owner, stranger, other, anna, record } = await startWithCall());
  bob = await s.scored(owner, {
    file: wave(20, 500),
    metadata: { agentName: 'Bob', externalId: 'b-2', startedAt: '2026-03-03T10:00:00Z', tags: ['red'] },
  });
  cleo = await s.scored(owner, {
    file: wave(15, 600),
    projectId: other,
    metadata: { agentName: 'Cleo 😀', externalId: 'c-3', startedAt: '2026-03-04T23:59:59.999Z' },
  });
});
afterAll(() => s.close());

const list = (query: string): Promise<Answer> => s.request(owner, 'listRecords', { query });
/** Which calls a list has, by the letter of their external id. */
const letters = ({ body }: Answer): string =>
  body.data.map(({ externalId }: { externalId: string | null }) => externalId?.[0] ?? '?').join('');

describe('the list of calls', () => {
  it.each([
    ['sort=callAt&order=asc', 'abc'],
    ['sort=callAt&order=desc', 'cba'],
    ['sort=createdAt&order=asc', 'abc'],
    ['', 'cba'],
    ['sort=duration&order=asc', 'acb'],
    ['sort=duration&order=desc', 'bca'],
    ['sort=callAt&order=asc&pageSize=1', 'a'],
    ['sort=callAt&order=asc&pageSize=1&page=2', 'b'],
    ['sort=callAt&order=asc&pageSize=2&page=2', 'c'],
    ['sort=callAt&order=asc&page=2', ''],
    ['externalId=b-2', 'b'],
    ['externalId=B-2', ''],
    ['externalId=nobody', ''],
    ['agentName=Bob', 'b'],
    ['agentName=Cleo%20%F0%9F%98%80', 'c'],
    ['agentNameContains=ngstr', 'a'],
    ['agentNameContains=%25', ''],
    ['agentNameContains=_', ''],
    ['tag=red&sort=callAt&order=asc', 'ab'],
    ['tag=blue', 'a'],
    ['tag=green', ''],
    ['status=completed&sort=callAt&order=asc', 'abc'],
    ['status=completed,failed&sort=callAt&order=asc', 'abc'],
    ['status=completed&status=failed&sort=callAt&order=asc', 'abc'],
    ['status=failed', ''],
    ['status=pending,processing', ''],
    ['from=2026-03-03&sort=callAt&order=asc', 'bc'],
    ['to=2026-03-03&sort=callAt&order=asc', 'ab'],
    ['from=2026-03-03&to=2026-03-03', 'b'],
    ['from=2026-03-04&to=2026-03-04', 'c'],
    ['from=2026-03-02T10:00Z&to=2026-03-02T10:00Z', 'a'],
    ['from=2026-03-02T10:00:00.001Z&to=2026-03-03', 'b'],
    ['from=2026-03-02T12:00%2B02:00&to=2026-03-02', 'a'],
    ['receivedTo=2026-03-05', ''],
    ['receivedFrom=2026-03-05&sort=callAt&order=asc', 'abc'],
    ['reviewed=true', ''],
    ['reviewed=false&sort=callAt&order=asc', 'abc'],
    ['projectId=prj_01m7ysd48genfrajd0czv7xhm3', ''],
  ])('%s has %s', async (query, expected) => {
    expect(letters(await list(query))).toBe(expected);
  });

  it('counts what there is, whatever the page', async () => {
    expect((await list('pageSize=1&page=2')).body.meta).toMatchObject({ page: 2, pageSize: 1, total: 3 });
    expect((await list('page=99')).body.meta).toMatchObject({ page: 99, pageSize: 20, total: 3 });
    expect((await list(`projectId=${other}`)).body.meta.total).toBe(1);
  });

  it('masks the customer, which the detail does not', async () => {
    const [item] = (await list('externalId=a-1')).body.data;
    expect(item.customerPhone).toMatch(/^\+4\*+7890$/);
    expect((await record(anna.id)).customerPhone).toBe('+441234567890');
  });

  it('shows nothing to strangers', async () => {
    expect((await s.request(stranger, 'listRecords')).body).toMatchObject({ data: [], meta: { total: 0 } });
  });
});

describe('search', () => {
  const find = (query: string) => s.request(owner, 'search', { query });

  it.each([
    ['q=zeppelin&type=transcript', 3],
    ['q=ZEPPELIN&type=transcript', 3],
    ['q=zepp*&type=transcript', 3],
    ['q=%22want%20a%20refund%22&type=transcript', 3],
    ['q=%22refund%20a%20want%22&type=transcript', 0],
    ['q=zeppelin%20-refund&type=transcript', 0],
    ['q=zeppelin%20or%20nonsense&type=transcript', 3],
    ['q=angstrom&type=record', 1],
    ['q=zeppelin&type=transcript&externalId=b-2', 1],
    ['q=zeppelin&type=transcript&tag=red', 2],
    ['q=zeppelin&type=transcript&from=2026-03-03', 2],
    ['q=unheardofword', 0],
    ["q='%20or%201=1%20--", 0],
  ])('%s finds %d', async (query, count) => {
    const { status, body } = await find(query);
    expect([status, body.meta.total, body.data.length]).toEqual([200, count, count]);
  });

  it('marks what it found, and nothing else is markup', async () => {
    const { body } = await find('q=zeppelin&type=transcript&limit=1');
    expect(body.data).toHaveLength(1);
    expect(body.data[0].snippet).toContain('<mark>zeppelin</mark>');
    expect(body.meta).toMatchObject({ total: 3, query: 'zeppelin' });
  });

  it('finds nothing of others', async () => {
    expect((await s.request(stranger, 'search', { query: 'q=zeppelin' })).body.meta.total).toBe(0);
  });
});

describe('a correction', () => {
  const correct = (json: unknown) => s.request(owner, 'updateRecord', { path: [cleo.id], json });

  it.each([
    [{ agentName: 'Cléo' }, { agentName: 'Cléo' }],
    [{ agentName: null }, { agentName: null }],
    [{ agentName: 'Cleo 😀' }, { agentName: 'Cleo 😀' }],
    [{ direction: 'outbound' }, { direction: 'outbound' }],
    [{ language: 'pt-BR' }, { language: 'pt-BR' }],
    [{ tags: ['x', 'y z', '日本'] }, { tags: ['x', 'y z', '日本'] }],
    [{ tags: [] }, { tags: [] }],
    [{ metadata: { one: 1, two: 2 } }, { metadata: { one: 1, two: 2 } }],
    [{ metadata: { one: null } }, { metadata: { two: 2 } }],
    [{ customerPhone: '+12025550143' }, { customerPhone: '+12025550143' }],
  ])('%j is kept', async (json, expected) => {
    const { status, body } = await correct(json);
    expect(status).toBe(200);
    expect(body.data).toMatchObject(expected);
    expect(await record(cleo.id)).toEqual(body.data);
  });

  it.each([
    [{ tags: ['a,b'] }],
    [{ tags: ['a'.repeat(65)] }],
    [{ tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
    [{ agentName: '' }],
    [{ status: 'failed' }],
    [{ qualityScore: 100 }],
    [{ createdAt: '2026-01-01T00:00:00Z' }],
    [{ externalId: '' }],
  ])('%j is refused', async (json) => {
    const { status, body } = await correct(json);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details[0].path).toContain(Object.keys(json)[0]);
  });

  it('to the id of another call is refused', async () => {
    expect((await s.request(owner, 'updateRecord', { path: [bob.id], json: { externalId: 'a-1' } })).status).toBe(409);
  });

  it('of nothing changes nothing, and all others are told', async () => {
    const before = await s.request(owner, 'getRecord', { path: [bob.id] });
    expect((await s.request(owner, 'updateRecord', { path: [bob.id], json: {} })).body).toEqual(before.body);
    expect((await s.request(owner, 'listRecordChanges', { path: [bob.id] })).body.meta.total).toBe(0);
    const { body } = await s.request(owner, 'listRecordChanges', { path: [cleo.id], query: 'order=asc&pageSize=1' });
    expect(body.data[0].changes).toEqual([expect.objectContaining({ field: 'agentName' })]);
    expect(body.meta.total).toBeGreaterThan(5);
  });
});
