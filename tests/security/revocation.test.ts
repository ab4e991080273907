import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { buildDeps, type Deps } from '../../src/deps.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

/** Two instances on one database, both of which have just seen the credential and remember it. */
let t: TestApp;
let other: { deps: Deps; app: Awaited<ReturnType<typeof buildApp>> };
let owner: TestMember;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
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
