import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiToken } from '../../src/auth/api-token.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import {
  operations,
  procedureTypes,
  publicRoutes,
  readAnswer,
  requestOf,
  restRoutes,
  surfacesOf,
  unknownIds,
  type Ids,
  type Operation,
  type Surface,
} from './operations.ts';
import { createResources } from './resources.ts';

const matrix = operations.flatMap((operation) =>
  surfacesOf(operation).map((surface) => ({ operation, surface, title: `${operation.name} (${surface})` })),
);
const inOrg = matrix.filter(({ operation }) => !operation.isPersonal);
/** Assistants may leave it out where there is only one. */
const choosing = inOrg.filter(({ surface }) => surface !== 'mcp');
const naming = matrix.filter(({ operation }) => operation.missing !== undefined);

let t: TestApp;
let superuser: Sql;
let mine: TestMember;
let theirs: TestMember;
let theirIds: Ids;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  mine = await t.createOrg();
  theirs = await t.createOrg();
  theirIds = await createResources(t, theirs);
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

type Answer = { status: number; headers: Record<string, unknown>; body: string };
type Request = { operation: Operation; surface: Surface; ids?: Ids; headers?: Record<string, string> };

/** The whole answer, as bytes, but for what differs between any two. */
async function ask({ operation, surface, ids = unknownIds(), headers = {} }: Request): Promise<Answer> {
  const request = requestOf(operation, surface, ids);
  const response = await t.app.inject({ ...request, headers: { ...request.headers, ...headers } });
  const {
    date: _date,
    'x-request-id': id,
    'ratelimit-remaining': _left,
    'ratelimit-reset': _reset,
    ...rest
  } = response.headers;
  if (typeof id !== 'string') throw new Error(`${operation.name} answered without a request id.`);
  const { 'content-length': _length, ...others } = rest;
  return { headers: surface === 'mcp' ? others : rest, ...readAnswer(surface, response) };
}

/** Every row that an organization has, as text. */
async function rowsOf({ orgId }: TestMember): Promise<string[]> {
  const tables = await superuser<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`;
  const rows = await Promise.all(
    tables.map(({ name }) =>
      // The minute of a token's last use moves by itself.
      superuser.unsafe(
        `select $2 || (to_jsonb(r) - 'last_used_at')::text as row from ${name} r where org_id = $1 order by 1`,
        [orgId, name],
      ),
    ),
  );
  return rows.flat().map(({ row }) => row);
}

describe('the table of operations', () => {
  it('holds every route under /api/v1', () => {
    const listed = operations.flatMap(({ rest }) => (rest === undefined ? [] : [rest]));
    expect([...listed, ...publicRoutes].toSorted()).toEqual(restRoutes(t).toSorted());
  });

  it('holds every procedure', () => {
    const listed = operations.flatMap(({ rpc }) => (rpc === undefined ? [] : [rpc]));
    expect(listed.toSorted()).toEqual(Object.keys(procedureTypes()).toSorted());
  });

  it.each(matrix)('has a request that succeeds where it should: $title', async ({ operation, surface }) => {
    const ids = await createResources(t, mine);
    const answer = await ask({ operation, surface, ids, headers: mine.headers });
    // RPC has no statuses of success but 200.
    expect(answer.status).toBe(surface === 'rpc' && operation.own < 300 ? 200 : operation.own);
  });
});

describe('without a credential that counts', () => {
  it.each(matrix)('nothing is answered but 401, in the same words: $title', async ({ operation, surface }) => {
    const { token } = mine;
    const flipped = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    const org = { 'x-selected-org-id': mine.orgId };
    const credentials = [
      {},
      org,
      ...[
        '',
        'Bearer',
        'Bearer ',
        token,
        `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
        'Bearer nonsense',
        `Bearer ${flipped}`,
        `Bearer ${token} ${token}`,
        `Bearer ${token.toLowerCase()}`,
        `Bearer ${token}${token}`,
        `Bearer ${generateApiToken().token}`,
        `Bearer ${await deadToken('expired')}`,
        `Bearer ${await deadToken('revoked')}`,
        `Bearer ${await deadToken('orphaned')}`,
      ].map((authorization) => ({ ...org, authorization })),
    ];
    const answers = await Promise.all(credentials.map((headers) => ask({ operation, surface, headers })));
    const [first] = answers;
    expect(first).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(first?.body).toContain(
      'The access token is missing, invalid or has expired. Send it as `Authorization: Bearer …`.',
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

let deadTokens: Promise<Record<'expired' | 'revoked' | 'orphaned', string>> | undefined;

/** Tokens that were good, each ended in its own way; made once. */
async function deadToken(kind: 'expired' | 'revoked' | 'orphaned'): Promise<string> {
  deadTokens ??= (async () => {
    const [expired, revoked, orphaned] = await Promise.all(Array.from({ length: 3 }, () => t.addMember(mine, 'admin')));
    if (!expired || !revoked || !orphaned) throw new Error('There are three.');
    const { system } = t.deps.connections;
    await system`update api_tokens set expires_at = now() - interval '1 ms' where user_id = ${expired.userId}`;
    await system`update api_tokens set revoked_at = now() where user_id = ${revoked.userId}`;
    await system`delete from memberships where user_id = ${orphaned.userId}`;
    return { expired: expired.token, revoked: revoked.token, orphaned: orphaned.token };
  })();
  return (await deadTokens)[kind];
}

describe('the selected organization', () => {
  it.each(choosing)('is required: $title', async ({ operation, surface }) => {
    const { authorization = '' } = mine.headers;
    const answers = await Promise.all([
      ask({ operation, surface, headers: { authorization } }),
      ask({ operation, surface, headers: { authorization, 'x-selected-org-id': '' } }),
      ask({ operation, surface, headers: { authorization, 'x-selected-org-id': '  ' } }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('X-Selected-Org-ID');
    }
  });

  it.each(inOrg)(
    "is one's own, and others read the same whether they exist: $title",
    async ({ operation, surface }) => {
      const { authorization = '' } = mine.headers;
      const orgs = [
        theirs.orgId,
        newId('org'),
        'nonsense',
        theirs.orgId.toUpperCase(),
        `${mine.orgId}, ${theirs.orgId}`,
      ];
      const answers = await Promise.all(
        orgs.map((org) =>
          ask({ operation, surface, ids: theirIds, headers: { authorization, 'x-selected-org-id': org } }),
        ),
      );
      expect(answers[0]?.status).toBe(403);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    },
  );
});

describe("another organization's resources", () => {
  it.each(naming)('cannot be told from none at all: $title', async ({ operation, surface }) => {
    const malformed = Object.fromEntries(Object.keys(theirIds).map((key) => [key, 'x'])) as Ids;
    const [foreign, unknown, nonsense] = await Promise.all(
      [theirIds, unknownIds(), malformed].map((ids) => ask({ operation, surface, ids, headers: mine.headers })),
    );
    expect(unknown?.status).toBe(operation.missing);
    expect(foreign).toEqual(unknown);
    expect(nonsense).toEqual(unknown);
    expect(foreign?.body).not.toMatch(new RegExp(Object.values(theirIds).join('|')));
  });

  it('have not changed by a byte through any request that names them', async () => {
    const before = await rowsOf(theirs);
    expect(before.length).toBeGreaterThan(8);
    for (const { operation, surface } of matrix) {
      await ask({ operation, surface, ids: theirIds, headers: mine.headers });
    }
    expect(await rowsOf(theirs)).toEqual(before);
  });

  it('stay invisible when one of their ids stands beside ids of my own', async () => {
    const myIds = await createResources(t, mine);
    const moved = await t.as(mine, {
      method: 'PATCH',
      url: `/api/v1/projects/${myIds.projectId}`,
      payload: { profileId: theirIds.profileId },
    });
    expect(moved).toMatchObject({ status: 422, body: { error: { code: 'UNPROCESSABLE' } } });
    const url = `/api/v1/analyses?recordId=${myIds.recordId}&projectId=${theirIds.projectId}`;
    expect((await t.as(mine, { url })).body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it("do not appear in any of one's own lists, counts or statistics", async () => {
    const fresh = await t.createOrg();
    const lists = await Promise.all(
      ['records', 'analyses', 'projects', 'profiles'].map((name) =>
        t.as(fresh, { url: `/api/v1/${name}?pageSize=100` }),
      ),
    );
    expect(lists.map(({ body }) => body.meta.total)).toEqual([0, 0, 1, 1]);
    expect(JSON.stringify(lists.map(({ body }) => body))).not.toMatch(new RegExp(Object.values(theirIds).join('|')));
    const stats = await t.as(fresh, { url: `/api/v1/projects/${fresh.projectId}/stats` });
    expect(stats.body.data).toMatchObject({ totalRecords: 0, completedRecords: 0 });
  });

  it('may have the same names, external ids and people as mine', async () => {
    const call = {
      externalId: 'same',
      recordingUrl: 'https://a.example/1.wav',
      agent: { email: 'shared@example.com' },
    };
    const answers = await Promise.all(
      [mine, theirs].flatMap((member) => [
        t.as(member, { method: 'POST', url: '/api/v1/projects', payload: { name: 'Same' } }),
        t.as(member, {
          method: 'POST',
          url: '/api/v1/records/ingest',
          payload: { ...call, projectId: member.projectId },
        }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 202, 201, 202]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(4);
  });
});
