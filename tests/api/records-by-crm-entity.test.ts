import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

const url = '/api/v1/records';

let t: TestApp;
let owner: TestMember;
let stranger: TestMember;
let ofDeal: string[];

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  [owner, stranger] = [await t.createOrg(), await t.createOrg()];
  const deal = { entityType: 'deal', entityId: '7' };
  const at = (day: number): Date => new Date(Date.UTC(2026, 2, day));
  const ids = await seedRecords(t, owner, [
    { crm: deal, createdAt: at(1) },
    { crm: { ...deal, activityId: '91' }, createdAt: at(2), status: 'completed' },
    { crm: { entityType: 'deal', entityId: '70' }, createdAt: at(3) },
    { crm: { entityType: 'lead', entityId: '7' }, createdAt: at(4) },
    { createdAt: at(5) },
  ]);
  ofDeal = ids.slice(0, 2).toReversed();
  await seedRecords(t, stranger, [{ crm: deal }]);
});
afterAll(() => t.close());

describe('GET /records of an entity of the CRM', () => {
  it('gives its calls alone, newest first, counted exactly', async () => {
    const { status, body } = await t.as(owner, { url, query: { crmEntityType: 'deal', crmEntityId: '7' } });
    expect(status).toBe(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ofDeal);
    expect(body.meta.total).toBe(2);
  });

  it('goes together with the other filters', async () => {
    const query = { crmEntityType: 'deal', crmEntityId: '7', status: 'completed', to: '2026-03-31' };
    const { body } = await t.as(owner, { url, query });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ofDeal.slice(0, 1));
    expect(body.meta.total).toBe(1);
  });

  it('shows agents none but their own', async () => {
    const agent = await t.addMember(owner, 'agent');
    const { body } = await t.as(agent, { url, query: { crmEntityType: 'deal', crmEntityId: '7' } });
    expect(body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('tells entities of two portals apart, which give them the same ids', async () => {
    const member = await t.createOrg();
    const link = (memberId: string) =>
      linkPortal({ db: t.deps.services.db, system: t.deps.connections.system }, member.orgId, {
        memberId,
        domain: `${memberId}.bitrix24.com`,
      });
    const deal = { entityType: 'deal', entityId: '7' };
    const [ofFirst = '', , ofSecond = '', unnamed = ''] = await seedRecords(t, member, [
      { crm: { ...deal, portal: 'first' } },
      { crm: { entityType: 'deal', entityId: '8', portal: 'first' } },
      { crm: deal, recordingUrl: 'bitrix24:second/call-1', source: 'bitrix24' },
      { crm: deal },
    ]);
    const idsOf = async (crmPortal: string): Promise<string[]> => {
      const query = { crmEntityType: 'deal', crmEntityId: '7', crmPortal };
      const { body } = await t.as(member, { url, query });
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ id }: { id: string }) => id).toSorted();
    };
    await link('first');
    expect(await idsOf('first')).toEqual([ofFirst, unnamed].toSorted());
    await link('second');
    expect([await idsOf('first'), await idsOf('second')]).toEqual([[ofFirst], [ofSecond]]);
  });

  it.each(['crmEntityType=deal', 'crmEntityId=7', 'crmEntityType=&crmEntityId=7', 'crmPortal=first'])(
    'refuses half of the name of an entity: %s',
    async (query) => {
      expect((await t.as(owner, { url: `${url}?${query}` })).status).toBe(400);
    },
  );

  it('is served by an index', async () => {
    const others = Array.from({ length: 500 }, (_, index) => ({
      crm: { entityType: 'deal', entityId: `${1000 + index}` },
    }));
    await seedRecords(t, owner, others);
    const { db } = t.deps.services;
    const maintainer = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1 });
    await maintainer`analyze records`;
    await maintainer.end();
    const plan = await db.withOrg(owner.orgId, async (tx) => {
      await tx.execute('set local enable_seqscan = off');
      return tx.execute(
        `explain select id from records where org_id = '${owner.orgId}' and crm_entity_type = 'deal'
            and crm_entity_id = '7' order by created_at desc, id desc`,
      );
    });
    expect(JSON.stringify(plan)).toContain('records_crm_entity');
    expect(JSON.stringify(plan)).not.toContain('Sort');
  });
});
