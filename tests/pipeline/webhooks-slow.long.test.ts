import { afterAll, beforeAll, expect, it } from 'vitest';
import { emitEvents } from '../../src/domain/events/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createWebhook } from '../support/webhooks.ts';
import { suppliedTranscript } from './support/calls.ts';
import { eventually } from './support/hosts.ts';
import { startReceiver, type Receiver } from './support/webhook-receiver.ts';

const endpointCount = 12;
const hangingCount = 2;
const eventCount = 25;

let t: TestApp;
let org: TestMember;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver((res, { path }) => {
    if (!path.startsWith('/hanging')) res.writeHead(204).end();
  });
  // Fewer places than the hanging endpoints could take, were they to share them with all other work.
  t = await createTestApp({ env: { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent', PIPELINE_CONCURRENCY: '2' } });
  org = await t.createOrg();
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});

it('endpoints that hang hold up neither others nor the processing of calls', async () => {
  const names = Array.from({ length: endpointCount }, (_, n) => (n < hangingCount ? `/hanging-${n}` : `/well-${n}`));
  for (const path of names) await createWebhook(t, org, { url: receiver.url(path), events: ['record.deleted'] });
  const startedAt = Date.now();
  for (let n = 0; n < eventCount; n += 1) {
    const data = { recordId: newRecordId(), projectId: org.projectId, externalId: null };
    await t.deps.services.db.withOrg(org.orgId, (tx) => emitEvents(tx, [{ type: 'record.deleted', data }]));
  }
  const id = newRecordId();
  await t.deps.services.db.withOrg(org.orgId, (tx) =>
    createRecord(tx, { id, projectId: org.projectId, source: 'upload', durationSeconds: 59 }, suppliedTranscript(id)),
  );
  const well = names.slice(hangingCount);
  const isDone = async () => well.every((path) => receiver.at(path).length === eventCount) || undefined;
  await eventually(isDone);
  await eventually(async () => {
    const { body } = await t.as(org, { url: `/api/v1/records/${id}` });
    return body.data.status === 'completed' || undefined;
  });
  for (const path of well) {
    expect(new Set(receiver.at(path).map(({ headers }) => headers['webhook-id'])).size).toBe(eventCount);
  }
  // Four requests at once to each hanging endpoint, and 15 seconds for each.
  const turns = 1 + Math.floor((Date.now() - startedAt) / 15_000);
  for (const path of names.slice(0, hangingCount)) {
    expect(receiver.at(path).length).toBeGreaterThanOrEqual(4);
    expect(receiver.at(path).length).toBeLessThanOrEqual(4 * turns);
  }
});
