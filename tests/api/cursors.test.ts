import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

const api = '/api/v1';
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const get = (path: string, query: Record<string, string>) => t.as(owner, { url: `${api}${path}`, query });

/** The ids of a list by cursor; `between` happens after each page. */
async function walk(path: string, query: Record<string, string>, between: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await get(path, { ...query, ...(cursor !== null && { cursor }) });
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.nextCursor;
    await between();
  } while (cursor !== null);
  return ids;
}

async function remove(table: string, id: string): Promise<void> {
  await t.as(owner, { method: 'DELETE', url: `${api}/${table}/${id}` });
}

describe('a walk by cursor', () => {
  it('meets every call once while calls arrive, are finished and are deleted', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => ({
      createdAt: new Date(Date.UTC(2026, 2, 1 + Math.floor(index / 3))),
      durationSeconds: index % 4 === 0 ? null : index % 5,
    }));
    const seeded = await seedRecords(t, owner, rows);
    for (const sort of ['createdAt', 'callAt', 'duration', 'qualityScore']) {
      for (const order of ['asc', 'desc']) {
        const [passing = ''] = await seedRecords(t, owner, [{ createdAt: new Date('2026-03-01') }]);
        let step = 0;
        const walked = await walk('/records', { sort, order, pageSize: '4' }, async () => {
          step += 1;
          if (step === 2) await remove('records', passing);
          if (step < 6) await seedRecords(t, owner, [{ createdAt: new Date(), durationSeconds: 3 }]);
        });
        expect(new Set(walked).size).toBe(walked.length);
        expect(seeded.filter((id) => !walked.includes(id))).toEqual([]);
      }
    }
  });

  it.each([
    ['projects', 'name', (name: string) => ({ name })],
    ['webhooks', 'createdAt', (name: string) => ({ url: `https://a.example/${name}`, events: ['record.completed'] })],
  ])('meets all %s that were there while others are made', async (table, sort, bodyOf) => {
    let count = 0;
    const make = async () => {
      const payload = bodyOf(`${['Zeta', 'alpha', 'Mid'][count % 3]} ${count++}`);
      const { body } = await t.as(owner, { method: 'POST', url: `${api}/${table}`, payload });
      return String(body.data.id);
    };
    const there: string[] = [];
    for (let index = 0; index < 7; index += 1) there.push(await make());
    for (const order of ['asc', 'desc']) {
      let step = 0;
      const walked = await walk(`/${table}`, { sort, order, pageSize: '3' }, async () => (step++ < 4 ? make() : null));
      expect(new Set(walked).size).toBe(walked.length);
      expect(there.filter((id) => !walked.includes(id))).toEqual([]);
    }
  });

  it('takes the filters that its cursor was made with, and no others', async () => {
    const query = { status: 'pending,failed', pageSize: '1', from: '2026-01-01' };
    const { body } = await get('/records', query);
    const cursor = String(body.meta.nextCursor);
    expect(await get('/records', { ...query, cursor, pageSize: '2' })).toMatchObject({ status: 200 });
    for (const [name, value] of [
      ['status', 'pending'],
      ['from', '2026-01-02'],
      ['agentName', 'Ada'],
      ['sort', 'duration'],
    ] as const) {
      expect(await get('/records', { ...query, cursor, [name]: value })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'cursor' }] } },
      });
    }
  });
});
