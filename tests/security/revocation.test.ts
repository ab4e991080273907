import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { buildDeps, type Deps } from '../../src/deps.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createHash, randomBytes } from 'node:crypto';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { audience, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';

/** Two instances on one database, both of which have just seen the credential and remember it. */
let t: TestApp;
let other: { deps: Deps; app: Awaited<ReturnType<typeof buildApp>> };
let owner: TestMember;
let superuser: Sql;
let idp: IdentityProvider;

beforeAll(async () => {
  idp = await startIdentityProvider();
  t = await createTestApp({ runPipeline: false, env: { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience } });
  const deps = await buildDeps(t.deps.config, createLogger('silent'));
  other = { deps, app: await buildApp(deps) };
  owner = await t.createOrg();
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await superuser.end();
  await other.app.close();
  await other.deps.close();
  await t.close();
  await idp.close();
});

type Call = { method?: 'GET' | 'HEAD' | 'POST'; url?: string; headers?: Record<string, string> };

async function statuses(member: TestMember, { method = 'GET', url = '/api/v1/projects', headers = {} }: Call = {}) {
  const request = { method, url, headers: { ...member.headers, ...headers } };
  const answers = await Promise.all([t.app, other.app].map((app) => app.inject(request)));
  return answers.map(({ statusCode }) => statusCode);
}

const revoke = ({ userId }: TestMember) =>
  superuser`update api_tokens set revoked_at = now() where user_id = ${userId}`;

describe('on the very next request, on every instance,', () => {
  it('a revoked token is refused, again and again', async () => {
    for (let round = 0; round < 20; round += 1) {
      const member = await t.addMember(owner, 'supervisor');
      expect(await statuses(member)).toEqual([200, 200]);
      await revoke(member);
      expect(await statuses(member)).toEqual([401, 401]);
    }
  });

  it.each<[string, Call]>([
    ['a question without an organization', { headers: { 'x-selected-org-id': '' } }],
    ['a question to another organization', { headers: { 'x-selected-org-id': 'org_other' } }],
    ['a wrong parameter', { url: '/api/v1/records?page=0' }],
    ['an unknown record', { url: '/api/v1/records/rec_none' }],
    ['an unknown recording', { url: '/api/v1/records/rec_none/audio' }],
    ['a HEAD', { method: 'HEAD' }],
    ['an RPC', { url: `/api/trpc/orgs.get?input=${encodeURIComponent('{}')}` }],
    ['a body that cannot be read', { method: 'POST', headers: { 'content-type': 'application/json' } }],
    ['an action of another role', { url: '/api/v1/users' }],
  ])('a revoked token is told 401 rather than what is wrong with %s', async (_what, call) => {
    const member = await t.addMember(owner, 'reviewer');
    expect(await statuses(member)).toEqual([200, 200]);
    await revoke(member);
    expect(await statuses(member, call)).toEqual([401, 401]);
  });

  it('a removed member is refused', async () => {
    const member = await t.addMember(owner, 'supervisor');
    expect(await statuses(member)).toEqual([200, 200]);
    await superuser`delete from memberships where user_id = ${member.userId}`;
    expect(await statuses(member)).toEqual([401, 401]);
  });

  it('a changed role counts, for more and for less', async () => {
    const member = await t.addMember(owner, 'reviewer');
    const users = { url: '/api/v1/users' };
    expect(await statuses(member, users)).toEqual([403, 403]);
    await superuser`update memberships set role = 'admin' where user_id = ${member.userId}`;
    expect(await statuses(member, users)).toEqual([200, 200]);
    await superuser`update memberships set role = 'agent' where user_id = ${member.userId}`;
    expect(await statuses(member, users)).toEqual([403, 403]);
  });

  it('projects that were taken away are gone', async () => {
    const member = await t.addMember(owner, 'supervisor');
    const project = { url: `/api/v1/projects/${owner.projectId}` };
    expect(await statuses(member, project)).toEqual([200, 200]);
    await superuser`update memberships set project_ids = '{}' where user_id = ${member.userId}`;
    expect(await statuses(member, project)).toEqual([404, 404]);
  });
});

describe('a person who has signed in,', () => {
  type Headers = Record<string, string>;

  async function bySessionToken({ orgId, userId }: TestMember): Promise<Headers> {
    const [user] = await superuser<{ email: string }[]>`select email from users where id = ${userId}`;
    const token = await idp.sign({ sub: userId, email: user?.email, email_verified: true });
    return { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
  }

  async function byCookie({ orgId, userId }: TestMember): Promise<Headers> {
    const value = randomBytes(32).toString('base64url');
    const hash = createHash('sha256').update(value).digest();
    await superuser`
      insert into sessions (org_id, id, user_id, hash, portal_origin, expires_at)
      values (${orgId}, ${value}, ${userId}, ${hash}, 'https://a.bitrix24.com', now() + interval '1 hour')`;
    return { cookie: `__Host-session=${value}`, 'x-selected-org-id': orgId };
  }

  const credentials = [
    ['by a session token', bySessionToken, 403],
    ['by the cookie of a frame', byCookie, 401],
  ] as const;

  async function ask(headers: Headers, url = '/api/v1/projects'): Promise<number[]> {
    const answers = await Promise.all([t.app, other.app].map((app) => app.inject({ url, headers })));
    return answers.map(({ statusCode }) => statusCode);
  }

  it.each(credentials)(
    '%s, feels a changed role and a removal on the next request everywhere',
    async (_by, signIn, gone) => {
      const member = await t.addMember(owner, 'reviewer');
      const headers = await signIn(member);
      for (let round = 0; round < 3; round += 1) expect(await ask(headers)).toEqual([200, 200]);
      expect(await ask(headers, '/api/v1/users')).toEqual([403, 403]);
      await superuser`update memberships set role = 'supervisor' where user_id = ${member.userId}`;
      expect(await ask(headers, '/api/v1/users')).toEqual([200, 200]);
      await superuser`update memberships set project_ids = '{}' where user_id = ${member.userId}`;
      expect(await ask(headers, `/api/v1/projects/${owner.projectId}`)).toEqual([404, 404]);
      await superuser`delete from memberships where user_id = ${member.userId}`;
      expect(await ask(headers)).toEqual([gone, gone]);
      expect(await ask(headers, '/api/v1/records?page=0')).toEqual([gone, gone]);
    },
  );

  it('is signed out of a frame everywhere at once', async () => {
    const member = await t.addMember(owner, 'reviewer');
    const headers = await byCookie(member);
    expect(await ask(headers)).toEqual([200, 200]);
    await t.app.inject({
      method: 'DELETE',
      url: '/api/v1/embedded/auth',
      headers: { ...headers, origin: 'https://a.bitrix24.com' },
    });
    expect(await ask(headers)).toEqual([401, 401]);
  });

  it.each(credentials)(
    '%s, is remembered as of an epoch, and read anew for what changes something',
    async (_by, signIn) => {
      const headers = await signIn(await t.addMember(owner, 'reviewer'));
      const { auth } = t.deps.services;
      const epochs = async (anew: boolean) => (await auth.authenticate(headers, { anew })).epoch;
      expect(await epochs(false)).toBeNull();
      expect(await epochs(false)).toMatch(/^\d+$/);
      expect(await epochs(true)).toBeNull();
    },
  );
});
