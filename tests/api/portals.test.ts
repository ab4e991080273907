import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import type { Database } from '../../src/db/scope.ts';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import {
  bitrixEnv,
  callEnd,
  createPortal,
  formHeaders,
  linkPortalOf,
  openFrame,
  readLinkCode,
  sendEvent,
} from '../support/portal.ts';

const portalsUrl = '/api/v1/integrations/bitrix24/portals';
const callsUrl = '/api/v1/integrations/bitrix24/calls';
const eventsUrl = '/api/v1/integrations/bitrix24/events';

let bitrix: Bitrix24Server;
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  bitrix = await startBitrix24();
  t = await createTestApp({ runPipeline: false, env: bitrixEnv(bitrix) });
  owner = await t.createOrg('Acme');
});
afterAll(async () => {
  await t.close();
  await bitrix.close();
});

type Body = Record<string, unknown>;

async function statusOf(answer: Promise<{ statusCode: number }>): Promise<number> {
  return (await answer).statusCode;
}

function link(member: TestMember, payload: Body) {
  return t.as(member, { method: 'POST', url: portalsUrl, payload });
}

async function callsOf(member: TestMember, query: Record<string, string> = {}) {
  return (await t.as(member, { url: callsUrl, query })).body.data;
}

async function rowOf(memberId: string) {
  const [row] = await t.deps.connections.system`select * from portal_installations where member_id = ${memberId}`;
  return row;
}

describe('linking a portal', () => {
  it('takes a code that its administrator is shown in the frame, once, together with its domain', async () => {
    const portal = createPortal(bitrix);
    const page = await openFrame(t, bitrix, portal);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain(`frame-ancestors 'self' ${bitrix.baseUrl}`);
    const code = /<strong>([\w-]+)<\/strong>/.exec(page.body)?.[1] ?? '';
    const given = { domain: bitrix.domain, code, projectId: owner.projectId };
    expect((await link(owner, { ...given, domain: 'other.bitrix24.com' })).status).toBe(422);
    expect((await link(owner, { ...given, code: 'AAAA-AAAA' })).status).toBe(422);
    const { status, body, headers } = await link(owner, { ...given, code: ` ${code.toLowerCase()} ` });
    expect(status).toBe(201);
    expect(headers['location']).toBe(`${portalsUrl}/${body.data.id}`);
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^ptl_/),
      memberId: portal.memberId,
      domain: bitrix.domain,
      projectId: owner.projectId,
      status: 'active',
      suspension: null,
      settings: { durationMinSeconds: 5, writeBack: { transcript: true, comment: true } },
    });
    expect((await link(owner, given)).status).toBe(422);
    expect((await t.as(owner, { url: `${portalsUrl}/${body.data.id}` })).body.data).toEqual(body.data);
    // From now on its people sign in there.
    expect((await openFrame(t, bitrix, portal)).body).toContain('id="settings"');
  });

  it('under a key spends the code with the commit: not before, and not twice', async () => {
    const portal = createPortal(bitrix);
    const code = await readLinkCode(t, bitrix, portal);
    const { db } = t.deps.services;
    let failures = 1;
    const breaking: Database = {
      ...db,
      together: (orgId, work) =>
        db.together(orgId, async (part, tx) => {
          const result = await work(part, tx);
          if (failures-- > 0) throw new Error('killed before the commit');
          return result;
        }),
    };
    const app = await buildApp({
      ...t.deps,
      log: createLogger('silent'),
      services: { ...t.deps.services, db: breaking },
    });
    const payload = { domain: bitrix.domain, code, projectId: owner.projectId };
    const headers = { ...owner.headers, 'idempotency-key': randomUUID() };
    const send = () => app.inject({ method: 'POST', url: portalsUrl, headers, payload });
    expect(await statusOf(send())).toBe(500);
    const made = await send();
    expect(made.statusCode).toBe(201);
    expect((await rowOf(portal.memberId))?.['link_code_hash']).toBeNull();
    expect((await send()).json()).toEqual(made.json());
    await app.close();
  });

  it('is refused without the code: to whoever is no administrator of the portal, and after a quarter of an hour', async () => {
    const portal = createPortal(bitrix, { isAdmin: false });
    const page = await openFrame(t, bitrix, portal);
    expect([page.statusCode, page.json().error.message]).toEqual([403, 'No organization has linked this portal.']);
    const late = createPortal(bitrix);
    const code = await readLinkCode(t, bitrix, late);
    await t.deps.connections.system`
      update portal_installations set link_code_expires_at = now() where member_id = ${late.memberId}`;
    expect((await link(owner, { domain: bitrix.domain, code, projectId: owner.projectId })).status).toBe(422);
  });

  it('is for one organization, until that one unlinks it', async () => {
    const portal = createPortal(bitrix);
    const id = await linkPortalOf(t, { bitrix, member: owner, portal });
    const other = await t.createOrg();
    const { connections, services } = t.deps;
    const operator = { db: services.db, system: connections.system };
    const given = { memberId: portal.memberId, domain: bitrix.domain };
    await expect(linkPortal(operator, other.orgId, given)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await t.as(other, { url: `${portalsUrl}/${id}` })).status).toBe(404);
    expect((await t.as(other, { method: 'DELETE', url: `${portalsUrl}/${id}` })).status).toBe(404);
    expect((await t.as(owner, { method: 'DELETE', url: `${portalsUrl}/${id}` })).status).toBe(204);
    expect(await rowOf(portal.memberId)).toMatchObject({ access_token: null, refresh_token: null });
    await linkPortalOf(t, { bitrix, member: other, portal });
    expect((await t.as(owner, { url: `${portalsUrl}/${id}` })).status).toBe(404);
  });

  it('changes what is given and leaves the rest, and outlives its project', async () => {
    const id = await linkPortalOf(t, { bitrix, member: owner, portal: createPortal(bitrix) });
    const url = `${portalsUrl}/${id}`;
    const settings = { writeBack: { comment: false } };
    const { body } = await t.as(owner, { method: 'PATCH', url, payload: { settings } });
    expect(body.data.settings).toEqual({ durationMinSeconds: 5, writeBack: { transcript: true, comment: false } });
    expect((await t.as(owner, { method: 'PATCH', url, payload: { projectId: 'prj_x' } })).status).toBe(404);
    const project = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: randomUUID() } });
    const projectId = project.body.data.id;
    const moved = await t.as(owner, { method: 'PATCH', url, payload: { projectId } });
    expect(moved.body.data).toMatchObject({ projectId, settings: { writeBack: { comment: false } } });
    expect((await t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${projectId}` })).status).toBe(204);
    expect((await t.as(owner, { url })).body.data.projectId).toBeNull();
  });

  it('by the operator needs the portal to tell its tokens, which the frame of an administrator does', async () => {
    const portal = createPortal(bitrix);
    const { connections, services } = t.deps;
    const operator = { db: services.db, system: connections.system };
    const given = { memberId: portal.memberId, domain: bitrix.domain, projectId: owner.projectId };
    await expect(linkPortal(operator, owner.orgId, { ...given, projectId: 'prj_x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await linkPortal(operator, owner.orgId, given);
    expect(await rowOf(portal.memberId)).toBeUndefined();
    const shown = async () => {
      const { body } = await t.as(owner, { url: portalsUrl, query: { pageSize: '100' } });
      return body.data.find(({ memberId }: Body) => memberId === portal.memberId);
    };
    const suspension = { reason: 'ACCESS_MISSING', since: expect.any(String) };
    expect(await shown()).toMatchObject({ status: 'suspended', suspension, reconciledAt: null });
    expect((await openFrame(t, bitrix, portal)).statusCode).toBe(200);
    expect(await rowOf(portal.memberId)).toMatchObject({ domain: bitrix.domain });
    expect(await shown()).toMatchObject({ status: 'active', suspension: null, reconciledAt: null });
  });
});

describe('what a portal is trusted with', () => {
  it('is stored as a hash where it is compared, sealed where it is sent, and never in the clear', async () => {
    const portal = createPortal(bitrix);
    await linkPortalOf(t, { bitrix, member: owner, portal });
    const rows = await t.deps.connections.system`select portal_installations::text as row from portal_installations`;
    const dump = rows.map(({ row }) => row).join('\n');
    for (const secret of [portal.accessToken, portal.refreshToken, portal.applicationToken]) {
      expect(dump).not.toContain(secret);
    }
    expect(dump).toContain(createHash('sha256').update(portal.applicationToken).digest('hex'));
  });

  it('is told by its installation, if Bitrix24 says that an administrator of it is behind', async () => {
    const install = (portal = createPortal(bitrix), auth: Record<string, string> = {}) =>
      sendEvent(t, 'ONAPPINSTALL', portal, {
        auth: {
          domain: bitrix.domain,
          access_token: portal.accessToken,
          refresh_token: portal.refreshToken,
          ...auth,
        },
      });
    const portal = createPortal(bitrix);
    expect((await install(portal)).json()).toEqual({ data: { outcome: 'installed', reason: null } });
    expect(await rowOf(portal.memberId)).toMatchObject({ domain: bitrix.domain });
    const others = createPortal(bitrix);
    expect(await statusOf(install({ ...portal, accessToken: others.accessToken, applicationToken: 'forged' }))).toBe(
      401,
    );
    expect(await statusOf(install(createPortal(bitrix), { access_token: '' }))).toBe(401);
    expect(await statusOf(install(createPortal(bitrix), { domain: 'mallory.bitrix24.com' }))).toBe(401);
    expect(await statusOf(install(createPortal(bitrix, { isAdmin: false })))).toBe(403);
    // The forged one has changed nothing.
    expect((await sendEvent(t, 'ONVOXIMPLANTCALLEND', { ...portal, applicationToken: 'forged' })).statusCode).toBe(401);
  });

  it('is not asked on a host that nobody vouches for', async () => {
    for (const endpoint of [
      'https://mallory.example/rest/',
      'http://acme.bitrix24.com/rest/',
      'https://10.0.0.1/rest/',
    ]) {
      bitrix.clientEndpoint = endpoint;
      expect([endpoint, (await openFrame(t, bitrix, createPortal(bitrix))).statusCode]).toEqual([endpoint, 403]);
    }
    bitrix.clientEndpoint = undefined;
    const portal = createPortal(bitrix);
    const foreign = { ...portal.grant, domain: 'mallory.example' };
    bitrix.grants.set(portal.accessToken, foreign);
    const auth = { domain: 'mallory.example', access_token: portal.accessToken, refresh_token: portal.refreshToken };
    expect((await sendEvent(t, 'ONAPPINSTALL', portal, { auth })).statusCode).toBe(403);
  });
});

describe('an event', () => {
  it('of an unknown portal, with a wrong token or another domain is refused the same way', async () => {
    const portal = createPortal(bitrix);
    await linkPortalOf(t, { bitrix, member: owner, portal });
    const data = callEnd(randomUUID());
    const answers = await Promise.all([
      sendEvent(t, 'ONVOXIMPLANTCALLEND', { ...portal, memberId: 'nobody' }, { data }),
      sendEvent(t, 'ONVOXIMPLANTCALLEND', { ...portal, applicationToken: 'wrong' }, { data }),
      sendEvent(t, 'ONVOXIMPLANTCALLEND', { ...portal, applicationToken: '' }, { data }),
      sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data, auth: { domain: 'mallory.bitrix24.com' } }),
      sendEvent(t, 'ONAPPUNINSTALL', { ...portal, applicationToken: 'wrong' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.json()).toEqual({
      error: { code: 'UNAUTHORIZED', message: 'The portal or its token is not known.' },
    });
    expect(answers[0]?.headers['ratelimit-limit']).toBeDefined();
    expect((await callsOf(owner)).map(({ callId }: { callId: string }) => callId)).not.toContain(data['CALL_ID']);
  });

  it('of a portal that nobody has linked is forbidden, and no request is made', async () => {
    const portal = createPortal(bitrix);
    await readLinkCode(t, bitrix, portal);
    const before = bitrix.requests.length;
    const response = await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data: callEnd('x') });
    expect([response.statusCode, bitrix.requests.length - before]).toEqual([403, 0]);
  });

  it('about a call is accepted at either address, and counts once however often and fast it is sent', async () => {
    const portal = createPortal(bitrix);
    const id = await linkPortalOf(t, { bitrix, member: owner, portal });
    const data = callEnd(randomUUID());
    const before = bitrix.requests.length;
    const first = await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data, auth: { domain: bitrix.domain } });
    expect([first.statusCode, first.json()]).toEqual([200, { data: { outcome: 'accepted', reason: null } }]);
    const url = '/integrations/bitrix24/events';
    const again = await Promise.all(
      Array.from({ length: 8 }, () => sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data, url })),
    );
    expect(new Set(again.map((answer) => JSON.stringify(answer.json())))).toEqual(
      new Set(['{"data":{"outcome":"ignored","reason":"KNOWN"}}']),
    );
    expect(bitrix.requests.length - before).toBe(0);
    const calls = await callsOf(owner, { portalId: id });
    expect(calls).toEqual([
      expect.objectContaining({
        callId: data['CALL_ID'],
        portalId: id,
        status: 'waiting',
        announcedBy: 'event',
        duration: 64,
        startedAt: '2026-03-02T08:58:10.000Z',
      }),
    ]);
    expect(JSON.stringify(calls)).not.toContain('7700900');
    const orders = await t.deps.connections.system`
      select from outbox where type = 'crm.call.requested' and data->>'callId' = ${data['CALL_ID'] ?? ''}`;
    expect(orders).toHaveLength(1);
  });

  it.each([
    ['MISSED', { CALL_FAILED_CODE: '304', CALL_DURATION: '0' }],
    ['TOO_SHORT', { CALL_DURATION: '4' }],
    ['INFORMATION_CALL', { CALL_TYPE: '5' }],
  ])('about a call that is no record is listed with the reason %s', async (reason, further) => {
    const portal = createPortal(bitrix);
    const id = await linkPortalOf(t, { bitrix, member: owner, portal });
    const response = await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data: callEnd(randomUUID(), further) });
    expect(response.json().data).toEqual({ outcome: 'ignored', reason });
    expect(await callsOf(owner, { portalId: id, status: 'ignored' })).toMatchObject([{ reason, recordId: null }]);
    expect(await callsOf(owner, { portalId: id, status: 'waiting' })).toEqual([]);
  });

  it('about uninstalling unlinks the portal, signs its people out and forgets its tokens', async () => {
    const portal = createPortal(bitrix);
    const id = await linkPortalOf(t, { bitrix, member: owner, portal });
    const body = { domain: bitrix.domain, memberId: portal.memberId, authId: portal.accessToken, refreshId: 'none' };
    const host = 'earshot.example';
    const signedIn = await t.app.inject({
      method: 'POST',
      url: '/api/v1/embedded/auth',
      headers: { host, origin: `https://${host}` },
      payload: body,
    });
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const me = () =>
      t.app.inject({ url: '/api/v1/projects', headers: { host, cookie, 'x-selected-org-id': owner.orgId } });
    expect((await me()).statusCode).toBe(200);
    const response = await sendEvent(t, 'ONAPPUNINSTALL', portal, { data: { CLEAN: '1' } });
    expect(response.json()).toEqual({ data: { outcome: 'unlinked', reason: null } });
    expect((await t.as(owner, { url: `${portalsUrl}/${id}` })).status).toBe(404);
    expect(await rowOf(portal.memberId)).toBeUndefined();
    expect((await me()).statusCode).toBe(401);
    expect((await sendEvent(t, 'ONAPPUNINSTALL', portal)).statusCode).toBe(401);
  });

  it('that is none, or nothing that we know, does nothing', async () => {
    const portal = createPortal(bitrix);
    await linkPortalOf(t, { bitrix, member: owner, portal });
    expect((await sendEvent(t, 'ONCRMDEALADD', portal)).json().data).toEqual({
      outcome: 'ignored',
      reason: 'EVENT_UNKNOWN',
    });
    expect((await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data: { CALL_ID: '' } })).statusCode).toBe(400);
    const post = (payload: string, headers: Record<string, string> = formHeaders) =>
      statusOf(t.app.inject({ method: 'POST', url: eventsUrl, payload, headers }));
    expect(await post('event=')).toBe(400);
    expect(await post('')).toBe(400);
    expect(await post('event=%00&auth[member_id]=x')).toBe(400);
    expect(await post('{"event":"X"}', { 'content-type': 'application/json' })).toBe(415);
    expect(await post('<event/>', { 'content-type': 'text/xml' })).toBe(415);
    expect(await statusOf(t.app.inject({ method: 'GET', url: eventsUrl }))).toBe(405);
  });

  it.each(['application/json', 'text/xml'])('as %s is refused with what is taken instead', async (type) => {
    const headers = { 'content-type': type };
    const answer = await t.app.inject({ method: 'POST', url: eventsUrl, payload: '{}', headers });
    expect(answer.json().error.message).toBe('Send the body as application/x-www-form-urlencoded.');
  });

  it('counts against the limit like every request without a credential', async () => {
    const limited = await createTestApp({
      runPipeline: false,
      env: { ...bitrixEnv(bitrix), RATE_LIMIT_PER_MINUTE: '3' },
    });
    const send = () => sendEvent(limited, 'ONVOXIMPLANTCALLEND', { memberId: 'x', applicationToken: 'y' });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await send()).statusCode);
    await limited.close();
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});
