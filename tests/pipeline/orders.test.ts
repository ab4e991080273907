import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitEvents, type NewEvent } from '../../src/domain/events/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { redeliver } from '../../src/pipeline/redelivery.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { callEnd, createPortal, linkPortalOf, sendEvent } from '../support/portal.ts';
import { createWebhook } from '../support/webhooks.ts';
import { suppliedTranscript } from './support/calls.ts';
import { startForgetfulServer, type ForgetfulServer } from './support/forgetful-server.ts';
import { eventually, hurry } from './support/hosts.ts';
import { startWorld, type World } from './support/parity-world.ts';
import { stopClock } from './support/run-cron.ts';
import { serverEnv } from './support/services.ts';

type Order = { id: string; type: string; isOpen: boolean; isDone: boolean; announcements: number; dueInHours: number };

const invited = 'invited@example.com';
const hourOrders = ['invite.mail.requested', 'object.delete.requested', 'recording.waveform.requested'];
const types = [...hourOrders, 'crm.report.requested', 'record.process.requested', 'webhook.delivery.requested'];

let database: TestDatabase;
let dataDir: string;
let world: World;
let server: ForgetfulServer;
let t: TestApp;
let member: TestMember;
/** Orders with a greater id are those of the tests. */
let since = '';
let reported: { recordId: string; analysisId: string; entityId: string };
let storageKey = '';
let recordId = '';

/** A call of a portal has been reported to its CRM; then that is forgotten, and a forgetful server takes all orders. */
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-orders-'));
  [world, server] = await Promise.all([startWorld(), startForgetfulServer()]);
  t = await start();
  await stopClock(t);
  member = await t.createOrg();
  await createWebhook(t, member, { url: world.receiver.url('/orders'), events: ['record.deleted'] });
  reported = await addReportedCall();
  await noneOpen();
  await t.deps.services.db.withOrg(member.orgId, (tx) => tx.execute('delete from crm_reports'));
  world.bitrix.portal.comments.length = 0;
  [{ id: since = '' } = {}] = await t.deps.connections.system<{ id: string }[]>`select max(id) as id from outbox`;
  await t.close();
  t = await start(serverEnv(server.url));
  await orderEverything();
});
afterAll(async () => {
  await t.close();
  await Promise.all([world.close(), server.close()]);
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (env: Record<string, string> = {}) =>
  createTestApp({
    env: { ...world.env, ANALYSIS_ENGINE: 'rules', DATABASE_URL: database.url, DATA_DIR: dataDir, ...env },
  });

async function addReportedCall() {
  const portal = createPortal(world.bitrix);
  await linkPortalOf(t, { bitrix: world.bitrix, member, portal });
  const { callId, entityId } = world.addPortalCall();
  expect((await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data: callEnd(callId) })).statusCode).toBe(200);
  await eventually(() => commentsOn(entityId)[0], 30_000);
  const { body } = await t.as(member, { url: '/api/v1/records' });
  const [{ id }] = body.data;
  const found = await t.as(member, { url: `/api/v1/records/${id}` });
  return { recordId: id, analysisId: found.body.data.analysisId, entityId };
}

/** An order of each kind, and two events that nothing follows from. */
async function orderEverything(): Promise<void> {
  const { db, storage } = t.deps.services;
  storageKey = `${member.orgId}/${newRecordId()}/unneeded`;
  await storage.put(storageKey, Readable.from([Buffer.from('audio')]));
  recordId = newRecordId();
  await db.withOrg(member.orgId, (tx) =>
    createRecord(tx, { id: recordId, projectId: member.projectId, source: 'upload' }, suppliedTranscript(recordId)),
  );
  const payload = { email: invited, role: 'agent' };
  expect((await t.as(member, { method: 'POST', url: '/api/v1/users/invite', payload })).status).toBe(201);
  const events: NewEvent[] = [
    { type: 'object.delete.requested', data: { storageKey } },
    { type: 'crm.report.requested', data: { recordId: reported.recordId, analysisId: reported.analysisId } },
    { type: 'recording.waveform.requested', data: { recordId: reported.recordId } },
    { type: 'record.deleted', data: { recordId: newRecordId(), projectId: member.projectId, externalId: null } },
  ];
  await db.withOrg(member.orgId, (tx) => emitEvents(tx, events));
}

const commentsOn = (entityId: string) => world.bitrix.portal.comments.filter(({ ENTITY_ID }) => ENTITY_ID === entityId);

function readOrders(): Promise<Order[]> {
  return t.deps.connections.system<Order[]>`
    select id, type, due_at is not null as "isOpen", done_at is not null as "isDone", announcements,
           (extract(epoch from due_at - now()) / 3600)::float8 as "dueInHours"
      from outbox where id > ${since} order by id`;
}

async function openOrders(number: number): Promise<Order[]> {
  return eventually(async () => {
    const open = (await readOrders()).filter(({ isOpen }) => isOpen);
    return open.length === number ? open : undefined;
  });
}

async function noneOpen(): Promise<void> {
  await eventually(async () => {
    const { outbox } = await t.deps.services.pipeline.status();
    return (outbox.waiting === 0 && outbox.open.length === 0) || undefined;
  });
}

const announceAgain = (isForced = false) => {
  const { config, log, services, connections } = t.deps;
  return redeliver({ db: services.db, system: connections.system, config, log }, { isForced });
};

async function letTimePass(): Promise<void> {
  await t.deps.connections.system`update outbox set due_at = now() - interval '1 second' where due_at is not null`;
}

async function effects() {
  const requests = world.receiver.at('/orders').length;
  const { storage } = t.deps.services;
  const isStored = (await storage.stat(storageKey)) !== null;
  const { body } = await t.as(member, { url: `/api/v1/records/${recordId}` });
  const mails = world.mailsTo(invited).length;
  return { mails, comments: commentsOn(reported.entityId).length, requests, isStored, status: body.data.status };
}

const nothing = { mails: 0, comments: 0, requests: 0, isStored: true, status: 'pending' };
const all = { mails: 1, comments: 1, requests: 1, isStored: false, status: 'completed' };

describe('what a server has taken and forgotten', () => {
  it('is open, with a time by which it has to be done; nothing follows from other events', async () => {
    const open = await openOrders(types.length);
    expect(open.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
    for (const { type, dueInHours } of open) {
      expect(dueInHours).toBeCloseTo(type === 'crm.report.requested' ? 7 : 1, 1);
    }
    const others = (await readOrders()).filter(({ isOpen }) => !isOpen);
    expect(others.map(({ type, isDone }) => [type, isDone])).toEqual([
      ['record.created', true],
      ['record.deleted', true],
    ]);
    const taken = new Map(server.taken.map(({ id, data }) => [id, data['orderId']]));
    for (const { id } of open) expect(taken.get(id)).toBe(id);
    expect(await effects()).toEqual(nothing);
  });

  it('is announced again once its time has passed, as another event for the same order, and has twice as long then', async () => {
    const none = { orders: 0, passes: 0, reanalyses: 0, deliveries: 0 };
    expect(await announceAgain()).toEqual(none);
    await letTimePass();
    // The call was touched a moment ago, so somebody may be working on it, and the delivery is not late.
    expect(await announceAgain()).toEqual({ ...none, orders: types.length - 2 });
    const again = await eventually(async () => {
      const found = (await readOrders()).filter(({ isOpen, announcements }) => isOpen && announcements === 1);
      return found.length === types.length - 2 ? found : undefined;
    });
    for (const { id, type, dueInHours } of again) {
      expect(server.taken.find((event) => event.id === `${id}-1`)?.data['orderId']).toBe(id);
      expect(dueInHours).toBeCloseTo(type === 'crm.report.requested' ? 14 : 2, 1);
    }
    expect(await announceAgain()).toEqual(none);
    const { body } = await t.app.inject('/metrics');
    expect(body).toMatch(/^earshot_orders_open\{type="invite\.mail\.requested"\} 1$/m);
    expect(body).toMatch(/^earshot_orders_announced_again_total\{type="invite\.mail\.requested"\} 1$/m);
    expect(await effects()).toEqual(nothing);
  });

  it('is carried out once an engine remembers it, each once', async () => {
    await t.close();
    t = await start();
    const { orders, passes, deliveries } = await announceAgain(true);
    expect({ orders, passes, deliveries }).toEqual({ orders: types.length - 1, passes: 0, deliveries: 1 });
    await noneOpen();
    expect(await effects()).toEqual(all);
    const unfinished = (await readOrders()).filter(({ isDone }) => !isDone);
    expect(unfinished).toEqual([]);
  });

  it('is carried out no second time, however often it is announced', async () => {
    expect(await announceAgain(true)).toEqual({ orders: 0, passes: 0, reanalyses: 0, deliveries: 0 });
    for (let round = 0; round < 2; round += 1) {
      await t.deps.connections.system`
        update outbox set done_at = null, dispatched_at = null, announcements = announcements + 1
         where id > ${since} and type in ${t.deps.connections.system(types)}`;
      await noneOpen();
      expect(await effects()).toEqual(all);
    }
  });
});

describe('the embedded engine', () => {
  it('is asked before an order is announced again: one that is being carried out is left alone', async () => {
    const { system } = t.deps.connections;
    const payload = { email: 'held@example.com', role: 'agent' };
    // A run that waits for its next attempt.
    await world.withoutMail(async () => {
      expect((await t.as(member, { method: 'POST', url: '/api/v1/users/invite', payload })).status).toBe(201);
      await eventually(async () => {
        const rows = await system`select from engine_queue where function_id = 'earshot-send-mail' and attempt > 0`;
        return rows.length > 0 || undefined;
      });
    });
    await letTimePass();
    expect(await announceAgain(true)).toMatchObject({ orders: 0 });
    await hurry(system);
    await noneOpen();
    expect(world.mailsTo('held@example.com')).toHaveLength(1);
  });
});
