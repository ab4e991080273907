import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { emitEvents } from '../../src/domain/events/service.ts';
import { formBytes, formType } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { callEnd, createPortal, linkPortalOf, sendEvent } from '../support/portal.ts';
import { callVtt } from './support/calls.ts';
import { eventually, sleep } from './support/hosts.ts';
import { findPort, inngestProgram, startInngest } from './support/inngest-process.ts';
import { startWorld, type World } from './support/parity-world.ts';
import { silentWav } from './support/recording-server.ts';
import { invoke, serverEnv } from './support/services.ts';

const kills = 4;
const deletedPerKill = 6;
const invitedPerKill = 4;
const reportedCalls = 4;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Scene = { t: TestApp; member: TestMember; world: World };

describe.runIf(inngestProgram !== undefined)('an Inngest server that forgets what it has just taken', () => {
  it('keeps no recording, no mail and no report from its end', { timeout: 400_000 }, async () => {
    const cwd = await mkdtemp(path.join(tmpdir(), 'earshot-forgetful-'));
    cleanups.push(() => rm(cwd, { recursive: true, force: true }));
    const world = await startWorld();
    cleanups.push(world.close);
    const port = await findPort();
    const url = `http://127.0.0.1:${port}`;
    const t = await createTestApp({ env: { ...world.env, ANALYSIS_ENGINE: 'rules', ...serverEnv(url) } });
    cleanups.push(t.close);
    const scene = { t, world, member: await t.createOrg() };
    const appUrl = await t.listen();
    const start = () => startInngest(inngestProgram ?? '', { port, appUrl, cwd });
    let server = await start();
    cleanups.push(() => server.kill());

    const reported = await addReportedCalls(scene);
    const deleted: string[] = [];
    for (let n = 0; n < kills * deletedPerKill; n += 1) deleted.push(await addCall(scene));
    await eventually(async () => (await countOpen(t)) === 0 || undefined, 120_000);
    await forgetReports(scene);

    for (let kill = 0; kill < kills; kill += 1) {
      await orderMuch(scene, { kill, deleted, reported });
      await allHandedOn(t);
      await server.kill();
      server = await start();
    }
    const forgotten = await countOpen(t);
    await eventually(async () => {
      await letTimePass(t);
      await invoke(url, 'sweep');
      await sleep(2_000);
      return (await countOpen(t)) === 0 || undefined;
    }, 180_000);

    process.stdout.write(`The server has forgotten ${forgotten} orders.\n`);
    expect(forgotten).toBeGreaterThan(0);
    const { storage } = t.deps.services;
    const left = await Promise.all(deleted.map((id) => storage.stat(`${scene.member.orgId}/${id}`)));
    expect(left.filter((found) => found !== null)).toEqual([]);
    const mails = invitedBy(kills).map((address) => world.mailsTo(address).length);
    expect(mails).toEqual(mails.map(() => 1));
    const comments = reported.map(({ entityId }) => commentsOn(scene, entityId));
    expect(comments).toEqual(reported.map(() => 1));
  });
});

type Reported = { recordId: string; analysisId: string; entityId: string };

/** Calls of a portal, taken, scored and reported. */
async function addReportedCalls({ t, world, member }: Scene): Promise<Reported[]> {
  const portal = createPortal(world.bitrix);
  await linkPortalOf(t, { bitrix: world.bitrix, member, portal });
  const reported: Reported[] = [];
  for (let n = 0; n < reportedCalls; n += 1) {
    const { callId, entityId } = world.addPortalCall();
    expect((await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data: callEnd(callId) })).statusCode).toBe(200);
    await eventually(() => commentsOn({ world }, entityId) || undefined, 60_000);
    const [call] = await t.deps.services.db.withOrg(member.orgId, (tx) =>
      tx.execute<{ recordId: string; analysisId: string }>(
        `select id as "recordId", analysis_id as "analysisId" from records order by id desc limit 1`,
      ),
    );
    if (!call) throw new Error('There is no call.');
    reported.push({ ...call, entityId });
  }
  return reported;
}

const commentsOn = ({ world }: Pick<Scene, 'world'>, entityId: string): number =>
  world.bitrix.portal.comments.filter(({ ENTITY_ID }) => ENTITY_ID === entityId).length;

async function forgetReports({ t, world, member }: Scene): Promise<void> {
  await t.deps.services.db.withOrg(member.orgId, (tx) => tx.execute('delete from crm_reports'));
  world.bitrix.portal.comments.length = 0;
}

/** With its recording, which is to be gone with it. */
async function addCall({ t, member }: Scene): Promise<string> {
  const payload = formBytes([
    { name: 'projectId', content: member.projectId },
    { name: 'transcript', content: callVtt },
    { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: silentWav(500) },
  ]);
  const headers = { 'content-type': formType };
  const { status, body } = await t.as(member, { method: 'POST', url: '/api/v1/records/upload', headers, payload });
  expect(status).toBe(201);
  return body.data.id;
}

const invitedBy = (until: number): string[] =>
  Array.from({ length: until * invitedPerKill }, (_, n) => `invited${n}@example.com`);

type Much = { kill: number; deleted: string[]; reported: Reported[] };

async function orderMuch({ t, member }: Scene, { kill, deleted, reported }: Much): Promise<void> {
  const ask = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
    t.as(member, { method, url: `/api/v1${url}`, ...(payload && { payload }) });
  const due = deleted.slice(kill * deletedPerKill, (kill + 1) * deletedPerKill);
  const deletions = due.map((id) => ask('DELETE', `/records/${id}`));
  const invites = invitedBy(kill + 1)
    .slice(kill * invitedPerKill)
    .map((email) => ask('POST', '/users/invite', { email, role: 'agent' }));
  for (const { status } of await Promise.all([...deletions, ...invites])) expect(status).toBeLessThan(300);
  const report = reported[kill];
  if (!report) return;
  const { recordId, analysisId } = report;
  await t.deps.services.db.withOrg(member.orgId, (tx) =>
    emitEvents(tx, [{ type: 'crm.report.requested', data: { recordId, analysisId } }]),
  );
}

async function allHandedOn(t: TestApp): Promise<void> {
  await eventually(async () => {
    const [row] = await t.deps.connections.system`select from outbox where dispatched_at is null limit 1`;
    return row === undefined || undefined;
  });
}

/** Orders that wait or are open. */
async function countOpen(t: TestApp): Promise<number> {
  const [row] = await t.deps.connections.system<{ open: number }[]>`
    select count(*)::int as open from outbox where dispatched_at is null or due_at is not null`;
  return row?.open ?? 0;
}

async function letTimePass(t: TestApp): Promise<void> {
  await t.deps.connections.system`update outbox set due_at = now() - interval '1 second' where due_at is not null`;
}
