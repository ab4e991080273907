import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const api = '/api/v1';
const recordingUrl = 'https://recordings.example.com/call.wav';
const vtt = 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Agent>Hello, how can I help?\n';

let t: TestApp;
let owner: TestMember;
let count = 0;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const ingest = (payload: object = {}, member = owner) =>
  t.as(member, {
    method: 'POST',
    url: `${api}/records/ingest`,
    payload: { externalId: `call-${++count}`, projectId: member.projectId, recordingUrl, ...payload },
  });
const get = (id: string, member = owner) => t.as(member, { url: `${api}/records/${id}` });

async function events(recordId: string): Promise<string[]> {
  const rows = await t.deps.connections.system<{ type: string }[]>`
    select type from outbox where org_id = ${owner.orgId} and data->>'recordId' = ${recordId} order by id`;
  return rows.map(({ type }) => type);
}

describe('POST /records/ingest', () => {
  it('answers with the receipt alone, and says where the record is', async () => {
    const answer = await ingest();
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^rec_[0-9a-hjkmnp-tv-z]{26}$/),
        status: 'pending',
        projectId: owner.projectId,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(answer.headers['location']).toBe(`${api}/records/${answer.body.data.id}`);
    expect(await events(answer.body.data.id)).toEqual(['record.created', 'record.process.requested']);
  });

  it('keeps everything that it was told', async () => {
    const call = {
      externalId: 'full',
      startedAt: '2026-03-01T10:00:00+02:00',
      duration: 95,
      direction: 'inbound',
      agentName: 'Dana Smith',
      customerPhone: '+44 7700 900123',
      language: 'en-GB',
      channelMap: { '0': 'customer', '1': 'agent' },
      crm: { entityType: 'deal', entityId: '42' },
      metadata: { queue: 'billing', nested: { list: [1, null, 'x'] } },
    };
    const { body } = await ingest(call);
    const detail = await get(body.data.id);
    const { channelMap: _channelMap, ...shown } = call;
    expect(detail.body.data).toEqual({
      ...shown,
      id: body.data.id,
      projectId: owner.projectId,
      type: 'call',
      status: 'pending',
      qualityScore: null,
      judgedShare: null,
      needsReviewCount: null,
      complianceStatus: null,
      callAt: '2026-03-01T08:00:00.000Z',
      createdAt: body.data.createdAt,
      completedAt: null,
      agentId: null,
      tags: [],
      analysisId: null,
      source: 'api',
      startedAt: '2026-03-01T08:00:00.000Z',
      channels: null,
      file: null,
      stage: null,
      failure: null,
      contentDeletedAt: null,
      uploadedBy: owner.userId,
    });
  });

  it('gives the first record again for the same source and external id, whatever else is said', async () => {
    const first = await ingest({ externalId: 'same', agentName: 'First' });
    const again = await ingest({
      externalId: 'same',
      agentName: 'Second',
      recordingUrl: 'https://other.example.com/x',
    });
    expect([first.status, again.status]).toEqual([202, 200]);
    expect(again.body).toEqual(first.body);
    expect((await get(first.body.data.id)).body.data.agentName).toBe('First');
    const other = await ingest({ externalId: 'same', source: 'bitrix24' });
    expect(other.status).toBe(202);
    expect(other.body.data.id).not.toBe(first.body.data.id);
  });

  it('makes one record of fifty that come at once, and orders it processed once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ingest({ externalId: 'storm', transcript: vtt })),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    const ids = new Set(answers.map(({ body }) => body.data.id));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    expect(await events(id)).toEqual(['record.created', 'record.process.requested']);
  });

  it('takes a transcript that was made elsewhere, and shows it at once', async () => {
    const { body } = await ingest({ transcript: vtt, agentName: 'Dana' });
    const transcript = await t.as(owner, { url: `${api}/records/${body.data.id}/transcript` });
    expect(transcript.body.data).toMatchObject({
      recordId: body.data.id,
      source: 'supplied',
      text: 'Hello, how can I help?',
      segments: [{ role: 'agent', startMs: 0, endMs: 2000 }],
    });
  });

  it.each([
    [
      { agent: 1, customer: 0 },
      { '0': 'customer', '1': 'agent' },
    ],
    [{ agent: 0 }, { '0': 'agent' }],
    [
      { '0': 'customer', '01': 'agent' },
      { '0': 'customer', '1': 'agent' },
    ],
    [{}, {}],
  ])('keeps the channel map %j by channel', async (channelMap, kept) => {
    const { body } = await ingest({ channelMap });
    const [row] = await t.deps.connections.system`select channel_map from records where id = ${body.data.id}`;
    expect(row).toEqual({ channel_map: kept });
  });

  it('makes a member with that address the one whose call it is', async () => {
    const agent = await t.addMember(owner, 'agent');
    const [user] = await t.deps.connections.system`select email from users where id = ${agent.userId}`;
    const { body } = await ingest({ agent: { email: user?.email.toUpperCase(), name: 'Ag Ent' } });
    expect((await get(body.data.id, agent)).body.data).toMatchObject({ id: body.data.id, agentName: 'Ag Ent' });
    // Someone else's user is nobody here.
    const stranger = await t.createOrg();
    const [outside] = await t.deps.connections.system`select email from users where id = ${stranger.userId}`;
    expect((await ingest({ agent: { email: outside?.email } })).status).toBe(202);
  });

  it.each<[string, object, string]>([
    ['no external id', { externalId: undefined }, 'externalId'],
    ['an empty external id', { externalId: ' ' }, 'externalId'],
    ['a long external id', { externalId: 'x'.repeat(256) }, 'externalId'],
    ['no project', { projectId: undefined }, 'projectId'],
    ['no address', { recordingUrl: undefined }, 'recordingUrl'],
    ['a file address', { recordingUrl: 'file:///etc/passwd' }, 'recordingUrl'],
    ['an FTP address', { recordingUrl: 'ftp://a.example/x.wav' }, 'recordingUrl'],
    ['a script address', { recordingUrl: 'javascript:alert(1)' }, 'recordingUrl'],
    ['a bare path', { recordingUrl: '/etc/passwd' }, 'recordingUrl'],
    ['an unknown source', { source: 'upload' }, 'source'],
    ['an unknown direction', { direction: 'sideways' }, 'direction'],
    ['a negative duration', { duration: -1 }, 'duration'],
    ['half a second', { duration: 1.5 }, 'duration'],
    ['a time without a zone', { startedAt: '2026-03-01T10:00:00' }, 'startedAt'],
    ['a language that is none', { language: 'English' }, 'language'],
    ['a channel that is none', { channelMap: { left: 'agent' } }, 'channelMap.left'],
    ['a role that is none', { channelMap: { '0': 'boss' } }, 'channelMap.0'],
    ['a role under a role', { channelMap: { agent: 'customer' } }, 'channelMap.agent'],
    ['a channel under a channel', { channelMap: { '0': 1 } }, 'channelMap.0'],
    ['a channel below the first', { channelMap: { agent: -1 } }, 'channelMap.agent'],
    ['half a channel', { channelMap: { agent: 0.5 } }, 'channelMap.agent'],
    ['a role that is none beside one', { channelMap: { agent: 1, boss: 0 } }, 'channelMap.boss'],
    ['two roles on one channel', { channelMap: { agent: 1, customer: 1 } }, 'channelMap.customer'],
    ['one channel twice', { channelMap: { '1': 'agent', '01': 'customer' } }, 'channelMap.01'],
    ['roles and channels mixed', { channelMap: { agent: 1, '0': 'customer' } }, 'channelMap.0'],
    ['a list of channels', { channelMap: ['customer', 'agent'] }, 'channelMap'],
    ['an address that is none', { agent: { email: 'dana' } }, 'agent.email'],
    ['a CRM reference without an id', { crm: { entityType: 'deal' } }, 'crm.entityId'],
    ['a transcript that is none', { transcript: 'just words' }, 'transcript'],
    ['metadata that is a list', { metadata: [] }, 'metadata'],
  ])('refuses %s and names it', async (_case, payload, path) => {
    const answer = await ingest(payload);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('answers 404 and never 500 while its project is being deleted', async () => {
    for (let round = 0; round < 5; round += 1) {
      const project = await t.as(owner, { method: 'POST', url: `${api}/projects`, payload: { name: `Gone ${round}` } });
      const projectId = project.body.data.id;
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () => ingest({ projectId })),
        t.as(owner, { method: 'DELETE', url: `${api}/projects/${projectId}?force=true` }),
        ...Array.from({ length: 6 }, () => ingest({ projectId })),
      ]);
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].filter((status) => ![202, 204, 404].includes(status))).toEqual([]);
      expect(statuses.has(204)).toBe(true);
      const [left] = await t.deps.connections
        .system`select count(*)::int as n from records where project_id = ${projectId}`;
      expect(left?.n).toBe(0);
    }
  });
});

describe('GET /records/:id/transcript', () => {
  it('is 409 until there is one', async () => {
    const { body } = await ingest();
    const answer = await t.as(owner, { url: `${api}/records/${body.data.id}/transcript` });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  });

  it.each([
    ['vtt', 'text/vtt'],
    ['srt', 'application/x-subrip'],
    ['txt', 'text/plain'],
  ])('comes as %s on request', async (format, type) => {
    const { body } = await ingest({ transcript: vtt });
    const answer = await t.as(owner, { url: `${api}/records/${body.data.id}/transcript?format=${format}` });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain(type);
    expect(answer.body).toContain('Hello, how can I help?');
  });

  it('comes in no other format', async () => {
    const { body } = await ingest({ transcript: vtt });
    const answer = await t.as(owner, { url: `${api}/records/${body.data.id}/transcript?format=docx` });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'format' }] } } });
  });
});

describe('the file of a record', () => {
  it.each([
    [null, null],
    [7300, { missingMs: 7300 }],
  ])('says what of it could not be read (%s)', async (fileMissingMs, damage) => {
    const file = { fileName: 'a.ogg', fileSizeBytes: 9, fileContentType: 'audio/ogg', fileSha256: 'a', fileMissingMs };
    const [id = ''] = await seedRecords(t, owner, [{ status: 'completed', ...file }]);
    const shown = { name: 'a.ogg', size: 9, contentType: 'audio/ogg', sha256: 'a', damage };
    expect((await get(id)).body.data.file).toEqual(shown);
  });
});

describe('POST /records/:id/retry', () => {
  const failure = { code: 'AUDIO_UNREADABLE', message: 'No audio.', retryable: true };
  const retry = (id: string) => t.as(owner, { method: 'POST', url: `${api}/records/${id}/retry` });

  it('moves a failed record back to pending and orders the next pass', async () => {
    const [id = ''] = await seedRecords(t, owner, [{ status: 'failed', failure, attempt: 3 }]);
    expect((await get(id)).body.data).toMatchObject({ status: 'failed', failure });
    const answer = await retry(id);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.data).toSorted()).toEqual(['createdAt', 'id', 'projectId', 'status']);
    expect(answer.body.data).toMatchObject({ id, status: 'pending' });
    expect((await get(id)).body.data).toMatchObject({ status: 'pending', failure: null });
    const [order] = await t.deps.connections.system`
      select data from outbox where org_id = ${owner.orgId} and data->>'recordId' = ${id}`;
    expect(order?.data).toEqual({ recordId: id, attempt: 4 });
  });

  it('happens once, however often it is asked for at the same time', async () => {
    const [id = ''] = await seedRecords(t, owner, [{ status: 'failed', failure }]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => retry(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await events(id)).toEqual(['record.process.requested']);
  });

  it('is 409 with the reason for a record that no retry can help', async () => {
    const poison = { code: 'AUDIO_EMPTY', message: 'The recording contains no sound.', retryable: false };
    const [id = ''] = await seedRecords(t, owner, [{ status: 'failed', failure: poison }]);
    const message = 'Processing this record again would not help: The recording contains no sound.';
    expect(await retry(id)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', message } } });
    expect((await get(id)).body.data).toMatchObject({ status: 'failed', failure: poison });
    expect(await events(id)).toEqual([]);
  });

  it('is possible where scoring took too much work, once the profile has a newer version', async () => {
    const member = await t.createOrg();
    const poison = { code: 'SCORING_TOO_EXPENSIVE', message: 'It takes too much work.', retryable: false };
    const [id = ''] = await seedRecords(t, member, [{ status: 'failed', failure: poison }]);
    const again = () => t.as(member, { method: 'POST', url: `/api/v1/records/${id}/retry` });
    expect((await again()).status).toBe(409);
    const { id: profileId, categories, compliance } = (await t.as(member, { url: '/api/v1/profiles' })).body.data[0];
    const payload = { categories: categories.slice(0, 1), compliance };
    const changed = await t.as(member, { method: 'PATCH', url: `/api/v1/profiles/${profileId}`, payload });
    expect(changed.status).toBe(200);
    expect(await again()).toMatchObject({ status: 200, body: { data: { id, status: 'pending' } } });
  });

  it.each(['pending', 'processing', 'completed'] as const)('is 409 for a record that is %s', async (status) => {
    const [id = ''] = await seedRecords(t, owner, [{ status }]);
    const answer = await retry(id);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect((await get(id)).body.data.status).toBe(status);
  });
});

describe('DELETE /records/:id', () => {
  const remove = (id: string) => t.as(owner, { method: 'DELETE', url: `${api}/records/${id}` });

  it('takes the record, its transcript and its analyses, and orders its recording away', async () => {
    const storageKey = `${owner.orgId}/recording`;
    const [id = ''] = await seedRecords(t, owner, [{ status: 'completed', storageKey, externalId: 'gone' }]);
    const analysisId = await seedAnalysis(t, owner, { recordId: id });
    expect((await remove(id)).status).toBe(204);
    const urls = [`/records/${id}`, `/records/${id}/transcript`, `/records/${id}/audio`, `/analyses/${analysisId}`];
    const answers = await Promise.all(urls.map((url) => t.as(owner, { url: `${api}${url}` })));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const orders = await t.deps.connections.system`
      select type, data from outbox where org_id = ${owner.orgId} and (data->>'recordId' = ${id} or data->>'storageKey' = ${storageKey}) order by id`;
    expect(orders.map((row) => ({ ...row }))).toEqual([
      { type: 'record.deleted', data: { recordId: id, projectId: owner.projectId, externalId: 'gone' } },
      { type: 'object.delete.requested', data: { storageKey } },
    ]);
  });

  it('happens once, however often it is asked for at the same time', async () => {
    const [id = ''] = await seedRecords(t, owner, [{}]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 7 }, () => 404)]);
    expect(await events(id)).toEqual(['record.deleted']);
  });

  it('lets the same call be ingested again, as a new record', async () => {
    const first = await ingest({ externalId: 'phoenix' });
    await remove(first.body.data.id);
    const second = await ingest({ externalId: 'phoenix' });
    expect(second.status).toBe(202);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });
});
