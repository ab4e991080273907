import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as admin from '../../src/admin/matches.ts';
import type { Session } from '../../src/admin/session.ts';
import { roles } from '../../src/model/role.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { audience, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { asAdmin } from '../pipeline/support/hosts.ts';

let idp: IdentityProvider;
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  idp = await startIdentityProvider();
  t = await createTestApp({ runPipeline: false, env: { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience } });
});
afterAll(async () => {
  await t.close();
  await idp.close();
});
beforeEach(async () => {
  owner = await t.createOrg();
});

const sql = () => t.deps.connections.system;

type Veteran = TestMember & { email: string };

/** A member who has signed in with an account here. Without a mail server, nobody has proved the address. */
async function veteran(role: (typeof roles)[number] = 'agent', isVerified = true): Promise<Veteran> {
  const member = await t.addMember(owner, role);
  const [row] = await sql()<{ email: string }[]>`
    update users set email_verified = ${isVerified} where id = ${member.userId} returning email`;
  const email = row?.email ?? '';
  await sql()`insert into accounts (user_id, address) values (${member.userId}, ${email})`;
  return { ...member, email };
}

/** A token of somebody whom the provider says to have the address. */
function sign(email: string, claims: Record<string, unknown> = {}): Promise<string> {
  return idp.sign({ sub: randomUUID(), email, email_verified: true, name: 'Pat', ...claims });
}

const asToken = (token: string, { orgId }: { orgId?: string } = {}) => ({
  authorization: `Bearer ${token}`,
  ...(orgId !== undefined && { 'x-selected-org-id': orgId }),
});

async function me(token: string, member: { orgId?: string } = {}) {
  const response = await t.app.inject({ url: '/api/v1/me', headers: asToken(token, member) });
  return { status: response.statusCode, ...response.json().data, error: response.json().error };
}

async function idOfMatch(email: string): Promise<string> {
  const [row] = await sql()<{ id: string }[]>`select id from identity_matches where email = ${email} order by id desc`;
  return row?.id ?? '';
}

/** Somebody who waits: their token, and their match. */
async function waiting(member: Veteran): Promise<{ token: string; id: string }> {
  const token = await sign(member.email);
  await me(token);
  return { token, id: await idOfMatch(member.email) };
}

const decide = (by: Pick<TestMember, 'headers'>, id: string, decision: 'confirm' | 'refuse') =>
  t.app
    .inject({ method: 'POST', url: `/api/v1/users/matches/${id}/${decision}`, headers: by.headers })
    .then(({ statusCode }) => statusCode);

const list = async (by: TestMember) => (await t.as(by, { url: '/api/v1/users/matches' })).body;

/** What the commands of the operator work with. */
const operator = { database: async () => t.deps.connections } as unknown as Session;
const openMatches = async () => (await admin.list(operator)).data as { id: string }[];
const confirmAll = async () => (await admin.confirm(operator, undefined, { all: true })).data;

describe('moving to a provider', () => {
  it('lists fifty people, lets them in by one command, and each has the role of before', async () => {
    await sql()`delete from identity_matches`;
    const people = await Promise.all(
      Array.from({ length: 50 }, (_, index) => veteran(roles[index % roles.length], index % 3 > 0)),
    );
    const tokens = await Promise.all(people.map(({ email }) => sign(email.toUpperCase())));
    const before = await Promise.all(tokens.map((token) => me(token)));
    expect(new Set(before.map(({ confirmation }) => confirmation))).toEqual(new Set(['waiting']));
    expect(before.flatMap(({ memberships }) => memberships)).toEqual([]);
    expect((await me(tokens[0] ?? '', owner)).error.message).toMatch(/^An owner or the operator has to confirm first/);
    const listed = await openMatches();
    expect(listed).toHaveLength(50);
    expect(await confirmAll()).toEqual({ confirmed: listed.map(({ id }) => id), left: [] });
    const after = await Promise.all(tokens.map((token) => me(token, owner)));
    expect(after.map(({ user, selected, confirmation }) => [user.id, selected.role, confirmation])).toEqual(
      people.map(({ userId }, index) => [userId, roles[index % roles.length], null]),
    );
    expect((await admin.list(operator)).text).toBe('Nobody waits.');
    const verified = await sql()`
      select from users where id = any(${people.map(({ userId }) => userId)}) and email_verified`;
    expect(verified).toHaveLength(50);
    const left = await sql()`select from users where id = any(${before.map(({ user }) => user.id)})`;
    expect(left).toHaveLength(0);
  });

  it('lets an operator refuse, and think better of it', async () => {
    const { token, id } = await waiting(await veteran());
    expect((await admin.refuse(operator, id)).data).toEqual({ refused: id });
    expect((await me(token)).confirmation).toBe('refused');
    await expect(admin.refuse(operator, id)).rejects.toThrow('Match not found.');
    expect(await confirmAll()).toMatchObject({ confirmed: expect.not.arrayContaining([id]) });
    expect((await me(token)).confirmation).toBe('refused');
    expect((await admin.confirm(operator, id, {})).text).toBe(`Confirmed ${id}`);
    expect((await me(token, owner)).selected.role).toBe('agent');
    await expect(admin.confirm(operator, id, {})).rejects.toThrow('Match not found.');
    await expect(admin.confirm(operator, undefined, {})).rejects.toThrow('Name one match, or --all.');
  });

  it('confirms none of several who wait for the same person, until one is chosen', async () => {
    const member = await veteran();
    const [first, second] = [await waiting(member), await waiting(member)];
    expect(await confirmAll()).toMatchObject({ left: [first.id, second.id] });
    expect((await me(first.token)).confirmation).toBe('waiting');
    await admin.confirm(operator, second.id, {});
    expect([(await me(first.token)).user.id === member.userId, (await me(second.token)).user.id]).toEqual([
      false,
      member.userId,
    ]);
  });
});

describe('who waits', () => {
  it('is whoever has the verified address of somebody with an account, or of another subject or issuer', async () => {
    const account = await veteran();
    const provider = await t.addMember(owner, 'agent');
    const [{ email = '' } = {}] = await sql()<
      { email: string }[]
    >`select email from users where id = ${provider.userId}`;
    const first = await sign(email);
    expect((await me(first)).user.id).toBe(provider.userId);
    const elsewhere = await t.addMember(owner, 'agent');
    const [row] = await sql()<{ email: string }[]>`select email from users where id = ${elsewhere.userId}`;
    await sql()`insert into identities (issuer, subject, user_id) values ('https://before.example', ${elsewhere.userId}, ${elsewhere.userId})`;
    const tokens = await Promise.all([sign(account.email), sign(email), sign(row?.email ?? '')]);
    const seen = await Promise.all(tokens.map((token) => me(token)));
    expect(seen.map(({ confirmation }) => confirmation)).toEqual(['waiting', 'waiting', 'waiting']);
    expect((await me(first)).confirmation).toBe(null);
  });

  it('is not who was invited, or added by the operator, and never was here', async () => {
    const added = await t.addMember(owner, 'supervisor');
    const [row] = await sql()<{ email: string }[]>`select email from users where id = ${added.userId}`;
    await t.as(owner, {
      method: 'POST',
      url: '/api/v1/users/invite',
      payload: { email: 'new@people.example', role: 'agent' },
    });
    const [invited, known] = [await sign('new@people.example'), await sign(row?.email ?? '')];
    expect((await me(invited, owner)).selected.role).toBe('agent');
    expect((await me(known, owner)).selected.role).toBe('supervisor');
  });

  it('is nobody whose address the provider has not verified, until it has', async () => {
    const member = await veteran();
    const sub = randomUUID();
    const claimed = await me(await sign(member.email, { sub, email_verified: false }));
    expect([claimed.confirmation, claimed.memberships]).toEqual([null, []]);
    expect(await idOfMatch(member.email)).toBe('');
    const proven = await sign(member.email, { sub });
    const seen = await me(proven);
    expect([seen.confirmation, seen.user.id]).toEqual(['waiting', claimed.user.id]);
    expect(await decide(owner, await idOfMatch(member.email), 'confirm')).toBe(204);
    expect((await me(proven, owner)).user.id).toBe(member.userId);
  });

  it('accepts no invites to the address, which are for the person', async () => {
    const member = await veteran();
    const { token, id } = await waiting(member);
    const other = await t.createOrg();
    const invite = { email: member.email, role: 'reviewer' };
    await t.as(other, { method: 'POST', url: '/api/v1/users/invite', payload: invite });
    expect((await me(token)).memberships).toEqual([]);
    expect(await decide(owner, id, 'refuse')).toBe(204);
    expect((await me(token)).memberships).toEqual([]);
    expect(await decide(owner, id, 'confirm')).toBe(404);
  });

  it('is somebody of their own once refused, where only a copied link had tied the address to an account', async () => {
    const squatter = await veteran('agent', false);
    const { token, id } = await waiting(squatter);
    const other = await t.createOrg();
    await t.as(other, {
      method: 'POST',
      url: '/api/v1/users/invite',
      payload: { email: squatter.email, role: 'reviewer' },
    });
    expect((await me(token)).memberships).toEqual([]);
    expect(await decide(owner, id, 'refuse')).toBe(204);
    const seen = await me(token);
    expect(seen.confirmation).toBe(null);
    expect(seen.memberships.map(({ org }: { org: { id: string } }) => org.id)).toEqual([other.orgId]);
    expect(seen.user.id).not.toBe(squatter.userId);
  });

  it('is one match, however many requests come at once', async () => {
    const { email } = await veteran();
    const token = await sign(email);
    await Promise.all(Array.from({ length: 12 }, () => me(token)));
    expect(await sql()`select from identity_matches where email = ${email}`).toHaveLength(1);
    expect(await sql()`select from users where email = ${email}`).toHaveLength(2);
  });
});

describe('a match', () => {
  it('is listed for owners of an organization of the person, and for no other', async () => {
    const member = await veteran('reviewer');
    const { id } = await waiting(member);
    const { data, meta } = await list(owner);
    expect(meta.total).toBe(1);
    expect(data).toEqual([
      {
        id,
        issuer: idp.issuer,
        email: member.email,
        name: 'Pat',
        user: { id: member.userId, email: member.email, name: expect.any(String), role: 'reviewer' },
        canDecide: true,
        createdAt: expect.any(String),
      },
    ]);
    const stranger = await t.createOrg();
    expect((await list(stranger)).data).toEqual([]);
    expect([await decide(stranger, id, 'confirm'), await decide(stranger, id, 'refuse')]).toEqual([404, 404]);
    const boss = await t.addMember(owner, 'admin');
    expect(await decide(boss, id, 'confirm')).toBe(403);
  });

  it('takes an owner of all organizations of the person, by a credential that is good for all of them', async () => {
    const member = await veteran();
    const other = await t.createOrg();
    await sql()`insert into memberships (org_id, user_id, role) values (${other.orgId}, ${member.userId}, 'agent')`;
    const { token, id } = await waiting(member);
    expect((await list(owner)).data[0].canDecide).toBe(false);
    expect([await decide(owner, id, 'confirm'), await decide(owner, id, 'refuse')]).toEqual([403, 403]);
    await sql()`insert into memberships (org_id, user_id, role) values (${other.orgId}, ${owner.userId}, 'owner')`;
    // An API token is for one organization.
    expect(await decide(owner, id, 'confirm')).toBe(403);
    const [row] = await sql()<{ email: string }[]>`select email from users where id = ${owner.userId}`;
    const session = { headers: asToken(await sign(row?.email ?? ''), owner) };
    expect(await decide(session, id, 'confirm')).toBe(204);
    expect((await me(token)).memberships).toHaveLength(2);
  });

  it('is decided once, however many decide at once', async () => {
    const { token, id } = await waiting(await veteran());
    const decisions = Array.from<unknown, 'confirm' | 'refuse'>({ length: 12 }, (_, index) =>
      index % 2 === 0 ? 'confirm' : 'refuse',
    );
    const statuses = await Promise.all(decisions.map((decision) => decide(owner, id, decision)));
    const isIn = decisions[statuses.indexOf(204)] === 'confirm';
    // The same decision may be sent again, since its answer may be lost.
    expect(statuses).toEqual(decisions.map((decision) => ((decision === 'confirm') === isIn ? 204 : 404)));
    expect((await me(token)).confirmation).toBe(isIn ? null : 'refused');
    expect(await sql()`select from account_events where details->>'matchId' = ${id}`).toHaveLength(1);
  });

  it('does not let somebody in who joins a further organization while an owner confirms', async () => {
    const member = await veteran();
    const { id } = await waiting(member);
    const other = await t.createOrg();
    const { DATABASE_URL = '' } = t.deps.config;
    const deciding = await asAdmin(DATABASE_URL, (outside) =>
      outside.begin(async (tx) => {
        await tx`insert into memberships (org_id, user_id, role) values (${other.orgId}, ${member.userId}, 'agent')`;
        const answer = decide(owner, id, 'confirm');
        await asAdmin(DATABASE_URL, waitsForLock);
        return { answer };
      }),
    );
    expect(await deciding.answer).toBe(403);
  });

  it('leaves a line in the log without a secret, and none in the log of another person', async () => {
    const member = await veteran();
    const { id } = await waiting(member);
    await decide(owner, id, 'confirm');
    const events = await sql()`select type, user_id, details from account_events where details->>'matchId' = ${id}`;
    expect(events).toEqual([
      {
        type: 'match.confirmed',
        user_id: member.userId,
        details: { matchId: id, issuer: idp.issuer, by: owner.userId, since: expect.any(String) },
      },
    ]);
  });
});

/** Until the decision waits for what the test holds. */
async function waitsForLock(watching: postgres.Sql): Promise<void> {
  const count = async () => {
    const rows = await watching`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like '%identity_matches%'
         and datname = current_database()`;
    return rows.length;
  };
  await expect.poll(count, { timeout: 30_000 }).toBe(1);
}
