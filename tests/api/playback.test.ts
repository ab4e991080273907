import { createHash, randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlaybackTickets } from '../../src/auth/playback-ticket.ts';
import type { Role } from '../../src/model/role.ts';
import { newId } from '../../src/lib/ids.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { send, wavHeader } from './upload-support.ts';

const secretsKey = 'the-key-of-these-tests-and-of-nothing-else';
const tickets = createPlaybackTickets([secretsKey]);
const size = 1_000_000;

let t: TestApp;
let baseUrl: string;
let owner: TestMember;
let bytes: Buffer;
let recordId: string;
let logged = '';

const log = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});

beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'trace', SECRETS_KEY: secretsKey }, runPipeline: false, log });
  baseUrl = await t.listen();
  owner = await t.createOrg();
  bytes = Buffer.concat([wavHeader(size), randomBytes(size - 44)]);
  recordId = await uploaded(owner);
});
afterAll(() => t.close());

async function uploaded(member: TestMember): Promise<string> {
  const parts = [
    { name: 'projectId', content: member.projectId },
    { name: 'file', fileName: 'call.wav', content: bytes },
  ];
  return (await send(baseUrl, { member, parts })).body.data.id;
}

async function playback(member: TestMember, input: { id: string; redacted?: boolean }) {
  const links = [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers: member.headers })];
  return createTRPCClient<AppRouter>({ links }).records.playback.query(input);
}

async function addressFor(member: TestMember, id = recordId): Promise<string> {
  return (await playback(member, { id })).url;
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    ({ data }) => data.code,
  );

/** As a player asks: with nothing but the address. */
async function play(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const { statusCode: status, rawPayload: body, headers: answered } = await t.app.inject({ method, url, headers });
  return { status, headers: answered, body };
}

describe('an address to play a recording', () => {
  it('is good for ten minutes and plays without any further credential', async () => {
    const before = Date.now();
    const { url, expiresAt } = await playback(owner, { id: recordId });
    expect(url).toMatch(/^\/media\/[\w-]+\.[\w-]+$/);
    expect(expiresAt.getTime()).toBeGreaterThanOrEqual(before + 600_000);
    expect(expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 600_000);
    const { status, headers, body } = await play(url);
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(size),
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
      'content-disposition': 'inline; filename=call.wav',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  it('is given over REST, too, and plays the same bytes', async () => {
    const url = `/api/v1/records/${recordId}/playback`;
    const { status, body } = await t.as(owner, { method: 'POST', url });
    expect(status).toBe(200);
    expect(Object.keys(body.data).toSorted()).toEqual(['expiresAt', 'url']);
    expect((await play(body.data.url)).body.equals(bytes)).toBe(true);
    const redacted = await t.as(owner, { method: 'POST', url, payload: { redacted: true } });
    expect(redacted).toMatchObject({ status: 409, headers: { 'retry-after': '5' } });
    const wrong = await t.as(owner, { method: 'POST', url, payload: { redacted: 'yes' } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ path: 'redacted' }] } } });
    const unknown = `/api/v1/records/${newId('record')}/playback`;
    expect(await t.as(owner, { method: 'POST', url: unknown })).toMatchObject({ status: 404 });
  });

  it('answers ranges and conditions as the recording itself does', async () => {
    const url = await addressFor(owner);
    const { headers: whole } = await play(url, {}, 'HEAD');
    const etag = String(whole.etag);
    const part = await play(url, { range: 'bytes=100-199' });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 100-199/${size}` } });
    expect(part.body.equals(bytes.subarray(100, 200))).toBe(true);
    const long = await play(url, { range: 'bytes=10-900000' });
    expect(long.body.equals(bytes.subarray(10, 900_001))).toBe(true);
    expect(await play(url, { range: 'bytes=0-9', 'if-range': etag })).toMatchObject({ status: 206 });
    expect(await play(url, { range: 'bytes=0-9', 'if-range': '"other"' })).toMatchObject({ status: 200 });
    expect(await play(url, { 'if-none-match': etag })).toMatchObject({ status: 304 });
    const beyond = await play(url, { range: `bytes=${size}-` });
    expect(beyond).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${size}` } });
    const head = await play(url, {}, 'HEAD');
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, String(size)]);
    expect(await play(url, {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('is refused where the recording itself is', async () => {
    const agent = await t.addMember(owner, 'agent');
    const stranger = await t.createOrg();
    for (const member of [agent, stranger]) {
      expect(await errorOf(playback(member, { id: recordId }))).toBe('NOT_FOUND');
    }
    for (const id of ['nonsense', newId('record')]) {
      expect(await errorOf(playback(owner, { id }))).toBe('NOT_FOUND');
    }
    expect(await errorOf(playback(owner, { id: recordId, redacted: true }))).toBe('CONFLICT');
  });

  it('names nobody and no address in the log', async () => {
    const url = await addressFor(owner);
    const ticket = url.split('/').at(-1) ?? '';
    await play(url, { range: 'bytes=0-9' });
    await play(url, { range: `bytes=${size}-` });
    await play(url, {}, 'POST');
    await play(`${url}x`);
    await play(`${url}/further`);
    expect(logged).toContain('/media/:ticket');
    expect(logged).not.toContain(ticket.split('.')[0]);
    expect(logged).not.toContain(ticket.split('.')[1]);
  });

  it('counts for the user, wherever they listen from', async () => {
    const member = await t.addMember(owner, 'supervisor');
    const url = await addressFor(member);
    const remaining = async () => Number((await play(url)).headers['ratelimit-remaining']);
    await remaining();
    const before = await remaining();
    await t.app.inject({ url: '/api/v1/health' });
    expect(await remaining()).toBe(before - 1);
  });
});

describe('who may listen is asked at every request:', () => {
  const refused = { status: 401, headers: { 'www-authenticate': 'Bearer' } };

  async function listening(role: Role, projectIds: string[] | null = null) {
    const member = await t.addMember(owner, role, projectIds);
    const url = await addressFor(member);
    expect((await play(url, { range: 'bytes=0-9' })).status).toBe(206);
    return { member, url };
  }

  it('a removed member hears nothing more', async () => {
    const { member, url } = await listening('supervisor');
    await t.deps.connections.system`delete from memberships where user_id = ${member.userId}`;
    expect(await play(url)).toMatchObject(refused);
  });

  it('a changed role counts', async () => {
    const { member, url } = await listening('reviewer');
    await t.deps.connections.system`update memberships set role = 'agent' where user_id = ${member.userId}`;
    expect(await play(url)).toMatchObject({ status: 404 });
  });

  it('projects that were taken away are gone', async () => {
    const { member, url } = await listening('supervisor', [owner.projectId]);
    await t.deps.connections.system`update memberships set project_ids = '{}' where user_id = ${member.userId}`;
    expect(await play(url)).toMatchObject({ status: 404 });
  });

  it('a deleted record is gone', async () => {
    const id = await uploaded(owner);
    const url = await addressFor(owner, id);
    expect((await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${id}` })).status).toBe(204);
    expect(await play(url)).toMatchObject({ status: 404 });
  });

  it('what a project has redacted meanwhile is heard by owners and admins alone', async () => {
    const supervisor = await t.addMember(owner, 'supervisor');
    const admin = await t.addMember(owner, 'admin');
    const plain = await addressFor(supervisor);
    const { url: everything } = await playback(supervisor, { id: recordId, redacted: false });
    const { url: byAdmin } = await playback(admin, { id: recordId, redacted: false });
    const setting = (redactPii: boolean) => ({
      method: 'PATCH' as const,
      url: `/api/v1/projects/${owner.projectId}`,
      payload: { settings: { redactPii } },
    });
    expect((await t.as(owner, setting(true))).status).toBe(200);
    expect(await play(everything)).toMatchObject({ status: 403 });
    expect(await play(plain)).toMatchObject({ status: 409, headers: { 'retry-after': '5' } });
    expect(await play(byAdmin)).toMatchObject({ status: 200 });
    await t.deps.connections.system`update memberships set role = 'supervisor' where user_id = ${admin.userId}`;
    expect(await play(byAdmin)).toMatchObject({ status: 403 });
    expect((await t.as(owner, setting(false))).status).toBe(200);
    expect(await play(plain)).toMatchObject({ status: 200 });
  });

  it('a ticket that was not issued here, was altered or has expired opens nothing', async () => {
    const stranger = await t.createOrg();
    const statement = { orgId: owner.orgId, userId: owner.userId, recordId, redacted: null };
    const expiresAt = new Date(Date.now() + 60_000);
    const good = tickets.issue({ ...statement, expiresAt });
    expect((await play(`/media/${good}`)).status).toBe(200);
    const [content = '', signature = ''] = good.split('.');
    const [otherContent] = tickets.issue({ ...statement, recordId: newId('record'), expiresAt }).split('.');
    const bad = [
      tickets.issue({ ...statement, expiresAt: new Date(Date.now() - 1) }),
      tickets.issue({ ...statement, userId: stranger.userId, expiresAt }),
      tickets.issue({ ...statement, orgId: stranger.orgId, expiresAt }),
      createPlaybackTickets([`${secretsKey}!`]).issue({ ...statement, expiresAt }),
      `${otherContent}.${signature}`,
      `${content}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `${content}.${signature}A`,
      `${content}.`,
      content,
      `${good}.${good}`,
      'nonsense',
      '%00',
    ];
    for (const ticket of bad) expect(await play(`/media/${ticket}`)).toMatchObject(refused);
    // One of our own that names what belongs to somebody else.
    const foreign = { ...statement, orgId: stranger.orgId, userId: stranger.userId, expiresAt };
    expect(await play(`/media/${tickets.issue(foreign)}`)).toMatchObject({ status: 404 });
  });

  it('a ticket has one spelling: none of its last characters can be changed', async () => {
    const url = await addressFor(owner);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const others = [...alphabet].filter((character) => !url.endsWith(character));
    for (const last of others) expect(await play(`${url.slice(0, -1)}${last}`)).toMatchObject({ status: 401 });
  });
});

describe('the keys of tickets', () => {
  const ticket = { orgId: 'org_a', userId: 'usr_a', recordId: 'rec_a', redacted: true };
  const expiresAt = new Date(Date.now() + 60_000);

  it('are replaced by putting the new one in front', () => {
    const signed = createPlaybackTickets(['old']).issue({ ...ticket, expiresAt });
    expect(createPlaybackTickets(['new', 'old']).read(signed)).toEqual({ ...ticket, expiresAt });
    expect(createPlaybackTickets(['new']).read(signed)).toBeNull();
  });
});
