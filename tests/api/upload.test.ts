import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import type { Database } from '../../src/db/scope.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { StorageError, type ObjectStorage } from '../../src/providers/object-storage/interface.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { upload, uploadLimits } from '../../src/http/upload.ts';
import {
  boundary,
  formBytes,
  formType,
  leftovers,
  makeAudio,
  openUpload,
  partBytes,
  send,
  wavHeader,
  type Answer,
  type Part,
} from './upload-support.ts';

let t: TestApp;
let baseUrl: string;
let owner: TestMember;
let wav: Buffer;
let filePart: Part;
let projectPart: Part;

beforeAll(async () => {
  wav = await makeAudio('wav');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - wav.indexOf('data') - 8, wav.indexOf('data') + 4);
  t = await createTestApp({ runPipeline: false });
  baseUrl = await t.listen();
});
afterAll(() => t.close());

beforeEach(async () => {
  owner = await t.createOrg();
  filePart = { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: wav };
  projectPart = { name: 'projectId', content: owner.projectId };
});

function sendAs(member: TestMember, parts: Part[], headers?: Record<string, string>): Promise<Answer> {
  return send(baseUrl, { member, parts, ...(headers && { headers }) });
}

function detailOf(id: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  return t.as(owner, { url: `/api/v1/records/${id}` });
}

/** The refusal in our envelope, and that nothing is left of what was refused. */
async function refused(
  attempt: () => Promise<Answer>,
): Promise<{ status: number; code: string; message: string; paths: string[] }> {
  const before = await leftovers(t);
  const { status, headers, body } = await attempt();
  expect(headers['x-request-id']).toMatch(/^[\w.-]+$/);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  await expect.poll(() => leftovers(t), { timeout: 45_000 }).toEqual(before);
  const details: { path: string }[] = body.error.details ?? [];
  return {
    status,
    code: body.error.code,
    message: body.error.message,
    paths: [...new Set(details.map(({ path }) => path))],
  };
}

describe('an upload', () => {
  it('answers 201 with exactly four fields and the place of the record', async () => {
    const { status, headers, body } = await sendAs(owner, [filePart, projectPart]);
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^rec_[0-9a-z]{26}$/),
        status: 'pending',
        projectId: owner.projectId,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(headers['location']).toBe(`/api/v1/records/${body.data.id}`);
    expect(headers['x-request-id']).toBeDefined();
  });

  it('is stored as it was sent, and known by size, hash, type, name and duration', async () => {
    const { body } = await sendAs(owner, [filePart, projectPart]);
    const { id } = body.data;
    expect((await detailOf(id)).body.data).toMatchObject({
      id,
      status: 'pending',
      source: 'upload',
      duration: 2,
      channels: 1,
      contentDeletedAt: null,
      uploadedBy: owner.userId,
      file: {
        name: 'call.wav',
        size: wav.length,
        contentType: 'audio/wav',
        sha256: createHash('sha256').update(wav).digest('hex'),
        damage: null,
      },
    });
    const stored = await readFile(join(t.dataDir, 'objects', owner.orgId, id));
    expect(stored.equals(wav)).toBe(true);
    expect((await leftovers(t)).uploads).toBe(0);
  });

  it('is ordered to be processed and announced, once', async () => {
    const { body } = await sendAs(owner, [filePart, projectPart]);
    const events = await t.deps.connections.system`
      select type from outbox where org_id = ${owner.orgId} and data->>'recordId' = ${body.data.id} order by type`;
    expect(events.map(({ type }) => type)).toEqual(['record.created', 'record.process.requested']);
  });

  it('takes its facts from the metadata and keeps further keys', async () => {
    const metadata = {
      agentName: 'Elizabeth',
      customerPhone: '+79001234567',
      direction: 'inbound',
      startedAt: '2026-01-31T12:00:00+03:00',
      externalId: 'call-4711',
      language: 'en-US',
      channelMap: { '0': 'agent', '1': 'customer' },
      queue: 'cards',
      nested: { a: [1, 'ünïcödé'] },
    };
    const parts = [{ name: 'metadata', content: JSON.stringify(metadata) }, projectPart, filePart];
    const { status, body } = await sendAs(owner, parts);
    expect(status).toBe(201);
    expect((await detailOf(body.data.id)).body.data).toMatchObject({
      agentName: 'Elizabeth',
      customerPhone: '+79001234567',
      direction: 'inbound',
      startedAt: '2026-01-31T09:00:00.000Z',
      externalId: 'call-4711',
      language: 'en-US',
      metadata: { queue: 'cards', nested: { a: [1, 'ünïcödé'] } },
    });
  });

  it('takes who speaks on which channel by role, for a supplied transcript too', async () => {
    const metadata = JSON.stringify({ channelMap: { agent: 0, customer: 1 } });
    const said = [0, 1].map((channel) => ({
      channel,
      startMs: channel * 1000,
      endMs: channel * 1000 + 900,
      text: 'Yes',
    }));
    const transcript = { name: 'transcript', content: JSON.stringify(said) };
    const { body } = await sendAs(owner, [{ name: 'metadata', content: metadata }, transcript, projectPart, filePart]);
    const { body: answer } = await t.as(owner, { url: `/api/v1/records/${body.data.id}/transcript` });
    expect(answer.data.segments.map(({ role }: { role: string }) => role)).toEqual(['agent', 'customer']);
  });

  it('names the place of a mistake in its channel map', async () => {
    const metadata = JSON.stringify({ channelMap: { agent: 1, customer: 1 } });
    const { status, body } = await sendAs(owner, [{ name: 'metadata', content: metadata }, projectPart, filePart]);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { path: 'metadata.channelMap.customer', message: 'Channel 1 has a role already' },
    ]);
  });

  it('takes its parts in any order, and the small ones as files too', async () => {
    const metadata: Part = {
      name: 'metadata',
      fileName: 'blob',
      type: 'application/json',
      content: '{"agentName":"Ann"}',
    };
    const transcript: Part = {
      name: 'transcript',
      fileName: 'call.vtt',
      type: 'text/vtt',
      content: 'WEBVTT\n\n00:00.000 --> 00:01.000\n<v Agent>Hello\n',
    };
    const parts = [filePart, projectPart, metadata, transcript];
    const orders = parts.map((_, at) => [...parts.slice(at), ...parts.slice(0, at)]);
    for (const order of [...orders, parts.toReversed()]) {
      const { status, body } = await sendAs(owner, order);
      expect(status).toBe(201);
      expect((await detailOf(body.data.id)).body.data.agentName).toBe('Ann');
    }
  });

  it.each([
    ['WebVTT', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<v Agent>Hello there\n'],
    ['SubRip', '1\n00:00:00,000 --> 00:00:01,000\nAgent: Hello there\n'],
    ['JSON', '[{"role":"agent","startMs":0,"endMs":1000,"text":"Hello there"}]'],
  ])('may bring a transcript as %s, which can be read at once', async (_format, content) => {
    const { body } = await sendAs(owner, [{ name: 'transcript', content }, filePart, projectPart]);
    const { status, body: answer } = await t.as(owner, { url: `/api/v1/records/${body.data.id}/transcript` });
    expect(status).toBe(200);
    expect(answer.data).toMatchObject({
      recordId: body.data.id,
      source: 'supplied',
      model: null,
      segments: [{ role: 'agent', startMs: 0, endMs: 1000, text: 'Hello there' }],
    });
  });

  it.each([
    ['mp3', 'audio/mpeg', 'mp3', ''],
    ['ogg', 'audio/ogg', 'ogg', '-c:a libvorbis'],
    ['flac', 'audio/flac', 'flac', ''],
    ['m4a', 'audio/mp4', 'ipod', '-movflags +frag_keyframe+empty_moov'],
  ])('is known as %s by its bytes, whatever it is called', async (_name, contentType, format, options) => {
    const content = await makeAudio(format, options);
    const { status, body } = await sendAs(owner, [
      { name: 'file', fileName: 'misnamed.txt', type: 'text/plain', content },
      projectPart,
    ]);
    expect(status).toBe(201);
    expect((await detailOf(body.data.id)).body.data.file.contentType).toBe(contentType);
  });

  it.each([
    ['..\\\\..\\\\evil.wav', 'evil.wav'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/shadow', 'shadow'],
    ['разговор №1.wav', 'разговор №1.wav'],
    ['a\u202Egnp.wav', 'agnp.wav'],
    ['..', null],
    ['', null],
  ])('keeps the name %j for show only', async (fileName, name) => {
    const before = (await leftovers(t)).files;
    const { status, body } = await sendAs(owner, [{ ...filePart, fileName }, projectPart]);
    expect(status).toBe(201);
    expect((await detailOf(body.data.id)).body.data.file.name).toBe(name);
    expect((await leftovers(t)).files).toBe(before + 1);
    await readFile(join(t.dataDir, 'objects', owner.orgId, body.data.id));
  });

  it('may have empty metadata', async () => {
    const { status } = await sendAs(owner, [{ name: 'metadata', content: '  ' }, filePart, projectPart]);
    expect(status).toBe(201);
  });

  it('may have text before its first boundary and behind its last one', async () => {
    const { req, answer } = openUpload(baseUrl, { ...owner.headers, 'content-type': formType });
    req.end(Buffer.concat([Buffer.from('preamble\r\n'), formBytes([filePart, projectPart]), Buffer.from('epilogue')]));
    expect((await answer).status).toBe(201);
  });

  it('may come in pieces of one byte', async () => {
    const tiny = await makeAudio('mp3', '-t 0.3 -b:a 8k');
    const bytes = formBytes([{ ...filePart, content: tiny }, projectPart]);
    const { req, answer } = openUpload(baseUrl, { ...owner.headers, 'content-type': formType });
    for (let at = 0; at < bytes.length; at += 1) req.write(bytes.subarray(at, at + 1));
    req.end();
    expect((await answer).status).toBe(201);
  });

  it('is one of many at the same time without mixing them up', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const content = Buffer.concat([wav, Buffer.alloc(at * 1000)]);
        const { body } = await sendAs(owner, [projectPart, { ...filePart, content, fileName: `${at}.wav` }]);
        return { id: body.data.id as string, size: content.length };
      }),
    );
    for (const { id, size } of made) expect((await detailOf(id)).body.data.file.size).toBe(size);
  });
});

describe('who may upload', () => {
  it('is checked before a byte of the body is read', async () => {
    const reviewer = await t.addMember(owner, 'reviewer');
    const cases: [Record<string, string>, number][] = [
      [{}, 401],
      [{ ...owner.headers, authorization: 'Bearer cat_wrong' }, 401],
      [{ authorization: owner.headers['authorization'] ?? '' }, 400],
      [{ ...owner.headers, 'x-selected-org-id': 'org_other' }, 403],
      [reviewer.headers, 403],
    ];
    for (const [headers, expected] of cases) {
      const { req, answer } = openUpload(baseUrl, {
        ...headers,
        'content-type': formType,
        'content-length': '1000000',
      });
      req.flushHeaders();
      const { status, body } = await answer;
      expect(status).toBe(expected);
      expect(body.error.code).toBeDefined();
      req.destroy();
    }
  });

  it('includes agents, who then see the record, and supervisors within their projects', async () => {
    const agent = await t.addMember(owner, 'agent');
    const { status, body } = await sendAs(agent, [filePart, projectPart]);
    expect(status).toBe(201);
    expect((await t.as(agent, { url: `/api/v1/records/${body.data.id}` })).status).toBe(200);
    const supervisor = await t.addMember(owner, 'supervisor', []);
    expect(await refused(() => sendAs(supervisor, [filePart, projectPart]))).toMatchObject({ status: 404 });
  });

  it.each(['prj_01ky8v3tq6e5ztsn2hj5r5e6dn', 'nonsense', 'a\0b', '', ' '])(
    'does not include a project %j that does not exist, before the file and after it',
    async (content) => {
      const project = { name: 'projectId', content };
      const expected = { status: 404, code: 'NOT_FOUND', message: 'Project not found.' };
      expect(await refused(() => sendAs(owner, [project, filePart]))).toMatchObject(expected);
      expect(await refused(() => sendAs(owner, [filePart, project]))).toMatchObject(expected);
    },
  );

  it("does not include another organization's project, which reads like none", async () => {
    const other = await t.createOrg();
    const project = { name: 'projectId', content: other.projectId };
    const expected = { status: 404, message: 'Project not found.' };
    expect(await refused(() => sendAs(owner, [filePart, project]))).toMatchObject(expected);
  });
});

describe('a body that is not right is refused and leaves nothing:', () => {
  it.each<[string, () => Part[], string[]]>([
    ['no file', () => [projectPart], ['file']],
    ['no project', () => [filePart], ['projectId']],
    ['neither', () => [], ['file', 'projectId']],
    ['two files', () => [filePart, projectPart, filePart], ['file']],
    ['two files, one under another name', () => [filePart, { ...filePart, name: 'file2' }, projectPart], ['file2']],
    ['a project twice', () => [projectPart, filePart, projectPart], ['projectId']],
    [
      'metadata twice',
      () => [{ name: 'metadata', content: '{}' }, projectPart, filePart, { name: 'metadata', content: '{}' }],
      ['metadata'],
    ],
    [
      'metadata that is no JSON',
      () => [{ name: 'metadata', content: '{agentName}' }, projectPart, filePart],
      ['metadata'],
    ],
    ['metadata that is no object', () => [{ name: 'metadata', content: '[]' }, projectPart, filePart], ['metadata']],
    [
      'metadata with NUL',
      () => [filePart, { name: 'metadata', content: '{"a":"\\u0000"}' }, projectPart],
      ['metadata.a'],
    ],
    [
      'metadata with NUL in a key',
      () => [filePart, { name: 'metadata', content: '{"\\u0000":1}' }, projectPart],
      ['metadata.\ufffd'],
    ],
    [
      'metadata with a prototype',
      () => [filePart, { name: 'metadata', content: '{"__proto__":{"a":1}}' }, projectPart],
      ['metadata.__proto__'],
    ],
    [
      'metadata without end',
      () => [filePart, { name: 'metadata', content: `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}` }, projectPart],
      [`metadata.a${'.0'.repeat(10)}.…`],
    ],
    [
      'metadata that is no UTF-8',
      () => [filePart, { name: 'metadata', content: Buffer.from([0x22, 0xff, 0x22]) }, projectPart],
      ['metadata'],
    ],
    [
      'metadata with wrong fields',
      () => [
        filePart,
        { name: 'metadata', content: '{"direction":"up","startedAt":"yesterday","agentName":7}' },
        projectPart,
      ],
      ['metadata.agentName', 'metadata.direction', 'metadata.startedAt'],
    ],
    [
      'a transcript that is none',
      () => [filePart, projectPart, { name: 'transcript', content: 'hello' }],
      ['transcript'],
    ],
    [
      'a transcript with a wrong time',
      () => [filePart, projectPart, { name: 'transcript', content: '[{"startMs":"x","endMs":1,"text":"a"}]' }],
      ['transcript.0.startMs'],
    ],
    [
      'too many parts',
      () => [...Array.from({ length: 30 }, () => ({ name: 'x', content: 'y' })), filePart, projectPart],
      ['body'],
    ],
    ['a part that nobody knows', () => [filePart, { name: 'comment', content: 'x' }, projectPart], ['comment']],
    ['a large part that nobody knows', () => [{ name: 'comment', content: 'x'.repeat(3_000_000) }], ['comment']],
    [
      'a fact as a part of its own',
      () => [{ name: 'agentName', content: 'Ann' }, filePart, projectPart],
      ['agentName'],
    ],
    [
      'a part named like a prototype',
      () => [{ name: '__proto__', content: 'x' }, filePart, projectPart],
      ['__proto__'],
    ],
    ['a part without a name', () => [{ name: '', content: 'x' }, filePart, projectPart], ['']],
    [
      'facts that are misspelt',
      () => [
        { name: 'metadata', content: '{"agent_name":"A","customerphone":"1","langage":"en"}' },
        filePart,
        projectPart,
      ],
      ['metadata.agent_name', 'metadata.customerphone', 'metadata.langage'],
    ],
  ])('%s', async (_what, parts, paths) => {
    const answer = await refused(() => sendAs(owner, parts()));
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.paths.sort()).toEqual(paths);
  });

  it.each<[string, () => Part[]]>([
    ['a project id', () => [{ name: 'projectId', content: 'x'.repeat(256) }, filePart]],
    ['metadata', () => [filePart, projectPart, { name: 'metadata', content: `{"a":"${'x'.repeat(1_050_000)}"}` }]],
    ['a transcript', () => [filePart, projectPart, { name: 'transcript', content: 'x'.repeat(5_000_001) }]],
  ])('%s that is too long is not cut, but refused', async (_what, parts) => {
    expect(await refused(() => sendAs(owner, parts()))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['another boundary', 'multipart/form-data; boundary=other'],
  ])('%s', async (_what, type) => {
    const answer = await refused(() => sendAs(owner, [filePart, projectPart], { 'content-type': type }));
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'audio/wav',
    'multipart/mixed; boundary=x',
    'text/plain',
  ])('the type %s', async (type) => {
    const answer = await refused(() => sendAs(owner, [filePart, projectPart], { 'content-type': type }));
    expect(answer).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it('no body at all', async () => {
    const answer = await refused(() => {
      const { req, answer } = openUpload(baseUrl, { ...owner.headers, 'content-type': formType });
      req.end();
      return answer;
    });
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('the name of a file in place of the file, and says how curl sends one', async () => {
    const named = () => sendAs(owner, [projectPart, { name: 'file', content: 'call.mp3' }]);
    expect(await refused(named)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect((await named()).body.error.message).toContain('-F file=@call.mp3');
  });

  it('no type', async () => {
    const answer = await refused(() => {
      const { req, answer } = openUpload(baseUrl, owner.headers);
      req.end('x');
      return answer;
    });
    expect(answer).toMatchObject({ status: 415 });
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['garbage', () => Buffer.alloc(10_000, 'garbage ')],
    ['an end without its last boundary', (bytes) => bytes.subarray(0, bytes.length - boundary.length - 8)],
    ['an end in the middle of the file', (bytes) => bytes.subarray(0, 5000)],
    ['an end in the middle of a header', (bytes) => bytes.subarray(0, boundary.length + 20)],
    ['headers without end', () => Buffer.from(`--${boundary}\r\n${'X-Long: y\r\n'.repeat(100_000)}`)],
    ['parts without a name', () => Buffer.from(`--${boundary}\r\nX: y\r\n\r\nbody\r\n--${boundary}--\r\n`)],
  ])('%s', async (_what, change) => {
    const answer = await refused(() => {
      const { req, answer } = openUpload(baseUrl, { ...owner.headers, 'content-type': formType });
      req.end(change(formBytes([filePart, projectPart])));
      return answer;
    });
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('a file that is no recording is refused and leaves nothing:', () => {
  it.each<[string, () => Buffer]>([
    ['text that is called .mp3', () => Buffer.from('This is no music. '.repeat(10_000))],
    ['a short text', () => Buffer.from('no')],
    ['a playlist', () => Buffer.from('#EXTM3U\nfile:///etc/passwd\n')],
    ['a program', () => Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(5000)])],
  ])('%s', async (_what, content) => {
    const file = { name: 'file', fileName: 'call.mp3', type: 'audio/mpeg', content: content() };
    const answer = await refused(() => sendAs(owner, [file, projectPart]));
    expect(answer).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it('a long one before it has been received', async () => {
    const { req, answer } = openUpload(baseUrl, { ...owner.headers, 'content-type': formType });
    req.write(partBytes({ ...filePart, content: Buffer.alloc(200_000, 'text ') }).subarray(0, 150_000));
    expect((await answer).status).toBe(415);
    req.destroy();
  });

  it.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['nothing', () => Buffer.alloc(0), 'empty'],
    ['a WAV without sound', () => wavHeader(44), 'no sound'],
    ['a cut WAV', () => wav.subarray(0, wav.length / 2), 'cut off'],
    ['a cut MP3', async () => (await makeAudio('mp3', '-b:a 32k')).subarray(0, 4000), 'cut off'],
    ['a cut FLAC', async () => flac().then((bytes) => bytes.subarray(0, bytes.length / 2)), 'cut off'],
    [
      'a cut M4A',
      async () => (await makeAudio('ipod', '-movflags +frag_keyframe+empty_moov')).subarray(0, 5000),
      'cut off',
    ],
    ['a cut OGG', async () => (await makeAudio('ogg', '-c:a libvorbis')).subarray(0, -500), 'cut off'],
  ])('%s', async (_what, content, why) => {
    const file = { ...filePart, content: await content() };
    const answer = await refused(() => sendAs(owner, [projectPart, file]));
    expect(answer).toMatchObject({ status: 422, code: 'UNPROCESSABLE', message: expect.stringContaining(why) });
  });

  /** Through a pipe ffmpeg cannot go back to write how long the sound is, so the header gets it here. */
  async function flac(): Promise<Buffer> {
    const bytes = await makeAudio('flac');
    bytes.writeUInt32BE(32_000, 22);
    return bytes;
  }
});

describe('500 MB', () => {
  const limit = 524_288_000;

  it('and more are refused by their announced length alone', async () => {
    const headers = { ...owner.headers, 'content-type': formType, 'content-length': String(limit * 2) };
    const { req, answer } = openUpload(baseUrl, headers);
    req.flushHeaders();
    expect(await answer).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
    req.destroy();
  });

  /** Sends a file of that many bytes without ever holding it. */
  async function sendLarge(sizeBytes: number): Promise<Answer> {
    const { req, answer } = openUpload(baseUrl, { ...owner.headers, 'content-type': formType });
    const [head = '', tail = ''] = partBytes({ ...filePart, content: 'CONTENT' })
      .toString()
      .split('CONTENT');
    req.on('error', () => {});
    req.write(partBytes(projectPart));
    req.write(head);
    req.write(wavHeader(sizeBytes));
    const chunk = Buffer.alloc(1_048_576);
    const closed = new Promise((resolve) => void req.once('close', resolve));
    for (let left = sizeBytes - 44; left > 0 && !req.destroyed; left -= chunk.length) {
      if (!req.write(left < chunk.length ? chunk.subarray(0, left) : chunk)) {
        await Promise.race([new Promise((resolve) => void req.once('drain', resolve)), closed]);
      }
    }
    req.end(`${tail}--${boundary}--\r\n`);
    return answer;
  }

  it('are taken to the last byte, in constant memory', async () => {
    let peak = 0;
    const before = process.memoryUsage().rss;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
    const { status, body } = await sendLarge(limit);
    clearInterval(timer);
    expect(status).toBe(201);
    expect((await detailOf(body.data.id)).body.data).toMatchObject({ duration: 16_384, file: { size: limit } });
    // Sender and service share this process.
    expect(peak - before).toBeLessThan(200_000_000);
    await t.deps.services.storage.remove(`${owner.orgId}/${body.data.id}`);
  });

  it('and one byte are too much', async () => {
    const answer = await refused(() => sendLarge(limit + 1));
    expect(answer).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The file is larger than 500 MB.',
    });
  });
});

describe('a sender that goes away', () => {
  it('leaves no file and no row, wherever the connection breaks', async () => {
    const bytes = formBytes([projectPart, { ...filePart, content: Buffer.concat([wav, Buffer.alloc(400_000)]) }]);
    const before = await leftovers(t);
    const offsets = [0.0001, 0.001, 0.01, 0.3, 0.5, 0.9, 0.999, 1].map((part) => Math.floor(bytes.length * part) - 1);
    await Promise.all(
      offsets.map(async (offset, at) => {
        const { req, answer } = openUpload(baseUrl, {
          ...owner.headers,
          'content-type': formType,
          'content-length': String(bytes.length),
        });
        req.write(bytes.subarray(0, offset));
        await sleep(10 + at * 15);
        req.destroy();
        await answer.catch(() => {});
      }),
    );
    await expect.poll(() => leftovers(t), { timeout: 45_000 }).toEqual(before);
  });

  it('is told apart from one that ended properly: half a chunked body is refused', async () => {
    const before = await leftovers(t);
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    const headers = Object.entries({
      ...owner.headers,
      'content-type': formType,
      host: 'x',
      'transfer-encoding': 'chunked',
    });
    socket.write(
      `POST /api/v1/records/upload HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`,
    );
    const bytes = formBytes([projectPart, filePart]);
    socket.write(`${(bytes.length + 100).toString(16)}\r\n`);
    socket.write(bytes);
    await sleep(200);
    socket.end();
    socket.resume();
    await once(socket, 'close');
    await expect.poll(() => leftovers(t), { timeout: 45_000 }).toEqual(before);
  });
});

describe('a crash', () => {
  it('finds a trace of what is being received, until the record stands', async () => {
    const before = await leftovers(t);
    const bytes = formBytes([projectPart, { ...filePart, content: Buffer.concat([wav, Buffer.alloc(3_000_000)]) }]);
    const { req, answer } = openUpload(baseUrl, { ...owner.headers, 'content-type': formType });
    req.write(bytes.subarray(0, 2_500_000));
    const during = { records: before.records, uploads: before.uploads + 1, files: before.files + 1 };
    await expect.poll(() => leftovers(t), { timeout: 45_000 }).toEqual(during);
    req.end(bytes.subarray(2_500_000));
    expect((await answer).status).toBe(201);
    expect(await leftovers(t)).toEqual({ records: before.records + 1, uploads: 0, files: before.files + 1 });
  });

  it('of the storage is 503, and leaves nothing', async () => {
    const { db, storage } = t.deps.services;
    const full: ObjectStorage = { ...storage, put: () => Promise.reject(new StorageError('unavailable', 'disk full')) };
    const answer = await refused(() => sendTo({ db, storage: full }, [projectPart, filePart]));
    expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });

  it('of the database at the last step leaves the recording to the sweeper, since the record may stand', async () => {
    const { db, storage } = t.deps.services;
    const before = await leftovers(t);
    let scopes = 0;
    const breaking: Database = {
      ...db,
      // Project, budget, trace, project again; the fifth makes the record.
      withOrg: (orgId, work) => (++scopes < 5 ? db.withOrg(orgId, work) : Promise.reject(new Error('connection lost'))),
    };
    const { status, body } = await sendTo({ db: breaking, storage }, [projectPart, filePart]);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('connection lost');
    expect(await leftovers(t)).toEqual({ ...before, uploads: before.uploads + 1, files: before.files + 1 });
    await t.deps.connections.system`delete from uploads`;
  });

  /** Through the whole app with other services behind it. */
  async function sendTo(services: { db: Database; storage: ObjectStorage }, parts: Part[]): Promise<Answer> {
    const app = await buildApp({
      config: t.deps.config,
      log: createLogger('silent'),
      services: { ...t.deps.services, ...services },
    });
    try {
      return await send(await app.listen({ port: 0, host: '127.0.0.1' }), { member: owner, parts });
    } finally {
      await app.close();
    }
  }
});

describe('with limits of its own', () => {
  it('a refused sender that never stops is cut off', async () => {
    const brief = await createTestApp({ runPipeline: false });
    try {
      const limits = { ...uploadLimits, drainTimeoutMs: 1_000 };
      await brief.app.register(upload, { services: brief.deps.services, limits, prefix: '/brief' });
      const { hostname, port } = new URL(await brief.listen());
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(
        `POST /brief/api/v1/records/upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${formType}\r\nContent-Length: 99999999\r\n\r\n`,
      );
      const timer = setInterval(() => socket.write(Buffer.alloc(1000)), 10);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toContain('HTTP/1.1 401');
      const answeredAt = performance.now();
      // Not `once`, which an error on the way would reject: being cut off may be one.
      await new Promise((resolve) => void socket.resume().once('close', resolve)).finally(() => clearInterval(timer));
      // Not before it had time to read the answer, and not never.
      expect(performance.now() - answeredAt).toBeGreaterThan(200);
    } finally {
      await brief.close();
    }
  });

  it('a body that drips is ended, and so is one that takes too long', async () => {
    const slow = await createTestApp({ runPipeline: false });
    try {
      const member = await slow.createOrg();
      const limits = { ...uploadLimits, windowBytesMin: 1000, rateWindowMs: 600, totalTimeoutMs: 3_000 };
      await slow.app.register(upload, { services: slow.deps.services, limits, prefix: '/slow' });
      const address = await slow.listen();
      const drip = async (pieceSizeBytes: number): Promise<Answer> => {
        const headers = { ...member.headers, 'content-type': formType };
        const { req, answer } = openUpload(`${address}/slow`, headers);
        req.on('error', () => {});
        req.write(partBytes({ ...filePart, content: Buffer.concat([wav, Buffer.alloc(100_000)]) }).subarray(0, 30_000));
        const timer = setInterval(() => req.write(Buffer.alloc(pieceSizeBytes)), 20);
        const result = await answer.finally(() => clearInterval(timer));
        req.destroy();
        return result;
      };
      const [tooSlow, tooLong] = await Promise.all([drip(10), drip(1000)]);
      expect(tooSlow).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('too slowly') } },
      });
      expect(tooLong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('too long') } } });
      await expect.poll(() => leftovers(slow)).toEqual({ records: 0, uploads: 0, files: 0 });
    } finally {
      await slow.close();
    }
  });
});
