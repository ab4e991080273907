import { createHmac, randomUUID } from 'node:crypto';
import { exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import {
  audience,
  startIdentityProvider,
  type IdentityProvider,
  type SignOptions,
} from '../support/identity-provider.ts';

const url = '/api/v1/projects';
const client = 'dashboard';

let idp: IdentityProvider;
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  idp = await startIdentityProvider();
  t = await startApp();
  owner = await t.createOrg();
});
afterAll(async () => {
  await t.close();
  await idp.close();
});

function startApp(env: Record<string, string> = {}): Promise<TestApp> {
  return createTestApp({
    runPipeline: false,
    env: { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: `${client}, mobile`, ...env },
  });
}

/** A person of the provider who is a member of the organization. */
async function member(org = owner, app = t): Promise<{ sub: string; email: string; userId: string }> {
  const { userId } = await app.addMember(org, 'admin');
  const [row] = await app.deps.connections.system<{ email: string }[]>`select email from users where id = ${userId}`;
  return { sub: randomUUID(), email: row?.email ?? '', userId };
}

type Claims = Record<string, unknown>;

async function claimsOf(org = owner, app = t): Promise<Claims> {
  const { sub, email } = await member(org, app);
  return { sub, email, email_verified: true, azp: client };
}

function request(token: string, { orgId } = owner, app = t) {
  return app.app.inject({ url, headers: { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId } });
}

async function statusOf(token: string, org = owner, app = t): Promise<number> {
  return (await request(token, org, app)).statusCode;
}

async function sign(claims: Claims, options?: SignOptions): Promise<string> {
  return idp.sign(claims, options);
}

const now = (): number => Math.floor(Date.now() / 1000);

describe('a session token', () => {
  it('of a member opens their organization', async () => {
    expect(await statusOf(await sign(await claimsOf()))).toBe(200);
  });

  it.each(['PS256', 'ES256', 'ES384', 'EdDSA'])('may be signed with %s', async (alg) => {
    const key = await idp.newKey(alg);
    const app = await startApp();
    const org = await app.createOrg();
    idp.published.push(key);
    expect(await statusOf(await sign(await claimsOf(org, app), { key }), org, app)).toBe(200);
    await app.close();
  });

  it('may be an access token (RFC 9068) or an ID token without authorized party', async () => {
    const { azp: _azp, ...claims } = await claimsOf();
    const access = await sign({ ...claims, client_id: client }, { header: { typ: 'at+jwt' } });
    const id = await sign({ ...claims, aud: [audience, client] });
    expect([await statusOf(access), await statusOf(id)]).toEqual([200, 200]);
  });

  it('is refused in every forged, foreign or lapsed form, always in the same words', async () => {
    const claims = await claimsOf();
    const good = await sign(claims);
    expect(await statusOf(good)).toBe(200);
    const [header = '', payload = '', signature = ''] = good.split('.');
    const [key] = idp.published;
    if (!key) throw new Error('There is a key.');
    const stranger = { ...(await idp.newKey()), kid: key.kid };
    const pem = await exportSPKI(key.publicKey);
    const full = { iss: idp.issuer, aud: audience, iat: now(), exp: now() + 300, ...claims };
    const hmac = (secret: string | Buffer) => {
      const text = `${encode({ alg: 'HS256', kid: key.kid })}.${encode(full)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const forged: Record<string, string> = {
      none: new UnsecuredJWT(full).encode(),
      'none, with a signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
      'None, in another case': `${encode({ alg: 'NONE', kid: key.kid })}.${payload}.${signature}`,
      'HS256 with the public key in PEM': hmac(pem),
      'HS256 with the public key as JWK': hmac(JSON.stringify(key.jwk)),
      'HS256 with the modulus': hmac(Buffer.from(key.jwk.n ?? '', 'base64url')),
      'another key under a known id': await sign(claims, { key: stranger }),
      'a key in the header': await new SignJWT(full)
        .setProtectedHeader({ alg: 'RS256', jwk: stranger.jwk })
        .sign(stranger.privateKey),
      'a key address in the header': await sign(claims, {
        key: { ...stranger, kid: 'mine' },
        header: { jku: 'http://127.0.0.1:1/jwks' },
      }),
      'other claims under the signature': `${header}.${encode({ ...full, sub: 'another' })}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'a signature of one bit less': `${header}.${payload}.${signature.slice(0, -2)}`,
      'a logout token': await sign(claims, { header: { typ: 'logout+jwt' } }),
      'another issuer': await sign({ ...claims, iss: 'http://127.0.0.1:1' }),
      'the issuer with a slash': await sign({ ...claims, iss: `${idp.issuer}/` }),
      'no issuer': await sign(claims, { without: ['iss'] }),
      'another audience': await sign({ ...claims, aud: 'billing' }),
      'no audience': await sign(claims, { without: ['aud'] }),
      'another party': await sign({ ...claims, azp: 'mallory' }),
      'another client': await sign({ ...claims, azp: undefined, client_id: 'mallory' }),
      'no party at all': await sign({ ...claims, azp: undefined }),
      'no expiry': await sign(claims, { without: ['exp'] }),
      'an expiry that is text': await sign({ ...claims, exp: `${now() + 300}` as unknown as number }),
      'no subject': await sign({ ...claims, sub: undefined }),
      'an empty subject': await sign({ ...claims, sub: '' }),
      'a subject of endless length': await sign({ ...claims, sub: 'x'.repeat(256) }),
      'a subject with NUL': await sign({ ...claims, sub: 'a\u0000b' }),
      'expired 31 s ago': await sign({ ...claims, exp: now() - 31 }),
      'not before 60 s from now': await sign({ ...claims, nbf: now() + 60 }),
      'issued 60 s from now': await sign({ ...claims, iat: now() + 60 }),
      'not a token': 'a.b.c',
      'four parts': `${good}.x`,
    };
    const answers = await Promise.all(Object.values(forged).map((token) => request(token)));
    const seen = Object.keys(forged).map((name, index) => [name, answers[index]?.statusCode]);
    expect(seen).toEqual(Object.keys(forged).map((name) => [name, 401]));
    expect(new Set(answers.map(({ body, headers }) => `${body} ${headers['www-authenticate']}`))).toEqual(
      new Set([
        '{"error":{"message":"The access token is missing, invalid or has expired. Send it as `Authorization: Bearer …`.","code":"UNAUTHORIZED"}} Bearer',
      ]),
    );
  });

  it.each<[string, unknown[]]>([
    ['sub', [7, 0, true, null, [], ['someone'], { id: 'someone' }, '']],
    ['email', [7, ['ann@example.com'], { value: 'ann@example.com' }]],
    ['email_verified', [7, ['true'], {}]],
    ['name', [7, ['Ann'], { first: 'Ann' }]],
    ['given_name', [7, ['Ann'], {}]],
    ['family_name', [7, ['Lee'], {}]],
    ['iss', [7, [], {}]],
    ['aud', [7, {}, [audience, 7], [[audience]]]],
    ['azp', [7, [client], { id: client }]],
    ['client_id', [7, [client], {}]],
    ['exp', [[], {}, '9999999999', 1e300]],
    ['iat', ['0', [], {}]],
    ['nbf', ['0', [], {}]],
  ])('whose `%s` is of another type than the standards say is refused', async (name, values) => {
    const claims = await claimsOf();
    const odd = values.map((value) => ({ ...claims, [name]: value }) as Claims);
    const tokens = await Promise.all(odd.map((claim) => sign(claim)));
    const answers = await Promise.all(tokens.map((token) => request(token)));
    const seen = answers.map(({ statusCode }, index) => [JSON.stringify(values[index]), statusCode]);
    expect(seen).toEqual(values.map((value) => [JSON.stringify(value), 401]));
  });

  it('may leave out what it does not know, or say null', async () => {
    const claims = await claimsOf();
    const nothing = { name: null, given_name: null, family_name: null, client_id: null } as unknown as Claims;
    expect(await statusOf(await sign({ ...claims, ...nothing }))).toBe(200);
  });

  it('is good for 30 s beyond its time, and before it', async () => {
    const claims = await claimsOf();
    const tokens = [
      await sign({ ...claims, exp: now() - 20 }),
      await sign({ ...claims, nbf: now() + 27 }),
      await sign({ ...claims, iat: now() + 27 }),
    ];
    expect(await Promise.all(tokens.map((token) => statusOf(token)))).toEqual([200, 200, 200]);
  });

  it('that has been accepted is refused once it has expired', async () => {
    const token = await sign({ ...(await claimsOf()), exp: now() - 24 });
    expect(await statusOf(token)).toBe(200);
    await vi.waitFor(async () => expect(await statusOf(token)).toBe(401), { timeout: 45_000, interval: 250 });
  });

  it('is not taken where no provider is configured', async () => {
    const app = await createTestApp({ runPipeline: false });
    const org = await app.createOrg();
    expect(await statusOf(await sign(await claimsOf(org, app)), org, app)).toBe(401);
    await app.close();
  });
});

describe('the keys of the provider', () => {
  it('are fetched once, however many requests need them at first', async () => {
    const app = await startApp();
    const org = await app.createOrg();
    const tokens = await Promise.all(Array.from({ length: 20 }, async () => sign(await claimsOf(org, app))));
    const before = idp.keyFetches();
    const statuses = await Promise.all(tokens.map((token) => statusOf(token, org, app)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(idp.keyFetches() - before).toBe(1);
    await app.close();
  });

  it('are fetched at most once a minute for a thousand unknown ones', async () => {
    const app = await startApp();
    const org = await app.createOrg();
    const claims = await claimsOf(org, app);
    expect(await statusOf(await sign(claims), org, app)).toBe(200);
    const before = idp.keyFetches();
    const stranger = await idp.newKey();
    const token = await sign(claims, { key: stranger });
    const [, payload, signature] = token.split('.');
    const tokens = Array.from(
      { length: 1000 },
      (_, index) => `${encode({ alg: 'RS256', kid: `unknown-${index}` })}.${payload}.${signature}`,
    );
    const statuses = await Promise.all(tokens.map((unknown) => statusOf(unknown, org, app)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(idp.keyFetches() - before).toBe(1);
    await app.close();
  });

  it('may be rotated: a new one counts within a second of its first use, a withdrawn one no longer', async () => {
    const app = await startApp();
    const org = await app.createOrg();
    const claims = await claimsOf(org, app);
    const old = idp.published;
    const withOld = await sign(claims);
    expect(await statusOf(withOld, org, app)).toBe(200);
    idp.published = [await idp.newKey()];
    const startedAt = performance.now();
    expect(await statusOf(await sign(claims), org, app)).toBe(200);
    // A second on a machine that is free: nothing is waited for but the keys.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await statusOf(withOld, org, app)).toBe(401);
    idp.published = old;
    await app.close();
  });

  it('cannot be had while the provider is down: 503, which says nothing about the token', async () => {
    const app = await startApp({ LOG_LEVEL: 'silent' });
    const org = await app.createOrg();
    const token = await sign(await claimsOf(org, app));
    idp.isBroken = true;
    const before = idp.requests.length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => request(token, org, app)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
    expect(answers[0]?.headers['retry-after']).toBe('5');
    expect(idp.requests.length - before).toBe(1);
    expect(await statusOf('a.b.c', org, app)).toBe(401);
    idp.isBroken = false;
    await app.close();
  });

  it('come from the configured address where there is one', async () => {
    const app = await startApp({ OIDC_JWKS_URL: `${idp.issuer}/jwks` });
    const org = await app.createOrg();
    const before = idp.requests.length;
    expect(await statusOf(await sign(await claimsOf(org, app)), org, app)).toBe(200);
    expect(idp.requests.slice(before)).toEqual(['/jwks']);
    await app.close();
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
