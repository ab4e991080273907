import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

/** Searches that would go on for a minute, on a service with a pool of four. */
let t: TestApp;
let broad: TestMember;
let neighbour: TestMember;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'silent' } });
  broad = await t.createOrg();
  neighbour = await t.createOrg();
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  await superuser`alter function search_found rename to search_found_at_once`;
  await superuser`
    create function search_found(q text, prefixes text[], of_kind text, of_project text, projects text[], own text,
      row_limit int, is_ranked boolean)
    returns table (record_id text, kind text, score float8, place bigint) language plpgsql as $$
    begin
      if q = 'endless' then perform pg_sleep(60); end if;
      return query select * from search_found_at_once(q, prefixes, of_kind, of_project, projects, own, row_limit, is_ranked);
    end $$`;
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

const search = (member: TestMember, q: string) => t.as(member, { url: '/api/v1/search', query: { q } });

describe('a search that takes too long', () => {
  it('is ended after its deadline, with 503, when to come back and what to do', async () => {
    const startedAt = performance.now();
    const { status, headers, body } = await search(broad, 'endless');
    // The deadline is two seconds; that of other statements is thirty.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect({ status, retryAfter: headers['retry-after'], code: body.error.code }).toEqual({
      status: 503,
      retryAfter: '5',
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(body.error.message).toContain('fewer or rarer words');
    expect((await search(broad, 'anything')).status).toBe(200);
  });

  it('however many there are, holds up no search and no reading of another organization, nor other readings of its own', async () => {
    const endless = Array.from({ length: 14 }, () => search(broad, 'endless'));
    let ended = 0;
    for (const each of endless) void each.then(() => (ended += 1));
    const answers = await Promise.all([
      search(neighbour, 'anything'),
      t.as(neighbour, { url: '/api/v1/records' }),
      t.as(broad, { url: '/api/v1/records' }),
      t.app.inject({ url: '/health/ready' }),
    ]);
    expect(answers.map((answer) => ('statusCode' in answer ? answer.statusCode : answer.status))).toEqual([
      200, 200, 200, 200,
    ]);
    // Behind all others it would have been answered last.
    expect(ended).toBeLessThan(endless.length / 2);
    expect((await Promise.all(endless)).map(({ status }) => status)).toEqual(Array(14).fill(503));
  });
});
