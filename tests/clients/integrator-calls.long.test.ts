import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { captions, startWithCall, wave, type Integrator, type IntegratorOrg } from '../support/integrator.ts';

/** A day of an integrator: calls are sent, read, heard and deleted. */
let s: Integrator;
let owner: TestMember;
let stranger: TestMember;
let other: string;
let anna: IntegratorOrg['anna'];
let record: IntegratorOrg['record'];

beforeAll(async () => {
  ({ s, owner, stranger, other, anna, record } = await startWithCall());
});
afterAll(() => s.close());

describe('one call', () => {
  it('is what was sent', async () => {
    const bytes = Buffer.from(await wave().arrayBuffer());
    expect(await record(anna.id)).toMatchObject({
      projectId: owner.projectId,
      type: 'call',
      status: 'completed',
      duration: 10,
      agentName: 'Anna Ångström',
      direction: 'inbound',
      externalId: 'a-1',
      startedAt: '2026-03-02T10:00:00.000Z',
      callAt: '2026-03-02T10:00:00.000Z',
      source: 'upload',
      channels: 1,
      analysisId: anna.analysisId,
      failure: null,
      metadata: { queue: 'refunds' },
      file: {
        name: 'call.wav',
        size: bytes.length,
        contentType: 'audio/wav',
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    });
  });

  it.each([
    'getRecord',
    'getRecordTranscript',
    'getRecordCaptions',
    'getRecordAudio',
    'deleteRecord',
    'retryRecord',
    'listRecordChanges',
    'createPlayback',
    'swapSpeakers',
  ])('is not there for %s of a stranger', async (operationId) => {
    const { status, body } = await s.request(stranger, operationId, { path: [anna.id] });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['retryRecord'])('that is completed refuses %s', async (operationId) => {
    const { status, body } = await s.request(owner, operationId, { path: [anna.id] });
    expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
  });
});

describe('a transcript', () => {
  it('is what was supplied', async () => {
    const { body } = await s.request(owner, 'getRecordTranscript', { path: [anna.id] });
    expect(body.data).toMatchObject({ recordId: anna.id, source: 'supplied', model: null });
    const said: { role: string; startMs: number; endMs: number; index: number }[] = body.data.segments;
    expect(said.map(({ role }) => role)).toEqual(['agent', 'customer', 'agent', 'agent']);
    expect(said[0]).toMatchObject({ index: 0, startMs: 200, endMs: 2800 });
    expect(body.data.text).toContain('zeppelin');
  });

  it.each([
    ['vtt', 'text/vtt', 'WEBVTT'],
    ['srt', 'application/x-subrip', '00:00:00,200 --> 00:00:02,800'],
    ['txt', 'text/plain', 'zeppelin'],
  ])('comes as %s', async (format, type, words) => {
    const { headers, body } = await s.request(owner, 'getRecordTranscript', {
      path: [anna.id],
      query: `format=${format}`,
    });
    expect(headers['content-type']).toContain(type);
    expect(body).toContain(words);
  });

  it.each([
    ['', 'text/vtt', 'WEBVTT'],
    ['format=vtt', 'text/vtt', '00:00:00.200 --> 00:00:02.800'],
    ['format=srt', 'text/srt', '00:00:00,200 --> 00:00:02,800'],
    ['format=txt', 'text/plain', 'zeppelin'],
  ])('has captions by %s', async (query, type, words) => {
    const { headers, body } = await s.request(owner, 'getRecordCaptions', { path: [anna.id], query });
    expect(headers['content-type']).toContain(type);
    expect(body).toContain(words);
  });
});

describe('a recording', () => {
  const size = 44 + 160_000;
  const hear = (headers: Record<string, string>) => s.request(owner, 'getRecordAudio', { path: [anna.id], headers });

  it.each([
    ['bytes=0-0', 206, `bytes 0-0/${size}`, '1'],
    ['bytes=0-99', 206, `bytes 0-99/${size}`, '100'],
    ['bytes=100-', 206, `bytes 100-${size - 1}/${size}`, String(size - 100)],
    ['bytes=-1', 206, `bytes ${size - 1}-${size - 1}/${size}`, '1'],
    [`bytes=-${size + 5}`, 206, `bytes 0-${size - 1}/${size}`, String(size)],
    [`bytes=${size - 1}-${size + 100}`, 206, `bytes ${size - 1}-${size - 1}/${size}`, '1'],
  ])('answers %s with %d', async (range, status, part, length) => {
    const answer = await hear({ range });
    expect([answer.status, answer.headers['content-range'], answer.headers['content-length']]).toEqual([
      status,
      part,
      length,
    ]);
  });

  it.each([`bytes=${size}-`, 'bytes=-0', `bytes=${size + 10}-${size + 20}`])('answers %s with 416', async (range) => {
    const { status, headers, body } = await hear({ range });
    expect([status, body.error.code, headers['content-range']]).toEqual([
      416,
      'RANGE_NOT_SATISFIABLE',
      `bytes */${size}`,
    ]);
  });

  it.each(['items=0-5', 'bytes=5-2', 'bytes=x-y', 'bytes='])('is whole for %s, which says nothing', async (range) => {
    expect((await hear({ range })).status).toBe(200);
  });

  it('says what it is and is not sent twice', async () => {
    const { headers } = await hear({});
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'audio/wav',
      'content-length': String(size),
    });
    expect(headers['content-disposition']).toMatch(/^inline; filename="?call\.wav"?/);
    const tag = headers['etag'] ?? '';
    expect((await hear({ 'if-none-match': tag })).status).toBe(304);
    expect((await hear({ 'if-none-match': '"other"' })).status).toBe(200);
    expect((await hear({ range: 'bytes=0-9', 'if-range': tag })).status).toBe(206);
    expect((await hear({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
  });

  it('is heard by the address of a player alone', async () => {
    const { body } = await s.request(owner, 'createPlayback', { path: [anna.id], json: {} });
    const first = await s.send(body.data.url, { headers: { range: 'bytes=0-3' } });
    expect([first.status, first.body]).toEqual([206, 'RIFF']);
    expect(Date.parse(body.data.expiresAt)).toBeGreaterThan(Date.now());
    expect((await s.send(`${body.data.url}x`)).status).not.toBe(200);
  });
});

describe('what is sent', () => {
  it.each([
    ['no audio at all', { file: new Blob(['hello, I am text']) }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['an empty file', { file: new Blob([]) }, 422, 'UNPROCESSABLE'],
    ['a project that is not there', { projectId: 'prj_x' }, 404, 'NOT_FOUND'],
    ['a misspelt fact', { metadata: { agent_name: 'x' } }, 400, 'VALIDATION_ERROR'],
    ['a fact of another type', { metadata: { agentName: 7 } }, 400, 'VALIDATION_ERROR'],
    ['a name of 256 letters', { metadata: { agentName: 'a'.repeat(256) } }, 400, 'VALIDATION_ERROR'],
    ['a direction that is none', { metadata: { direction: 'up' } }, 400, 'VALIDATION_ERROR'],
    ['a start that is no time', { metadata: { startedAt: 'noon' } }, 400, 'VALIDATION_ERROR'],
    ['a language that is none', { metadata: { language: 'english please' } }, 400, 'VALIDATION_ERROR'],
    ['a transcript that is none', { transcript: 'WEBVTT\n\nnonsense --> nonsense\nx' }, 400, 'VALIDATION_ERROR'],
    [
      'another recording under an id that is taken',
      { metadata: { externalId: 'a-1' }, file: wave(3) },
      409,
      'CONFLICT',
    ],
  ])('%s is refused', async (_, call, status, code) => {
    const answer = await s.upload(owner, call);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  });

  it('under the same id is the first call', async () => {
    const { status, body } = await s.upload(owner, { metadata: { externalId: 'a-1' } });
    expect([status, body.data.id]).toEqual([200, anna.id]);
  });

  it.each([
    ['a name of 255 letters', { agentName: 'a'.repeat(255) }],
    ['an external id of 255 letters', { externalId: 'é'.repeat(255) }],
    ['keys of one’s own', { ключ: { deep: [1, null, '😀'] } }],
    ['a map of channels by role', { channelMap: { agent: 0 } }],
    ['a map of channels by channel', { channelMap: { 0: 'agent' } }],
  ])('with %s is taken', async (_, metadata) => {
    const { status, body } = await s.upload(owner, { projectId: other, metadata, file: wave(1) });
    expect([status, Object.keys(body.data)]).toEqual([201, ['id', 'status', 'projectId', 'createdAt']]);
    expect((await s.request(owner, 'deleteRecord', { path: [body.data.id] })).status).toBe(204);
    expect((await s.request(owner, 'getRecord', { path: [body.data.id] })).status).toBe(404);
  });

  it('with a key is sent once', async () => {
    const call = { projectId: other, file: wave(2), headers: { 'idempotency-key': 'upload-1' } };
    const first = await s.upload(owner, call);
    const again = await s.upload(owner, call);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(again.headers['location']).toBe(`/api/v1/records/${first.body.data.id}`);
    const changed = await s.upload(owner, { ...call, file: wave(3) });
    expect([changed.status, changed.body.error.code]).toEqual([409, 'CONFLICT']);
    await s.request(owner, 'deleteRecord', { path: [first.body.data.id] });
  });

  it('at an address is fetched, and failed if nobody is there', async () => {
    const json = {
      externalId: 'i-1',
      projectId: other,
      recordingUrl: 'http://127.0.0.1:9/x.wav',
      transcript: captions,
    };
    const { status, body } = await s.request(owner, 'ingestRecord', { json });
    expect([status, body.data.status]).toEqual([202, 'pending']);
    const again = await s.request(owner, 'ingestRecord', { json });
    expect([again.status, again.body.data.id]).toEqual([200, body.data.id]);
    await s.request(owner, 'deleteRecord', { path: [body.data.id] });
  });

  it.each(['ftp://example.com/a.wav', 'javascript:alert(1)', 'file:///etc/passwd', 'a.wav', ''])(
    'at the address %s is refused',
    async (recordingUrl) => {
      const json = { externalId: 'i-2', projectId: other, recordingUrl };
      const { status, body } = await s.request(owner, 'ingestRecord', { json });
      expect([status, body.error.details[0].path]).toEqual([400, 'recordingUrl']);
    },
  );
});
