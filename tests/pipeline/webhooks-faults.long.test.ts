import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhook } from '../support/webhooks.ts';
import { openGate, type Gate } from './support/gate.ts';
import { eventually } from './support/hosts.ts';
import { createProviderScene, type ProviderScene } from './support/provider-scene.ts';
import { startReceiver, type Receiver } from './support/webhook-receiver.ts';

const callCount = 40;
const events = ['record.created', 'record.completed', 'analysis.completed'];
const paths = ['/well', '/failing', '/hanging', '/down'];

let receiver: Receiver;
let gate: Gate;
let scene: ProviderScene;
let isBad = false;

beforeAll(async () => {
  receiver = await startReceiver((res, { path }) => {
    if (isBad && path === '/hanging') return;
    res.writeHead(isBad && path === '/failing' ? 500 : 204).end();
  });
  gate = await openGate({ host: '127.0.0.1', port: Number(new URL(receiver.url('/')).port) });
  // Attempts enough for any outage of this test, and soon: what an endpoint gets in three days.
  const delaysMs = Array.from({ length: 500 }, () => 200);
  scene = await createProviderScene({ parts: { webhooks: { delaysMs, timeoutMs: 500 } } });
});
afterAll(async () => {
  await scene.close();
  await gate.shut();
  await receiver.close();
});

async function process(): Promise<number> {
  const from = performance.now();
  await scene.addCalls(callCount);
  await scene.ended();
  return performance.now() - from;
}

const idsAt = (path: string) => new Set(receiver.at(path).map(({ headers }) => headers['webhook-id']));

it('receivers that are down, hang or fail get every event once they are back, and hold up no call meanwhile', async () => {
  // Without anybody who listens: what processing takes by itself.
  const aloneMs = await process();
  const { t, org } = scene;
  const secrets = new Map<string, string>();
  for (const path of paths) {
    const url = path === '/down' ? `http://127.0.0.1:${gate.port}/down` : receiver.url(path);
    secrets.set(path, (await createWebhook(t, org, { url, events })).secret);
  }
  isBad = true;
  await gate.shut();
  const meanwhileMs = await process();
  expect(meanwhileMs).toBeLessThan(aloneMs * 3 + 5_000);
  await eventually(() => idsAt('/well').size === callCount * events.length || undefined, 30_000);
  expect(receiver.at('/failing').length).toBeGreaterThan(0);
  expect(receiver.at('/hanging').length).toBeGreaterThan(0);
  expect(receiver.at('/down')).toEqual([]);

  isBad = false;
  await gate.open();
  await scene.expectAllCompleted();
  const ids = idsAt('/well');
  expect(ids.size).toBe(callCount * events.length);
  for (const path of paths) {
    const requests = receiver.at(path);
    expect(idsAt(path)).toEqual(ids);
    const { body = '', headers = {} } = requests.at(-1) ?? {};
    expect(new Webhook(secrets.get(path) ?? '').verify(body, headers)).toBeTruthy();
  }
  const deliveries = await t.deps.services.db.withOrg(org.orgId, (tx) =>
    tx.execute('select status, count(*)::int as n from webhook_deliveries group by status'),
  );
  expect([...deliveries]).toEqual([{ status: 'succeeded', n: ids.size * paths.length }]);
}, 300_000);
