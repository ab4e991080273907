import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emitEvents } from '../../src/domain/events/service.ts';
import type { Pipeline } from '../../src/pipeline/assembly/pipeline.ts';
import { startReceiver } from '../pipeline/support/webhook-receiver.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { asAdmin, eventually } from '../pipeline/support/hosts.ts';
import { createWebhook, deliveriesOf, startPipeline } from '../support/webhooks.ts';
import { brokenUrls, loopbackUrls, otherSchemes, privateAddresses, privateUrls } from './ssrf-corpus.ts';

const events = ['record.deleted'];

let t: TestApp;
let pipeline: Pipeline;
let owner: TestMember;
let server: Server;
let port: number;
let connections = 0;
/** What `*.example` resolves to, one answer after the other. */
let addresses: string[] = [];

/** Answers for names; nothing is asked of a real resolver. */
async function lookup() {
  const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? '10.0.0.1';
  return [{ address, family: address.includes(':') ? 6 : 4 }];
}

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  t = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'silent', OUTBOUND_ALLOW: 'pbx.corp.example' } });
  owner = await t.createOrg();
  pipeline = await startPipeline(t, { delaysMs: [], timeoutMs: 10_000, lookup });
});
afterAll(async () => {
  await pipeline.stop();
  await t.close();
  await new Promise((resolve) => void server.close(resolve));
});
beforeEach(() => {
  connections = 0;
});

async function create(url: string) {
  return t.as(owner, { method: 'POST', url: '/api/v1/webhooks', payload: { url, events } });
}

/** Why the only attempt to send an event there failed. */
async function errorAt(url: string): Promise<string | null | undefined> {
  const member = await t.createOrg();
  const webhook = await createWebhook(t, member, { url: 'https://hooks.example/', events });
  // As if the address had been accepted when other rules held.
  await asAdmin(
    t.deps.config.DATABASE_URL ?? '',
    (sql) => sql`update webhooks set url = ${url} where id = ${webhook.id}`,
  );
  const data = { recordId: 'rec_1', projectId: member.projectId, externalId: null };
  await t.deps.services.db.withOrg(member.orgId, (tx) => emitEvents(tx, [{ type: 'record.deleted', data }]));
  const attempt = await eventually(async () => (await deliveriesOf(t, member, webhook.id))[0]?.attempts[0]);
  return attempt.error;
}

const refusedUrls = [...loopbackUrls, ...privateUrls, ...otherSchemes, ...brokenUrls]
  .map((url) => (url.startsWith('//') ? `https:${url}` : url))
  .flatMap((url) => [...new Set([url, url.replace(/^http:/, 'https:')])])
  .concat(
    'https://user:secret@hooks.example/',
    'https://hooks.example@127.0.0.1/',
    'https://sub.localhost/',
    'https://LOCALHOST./',
    'http://hooks.example/',
    'http://127.0.0.1#@pbx.corp.example/',
  );

describe('an endpoint is not accepted', () => {
  it.each(refusedUrls)('at %j', async (url) => {
    const { status, body } = await create(url.replace('PORT', String(port)));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'url' }] });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('at such an address by an update either', async () => {
    const webhook = await createWebhook(t, owner, { url: 'https://hooks.example/', events });
    const payload = { url: `https://127.0.0.1:${port}/` };
    const { status } = await t.as(owner, { method: 'PATCH', url: `/api/v1/webhooks/${webhook.id}`, payload });
    expect(status).toBe(400);
  });

  it('over plain http, unless the operator has named its host', async () => {
    expect((await create('http://hooks.example/')).status).toBe(400);
    expect((await create('http://pbx.corp.example:8080/hooks')).status).toBe(201);
    expect((await create('http://sub.pbx.corp.example/hooks')).status).toBe(400);
  });
});

describe('nothing is sent', () => {
  it.each(loopbackUrls)('to %s, though it had been accepted', async (url) => {
    expect(await errorAt(url.replace('PORT', String(port)))).toMatch(/may not be called/);
    expect(connections).toBe(0);
  });

  it.each(privateAddresses)('to a name that resolves to %s', async (address) => {
    addresses = [address];
    expect(await errorAt(`https://flip.example:${port}/`)).toMatch(/^No answer came from the address\./);
    expect(connections).toBe(0);
  });

  it('to a name that resolved to something else a moment ago: the address that was judged is the one connected to', async () => {
    addresses = ['127.0.0.1', '8.8.8.8'];
    expect(await errorAt(`https://flip.example:${port}/`)).toMatch(/^No answer came from the address\./);
    expect(connections).toBe(0);
  });

  it.each(privateUrls)('where a redirect leads (%s)', async (location) => {
    const receiver = await startReceiver((res) => void res.writeHead(307, { location }).end());
    addresses = ['127.0.0.1'];
    try {
      const url = receiver.url('/').replace('127.0.0.1', 'pbx.corp.example');
      expect(await errorAt(url)).toBe('The endpoint answered 307. Redirects are not followed.');
      expect(receiver.received).toHaveLength(1);
    } finally {
      await receiver.close();
    }
  });
});
