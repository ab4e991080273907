import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { audience, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';

let idp: IdentityProvider;
let t: TestApp;

beforeAll(async () => {
  idp = await startIdentityProvider();
  t = await createTestApp({ runPipeline: false, env: { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience } });
});
afterAll(async () => {
  await t.close();
  await idp.close();
});

type Person = { sub: string; email?: string; email_verified?: boolean; name?: string };

let count = 0;
function newPerson(given: Partial<Person> = {}): Person {
  return { sub: randomUUID(), email: `person${++count}@people.example`, email_verified: true, name: 'Pat', ...given };
}

async function get(token: string, { orgId }: { orgId: string }, url = '/api/v1/projects') {
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
  const response = await t.app.inject({ url, headers });
  return { status: response.statusCode, body: response.json() };
}

async function me(token: string, orgId?: string) {
  const headers = { authorization: `Bearer ${token}`, ...(orgId !== undefined && { 'x-selected-org-id': orgId }) };
  const response = await t.app.inject({ url: '/api/trpc/me.get', headers });
  return { status: response.statusCode, body: response.json() };
}

async function userIdOf(token: string): Promise<string> {
  return (await me(token)).body.result.data.json.user.id;
}

function invite(by: TestMember, email: string | undefined, role = 'reviewer') {
  return t.as(by, { method: 'POST', url: '/api/v1/users/invite', payload: { email, role } });
}

async function addressOf({ userId }: TestMember): Promise<string> {
  const [row] = await t.deps.connections.system<{ email: string }[]>`select email from users where id = ${userId}`;
  return row?.email ?? '';
}

describe('the first sight of a subject', () => {
  it('makes the user from address and name, once, however many requests come at once', async () => {
    const person = newPerson({ name: 'Ann Lee' });
    const tokens = await Promise.all(Array.from({ length: 10 }, () => idp.sign({ ...person, jti: randomUUID() })));
    const answers = await Promise.all(tokens.map((token) => me(token)));
    const users = answers.map(({ body }) => JSON.stringify(body.result.data.json.user));
    expect(new Set(users).size).toBe(1);
    expect(JSON.parse(users[0] ?? '')).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: person.email,
      name: 'Ann Lee',
    });
    const rows = await t.deps.connections.system`select from users where email = ${person.email ?? ''}`;
    expect(rows.length).toBe(1);
  });

  it('asks the provider for the person where the token names none', async () => {
    const { sub, ...person } = newPerson();
    idp.userInfo = { sub, ...person };
    const token = await idp.sign({ sub });
    expect((await me(token)).body.result.data.json.user).toMatchObject({ email: person.email, name: 'Pat' });
    idp.userInfo = { ...newPerson(), sub: 'another' };
    expect((await me(await idp.sign({ sub: randomUUID() }))).status).toBe(401);
    idp.userInfo = undefined;
    expect((await me(token)).status).toBe(200);
  });

  it('recognises an existing user by address only when the provider has verified it', async () => {
    const owner = await t.createOrg();
    const email = await addressOf(owner);
    const mallory = await idp.sign(newPerson({ email, email_verified: false }));
    expect((await get(mallory, owner)).status).toBe(403);
    const real = await idp.sign(newPerson({ email: email.toUpperCase(), name: 'The Owner' }));
    expect((await get(real, owner)).status).toBe(200);
    expect((await me(real)).body.result.data.json.user).toMatchObject({ id: owner.userId, name: 'The Owner' });
    expect(await userIdOf(mallory)).not.toBe(owner.userId);
    expect((await get(mallory, owner)).status).toBe(403);
  });

  it('of an address that somebody has claimed without proof belongs to whoever proves it', async () => {
    const owner = await t.createOrg();
    const squatter = newPerson({ email_verified: false });
    const squatting = await idp.sign(squatter);
    await me(squatting);
    await invite(owner, squatter.email);
    const proven = await idp.sign(newPerson({ email: squatter.email ?? '' }));
    expect((await get(proven, owner)).status).toBe(200);
    expect((await get(squatting, owner)).status).toBe(403);
    expect(await userIdOf(squatting)).not.toBe(await userIdOf(proven));
  });

  it('is kept apart by issuer and subject: a second subject of an address waits, two addresses are two', async () => {
    const [one, other] = [newPerson(), newPerson()];
    const second = newPerson({ email: one.email ?? '' });
    const answers = await Promise.all([one, second, other].map(async (person) => me(await idp.sign(person))));
    const seen = answers.map(({ body }) => body.result.data.json);
    expect(new Set(seen.map(({ user }) => user.id)).size).toBe(3);
    expect(
      seen
        .slice(0, 2)
        .map(({ confirmation }) => confirmation)
        .toSorted(),
    ).toEqual([null, 'waiting']);
    expect(seen[2].confirmation).toBe(null);
  });

  it('that was of an unverified address takes up the account once the address is verified', async () => {
    const owner = await t.createOrg();
    const email = await addressOf(owner);
    const person = newPerson({ email, email_verified: false });
    expect((await get(await idp.sign(person), owner)).status).toBe(403);
    expect((await get(await idp.sign({ ...person, email_verified: true }), owner)).status).toBe(200);
    const alone = newPerson({ email_verified: false });
    const before = await userIdOf(await idp.sign(alone));
    expect(await userIdOf(await idp.sign({ ...alone, email_verified: true }))).toBe(before);
  });
});

describe('an address that several subjects prove at the same time', () => {
  it('is of one of them, and the others wait', async () => {
    const email = `shared${++count}@people.example`;
    const people = Array.from({ length: 6 }, () => newPerson({ email, email_verified: false }));
    await Promise.all(people.map(async (person) => me(await idp.sign(person))));
    const proven = await Promise.all(people.map((person) => idp.sign({ ...person, email_verified: true })));
    await Promise.all(proven.map(userIdOf));
    const answers = await Promise.all(proven.map((token) => me(token)));
    const seen = answers.map(({ body }) => body.result.data.json.confirmation);
    expect(seen.filter((confirmation) => confirmation === null)).toHaveLength(1);
    expect(seen.filter((confirmation) => confirmation === 'waiting')).toHaveLength(5);
    const rows = await t.deps.connections.system`select from users where email = ${email} and email_verified`;
    expect(rows).toHaveLength(1);
  });
});

describe('an open invite', () => {
  it('is accepted by signing in with its verified address, in every organization at once', async () => {
    const [one, other] = [await t.createOrg(), await t.createOrg()];
    const person = newPerson();
    await invite(one, person.email?.toUpperCase());
    await invite(other, person.email, 'admin');
    const token = await idp.sign(person);
    expect([(await get(token, one)).status, (await get(token, other)).status]).toEqual([200, 200]);
    const { memberships } = (await me(token)).body.result.data.json;
    expect(memberships.map(({ role }: { role: string }) => role).toSorted()).toEqual(['admin', 'reviewer']);
    const listed = await t.as(one, { url: '/api/v1/users' });
    expect(listed.body.data[1]).toMatchObject({ id: await userIdOf(token), status: 'active', role: 'reviewer' });
    expect(listed.body.data[1].lastSeenAt).toMatch(/:00\.000Z$/);
    expect(listed.body.meta.total).toBe(2);
  });

  it('that comes later is accepted on the next request', async () => {
    const owner = await t.createOrg();
    const person = newPerson();
    const token = await idp.sign(person);
    expect((await get(token, owner)).status).toBe(403);
    await invite(owner, person.email);
    expect((await get(token, owner)).status).toBe(200);
  });

  it('is not accepted by an address that is not verified, nor after it has expired', async () => {
    const owner = await t.createOrg();
    const [unverified, late] = [newPerson({ email_verified: false }), newPerson()];
    await invite(owner, unverified.email);
    await invite(owner, late.email);
    await t.deps.connections.system`update invites set expires_at = now() where email = ${late.email ?? ''}`;
    const statuses = await Promise.all(
      [unverified, late].map(async (person) => (await get(await idp.sign(person), owner)).status),
    );
    expect(statuses).toEqual([403, 403]);
  });

  it('changes nothing for a member', async () => {
    const owner = await t.createOrg();
    const person = newPerson({ email: await addressOf(owner) });
    await t.deps.connections.system`
      insert into invites (org_id, id, email, role, invited_by, expires_at)
      values (${owner.orgId}, 'inv_x', ${person.email ?? ''}, 'agent', 'x', now() + interval '1 day')`;
    const token = await idp.sign(person);
    expect((await me(token, owner.orgId)).body.result.data.json.selected.role).toBe('owner');
  });
});

describe('a session', () => {
  it('chooses among the organizations of its user with every request, and opens no other', async () => {
    const [one, other, foreign] = [await t.createOrg(), await t.createOrg(), await t.createOrg()];
    const person = newPerson();
    await invite(one, person.email);
    await invite(other, person.email, 'agent');
    const token = await idp.sign(person);
    const answers = await Promise.all([one, other, foreign, { orgId: '' }].map((org) => get(token, org)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 400]);
    expect(answers[0]?.body.data[0].id).toBe(one.projectId);
    expect((await get(token, one, '/api/v1/profiles')).status).toBe(200);
    expect((await get(token, other, '/api/v1/profiles')).status).toBe(403);
  });

  it('feels a change of role, a removal and a limit to projects on its next request', async () => {
    const owner = await t.createOrg();
    const person = newPerson();
    await invite(owner, person.email, 'reviewer');
    const token = await idp.sign(person);
    const seen = (url: string) => get(token, owner, url).then(({ status }) => status);
    expect(await seen('/api/v1/users')).toBe(403);
    const user = `/api/v1/users/${await userIdOf(token)}`;
    await t.as(owner, { method: 'PATCH', url: user, payload: { role: 'supervisor' } });
    expect(await seen('/api/v1/users')).toBe(200);
    await t.as(owner, { method: 'PATCH', url: user, payload: { projectIds: [] } });
    expect((await get(token, owner)).body.meta.total).toBe(0);
    await t.as(owner, { method: 'DELETE', url: user });
    expect(await seen('/api/v1/users')).toBe(403);
    expect((await me(token)).body.result.data.json.memberships).toEqual([]);
  });

  it('makes, lists and revokes API tokens of its user, which an API token cannot', async () => {
    const owner = await t.createOrg();
    const person = newPerson();
    await invite(owner, person.email);
    const headers = { authorization: `Bearer ${await idp.sign(person)}`, 'x-selected-org-id': owner.orgId };
    const call = async (path: string, json: object, credential: Record<string, string> = headers) => {
      const response = await t.app.inject({
        method: 'POST',
        url: `/api/trpc/${path}`,
        headers: credential,
        payload: { json },
      });
      return { status: response.statusCode, body: response.json() };
    };
    const created = await call('tokens.create', { name: 'CI' });
    const { token, id } = created.body.result.data.json;
    const withToken = { ...headers, authorization: `Bearer ${token}` };
    expect((await get(token, owner)).status).toBe(200);
    expect((await call('tokens.create', { name: 'Immortal' }, withToken)).status).toBe(403);
    const listed = await t.app.inject({ url: '/api/trpc/tokens.list?input=%7B%22json%22%3A%7B%7D%7D', headers });
    expect(listed.json().result.data.json.data).toMatchObject([{ id, name: 'CI' }]);
    expect((await call('tokens.revoke', { id })).status).toBe(200);
    expect((await get(token, owner)).status).toBe(401);
  });
});

describe('me', () => {
  it('tells a person who they are, where they belong and what they may do in the selected organization', async () => {
    const owner = await t.createOrg('Chosen');
    const person = newPerson();
    await invite(owner, person.email, 'agent');
    const token = await idp.sign(person);
    const membership = { org: { id: owner.orgId, name: 'Chosen' }, role: 'agent', projectIds: null };
    const { body } = await me(token, owner.orgId);
    expect(body.result.data.json).toEqual({
      confirmation: null,
      user: { id: expect.any(String), email: person.email, name: 'Pat' },
      memberships: [membership],
      selected: { ...membership, permissions: expect.arrayContaining(['records:upload']) },
      token: null,
    });
    expect(body.result.data.json.selected.permissions).not.toContain('records:delete');
    expect((await me(token)).body.result.data.json.selected).toBeNull();
    expect((await me(token, (await t.createOrg()).orgId)).status).toBe(403);
  });

  it('shows an API token its own organization only, and nobody anything', async () => {
    const [owner, other] = [await t.createOrg(), await t.createOrg()];
    await t.deps.connections.system`
      insert into memberships (org_id, user_id, role) values (${other.orgId}, ${owner.userId}, 'admin')`;
    const { body } = await me(owner.token);
    expect(body.result.data.json.memberships.map(({ org }: { org: { id: string } }) => org.id)).toEqual([owner.orgId]);
    expect((await me('nonsense')).status).toBe(401);
    const orgs = await t.app.inject({
      url: '/api/trpc/orgs.list?input=%7B%22json%22%3A%7B%7D%7D',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(orgs.json().result.data.json).toMatchObject({
      data: [{ id: owner.orgId, role: 'owner' }],
      meta: { total: 1 },
    });
  });
});
