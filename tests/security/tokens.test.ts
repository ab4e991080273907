import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateApiToken, isWellFormedApiToken } from '../../src/auth/api-token.ts';
import type { Actor } from '../../src/auth/principal.ts';
import { ListTokensInput } from '../../src/domain/tokens/schemas.ts';
import { createToken, issueToken, listTokens, revokeToken } from '../../src/domain/tokens/service.ts';
import { CreateTokenInput } from '../../src/domain/tokens/schemas.ts';
import type { OrgContext } from '../../src/domain/context.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { keepClearOf, minuteMs } from '../support/clock.ts';

let t: TestApp;
let owner: TestMember;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

/** What a person who has signed in acts as. */
function signedIn({ orgId, userId }: TestMember): OrgContext {
  const user = { id: userId, email: 'person@example.com', name: 'Person' };
  const actor: Actor = {
    principal: { kind: 'session', user, memberships: [] },
    orgId,
    userId,
    role: 'admin',
    projectIds: null,
  };
  return { db: t.deps.services.db, actor };
}

const firstPage = ListTokensInput.parse({ pageSize: 100 });
const unlimited = { name: 'CI', expiresAt: null };

async function statusWith(token: string, { orgId }: TestMember = owner): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
  return (await t.app.inject({ url: '/api/v1/projects', headers })).statusCode;
}

describe('an API token', () => {
  it('is cat_, 32 random bytes in base62 and the CRC-32 of them', () => {
    const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const { token } = generateApiToken();
    const [, secret = '', checksum = ''] = /^cat_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(token) ?? [];
    let value = 0n;
    for (const character of checksum) value = value * 62n + BigInt(base62.indexOf(character));
    expect(value).toBe(BigInt(crc32(secret)));
    let number = 0n;
    for (const character of secret) number = number * 62n + BigInt(base62.indexOf(character));
    expect(number < 2n ** 256n).toBe(true);
  });

  it('never comes twice', () => {
    const tokens = Array.from({ length: 2_000 }, () => generateApiToken().token);
    expect(new Set(tokens).size).toBe(2_000);
    expect(tokens.every(isWellFormedApiToken)).toBe(true);
  });

  it('with any one character changed is known to be none without a look into the database', () => {
    const { token } = generateApiToken();
    const changed = Array.from(token, (character, index) => {
      const other = character === 'x' ? 'y' : 'x';
      return `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
    });
    expect(changed.filter(isWellFormedApiToken)).toEqual([]);
    expect(
      ['', 'cat_', token.slice(1), `${token}0`, ` ${token}`, token.replace('cat_', 'CAT_')].filter(
        isWellFormedApiToken,
      ),
    ).toEqual([]);
  });

  it('works as soon as it is made, is shown once and is recognised by its ends afterwards', async () => {
    const member = await t.addMember(owner, 'admin');
    const created = await createToken(signedIn(member), unlimited);
    expect(await statusWith(created.token)).toBe(200);
    const { data } = await listTokens(signedIn(member), firstPage);
    const listed = data.find(({ id }) => id === created.id);
    expect(listed).toEqual({
      id: created.id,
      name: 'CI',
      start: created.token.slice(0, 8),
      lastFour: created.token.slice(-4),
      expiresAt: null,
      lastUsedAt: expect.any(Date),
      createdAt: created.createdAt,
    });
    expect(JSON.stringify(data)).not.toContain(created.token.slice(8, -4));
  });

  it('dies with its revocation, and cannot be revoked twice or by another person', async () => {
    const [member, other] = [await t.addMember(owner, 'admin'), await t.addMember(owner, 'owner')];
    const { id, token } = await createToken(signedIn(member), unlimited);
    await expect(revokeToken(signedIn(other), { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await statusWith(token)).toBe(200);
    await revokeToken(signedIn(member), { id });
    expect(await statusWith(token)).toBe(401);
    await expect(revokeToken(signedIn(member), { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { data } = await listTokens(signedIn(member), firstPage);
    expect(data.map((row) => row.id)).not.toContain(id);
  });

  it('dies on time', async () => {
    const member = await t.addMember(owner, 'admin');
    const { token, id } = await createToken(signedIn(member), {
      name: 'Short',
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(await statusWith(token)).toBe(200);
    await superuser`update api_tokens set expires_at = now() where id = ${id}`;
    expect(await statusWith(token)).toBe(401);
  });

  it('cannot be made for the past, nor for a time that nobody can write down', () => {
    for (const expiresAt of [
      new Date(),
      new Date(0),
      new Date(8.64e15),
      new Date('10000-01-01'),
      new Date('nonsense'),
    ]) {
      expect(CreateTokenInput.safeParse({ name: 'X', expiresAt }).success).toBe(false);
    }
    expect(CreateTokenInput.safeParse({ name: 'X', expiresAt: new Date(Date.now() + 1_000) }).success).toBe(true);
  });

  it('dies with the membership of its user, in that organization only', async () => {
    const elsewhere = await t.createOrg();
    const member = await t.addMember(owner, 'admin');
    await superuser`insert into memberships (org_id, user_id, role) values (${elsewhere.orgId}, ${member.userId}, 'admin')`;
    const there = await t.deps.services.db.withOrg(elsewhere.orgId, (tx) => issueToken(tx, member.userId, unlimited));
    await superuser`delete from memberships where org_id = ${owner.orgId} and user_id = ${member.userId}`;
    expect(await statusWith(member.token)).toBe(401);
    expect(await statusWith(there.token, elsewhere)).toBe(200);
    const [left] =
      await superuser`select count(*)::int as n from api_tokens where org_id = ${owner.orgId} and user_id = ${member.userId}`;
    expect(left?.n).toBe(0);
    // And does not come back with it.
    await superuser`insert into memberships (org_id, user_id, role) values (${owner.orgId}, ${member.userId}, 'admin')`;
    expect(await statusWith(member.token)).toBe(401);
  });

  it('is good for its organization alone, though its user is in others', async () => {
    const elsewhere = await t.createOrg();
    const member = await t.addMember(owner, 'admin');
    await superuser`insert into memberships (org_id, user_id, role) values (${elsewhere.orgId}, ${member.userId}, 'owner')`;
    expect([await statusWith(member.token), await statusWith(member.token, elsewhere)]).toEqual([200, 403]);
  });

  it('cannot be made for someone who is no member', async () => {
    const stranger = await t.createOrg();
    const issued = t.deps.services.db.withOrg(owner.orgId, (tx) => issueToken(tx, stranger.userId, unlimited));
    await expect(issued).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('cannot manage tokens, whoever it belongs to', async () => {
    const requests = { 'tokens.create': { name: 'Immortal' }, 'tokens.revoke': { id: 'tok_1' } };
    const calls = Object.entries(requests).map(([path, json]) =>
      t.as(owner, {
        method: 'POST',
        url: `/api/trpc/${path}`,
        headers: { 'content-type': 'application/json' },
        payload: { json },
      }),
    );
    const input = encodeURIComponent('{"json":{}}');
    const answers = await Promise.all([...calls, t.as(owner, { url: `/api/trpc/tokens.list?input=${input}` })]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('the last use of a token', () => {
  it('is written once a minute, to the minute, however many requests come at once', async () => {
    const member = await t.addMember(owner, 'admin');
    const versions = async (): Promise<string[]> => {
      const rows = await superuser`select xmin::text as version from api_tokens where user_id = ${member.userId}`;
      return rows.map(({ version }) => version);
    };
    await superuser`create table uses (at timestamptz)`;
    await superuser.unsafe(`create function count_use() returns trigger security definer language plpgsql as
      $$ begin insert into uses values (clock_timestamp()); return null; end $$`);
    await superuser`create trigger count_uses after update on api_tokens for each row execute function count_use()`;
    const writes = async (): Promise<number> => (await superuser`select from uses`).length;

    await keepClearOf(minuteMs, 5_000);
    await Promise.all(Array.from({ length: 50 }, () => statusWith(member.token)));
    const afterFirst = await versions();
    expect(await writes()).toBe(1);
    await Promise.all(Array.from({ length: 50 }, () => statusWith(member.token)));
    // A minute may have begun meanwhile.
    expect(await writes()).toBeLessThanOrEqual(2);
    expect(afterFirst).toHaveLength(1);

    await superuser`update api_tokens set last_used_at = now() - interval '2 minutes' where user_id = ${member.userId}`;
    await superuser`truncate uses`;
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 2 * 60_000);
    await Promise.all(Array.from({ length: 50 }, () => statusWith(member.token)));
    clock.mockRestore();
    expect(await writes()).toBeGreaterThanOrEqual(1);
    expect(await writes()).toBeLessThanOrEqual(2);
    const [row] = await superuser`select last_used_at as at from api_tokens where user_id = ${member.userId}`;
    expect(row?.at.getTime() % 60_000).toBe(0);
    await superuser`drop trigger count_uses on api_tokens`;
    await superuser`drop function count_use`;
    await superuser`drop table uses`;
  });
});

describe('a dump of the database', () => {
  it('holds the hash of each token and no token', async () => {
    const tokens = [owner.token, (await createToken(signedIn(owner), unlimited)).token];
    const tables = await superuser<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`;
    const rows = await Promise.all(tables.map(({ name }) => superuser.unsafe(`select r::text as row from ${name} r`)));
    const dump = rows
      .flat()
      .map(({ row }) => row)
      .join('\n');
    for (const token of tokens) {
      const hash = createHash('sha256').update(token).digest('hex');
      expect(dump).toContain(hash);
      expect(dump).not.toContain(token);
      expect(dump).not.toContain(token.slice(8, -4));
      expect(dump).not.toContain(Buffer.from(token).toString('hex'));
      expect(dump).not.toContain(Buffer.from(token).toString('base64').slice(0, 40));
    }
  });
});

describe('the check of a credential', () => {
  it('takes about as long for a token that exists as for one that does not', async () => {
    const { auth } = t.deps.services;
    const revoked = await t.addMember(owner, 'agent');
    await superuser`update api_tokens set revoked_at = now() where user_id = ${revoked.userId}`;
    const time = async (token: string): Promise<number> => {
      const startedAt = performance.now();
      await auth.authenticate({ authorization: `Bearer ${token}` }).catch(() => {});
      return performance.now() - startedAt;
    };
    for (let round = 0; round < 60; round += 1) await time(owner.token);
    const samples: { unknown: number; dead: number }[] = [];
    const other = generateApiToken().token;
    // In turns: what else the machine does falls on both alike.
    for (let round = 0; round < 60; round += 1) {
      samples.push({ unknown: await time(other), dead: await time(revoked.token) });
    }
    const median = (values: number[]): number => values.toSorted((a, b) => a - b)[30] ?? 0;
    const unknown = median(samples.map((sample) => sample.unknown));
    const dead = median(samples.map((sample) => sample.dead));
    // A wide margin: the machine is shared. What it excludes is a hash or a lookup more on one of the paths.
    expect(Math.max(unknown, dead) / Math.min(unknown, dead)).toBeLessThan(3);
  });
});
