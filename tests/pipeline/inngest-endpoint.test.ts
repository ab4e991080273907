import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServerProbe } from '../../src/pipeline/server-probe.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

const secret = randomBytes(32).toString('hex');
const path = '/api/inngest';
let service: TestApp;

beforeAll(async () => {
  service = await createTestApp({
    runPipeline: false,
    env: {
      LOG_LEVEL: 'silent',
      PIPELINE_ENGINE: 'inngest',
      INNGEST_BASE_URL: 'http://127.0.0.1:9',
      INNGEST_EVENT_KEY: 'event-key',
      INNGEST_SIGNING_KEY: `signkey-test-${secret}`,
    },
  });
});
afterAll(async () => {
  await service.close();
});

/** RFC 8785, as far as these bodies need it. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}

function sign(body: unknown, key = secret, at = Math.floor(Date.now() / 1000)): string {
  const digest = createHmac('sha256', key)
    .update(canonical(body) + String(at))
    .digest('hex');
  return `t=${at}&s=${digest}`;
}

function call(data: Record<string, unknown>) {
  const event = { id: 'evt_1', name: 'earshot/object.delete.requested', data, ts: 1_700_000_000_000 };
  const stack = { stack: [], current: 0 };
  const ctx = {
    run_id: 'run_1',
    attempt: 0,
    max_attempts: 4,
    disable_immediate_execution: false,
    use_api: false,
    stack,
  };
  return { event, events: [event], steps: {}, ctx, version: 2 };
}

const url = `${path}?fnId=earshot-delete-objects&stepId=step`;

describe('the endpoint for an Inngest server', () => {
  it.each([
    ['GET', path, undefined],
    ['PUT', path, {}],
    ['POST', url, call({ orgId: 'org_x', storageKey: 'org_x/rec_x' })],
  ] as const)('tells and does nothing on an unsigned %s', async (method, address, payload) => {
    const response = await service.app.inject({ method, url: address, ...(payload ? { payload } : {}) });
    expect(response.statusCode).toBe(401);
    expect(response.body).not.toContain('process-record');
    expect(response.body).not.toContain(secret);
  });

  it('refuses a signature of another key, of another body and of long ago', async () => {
    const body = call({ orgId: 'org_x', storageKey: 'org_x/rec_x' });
    const other = call({ orgId: 'org_x', storageKey: 'org_x/rec_y' });
    const long = Math.floor(Date.now() / 1000) - 3600;
    for (const signature of [sign(body, 'f'.repeat(64)), sign(other), sign(body, secret, long), 'nonsense']) {
      const headers = { 'x-inngest-signature': signature };
      const { statusCode } = await service.app.inject({ method: 'POST', url, payload: body, headers });
      expect(statusCode).toBe(401);
    }
  });

  it('runs a function for a signed call', async () => {
    const { storage } = service.deps.services;
    const { orgId } = await service.createOrg();
    const storageKey = `${orgId}/rec_gone`;
    await storage.put(storageKey, Readable.from([Buffer.from('sound')]));
    const body = call({ orgId, storageKey });
    const headers = { 'x-inngest-signature': sign(body) };
    const response = await service.app.inject({ method: 'POST', url, payload: body, headers });
    expect(response.statusCode).toBe(206);
    expect(response.json()).toMatchObject([{ op: 'StepRun', data: 'removed' }]);
    expect(await storage.stat(storageKey)).toBeNull();
  });

  it.each<[string, (own: string, foreign: string) => string]>([
    ['another organization', (_own, foreign) => `${foreign}/rec_kept`],
    ['no organization', () => 'rec_kept'],
    ['a place above', (own, foreign) => `${own}/../${foreign}/rec_kept`],
    ['an organization of a longer name', (own) => `${own}x/rec_kept`],
    ['the organization itself', (own) => own],
  ])('removes nothing for an order that names an object of %s', async (_case, keyOf) => {
    const { storage } = service.deps.services;
    const [{ orgId: own }, { orgId: foreign }] = [await service.createOrg(), await service.createOrg()];
    const kept = [`${foreign}/rec_kept`, `${own}/rec_kept`, `${own}x/rec_kept`, 'rec_kept'];
    for (const key of kept) await storage.put(key, Readable.from([Buffer.from('sound')]));
    const body = call({ orgId: own, storageKey: keyOf(own, foreign) });
    const headers = { 'x-inngest-signature': sign(body) };
    const response = await service.app.inject({ method: 'POST', url, payload: body, headers });
    for (const key of kept) expect(await storage.stat(key)).not.toBeNull();
    // Refused for good: repeating it ten times would change nothing.
    expect(response.headers['x-inngest-no-retry']).toBe('true');
    expect(response.body).toContain('of another organization');
    expect(response.body).not.toContain('rec_kept');
    await storage.remove('rec_kept');
  });

  it('does not exist with the embedded engine', async () => {
    const embedded = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'silent' } });
    const response = await embedded.app.inject({ method: 'GET', url: path });
    await embedded.close();
    expect(response.statusCode).toBe(404);
  });
});

describe('a service that Inngest drives', () => {
  const health = async (): Promise<unknown> => {
    const { body, statusCode } = await service.app.inject('/api/v1/health');
    return { statusCode, pipeline: JSON.parse(body).data.checks.pipeline };
  };

  it('is not well without its server, before any event finds that out, and well as soon as there is one', async () => {
    expect(await health()).toEqual({ statusCode: 503, pipeline: 'down' });
    const server = createServer((_req, res) => res.end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = createServerProbe({ INNGEST_BASE_URL: `http://127.0.0.1:${port}`, INNGEST_DEV: false });
    await expect(ask()).resolves.toBeUndefined();
    server.closeAllConnections();
    server.close();
    await expect(createServerProbe({ INNGEST_BASE_URL: undefined, INNGEST_DEV: false })()).resolves.toBeUndefined();
  });

  it('has no figure of workers that an alarm could go by, since the server calls them', async () => {
    const { body } = await service.app.inject('/metrics');
    expect(body).toContain('earshot_outbox_waiting ');
    expect(body).not.toMatch(/^earshot_pipeline_workers\b/m);
  });
});

describe('the roles of a service that Inngest drives', () => {
  const env = { PIPELINE_ENGINE: 'inngest', INNGEST_DEV: '1', INNGEST_BASE_URL: 'http://127.0.0.1:9' };

  it.each([
    ['worker', 200],
    ['web', 404],
  ])('a %s answers the server with %i', async (ROLE, status) => {
    const process = await createTestApp({ runPipeline: false, env: { ...env, ROLE } });
    try {
      expect((await process.app.inject(path)).statusCode).toBe(status);
    } finally {
      await process.close();
    }
  });
});
