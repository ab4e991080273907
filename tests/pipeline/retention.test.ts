import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retentionStart, deleteExpiredContent } from '../../src/domain/recordings/retention.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { formBytes, formType } from '../api/upload-support.ts';
import { callVtt } from './support/calls.ts';
import { asAdmin, eventually } from './support/hosts.ts';
import { silentWav } from './support/recording-server.ts';
import { runCron, stopClock } from './support/run-cron.ts';

const api = '/api/v1';
const limitDays = 30;

let service: TestApp;
let org: TestMember;

beforeAll(async () => {
  service = await createTestApp({ env: { LOG_LEVEL: 'silent' } });
  await stopClock(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  org = await service.createOrg();
  await setLimit(limitDays);
});

const get = (path: string, member = org) => service.as(member, { url: `${api}${path}` });
const post = (path: string, payload: object, member = org) =>
  service.as(member, { method: 'POST', url: `${api}${path}`, payload });
const setLimit = (retentionDays: number | null, member = org) =>
  service.as(member, {
    method: 'PATCH',
    url: `${api}/projects/${member.projectId}`,
    payload: { settings: { retentionDays } },
  });
const retain = () => runCron(service, 'retention');

const asOwner = <T>(work: Parameters<typeof asAdmin<T>>[1]): Promise<T> =>
  asAdmin(service.deps.config.DATABASE_URL ?? '', work);

/** Moves the records back in time, as if they had been created then. */
async function age(ids: string[], days: number): Promise<void> {
  await asOwner(
    (sql) => sql`update records set created_at = created_at - make_interval(days => ${days}) where id = any(${ids})`,
  );
}

async function upload(member = org, transcript = callVtt): Promise<string> {
  const payload = formBytes([
    { name: 'projectId', content: member.projectId },
    { name: 'metadata', content: JSON.stringify({ agentName: 'Sarah', externalId: 'call-4711' }) },
    { name: 'transcript', content: transcript },
    { name: 'file', fileName: 'Tom Keller.wav', type: 'audio/wav', content: silentWav(2000) },
  ]);
  const headers = { 'content-type': formType };
  const { body } = await service.as(member, { method: 'POST', url: `${api}/records/upload`, headers, payload });
  const { id } = body.data;
  await eventually(async () => (await get(`/records/${id}`, member)).body.data.status === 'completed' || undefined);
  return id;
}

async function seedOld(count: number, member = org): Promise<string[]> {
  const ids = await seedRecords(
    service,
    member,
    Array.from({ length: count }, () => ({ status: 'completed' as const })),
  );
  await asOwner(
    (sql) => sql`
      insert into transcripts (org_id, record_id, version, source, channels, speakers, segments)
      select ${member.orgId}, id, 1, 'supplied', 1, '[]', '[{"text": "Hello."}]' from unnest(${ids}::text[]) as id`,
  );
  await age(ids, limitDays + 10);
  return ids;
}

async function objectsOf(id: string, member = org): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.deps.services.storage.list(`${member.orgId}/`)) {
    if (key.includes(id)) keys.push(key);
  }
  return keys;
}

async function contentOf(ids: string[]): Promise<{ transcripts: number; deleted: number }> {
  const [row] = await asOwner(
    (sql) => sql<{ transcripts: number; deleted: number }[]>`
      select (select count(*)::int from transcripts where record_id = any(${ids})) as transcripts,
             (select count(*)::int from records where id = any(${ids}) and content_deleted_at is not null) as deleted`,
  );
  return { transcripts: row?.transcripts ?? 0, deleted: row?.deleted ?? 0 };
}

/** Every row of every table, as text. */
async function wholeDatabase(): Promise<string> {
  return asOwner(async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;
    const parts: string[] = [];
    for (const { name } of tables) {
      for (const { row } of await sql.unsafe(`select to_jsonb(t)::text as row from ${name} t`)) parts.push(row);
    }
    return parts.join('\n');
  });
}

describe('a call that is older than the limit of its project', () => {
  it('loses its recording, its transcript and every word of it, and keeps its figures', async () => {
    const id = await upload();
    const { analysisId } = (await get(`/records/${id}`)).body.data;
    const comment = 'Calm and clear.';
    await post(`/analyses/${analysisId}/review`, { verdict: 'adjusted', comment, categories: { greeting: 90 } });
    await asOwner(
      (sql) => sql`
        insert into model_answers (org_id, record_id, digest, answers, input_tokens, output_tokens)
        values (${org.orgId}, ${id}, 'digest', '{"quote": "charged twice"}', 1, 1)`,
    );
    await age([id], limitDays + 1);
    const before = await Promise.all([
      get(`/records/${id}`),
      get(`/analyses/${analysisId}`),
      get(`/billing/usage/${org.orgId}`),
      get(`/projects/${org.projectId}/stats?from=2020-01-01`),
    ]);
    expect(await objectsOf(id)).toHaveLength(1);
    expect(await wholeDatabase()).toContain('charged twice');

    expect(await retain()).toEqual({ deleted: 1 });

    const [record, analysis, usage, stats] = await Promise.all([
      get(`/records/${id}`),
      get(`/analyses/${analysisId}`),
      get(`/billing/usage/${org.orgId}`),
      get(`/projects/${org.projectId}/stats?from=2020-01-01`),
    ]);
    expect(record.body.data).toEqual({
      ...before[0].body.data,
      file: null,
      contentDeletedAt: expect.stringMatching(/Z$/),
    });
    const { checks, complianceFindings, ...scores } = before[1].body.data;
    const bare = <T extends object>(result: T) => ({ ...result, rationale: '', evidence: [] });
    expect(checks.length).toBeGreaterThan(10);
    expect(analysis.body.data).toEqual({
      ...scores,
      checks: checks.map(bare),
      complianceFindings: complianceFindings.map(bare),
      summary: '',
      improvements: [],
      topics: [],
      actionItems: [],
      segments: [],
    });
    expect(usage.body).toEqual(before[2].body);
    expect(stats.body.data).toEqual({ ...before[3].body.data, period: expect.anything() });
    expect((await get(`/analyses/${analysisId}/review`)).body.data.comment).toBe(comment);
    await eventually(async () => (await objectsOf(id)).length === 0 || undefined);
    const left = await wholeDatabase();
    for (const words of ['charged twice', 'Keller', 'refund the second']) expect(left).not.toContain(words);
  });

  it('answers 404 for the recording and the transcript in every form, and says why', async () => {
    const id = await upload();
    await age([id], limitDays + 1);
    await retain();
    const paths = ['audio', 'transcript', 'transcript?format=vtt', 'transcript?format=srt', 'transcript?format=txt'];
    for (const path of paths) {
      const { status, body } = await get(`/records/${id}/${path}`);
      expect({ path, status, code: body.error.code }).toEqual({ path, status: 404, code: 'NOT_FOUND' });
      expect(body.error.message).toMatch(
        /^The (recording|transcript) was deleted at the end of its retention period\.$/,
      );
    }
    expect((await service.as(org, { method: 'HEAD', url: `${api}/records/${id}/audio` })).status).toBe(404);
  });

  it('loses the muted copy of its recording as well', async () => {
    const payload = { settings: { redactPii: true } };
    await service.as(org, { method: 'PATCH', url: `${api}/projects/${org.projectId}`, payload });
    const id = await upload(org, callVtt.replace('Great.', 'My card is 4000 0566 5566 5556.'));
    await eventually(async () => (await objectsOf(id)).length === 2 || undefined);
    await age([id], limitDays + 1);
    expect(await retain()).toEqual({ deleted: 1 });
    await eventually(async () => (await objectsOf(id)).length === 0 || undefined);
  });

  it('loses its waveform, and gets no other', async () => {
    const id = await upload();
    const input = encodeURIComponent(JSON.stringify({ json: { id } }));
    const draw = async () =>
      (await service.as(org, { url: `/api/trpc/records.waveform?input=${input}` })).body.result.data.json;
    expect(await eventually(async () => (await draw()) ?? undefined)).toMatchObject({ points: 40 });
    await age([id], limitDays + 1);
    await retain();
    expect(await draw()).toBeNull();
    const left = await asOwner((sql) => sql`select from waveforms where record_id = ${id}`);
    expect(left).toHaveLength(0);
  });

  it('is found by what is left of it, and no more by what was said', async () => {
    const id = await upload();
    const { analysisId } = (await get(`/records/${id}`)).body.data;
    await post(`/analyses/${analysisId}/review`, { verdict: 'rejected', comment: 'Unfit for comparison.' });
    await age([id], limitDays + 1);
    const found = async (q: string): Promise<string[]> =>
      (await get(`/search?q=${encodeURIComponent(q)}`)).body.data.map(({ type }: { type: string }) => type);
    expect(await found('charged')).toContain('transcript');
    expect(await found('Keller')).not.toEqual([]);
    await retain();
    for (const words of ['charged', 'refund', 'Keller']) expect(await found(words)).toEqual([]);
    expect(await found('Sarah')).toEqual(['record']);
    expect(await found('"call-4711"')).toEqual(['record']);
    expect(await found('comparison')).toEqual(['analysis']);
  });

  it('cannot be processed or analysed again', async () => {
    const done = await upload();
    const { analysisId } = (await get(`/records/${done}`)).body.data;
    const failure = { code: 'AUDIO_UNREADABLE', message: 'No audio.', retryable: true };
    const [failed = ''] = await seedRecords(service, org, [
      { status: 'failed', failure, recordingUrl: 'https://a.example.com/x' },
    ]);
    await age([done, failed], limitDays + 1);
    await retain();
    expect((await get(`/records/${failed}`)).body.data.contentDeletedAt).not.toBeNull();
    expect(await post(`/records/${failed}/retry`, {})).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    });
    const [profile] = (await get('/profiles')).body.data;
    for (const retranscribe of [false, true]) {
      const answer = await post(`/analyses/${analysisId}/re-analyze`, { profileId: profile.id, retranscribe });
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'UNPROCESSABLE' } } });
    }
  });
});

describe('retention', () => {
  it('leaves younger calls, projects without a limit and other organizations alone', async () => {
    const neighbour = await service.createOrg();
    const [kept = ''] = await seedOld(1, neighbour);
    const [old = ''] = await seedOld(1);
    const [young = ''] = await seedOld(1);
    await age([young], -11);
    await retain();
    expect(await contentOf([old])).toEqual({ transcripts: 0, deleted: 1 });
    expect(await contentOf([young, kept])).toEqual({ transcripts: 2, deleted: 0 });
    await setLimit(null);
    await retain();
    expect(await contentOf([young])).toEqual({ transcripts: 1, deleted: 0 });
    await setLimit(365);
    await retain();
    expect(await contentOf([young])).toEqual({ transcripts: 1, deleted: 0 });
    await setLimit(1);
    await retain();
    expect(await contentOf([young])).toEqual({ transcripts: 0, deleted: 1 });
  });

  it('waits for what is being processed or analysed again, and comes back for it', async () => {
    const [first = '', processing = '', reanalysed = '', last = ''] = await seedOld(4);
    const set = (status: string, id: string) =>
      asOwner((sql) => sql`update records set status = ${status} where id = ${id}`);
    await set('processing', processing);
    const running = await seedAnalysis(service, org, {
      recordId: reanalysed,
      version: 2,
      current: false,
      status: 'pending',
    });
    await retain();
    expect(await contentOf([first, last])).toEqual({ transcripts: 0, deleted: 2 });
    expect(await contentOf([processing, reanalysed])).toEqual({ transcripts: 2, deleted: 0 });
    await set('completed', processing);
    await asOwner((sql) => sql`update analyses set status = 'failed' where id = ${running}`);
    await retain();
    expect(await contentOf([processing, reanalysed])).toEqual({ transcripts: 0, deleted: 2 });
    expect(await retain()).toEqual({ deleted: 0 });
  });

  it('works in batches, and goes on where it was cut off', async () => {
    const ids = await seedOld(130);
    const { body } = await post('/projects', { name: 'Another' });
    await seedOld(130, { ...org, projectId: body.data.id });
    expect(await planOf(org)).toMatch(/^Limit[^\n]*\n[^\n]*Index Scan using records_project_created/);
    const { db } = service.deps.services;
    const batch = await db.withOrg(org.orgId, (tx) => deleteExpiredContent(tx, org.projectId, retentionStart));
    expect(batch).toMatchObject({ deleted: 50, isDone: false });
    expect(await contentOf(ids)).toEqual({ transcripts: 80, deleted: 50 });
    // What the next batch begins with is what the last one noted, not what somebody remembers.
    expect(await retain()).toEqual({ deleted: 80 });
    expect(await contentOf(ids)).toEqual({ transcripts: 0, deleted: 130 });
    const [project] = await asOwner(
      (sql) =>
        sql`select retained_since < now() - interval '29 days' as "isNoted" from projects where id = ${org.projectId}`,
    );
    expect(project).toEqual({ isNoted: true });
  });

  it('forgets what became of calls of portals ninety days after it was settled', async () => {
    const { orgId } = org;
    const ages = { old: 91, ignored: 91, young: 89, waiting: 91 };
    const status = { old: 'taken', ignored: 'ignored', young: 'taken', waiting: 'waiting' };
    for (const [callId, days] of Object.entries(ages)) {
      await asOwner(
        (sql) => sql`insert into crm_calls (org_id, member_id, call_id, portal_id, status, announced_by, updated_at)
          values (${orgId}, 'portal', ${callId}, 'ptl_1', ${status[callId as keyof typeof status]}, 'event',
                  now() - make_interval(days => ${days}))`,
      );
    }
    const plan = await asOwner(async (sql) => {
      await sql`set enable_seqscan = off`;
      return sql`explain select from crm_calls where status <> 'waiting' and updated_at < now() - interval '90 days'`;
    });
    expect(JSON.stringify(plan)).toContain('crm_calls_settled');
    await retain();
    const left = await asOwner((sql) => sql`select call_id from crm_calls where org_id = ${orgId} order by call_id`);
    expect(left.map((row) => row['call_id'])).toEqual(['waiting', 'young']);
  });

  it('deletes what has run out of accounts, more than a batch of it, and nothing else', async () => {
    const { userId } = org;
    await asOwner(async (sql) => {
      await sql`insert into sign_in_attempts (key, failures, next_at, last_at)
        select sha256(n::text::bytea), 1, now(), now() - interval '25 hours' from generate_series(1, 2500) n`;
      for (const [name, hours] of [
        ['past', -1],
        ['future', 1],
      ] as const) {
        const at = sql`now() + make_interval(hours => ${hours})`;
        const key = Buffer.from(name);
        await sql`insert into sign_in_attempts (key, failures, next_at, last_at) values (${key}, 1, now(), ${at} - interval '1 day')`;
        await sql`insert into sign_ins (id, user_id, device, expires_at) values (${name}, ${userId}, 'x', ${at})`;
        await sql`insert into account_links (hash, kind, user_id, expires_at) values (${key}, 'reset', ${userId}, ${at})`;
        await sql`insert into passkey_challenges (hash, purpose, expires_at) values (${key}, 'x', ${at})`;
        await sql`insert into provider_entries (model, hash, payload, expires_at) values ('Session', ${key}, '{}', ${at})`;
        await sql`insert into account_events (id, type, details, created_at) values (${name}, 'sign_in', '{}', ${at} - interval '1 year')`;
      }
    });
    await retain();
    const left = await asOwner(
      (sql) => sql`
        select encode(key, 'escape') as left from sign_in_attempts union all select id from sign_ins
         union all select encode(hash, 'escape') from account_links union all select encode(hash, 'escape') from passkey_challenges
         union all select encode(hash, 'escape') from provider_entries union all select id from account_events`,
    );
    expect(left.map((row) => row['left'])).toEqual(Array.from({ length: 6 }, () => 'future'));
  });

  it('lets calls that are added meanwhile wait for a batch and no longer', async () => {
    await seedOld(2);
    const { db } = service.deps.services;
    const payload = { externalId: 'meanwhile', projectId: org.projectId, recordingUrl: 'https://a.example.com/x' };
    const ingesting = await db.withOrg(org.orgId, async (tx) => {
      await deleteExpiredContent(tx, org.projectId, retentionStart);
      return { answer: post('/records/ingest', payload) };
    });
    expect((await ingesting.answer).status).toBe(202);
  });
});

/** How the next batch is found, once the database knows its rows. */
async function planOf({ orgId, projectId }: TestMember): Promise<string> {
  await asOwner((sql) => sql`analyze records`);
  const rows = await asOwner((sql) =>
    sql.unsafe<{ 'QUERY PLAN': string }[]>(`
      explain select id from records where org_id = '${orgId}' and project_id = '${projectId}'
         and created_at < now() - interval '30 days' and created_at >= now() - interval '400 days'
         and content_deleted_at is null order by created_at, id limit 100`),
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
