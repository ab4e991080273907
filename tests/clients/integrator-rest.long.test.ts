import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitingMatch } from '../security/resources.ts';
import type { TestMember } from '../support/app.ts';
import { startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import {
  addressOf,
  contract,
  operations,
  startIntegrator,
  until,
  wave,
  type Integrator,
} from '../support/integrator.ts';
import { bitrixEnv, callEnd, createPortal, formHeaders, readLinkCode, type TestPortal } from '../support/portal.ts';

/** What needs more than a token: failed calls, portals, people who wait, bodies where none is read. */
let s: Integrator;
let bitrix: Bitrix24Server;
let owner: TestMember;
let recordings: Server;
let address: string;

beforeAll(async () => {
  bitrix = await startBitrix24();
  s = await startIntegrator(bitrixEnv(bitrix));
  owner = await s.app.createOrg();
  const sound = Buffer.from(await wave(4, 300).arrayBuffer());
  recordings = createServer((req, res) => {
    if (req.url === '/call.wav') res.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => recordings.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(recordings.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await s.close();
  await bitrix.close();
  recordings.closeAllConnections();
  recordings.close();
});

const settled = (id: string) =>
  until(
    () => s.request(owner, 'getRecord', { path: [id] }),
    ({ body }) => ['completed', 'failed'].includes(body.data.status),
  );

function ingest(externalId: string, file: string, facts: object = {}) {
  const json = { externalId, projectId: owner.projectId, recordingUrl: `${address}/${file}`, ...facts };
  return s.request(owner, 'ingestRecord', { json });
}

describe('a call whose recording is not where it was said to be', () => {
  let id: string;
  beforeAll(async () => {
    id = (await ingest('gone', 'missing.wav')).body.data.id;
    await settled(id);
  });

  it('has failed, and says why', async () => {
    const { body } = await s.request(owner, 'getRecord', { path: [id] });
    expect(body.data).toMatchObject({ status: 'failed', failure: { retryable: false } });
  });

  it.each(['getRecordTranscript', 'getRecordCaptions', 'getRecordAudio', 'createPlayback'])(
    'has the reason instead for %s, and no time to wait for it',
    async (operationId) => {
      const { status, body, headers } = await s.request(owner, operationId, { path: [id] });
      expect([status, body.error.details]).toEqual([409, [expect.objectContaining({ path: 'failure' })]]);
      expect(body.error.message).toContain('processing failed: ');
      expect(headers).not.toHaveProperty('retry-after');
    },
  );

  it('is retried with another address alone', async () => {
    const without = await s.request(owner, 'retryRecord', { path: [id] });
    expect([without.status, without.body.error.details]).toEqual([
      409,
      [expect.objectContaining({ path: 'recordingUrl' })],
    ]);
    const wrong = await s.request(owner, 'retryRecord', { path: [id], json: { recordingUrl: 'ftp://a.example/1' } });
    expect(wrong.status).toBe(400);
    const json = { recordingUrl: `${address}/call.wav` };
    const again = await s.request(owner, 'retryRecord', { path: [id], json });
    expect([again.status, again.body.data]).toEqual([200, expect.objectContaining({ id, status: 'pending' })]);
    expect((await settled(id)).body.data).toMatchObject({ status: 'completed', failure: null });
    expect((await s.request(owner, 'retryRecord', { path: [id], json })).status).toBe(409);
  });

  it('takes a new address when it is ingested again, and keeps the facts that it has', async () => {
    const first = await ingest('moved', 'missing.wav', { agentName: 'Anna' });
    await settled(first.body.data.id);
    expect((await ingest('moved', 'missing.wav')).status).toBe(200);
    const second = await ingest('moved', 'call.wav', { agentName: 'Bob' });
    expect([second.status, second.body.data.id]).toEqual([202, first.body.data.id]);
    expect((await settled(first.body.data.id)).body.data).toMatchObject({ status: 'completed', agentName: 'Anna' });
    expect((await ingest('moved', 'third.wav')).status).toBe(200);
  });
});

describe('HEAD of a recording', () => {
  it('has the headers of GET, whole and in part, and 304', async () => {
    const { id } = await s.scored(owner, { file: wave(3, 250) });
    const place = { path: [id] };
    const [whole, head] = [
      await s.request(owner, 'getRecordAudio', place),
      await s.request(owner, 'headRecordAudio', place),
    ];
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'accept-ranges', 'content-disposition']) {
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
    }
    const kept = { 'if-none-match': head.headers['etag'] ?? '' };
    expect((await s.request(owner, 'headRecordAudio', { ...place, headers: kept })).status).toBe(304);
    expect((await s.request(await s.app.createOrg(), 'headRecordAudio', place)).status).toBe(404);
  });
});

describe('a webhook', () => {
  it.each([
    [{ description: 'd' }, { description: 'd' }],
    [{ description: null }, { description: null }],
    [{ enabled: false }, { enabled: false, disabledReason: null }],
    [{ enabled: true }, { enabled: true }],
    [{ events: ['record.failed'] }, { events: ['record.failed'] }],
    [{ url: 'https://hooks.example.com/b' }, { url: 'https://hooks.example.com/b' }],
    [{}, {}],
  ])('takes %j', async (json, expected) => {
    const made = await s.request(owner, 'createWebhook', {
      json: { url: 'https://hooks.example.com/a', events: ['record.completed'] },
    });
    const at = [made.body.data.id];
    const { status, body } = await s.request(owner, 'updateWebhook', { path: at, json });
    expect([status, body.data]).toEqual([200, expect.objectContaining(expected)]);
    expect((await s.request(owner, 'getWebhook', { path: at })).body).toEqual(body);
    expect(body.data).not.toHaveProperty('secret');
  });
});

describe('the rules of signing in', () => {
  it('are read, and stay where nothing is changed or the owner has no second factor', async () => {
    const { body } = await s.request(owner, 'getSignInRules');
    expect((await s.request(owner, 'updateSignInRules', { json: {} })).body).toEqual(body);
    const refused = await s.request(owner, 'updateSignInRules', { json: { ownersNeedSecondFactor: true } });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
    expect((await s.request(owner, 'getSignInRules')).body).toEqual(body);
  });

  it.each([
    ['confirmIdentityMatch', 'confirmed'],
    ['refuseIdentityMatch', 'refused'],
  ])('let an owner answer somebody who waits: %s', async (operationId) => {
    const member = await s.app.addMember(owner, 'agent');
    const id = await waitingMatch(s.app, member.userId);
    const list = await s.request(owner, 'listIdentityMatches');
    expect(list.body.data).toEqual([expect.objectContaining({ id })]);
    expect((await s.request(member, operationId, { path: [id] })).status).toBe(403);
    expect((await s.request(owner, operationId, { path: [id] })).status).toBe(204);
    expect((await s.request(owner, 'listIdentityMatches')).body.data).toEqual([]);
  });
});

describe('a portal', () => {
  let portal: TestPortal;
  let id: string;
  const event = (name: string, auth: Record<string, string> = {}, data: Record<string, string> = {}) => {
    const sent = { member_id: portal.memberId, application_token: portal.applicationToken, ...auth };
    const pairs: [string, string][] = [
      ['event', name],
      ...Object.entries(sent).map(([key, value]): [string, string] => [`auth[${key}]`, value]),
      ...Object.entries(data).map(([key, value]): [string, string] => [`data[${key}]`, value]),
    ];
    return s.request(null, 'receivePortalEvent', { body: new URLSearchParams(pairs), headers: formHeaders });
  };

  it('is linked, once', async () => {
    portal = createPortal(bitrix);
    const code = await readLinkCode(s.app, bitrix, portal);
    const json = { domain: bitrix.domain, code, projectId: owner.projectId };
    const made = await s.request(owner, 'linkPortal', { json });
    expect(made.status).toBe(201);
    id = made.body.data.id;
    expect(made.headers['location']).toBe(`/api/v1/integrations/bitrix24/portals/${id}`);
    expect((await s.request(owner, 'linkPortal', { json })).status).toBe(422);
  });

  it('is listed, read and changed', async () => {
    const json = { settings: { durationMinSeconds: 7 } };
    const changed = await s.request(owner, 'updatePortal', { path: [id], json });
    expect([changed.status, changed.body.data.settings.durationMinSeconds]).toEqual([200, 7]);
    expect((await s.request(owner, 'getPortal', { path: [id] })).body.data).toMatchObject({ id, ...json });
    expect((await s.request(owner, 'listPortals')).body.data.map((each: { id: string }) => each.id)).toEqual([id]);
    const stranger = await s.app.createOrg();
    expect((await s.request(stranger, 'getPortal', { path: [id] })).status).toBe(404);
  });

  it('tells of its calls, once each, and nobody else does in its name', async () => {
    const data = callEnd(randomUUID());
    const told = await event('ONVOXIMPLANTCALLEND', {}, data);
    expect([told.status, told.body.data]).toEqual([200, { outcome: 'accepted', reason: null }]);
    const again = await event('ONVOXIMPLANTCALLEND', {}, data);
    expect([again.status, again.body.data]).toEqual([200, { outcome: 'ignored', reason: 'KNOWN' }]);
    expect((await event('ONVOXIMPLANTCALLEND', { application_token: 'forged' }, data)).status).toBe(401);
    const { body } = await s.request(owner, 'listCrmCalls', { query: `portalId=${id}` });
    expect(body.data).toEqual([expect.objectContaining({ callId: data['CALL_ID'], portalId: id })]);
    const json = { body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await s.request(null, 'receivePortalEvent', json)).status).toBe(415);
  });

  it('opens a session in its frame, which ends with its cookie', async () => {
    const frame = { domain: bitrix.domain, memberId: portal.memberId, authId: portal.accessToken, refreshId: 'none' };
    const opened = await s.request(null, 'openEmbeddedSession', { json: frame });
    expect([opened.status, opened.body.data.org.id]).toEqual([200, owner.orgId]);
    const [cookie = ''] = (opened.headers['set-cookie'] ?? '').split(';');
    expect((await s.request(null, 'closeEmbeddedSession', { headers: { cookie, origin: s.origin } })).status).toBe(204);
    const gone = await s.request(null, 'getMe', { headers: { cookie } });
    expect(gone.status).toBe(401);
    const unknown = await s.request(null, 'openEmbeddedSession', { json: { ...frame, authId: 'nobody' } });
    expect(unknown.status).toBe(401);
    const foreign = { json: frame, headers: { origin: 'https://evil.example.com' } };
    expect((await s.request(null, 'openEmbeddedSession', foreign)).status).toBe(403);
  });

  it('is unlinked, and is not there any more', async () => {
    expect((await s.request(owner, 'unlinkPortal', { path: [id] })).status).toBe(204);
    expect((await s.request(owner, 'unlinkPortal', { path: [id] })).status).toBe(404);
    expect((await event('ONVOXIMPLANTCALLEND', {}, callEnd(randomUUID()))).status).toBe(403);
  });
});

describe('a list of what belongs to one thing', () => {
  it('of annotations has them in order, and those of others not', async () => {
    const [one, two] = [await s.scored(owner, { file: wave(3, 260) }), await s.scored(owner, { file: wave(3, 270) })];
    for (const words of ['first', 'second']) {
      await s.request(owner, 'createAnnotation', { path: [one.analysisId], json: { text: words } });
    }
    const query = 'sort=createdAt&order=asc';
    const { body } = await s.request(owner, 'listAnnotations', { path: [one.analysisId], query });
    expect(body.data.map((each: { text: string }) => each.text)).toEqual(['first', 'second']);
    expect((await s.request(owner, 'listAnnotations', { path: [two.analysisId] })).body.meta.total).toBe(0);
  });

  it('of firings has each call that met the condition', async () => {
    const json = { name: 'Short', condition: { field: 'duration', operator: 'lte', value: 3 } };
    const at = [(await s.request(owner, 'createAlert', { json })).body.data.id];
    const { id } = await s.scored(owner, { file: wave(3, 280) });
    const fired = await until(
      () => s.request(owner, 'listAlertEvents', { path: at }),
      ({ body }) => body.meta.total > 0,
    );
    expect(fired.body.data).toEqual([expect.objectContaining({ recordId: id })]);
  });

  it('of templates has what profiles can be made from', async () => {
    const { body } = await s.request(owner, 'listProfileTemplates');
    expect(body.data.map((each: { key: string }) => each.key).toSorted()).toEqual([
      'collections',
      'sales',
      'service',
      'support',
    ]);
  });
});

const bodiless = operations
  .filter(({ method, operation }) => !['GET', 'HEAD'].includes(method) && operation.requestBody === undefined)
  .map((each) => ({ ...each, name: each.operation.operationId }));

describe('a body where none is read', () => {
  const place = 'zzz_01m7ysd48genfrajdng7gg18f4';
  it.each(bodiless)('$name', async (operation) => {
    const sent: [string, string][] = [
      ['application/xml', '<a/>'],
      ['application/json', JSON.stringify({ whatIsThis: 'a'.repeat(2 ** 20) })],
      ['application/json', '{"whatIsThis":1}'],
    ];
    const statuses: number[] = [];
    for (const [type, body] of sent) {
      const headers = { ...owner.headers, 'content-type': type };
      const answer = await s.send(addressOf(operation, [place, place]), { method: operation.method, headers, body });
      contract.check(operation.name, answer);
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([415, 413, 400]);
  });
});

it('asks of every operation by its name', () => {
  const folder = import.meta.dirname;
  const files = readdirSync(folder).filter((name) => name.startsWith('integrator-'));
  const text = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
  const names = operations.map(({ operation }) => operation.operationId);
  expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});
