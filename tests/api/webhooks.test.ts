import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idPrefix } from '../../src/lib/ids.ts';
import { nextDelayMs, retryDelaysMs } from '../../src/domain/webhooks/schedule.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createWebhook } from '../support/webhooks.ts';

const api = '/api/v1/webhooks';
const url = 'https://hooks.example.com/earshot';
const events = ['record.completed'];

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

describe('a webhook', () => {
  it('is created with a secret that no other answer and no repeated request ever shows', async () => {
    const headers = { 'idempotency-key': 'create-1' };
    const request = { method: 'POST' as const, url: api, headers, payload: { url, events } };
    const { status, headers: answered, body } = await t.as(owner, request);
    expect(status).toBe(201);
    const { id, secret } = body.data;
    expect(id).toMatch(new RegExp(`^${idPrefix.webhook}_`));
    expect(answered['location']).toBe(`${api}/${id}`);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    const shown = {
      id,
      url,
      events,
      description: null,
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      oldSecretsExpireAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect((await t.as(owner, { url: `${api}/${id}` })).body).toEqual({ data: shown });
    const others = await Promise.all([
      t.as(owner, request),
      t.as(owner, { url: api }),
      t.as(owner, { method: 'PATCH', url: `${api}/${id}`, payload: { description: 'Ours' } }),
      t.as(owner, { url: `${api}/${id}/deliveries` }),
    ]);
    expect(others.map(({ status }) => status)).toEqual([409, 200, 200, 200]);
    expect(JSON.stringify(others)).not.toContain(secret);
    const [kept] = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute<{ text: string }>("select string_agg(k::text, '') as text from idempotency_keys k"),
    );
    expect(kept?.text).not.toContain(secret);
  });

  it.each([
    ['url', { events }],
    ['url', { url: 'hooks.example.com', events }],
    ['url', { url: `https://hooks.example.com/${'a'.repeat(2050)}`, events }],
    ['events', { url }],
    ['events', { url, events: [] }],
    ['events', { url, events: ['record.exploded'] }],
    ['events', { url, events: ['webhook.test'] }],
    ['events', { url, events: ['record.failed', 'record.failed'] }],
    ['enabled', { url, events, enabled: 'yes' }],
    ['description', { url, events, description: 'a'.repeat(501) }],
  ])('is not made of a wrong %s', async (path, payload) => {
    const { status, body } = await t.as(owner, { method: 'POST', url: api, payload });
    expect(status).toBe(400);
    expect(body.error.details[0].path.split('.')[0]).toBe(path);
  });

  it('is one of five hundred in an organization at most', async () => {
    const member = await t.createOrg();
    await createWebhook(t, member, { url, events });
    await t.deps.services.db.withOrg(member.orgId, (tx) =>
      tx.execute(`insert into webhooks (org_id, id, url, events, enabled, secrets)
        select org_id, 'whk_' || n, url, events, enabled, secrets from webhooks, generate_series(1, 499) n`),
    );
    const { status, body } = await t.as(member, { method: 'POST', url: api, payload: { url, events } });
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'CONFLICT' });
    const { body: page } = await t.as(member, { url: `${api}?pageSize=30&page=17` });
    expect(page.data).toHaveLength(20);
    expect(page.meta).toMatchObject({ page: 17, pageSize: 30, total: 500 });
  });

  it('signs with four replaced secrets at most', async () => {
    const { id } = await createWebhook(t, owner, { url, events });
    const rotate = async () => (await t.as(owner, { method: 'POST', url: `${api}/${id}/rotate-secret` })).status;
    const statuses = [await rotate(), await rotate(), await rotate(), await rotate(), await rotate()];
    expect(statuses).toEqual([200, 200, 200, 200, 409]);
  });

  it('lists its deliveries newest first, by status where asked', async () => {
    const { id } = await createWebhook(t, owner, { url, events });
    const test = async () => (await t.as(owner, { method: 'POST', url: `${api}/${id}/test` })).body.data.id;
    const ids = [await test(), await test(), await test()];
    const all = await t.as(owner, { url: `${api}/${id}/deliveries?pageSize=2` });
    expect(all.body.data.map((delivery: { id: string }) => delivery.id)).toEqual([ids[2], ids[1]]);
    expect(all.body.meta.total).toBe(3);
    const failed = await t.as(owner, { url: `${api}/${id}/deliveries?status=failed` });
    expect(failed.body).toMatchObject({ data: [], meta: { total: 0 } });
  });
});

describe('the schedule', () => {
  const seconds = (tries: number, random: number, retryAfterMs?: number) =>
    (nextDelayMs({ tries, random: () => random, retryAfterMs }) ?? Number.NaN) / 1000;

  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then ends', () => {
    const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * 3600);
    expect(retryDelaysMs.map((_, index) => seconds(index + 1, 0))).toEqual([5, 300, 1800, ...hours]);
    expect(nextDelayMs({ tries: 10 })).toBeNull();
  });

  it('is spread by up to a tenth, never sooner', () => {
    const delays = Array.from({ length: 200 }, () => nextDelayMs({ tries: 2 }) ?? 0);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(300_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(330_000);
    expect(new Set(delays).size).toBeGreaterThan(100);
  });

  it('waits longer where the endpoint asks for it, and an hour at most', () => {
    expect(seconds(1, 0, 60_000)).toBe(60);
    expect(seconds(2, 0, 60_000)).toBe(300);
    expect(seconds(1, 0, 7 * 86_400_000)).toBe(3600);
    expect(seconds(4, 0, 7 * 86_400_000)).toBe(2 * 3600);
    expect(nextDelayMs({ tries: 10, retryAfterMs: 60_000 })).toBeNull();
  });
});
