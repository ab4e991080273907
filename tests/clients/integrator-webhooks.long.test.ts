import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { startIntegrator, until, wave, type Integrator } from '../support/integrator.ts';

/** Webhooks, received by a server of one's own that checks their signatures. */
type Received = { headers: IncomingHttpHeaders; body: string };
let s: Integrator;
let owner: TestMember;
let stranger: TestMember;
let receiver: Server;
let address: string;
const received: Received[] = [];

beforeAll(async () => {
  s = await startIntegrator({ CORS_ORIGINS: 'https://desk.example.com' });
  owner = await s.app.createOrg();
  stranger = await s.app.createOrg();
  receiver = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      received.push({ headers: req.headers, body: Buffer.concat(parts).toString() });
      res.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  await s.close();
  receiver.closeAllConnections();
  receiver.close();
});

describe('webhooks', () => {
  const events = ['record.completed', 'alert.triggered', 'record.created', 'analysis.completed', 'record.deleted'];

  it('tell what happens, signed', async () => {
    const made = await s.request(owner, 'createWebhook', { json: { url: address, events } });
    const { id, secret } = made.body.data;
    const high = { name: 'Any', condition: { field: 'duration', operator: 'gte', value: 0 }, actions: ['webhook'] };
    const alert = await s.request(owner, 'createAlert', { json: high });
    const sent = await s.scored(owner, {
      metadata: { externalId: 'w-1' },
      file: wave(4, 700),
    });
    const verified = (type: string) => received.filter(({ body }) => JSON.parse(body).type === type);
    const missing = async () => events.filter((type) => verified(type).length === 0);
    // Of a call that is gone, no rule would fire any more.
    await until(missing, (types) => types.join() === 'record.deleted');
    await s.request(owner, 'deleteRecord', { path: [sent.id] });
    await until(missing, (types) => types.length === 0);
    for (const { body, headers } of received) {
      const event = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(event).toMatchObject({ data: expect.objectContaining({ recordId: sent.id }) });
    }
    const [completed] = verified('record.completed');
    expect(JSON.parse(completed?.body ?? '').data).toMatchObject({
      externalId: 'w-1',
      status: 'completed',
      analysisId: sent.analysisId,
    });
    expect(JSON.parse(verified('alert.triggered')[0]?.body ?? '').data.alertId).toBe(alert.body.data.id);
    expect(completed?.headers['webhook-id']).toMatch(/^evt_/);
    await s.request(owner, 'deleteAlert', { path: [alert.body.data.id] });
    expect((await s.request(owner, 'deleteWebhook', { path: [id] })).status).toBe(204);
  });

  it('are tried out, sign with two secrets after a change, and send again', async () => {
    const made = await s.request(owner, 'createWebhook', {
      json: { url: address, events: ['record.failed'], description: 'd' },
    });
    const path = [made.body.data.id];
    const renewed = await s.request(owner, 'rotateWebhookSecret', { path });
    expect(renewed.body.data.secret).not.toBe(made.body.data.secret);
    received.length = 0;
    const tried = await s.request(owner, 'testWebhook', { path });
    await until(
      async () => received.length,
      (count) => count > 0,
    );
    const [{ body, headers } = { body: '', headers: {} }] = received;
    for (const secret of [made.body.data.secret, renewed.body.data.secret]) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'webhook.test',
      });
    }
    const list = () => s.request(owner, 'listWebhookDeliveries', { path, query: 'status=succeeded' });
    const done = await until(list, (answer) => answer.body.meta.total === 1);
    expect(done.body.data[0]).toMatchObject({ id: tried.body.data.id, responseStatus: 204, nextAttemptAt: null });
    await s.request(owner, 'redeliverWebhook', { path: [tried.body.data.id] });
    await until(
      async () => received.length,
      (count) => count > 1,
    );
    expect(received[1]?.headers['webhook-id']).toBe(headers['webhook-id']);
    expect(JSON.stringify((await s.request(owner, 'getWebhook', { path })).body)).not.toContain('whsec_');
    expect((await s.request(stranger, 'redeliverWebhook', { path: [tried.body.data.id] })).status).toBe(404);
  });

  it.each([
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['an address of metadata', { url: 'https://169.254.169.254/latest' }],
    ['plain http', { url: 'http://hooks.example.com/' }],
    ['no address', { url: 'hooks' }],
    ['another scheme', { url: 'ftp://hooks.example.com/' }],
    ['2049 letters', { url: `https://hooks.example.com/${'a'.repeat(2023)}` }],
    ['no events', { events: [] }],
    ['an event that is none', { events: ['record.moved'] }],
    ['webhook.test', { events: ['webhook.test'] }],
    ['a description of 501 letters', { description: 'a'.repeat(501) }],
    ['a secret of one’s own', { secret: 'whsec_x' }],
  ])('to %s are refused', async (_, part) => {
    const json = { url: 'https://hooks.example.com/', events: ['record.failed'], ...part };
    expect((await s.request(owner, 'createWebhook', { json })).status).toBe(400);
  });

  it('that showed a secret do not show it twice', async () => {
    const ask = { json: { url: 'https://hooks.example.com/k', events }, headers: { 'idempotency-key': 'hook' } };
    expect((await s.request(owner, 'createWebhook', ask)).status).toBe(201);
    expect((await s.request(owner, 'createWebhook', ask)).status).toBe(409);
  });
});
