import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import type { InjectOptions } from 'fastify';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { generateApiToken } from '../../src/auth/api-token.ts';
import { createAuthenticator } from '../../src/auth/authenticate.ts';
import { sendRaw } from '../api/conventions-socket.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { audience, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { startRedis, type RedisProcess } from '../support/redis.ts';

const limit = 10;
const api = '/api/v1';

let idp: IdentityProvider;
let redis: RedisProcess;
let addresses = 0;

beforeAll(async () => {
  [idp, redis] = await Promise.all([startIdentityProvider(), startRedis()]);
}, 300_000);
afterAll(async () => {
  await Promise.all([idp.close(), redis.remove()]);
});

const newAddress = () => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const invented = () => ({ authorization: `Bearer ${generateApiToken().token}`, 'x-selected-org-id': 'org_x' });

function startApp(env: Record<string, string> = {}): Promise<TestApp> {
  const limits = { RATE_LIMIT_PER_MINUTE: String(limit), DATABASE_POOL_SIZE: '8' };
  return createTestApp({
    runPipeline: false,
    env: { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience, ...limits, ...env },
  });
}

/** A session inside a CRM frame, as its cookie. */
async function openFrame(t: TestApp, { orgId, userId }: TestMember): Promise<string> {
  const cookie = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(cookie).digest();
  await t.deps.connections.system`
    insert into sessions (org_id, id, user_id, hash, portal_origin, expires_at)
    values (${orgId}, ${`ses_${randomUUID()}`}, ${userId}, ${hash}, 'https://portal.example', now() + interval '1 hour')`;
  return cookie;
}

async function signIn(t: TestApp, { userId }: TestMember): Promise<string> {
  const [row] = await t.deps.connections.system<{ email: string }[]>`select email from users where id = ${userId}`;
  return idp.sign({ sub: randomUUID(), email: row?.email ?? '', email_verified: true });
}

/** Every spelling of the scheme and of what is around it that stands for the same token. */
const spellings = (token: string): string[] => [
  ...[1, 2, 3, 5, 8, 40, 400].map((count) => `Bearer${' '.repeat(count)}${token}`),
  ...['bearer', 'BEARER', 'bEaReR', 'beareR'].map((scheme) => `${scheme} ${token}`),
  ...[1, 2, 9].map((count) => `Bearer ${token}${' '.repeat(count)}`),
  ...[1, 2, 3, 4, 5, 6].map((count) => `bearer${' '.repeat(count)}${token}${' '.repeat(7 - count)}`),
];

/** base64url of a signature leaves bits over that mean nothing. */
function spellingsOfSignature(token: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const place = alphabet.indexOf(token.slice(-1));
  const spare = [...alphabet].slice(place - (place % 16), place - (place % 16) + 16);
  return spare.map((last) => `Bearer ${token.slice(0, -1)}${last}`);
}

const spellingsOfCookie = (value: string): string[] => [
  ...Array.from({ length: limit }, (_, index) => `a=${index}; __Host-session=${value}`),
  ...Array.from({ length: limit }, (_, index) => `__Host-session=${value}; z=${index}`),
  `__Host-session=${value}; __Host-session=${value}`,
  `__Host-session=${value}; __Host-session=${randomBytes(32).toString('base64url')}`,
  `  __Host-session=${value}  ;`,
  `__Host-session=${value}=`,
];

/** Each address is used once: what passes the limit does so by its credential. */
async function passed(app: TestApp['app'], requests: InjectOptions[]): Promise<number> {
  const statuses = [];
  for (const request of requests) {
    statuses.push((await app.inject({ remoteAddress: newAddress(), ...request })).statusCode);
  }
  expect(statuses.filter((status) => status === 401)).toEqual([]);
  return statuses.filter((status) => status !== 429).length;
}

/** Until the service has found its Redis it counts by itself. */
async function countsThere(app: TestApp['app']): Promise<void> {
  const direct = await createClient({ url: redis.url }).connect();
  const count = async () => {
    await app.inject('/docs');
    expect((await direct.keys('*')).length).toBeGreaterThan(0);
  };
  await vi.waitFor(count, { timeout: 45_000 });
  direct.destroy();
}

const surfaces: [name: string, request: InjectOptions][] = [
  ['REST', { url: `${api}/projects` }],
  ['a write', { method: 'POST', url: `${api}/projects`, payload: { name: '' } }],
  ['RPC', { url: '/api/trpc/orgs.get' }],
  ['upload', { method: 'POST', url: `${api}/records/upload`, headers: { 'content-type': 'multipart/form-data' } }],
  ['a path that is not there', { url: '/nowhere' }],
];

describe.each(['memory', 'Redis'])('requests that are counted in %s', (where) => {
  let t: TestApp;
  let app: TestApp['app'];
  let owner: TestMember;

  beforeAll(async () => {
    t = await startApp(where === 'Redis' ? { REDIS_URL: redis.url } : {});
    // A machine that is busy elsewhere is no Redis that is away: then each instance would count by itself.
    app = await buildApp({ ...t.deps, redisTimeoutMs: 20_000 });
    if (where === 'Redis') await countsThere(app);
  });
  afterAll(async () => {
    await app.close();
    await t.close();
  });

  const send = (request: InjectOptions, authorization: string): InjectOptions => ({
    ...request,
    headers: { ...request.headers, 'x-selected-org-id': owner.orgId, authorization },
  });

  it.each(surfaces)('count for the API token, however its header is spelt: %s', async (_surface, request) => {
    owner = await t.createOrg();
    expect(
      await passed(
        app,
        spellings(owner.token).map((spelling) => send(request, spelling)),
      ),
    ).toBe(limit);
  });

  it.each(surfaces.slice(0, 3))('count for the user, however a session is spelt: %s', async (_surface, request) => {
    owner = await t.createOrg();
    const token = await signIn(t, owner);
    const all = [...spellings(token), ...spellingsOfSignature(token)];
    expect(
      await passed(
        app,
        all.map((spelling) => send(request, spelling)),
      ),
    ).toBe(limit);
  });

  it('count for the user, however a cookie is sent', async () => {
    owner = await t.createOrg();
    const cookies = spellingsOfCookie(await openFrame(t, owner));
    const headers = { 'x-selected-org-id': owner.orgId };
    const requests = cookies.map((cookie) => ({ url: `${api}/projects`, headers: { ...headers, cookie } }));
    expect(await passed(app, requests)).toBe(limit);
  });

  it('count for the user of a ticket, however its address is encoded', async () => {
    const { orgId, userId } = await t.createOrg();
    const expiresAt = new Date(Date.now() + 60_000);
    const ticket = t.deps.services.tickets.issue({ orgId, userId, recordId: 'rec_x', redacted: null, expiresAt });
    const addressed = Array.from({ length: 2 * limit }, (_, index) => {
      const code = ticket.charCodeAt(index).toString(16);
      return { url: `/media/${ticket.slice(0, index)}%${code}${ticket.slice(index + 1)}` };
    });
    expect(await passed(app, addressed)).toBe(limit);
  });

  it('count for the first of several header lines', async () => {
    owner = await t.createOrg();
    const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
    const statuses = [];
    for (let sent = 0; sent < 2 * limit; sent += 1) {
      const lines = [`Authorization: Bearer ${owner.token}`, `AUTHORIZATION: Bearer ${generateApiToken().token}`];
      const head = [`GET ${api}/projects HTTP/1.1`, 'Host: a', ...lines, `X-Selected-Org-ID: ${owner.orgId}`];
      statuses.push((await sendRaw(baseUrl, `${head.join('\r\n')}\r\n\r\n`))?.status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
    expect(statuses.filter((status) => status === 429)).toHaveLength(limit);
  });

  it('count for the address where the header is no spelling of a credential', async () => {
    owner = await t.createOrg();
    const { token } = owner;
    const odd = [`Bearer\t${token}`, `Bearer: ${token}`, `Token ${token}`, `Bearer ${token},`, `Bearer "${token}"`];
    const remoteAddress = newAddress();
    const statuses = [];
    for (const authorization of [...odd, ...odd, ...odd]) {
      const headers = { authorization, 'x-selected-org-id': owner.orgId };
      statuses.push((await app.inject({ url: `${api}/projects`, headers, remoteAddress })).statusCode);
    }
    expect(statuses).toEqual([...Array(limit).fill(401), ...Array(odd.length * 3 - limit).fill(429)]);
    expect(await passed(app, [send({ url: `${api}/projects` }, `Bearer ${token}`)])).toBe(1);
  });

  it.each<[string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    ['nonsense', () => ({ authorization: `Bearer ${randomUUID()}` })],
    ['invented tokens', invented],
    ['invented cookies', () => ({ cookie: `__Host-session=${randomBytes(32).toString('base64url')}` })],
    ['invented signatures', () => ({ authorization: `Bearer e30.${randomUUID().replaceAll('-', '')}.e30` })],
  ])('let a good credential in that nobody has seen, where somebody else sends %s', async (_what, headers) => {
    const remoteAddress = newAddress();
    const noise = () => app.inject({ url: `${api}/projects`, headers: headers(), remoteAddress });
    await Promise.all(Array.from({ length: 3 * limit }, noise));
    expect((await noise()).statusCode).toBe(429);
    const members = [await t.createOrg(), await t.createOrg(), await t.createOrg()] as const;
    const [one, two, three] = members;
    const cookie = `__Host-session=${await openFrame(t, three)}`;
    const credentials: Record<string, string>[] = [
      one.headers,
      { authorization: `Bearer ${await signIn(t, two)}`, 'x-selected-org-id': two.orgId },
      { cookie, 'x-selected-org-id': three.orgId },
    ];
    for (const good of credentials) {
      const [answer] = await Promise.all([
        app.inject({ url: `${api}/projects`, headers: good, remoteAddress }),
        ...Array.from({ length: limit }, noise),
      ]);
      const { statusCode, headers: told } = answer;
      expect([statusCode, told['ratelimit-remaining']]).toEqual([200, String(limit - 1)]);
    }
    expect((await noise()).statusCode).toBe(429);
  });
});

/** The service, and how many statements its authentication has sent. */
async function startCounted(env: Record<string, string> = {}) {
  const t = await startApp(env);
  const { services } = t.deps;
  const counted = { statements: 0, isAway: false };
  const system = new Proxy<Sql>(t.deps.connections.system, {
    apply(target, _this, parameters) {
      counted.statements += 1;
      if (counted.isAway) throw Object.assign(new Error('It is away.'), { code: 'ECONNREFUSED' });
      return Reflect.apply(target, undefined, parameters) as unknown;
    },
  });
  const auth = createAuthenticator({ system, sessions: services.sessions });
  const app = await buildApp({ ...t.deps, services: { ...services, auth } });
  return { t, app, counted, close: () => app.close().then(() => t.close()) };
}

describe('the database', () => {
  it('is asked a handful of times for a thousand invented tokens, and good ones get through among them', async () => {
    const { t, app, counted, close } = await startCounted();
    const remoteAddress = newAddress();
    const members = await Promise.all(Array.from({ length: 5 }, () => t.createOrg()));
    const ask = (headers: Record<string, string>) => app.inject({ url: `${api}/projects`, headers, remoteAddress });
    const flood = Array.from({ length: 1_000 }, () => ask(invented()));
    const answers = await Promise.all([...flood, ...members.map(({ headers }) => ask(headers))]);
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.slice(1_000)).toEqual(members.map(() => 200));
    const refused = statuses.slice(0, 1_000);
    expect(refused.filter((status) => status === 401)).toHaveLength(limit);
    expect(refused.filter((status) => status === 429)).toHaveLength(1_000 - limit);
    expect(counted.statements).toBeLessThan(100);
    await close();
  });

  it('is not asked again and again about a token that is known to be bad', async () => {
    const { app, counted, close } = await startCounted();
    const [remoteAddress, headers] = [newAddress(), invented()];
    const ask = () => app.inject({ url: `${api}/projects`, headers, remoteAddress });
    for (let sent = 0; sent < 2 * limit; sent += 1) await ask();
    const before = counted.statements;
    for (let sent = 0; sent < 200; sent += 1) expect((await ask()).statusCode).toBe(429);
    expect(counted.statements - before).toBe(0);
    await close();
  });

  it('that does not answer is not waited for twice: who sends the request is not asked anew', async () => {
    const { t, app, counted, close } = await startCounted({ LOG_LEVEL: 'silent' });
    const { headers } = await t.createOrg();
    counted.isAway = true;
    const answer = await app.inject({ url: `${api}/projects`, headers, remoteAddress: newAddress() });
    expect(answer.statusCode).toBe(503);
    expect((await app.inject({ url: '/docs', headers, remoteAddress: newAddress() })).statusCode).toBe(200);
    // One look-up for each of the two requests, each of which may be tried a second time.
    expect(counted.statements).toBeLessThanOrEqual(4);
    counted.isAway = false;
    expect((await app.inject({ url: `${api}/projects`, headers, remoteAddress: newAddress() })).statusCode).toBe(200);
    await close();
  });

  it('is not asked about a credential with each request', async () => {
    const { t, app, counted, close } = await startCounted({ RATE_LIMIT_PER_MINUTE: '1000' });
    const { headers } = await t.createOrg();
    const ask = () => app.inject({ url: `${api}/projects`, headers, remoteAddress: newAddress() });
    expect((await ask()).statusCode).toBe(200);
    const before = counted.statements;
    for (let sent = 0; sent < 100; sent += 1) expect((await ask()).statusCode).toBe(200);
    // The minute of the last use, should one begin meanwhile.
    expect(counted.statements - before).toBeLessThanOrEqual(2);
    await close();
  });
});
