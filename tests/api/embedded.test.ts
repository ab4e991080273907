import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { clientId, clientSecret, startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';

const url = '/api/v1/embedded/auth';
const host = 'earshot.example';
const own = { origin: `https://${host}` };

let bitrix: Bitrix24Server;
let t: TestApp;
let owner: TestMember;
let memberId: string;

beforeAll(async () => {
  bitrix = await startBitrix24();
  t = await createTestApp({
    runPipeline: false,
    env: {
      BITRIX24_CLIENT_ID: clientId,
      BITRIX24_CLIENT_SECRET: clientSecret,
      BITRIX24_OAUTH_URL: bitrix.baseUrl,
      OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  owner = await t.createOrg('Acme');
  memberId = randomUUID().replaceAll('-', '');
  await link(owner, memberId);
});
afterAll(async () => {
  await t.close();
  await bitrix.close();
});

function link({ orgId }: TestMember, memberId: string, domain = bitrix.domain) {
  const { connections, services } = t.deps;
  return linkPortal({ db: services.db, system: connections.system }, orgId, { memberId, domain });
}

let count = 0;

/** What the frame of a user of the portal is opened with. */
function openFrame({
  isAdmin = false,
  ...grant
}: { isAdmin?: boolean; memberId?: string; clientId?: string; domain?: string } = {}) {
  const userId = ++count;
  const authId = randomUUID();
  bitrix.users.set(userId, { id: userId, isAdmin, firstName: 'Vera', lastName: `Orlova ${userId}` });
  bitrix.grants.set(authId, { clientId, memberId, domain: bitrix.domain, userId, ...grant });
  return { userId, body: { domain: bitrix.domain, memberId: grant.memberId ?? memberId, authId, refreshId: 'none' } };
}

function authenticate(payload: object, headers: Record<string, string> = own) {
  return t.app.inject({ method: 'POST', url, payload, headers: { host, ...headers } });
}

async function signIn(frame = openFrame()): Promise<{ cookie: string; userId: string }> {
  const response = await authenticate(frame.body);
  expect(response.statusCode).toBe(200);
  const [cookie = ''] = String(response.headers['set-cookie']).split(';');
  return { cookie, userId: response.json().data.user.id };
}

type Call = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url?: string;
  headers?: Record<string, string>;
  payload?: object;
};

async function call(cookie: string, { headers = {}, url = '/api/v1/projects', ...rest }: Call = {}) {
  const base = { host, cookie, 'x-selected-org-id': owner.orgId };
  const response = await t.app.inject({ url, ...rest, headers: { ...base, ...headers } });
  return { status: response.statusCode, body: response.body ? response.json() : null };
}

describe('a frame of a linked portal', () => {
  it('is answered with who it is, where, for how long, and a cookie that only frames of that portal get', async () => {
    const frame = openFrame();
    const response = await authenticate(frame.body);
    const { data } = response.json();
    expect(data).toEqual({
      user: { id: expect.stringMatching(/^usr_/), name: `Vera Orlova ${frame.userId}`, role: 'agent' },
      org: { id: owner.orgId, name: 'Acme' },
      expiresAt: expect.any(String),
    });
    expect(Math.abs(Date.parse(data.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=None; Partitioned; Max-Age=3600$/,
    );
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('makes administrators of the portal admins, others agents, and leaves a role that has been given', async () => {
    const admin = await authenticate(openFrame({ isAdmin: true }).body);
    expect(admin.json().data.user.role).toBe('admin');
    const frame = openFrame();
    const { userId } = await signIn(frame);
    await t.as(owner, { method: 'PATCH', url: `/api/v1/users/${userId}`, payload: { role: 'reviewer' } });
    expect((await authenticate(frame.body)).json().data.user).toMatchObject({ id: userId, role: 'reviewer' });
  });

  it('of somebody who was removed and invited again gives the role of the invite', async () => {
    const frame = openFrame();
    const { userId } = await signIn(frame);
    const user = await t.as(owner, { url: `/api/v1/users/${userId}` });
    await t.as(owner, { method: 'DELETE', url: `/api/v1/users/${userId}` });
    const payload = { email: user.body.data.email, role: 'supervisor' };
    expect((await t.as(owner, { method: 'POST', url: '/api/v1/users/invite', payload })).status).toBe(201);
    expect((await authenticate(frame.body)).json().data.user).toMatchObject({ id: userId, role: 'supervisor' });
  });

  it('is the same user each time, once, however many frames open at once', async () => {
    const frame = openFrame();
    const answers = await Promise.all(Array.from({ length: 8 }, () => authenticate(frame.body)));
    expect(new Set(answers.map((answer) => answer.json().data.user.id)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => String(headers['set-cookie']))).size).toBe(8);
  });

  it('that has been open for long gets in by its refresh token', async () => {
    const frame = openFrame();
    bitrix.refreshes.set('still-good', frame.body.authId);
    const body = { ...frame.body, authId: 'expired' };
    expect((await authenticate({ ...body, refreshId: 'still-good' })).statusCode).toBe(200);
    expect((await authenticate({ ...body, refreshId: 'spent' })).statusCode).toBe(401);
  });
});

describe('a frame that lies', () => {
  const statusOf = async (body: object): Promise<number> => (await authenticate(body)).statusCode;

  it('is refused: a token of nobody, of another application, of another portal, under another domain', async () => {
    const { body } = openFrame();
    const forged = [
      { ...body, authId: 'made-up' },
      openFrame({ clientId: 'app.mallory' }).body,
      { ...body, memberId: 'another' },
      { ...openFrame({ memberId: 'theirs' }).body, memberId },
      { ...body, domain: 'mallory.bitrix24.com' },
      { ...openFrame({ domain: 'mallory.bitrix24.com' }).body, domain: bitrix.domain },
    ];
    expect(await Promise.all(forged.map(statusOf))).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await authenticate(forged[0] ?? {})).headers['www-authenticate']).toBe('Bearer');
  });

  it('makes us ask nobody but the fixed server, whatever address it names', async () => {
    const { body } = openFrame();
    const before = bitrix.requests.length;
    await authenticate({ ...body, domain: '127.0.0.1:1' });
    expect(bitrix.requests.slice(before)).toEqual(['/rest/app.info/']);
  });

  it('of a portal that nobody has linked, or whose REST is somewhere else, is forbidden', async () => {
    expect(await statusOf(openFrame({ memberId: 'unlinked' }).body)).toBe(403);
    for (const endpoint of [
      'http://portal.bitrix24.com/rest/',
      'https://mallory.example/rest/',
      'https://bitrix24.com.mallory.example/rest/',
      'https://127.0.0.2/rest/',
    ]) {
      bitrix.clientEndpoint = endpoint;
      expect([endpoint, await statusOf(openFrame().body)]).toEqual([endpoint, 403]);
    }
    bitrix.clientEndpoint = undefined;
  });

  it('for a user who has been dismissed is refused', async () => {
    const frame = openFrame();
    bitrix.users.delete(frame.userId);
    expect(await statusOf(frame.body)).toBe(401);
  });

  it('with fields that are missing, empty or no text is not valid', async () => {
    const { body } = openFrame();
    const bodies = [{}, { ...body, authId: '' }, { ...body, memberId: 7 }, { ...body, domain: 'a\u0000b' }, []];
    expect(await Promise.all(bodies.map(statusOf))).toEqual([400, 400, 400, 400, 400]);
  });

  it('from a page of another site is forbidden, so that nobody is signed in as somebody else', async () => {
    const { body } = openFrame();
    expect((await authenticate(body, { origin: 'https://mallory.example' })).statusCode).toBe(403);
    expect((await authenticate(body, { origin: 'null' })).statusCode).toBe(403);
  });

  it('learns that Bitrix24 is down when it is', async () => {
    bitrix.isDown = true;
    const response = await authenticate(openFrame().body);
    bitrix.isDown = false;
    expect([response.statusCode, response.json().error.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
  });
});

describe('the session of a frame', () => {
  it('authenticates by its cookie alone, in its organization, with the role that its user has now', async () => {
    const { cookie, userId } = await signIn();
    expect((await call(cookie)).status).toBe(200);
    expect((await call(cookie, { url: '/api/v1/users' })).status).toBe(403);
    await t.as(owner, { method: 'PATCH', url: `/api/v1/users/${userId}`, payload: { role: 'supervisor' } });
    expect((await call(cookie, { url: '/api/v1/users' })).status).toBe(200);
    const elsewhere = await t.createOrg();
    expect((await call(cookie, { headers: { 'x-selected-org-id': elsewhere.orgId } })).status).toBe(403);
    expect((await call(cookie, { headers: { 'x-selected-org-id': '' } })).status).toBe(400);
  });

  it('is stored as a hash, and no other cookie will do', async () => {
    const { cookie } = await signIn();
    const value = cookie.split('=')[1] ?? '';
    const rows = await t.deps.connections.system`select sessions::text as row from sessions`;
    const dump = rows.map(({ row }) => row).join('\n');
    expect(dump).toContain(createHash('sha256').update(value).digest('hex'));
    expect(dump).not.toContain(value);
    const others = [
      `session=${value}`,
      `__Host-session=${value.slice(0, -1)}`,
      `__Host-session=${value}x`,
      `__Host-session="${value}"`,
      '__Host-session=',
      `__Host-session=${'a'.repeat(43)}`,
    ];
    const statuses = await Promise.all(others.map(async (cookie) => (await call(cookie)).status));
    expect(statuses).toEqual(others.map(() => 401));
    expect((await call(`a=b; ${cookie}; c=d`)).status).toBe(200);
  });

  it('changes something only for the service and for its portal', async () => {
    const { cookie } = await signIn(openFrame({ isAdmin: true }));
    const create = (headers: Record<string, string>, credential = cookie) =>
      call(credential, { method: 'POST', payload: { name: randomUUID() }, headers }).then(({ status }) => status);
    expect(await create(own)).toBe(201);
    expect(await create({ origin: bitrix.baseUrl })).toBe(201);
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://mallory.example' },
      { origin: `https://${host}.mallory.example` },
      { origin: 'https://other.bitrix24.com' },
      { origin: `${own.origin}:8443` },
    ];
    expect(await Promise.all(foreign.map((headers) => create(headers)))).toEqual(foreign.map(() => 403));
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mallory.example' };
    expect(await create(form)).toBe(403);
    const rpc = { method: 'POST', url: '/api/trpc/projects.create', payload: { json: { name: 'X' } } } as const;
    expect((await call(cookie, { ...rpc, headers: { origin: 'https://mallory.example' } })).status).toBe(403);
    expect((await call(cookie, { ...rpc, headers: own })).status).toBe(200);
    // Reading needs no origin: no foreign page can read the answer.
    expect((await call(cookie)).status).toBe(200);
    // A token is nothing that a browser sends by itself.
    const bearer = { authorization: `Bearer ${owner.token}`, origin: 'https://mallory.example' };
    expect(await create(bearer)).toBe(201);
  });

  it('asks for no tools, whatever page it comes from', async () => {
    const { cookie } = await signIn();
    const message = { method: 'POST', url: '/mcp', payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } as const;
    for (const headers of [own, { origin: `https://${bitrix.domain}` }, {}]) {
      expect([401, 403]).toContain((await call(cookie, { ...message, headers })).status);
    }
  });

  it('does not help a token that is not good', async () => {
    const { cookie } = await signIn();
    expect((await call(cookie, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401);
  });

  it('ends with its hour, with the membership, and by signing out from the frame', async () => {
    const [late, removed, left] = [await signIn(), await signIn(), await signIn()];
    const { system } = t.deps.connections;
    await system`update sessions set expires_at = now() where user_id = ${late.userId}`;
    await t.as(owner, { method: 'DELETE', url: `/api/v1/users/${removed.userId}` });
    const signOut = (headers: Record<string, string>) =>
      t.app.inject({ method: 'DELETE', url, headers: { host, cookie: left.cookie, ...headers } });
    expect((await signOut({ origin: 'https://mallory.example' })).statusCode).toBe(403);
    expect((await call(left.cookie)).status).toBe(200);
    const out = await signOut(own);
    expect([out.statusCode, out.headers['set-cookie']]).toEqual([
      204,
      '__Host-session=; Path=/; Secure; HttpOnly; SameSite=None; Partitioned; Max-Age=0',
    ]);
    expect((await signOut(own)).statusCode).toBe(204);
    const statuses = await Promise.all([late, removed, left].map(async ({ cookie }) => (await call(cookie)).status));
    expect(statuses).toEqual([401, 401, 401]);
    await signIn();
    expect((await system`select from sessions where user_id = ${late.userId}`).length).toBe(0);
  });
});

describe('linking a portal', () => {
  it('is for one organization at a time, and follows a change of its domain', async () => {
    const other = await t.createOrg();
    await expect(link(other, memberId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(link({ ...other, orgId: 'org_x' }, 'new')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await link(owner, memberId, 'renamed.bitrix24.com');
    expect((await authenticate(openFrame().body)).statusCode).toBe(403);
    await link(owner, memberId);
    expect((await authenticate(openFrame().body)).statusCode).toBe(200);
  });

  it('is nothing that a service without an application has', async () => {
    const bare = await createTestApp({ runPipeline: false });
    const response = await bare.app.inject({ method: 'POST', url, payload: openFrame().body });
    expect(response.statusCode).toBe(403);
    await bare.close();
  });
});
