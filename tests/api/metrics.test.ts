import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callVtt } from '../pipeline/support/calls.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

const phone = '+4915550001234';
const token = 'a-token-for-metrics';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ env: { OUTBOUND_ALLOW: '127.0.0.1' } });
  owner = await t.createOrg();
});
afterAll(() => t.close());

async function scrape(): Promise<string> {
  const { statusCode, headers, body } = await t.app.inject('/metrics');
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  return body;
}

/** Metrics by name and labels as they stand, such as `a_total{b="c"}`. */
async function figures(): Promise<Map<string, number>> {
  const lines = (await scrape()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

async function ingest(recordingUrl: string): Promise<string> {
  const payload = {
    externalId: `call-${Math.random()}`,
    projectId: owner.projectId,
    recordingUrl,
    customerPhone: phone,
    transcript: callVtt,
  };
  const { status, body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
  expect(status).toBe(202);
  return body.data.id;
}

describe('the metrics', () => {
  it('count requests by route, never by address', async () => {
    const before = await figures();
    const url = `/api/v1/records/rec_01jd0000000000000000000000`;
    for (let count = 0; count < 3; count += 1) await t.as(owner, { url });
    await t.app.inject('/no/such/address');
    await t.app.inject({ method: 'PROPFIND' as 'GET', url: '/no/such/address' });
    const after = await figures();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('earshot_http_requests_total{method="GET",route="/api/v1/records/:id",status="404"}')).toBe(3);
    expect(grown('earshot_http_request_duration_seconds_count{method="GET",route="/api/v1/records/:id"}')).toBe(3);
    expect(grown('earshot_http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
    expect([...after.keys()].filter((name) => name.includes('PROPFIND') || name.includes('/no/such'))).toEqual([]);
  });

  it('time every step of the pipeline and every call to a provider, failures by their code', async () => {
    await ingest('http://127.0.0.1:9/recording.wav');
    const failed = '{function="process-record",step="fetch",outcome="error"}';
    const known = await eventually(async () => {
      const found = await figures();
      return found.has(`earshot_pipeline_step_duration_seconds_count${failed}`) ? found : undefined;
    });
    const count = (name: string) => known.get(name) ?? 0;
    expect(
      count('earshot_pipeline_step_duration_seconds_count{function="process-record",step="begin",outcome="ok"}'),
    ).toBe(1);
    const source = 'provider="recording-source",operation="download"';
    expect(count(`earshot_provider_duration_seconds_count{${source},outcome="error"}`)).toBeGreaterThan(0);
    const codes = [...known.keys()].filter((name) => name.startsWith(`earshot_provider_errors_total{${source}`));
    expect(codes).toHaveLength(1);
  });

  it('tell how many events and items wait, for how long, and of budgets', async () => {
    await t.as(owner, {
      method: 'PATCH',
      url: `/api/v1/billing/budget/${owner.orgId}`,
      payload: { budgetLimit: 0 },
    });
    const refused = await t.as(owner, {
      method: 'POST',
      url: '/api/v1/records/ingest',
      payload: { externalId: 'x', projectId: owner.projectId, recordingUrl: 'http://127.0.0.1:9/a.wav' },
    });
    expect(refused.status).toBe(402);
    // The database is asked once in five seconds, and what was told of the budget may be on its way then.
    const known = await eventually(async () => {
      const found = await figures();
      const isTold = found.get('earshot_outbox_waiting') === 0;
      return isTold && found.get('earshot_budgets{state="exceeded"}') === 1 ? found : undefined;
    });
    expect(known.get('earshot_budgets{state="limited"}')).toBe(1);
    expect(known.get('earshot_budget_refusals_total')).toBe(1);
    const queued = ['due', 'delayed', 'leased'].map(
      (state) => known.get(`earshot_pipeline_queue{function="process-record",state="${state}"}`) ?? 0,
    );
    expect(queued.reduce((sum, count) => sum + count)).toBe(1);
    expect(known.get('earshot_pipeline_queue_oldest_seconds{function="process-record"}')).toBeGreaterThanOrEqual(0);
    expect(known.get('earshot_outbox_oldest_seconds')).toBe(0);
    expect(known.get('earshot_pipeline_workers{engine="embedded"}')).toBe(1);
    expect(known.get('earshot_records_unfinished{status="processing"}')).toBe(1);
    expect(known.get('earshot_db_transactions')).toBeGreaterThanOrEqual(0);
    expect(known.get('earshot_db_connection_wait_seconds_count')).toBeGreaterThan(0);
    expect([...known.keys()].some((name) => name.startsWith('nodejs_eventloop_lag'))).toBe(true);
  });

  it('hold nothing that tells of an organization, a person or a call', async () => {
    const text = await scrape();
    for (const canary of [owner.orgId, owner.projectId, owner.userId, phone, 'rec_', 'owner', '127.0.0.1']) {
      expect(text).not.toContain(canary);
    }
    expect(text.split('\n').length).toBeLessThan(3_000);
  });
});

describe('who may read the metrics', () => {
  it('is this machine alone, where no token is set, and nobody who comes by a proxy', async () => {
    const statusOf = async (options: object) => (await t.app.inject({ url: '/metrics', ...options })).statusCode;
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ remoteAddress: '::1' })).toBe(200);
    expect(await statusOf({ remoteAddress: '10.0.0.1' })).toBe(404);
    expect(await statusOf({ headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe(404);
    expect(await statusOf({ remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe(404);
  });

  it('is whoever has the token, where one is set, from wherever', async () => {
    const other = await createTestApp({ env: { METRICS_TOKEN: token }, runPipeline: false });
    try {
      const statusOf = async (authorization: string) => {
        const headers = authorization ? { authorization } : {};
        return (await other.app.inject({ url: '/metrics', remoteAddress: '10.0.0.1', headers })).statusCode;
      };
      expect(await statusOf(`Bearer ${token}`)).toBe(200);
      for (const wrong of ['', `Bearer ${token}x`, token, owner.headers['authorization'] ?? '']) {
        expect(await statusOf(wrong)).toBe(401);
      }
      const refused = await other.app.inject('/metrics');
      expect(refused.headers['www-authenticate']).toMatch(/^Bearer/);
    } finally {
      await other.close();
    }
  });
});
