import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { parse } from 'content-disposition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { send, wavHeader } from './upload-support.ts';

let t: TestApp;
let baseUrl: string;
let owner: TestMember;
let bytes: Buffer;
let url: string;
let etag: string;

beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'fatal' }, runPipeline: false });
  baseUrl = await t.listen();
  owner = await t.createOrg();
  bytes = Buffer.concat([wavHeader(1_000_000), randomBytes(1_000_000 - 44)]);
  url = `/api/v1/records/${await uploaded('call 1.wav')}/audio`;
  etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
});
afterAll(() => t.close());

async function uploaded(fileName: string): Promise<string> {
  const parts = [
    { name: 'projectId', content: owner.projectId },
    { name: 'file', fileName, content: bytes },
  ];
  const { body } = await send(baseUrl, { member: owner, parts });
  return body.data.id;
}

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

async function get(
  headers: Record<string, string> = {},
  { method = 'GET', path = url, member = owner }: { method?: string; path?: string; member?: TestMember } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const req = request(baseUrl + path, { method, headers: { ...member.headers, ...headers } }, (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => chunks.push(chunk));
    res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
    res.on('error', reject);
  });
  req.on('error', reject).end();
  return promise;
}

describe('the recording of a record', () => {
  it('comes as it was sent, under its own type, with what players and caches need', async () => {
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': '1000000',
      'accept-ranges': 'bytes',
      etag,
      'content-disposition': 'inline; filename="call 1.wav"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect(headers['x-request-id']).toBeDefined();
    expect(headers['content-range']).toBeUndefined();
  });

  it('is described by HEAD without its bytes', async () => {
    const { headers: whole } = await get();
    const { status, headers, body } = await get({}, { method: 'HEAD' });
    expect(status).toBe(200);
    expect(body).toHaveLength(0);
    const names = ['content-type', 'content-length', 'accept-ranges', 'etag', 'content-disposition', 'cache-control'];
    for (const name of names) expect(headers[name]).toBe(whole[name]);
    // Ranges are defined for GET only.
    expect(await get({ range: 'bytes=0-9' }, { method: 'HEAD' })).toMatchObject({ status: 200 });
  });

  it.each(['разговор №1.wav', 'naïve;café.wav', 'a%20b.wav', 'a b.wav', "it's.wav", 'плюс+=,.wav', '🎧.wav'])(
    'carries the file name %s so that it comes through and cannot break the header',
    async (fileName) => {
      const id = await uploaded(fileName);
      const { headers } = await get({}, { path: `/api/v1/records/${id}/audio` });
      const header = headers['content-disposition'] ?? '';
      expect(header).toMatch(/^inline; filename[\x20-\xff]+$/);
      const { type, parameters } = parse(header);
      expect({ type, name: parameters['filename'] }).toEqual({ type: 'inline', name: fileName });
    },
  );
});

describe('a range', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-65535', 0, 65_535],
    // On either side of what is read at once.
    ['bytes=100-524387', 100, 524_387],
    ['bytes=100-524388', 100, 524_388],
    ['bytes=500000-', 500_000, 999_999],
    ['bytes=999999-', 999_999, 999_999],
    ['bytes=-1', 999_999, 999_999],
    ['bytes=-1000', 999_000, 999_999],
    ['bytes=-2000000', 0, 999_999],
    ['bytes=999000-2000000', 999_000, 999_999],
    ['Bytes=10-19', 10, 19],
    ['bytes=0-99999999999999999999999999', 0, 999_999],
  ])('%s is answered with exactly its bytes', async (range, start, end) => {
    const { status, headers, body } = await get({ range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/1000000`);
    expect(headers['content-length']).toBe(String(end - start + 1));
    expect(headers).toMatchObject({ etag, 'content-type': 'audio/wav', 'accept-ranges': 'bytes' });
    expect(body.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it.each(['bytes=1000000-', 'bytes=1000000-1000001', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s lies outside and is 416, with the size',
    async (range) => {
      const { status, headers, body } = await get({ range });
      expect(status).toBe(416);
      expect(headers['content-range']).toBe('bytes */1000000');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(body.toString()).error).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' });
    },
  );

  it.each([
    'bytes=5-2',
    'bytes=a-b',
    'bytes=-',
    'bytes',
    'items=0-5',
    'bytes=0-5,10-15',
    'bytes=0-5, -1',
    'bytes=1.5-2',
    '',
  ])('%j is not a single range of bytes, so the whole file comes', async (range) => {
    const { status, body } = await get({ range });
    expect(status).toBe(200);
    expect(body.length).toBe(1_000_000);
  });

  it('is only answered with a part while the file is the one that was asked for', async () => {
    const range = 'bytes=0-9';
    expect(await get({ range, 'if-range': etag })).toMatchObject({ status: 206 });
    for (const other of ['"other"', `W/${etag}`, 'Sat, 01 Jan 2028 00:00:00 GMT']) {
      expect(await get({ range, 'if-range': other })).toMatchObject({ status: 200 });
      expect(await get({ range: 'bytes=5000000-', 'if-range': other })).toMatchObject({ status: 200 });
    }
  });
});

describe('a copy that is still good', () => {
  it('is not sent again', async () => {
    for (const tag of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await get({ 'if-none-match': tag }, { method });
        expect(status).toBe(304);
        expect(body).toHaveLength(0);
        expect(headers['etag']).toBe(etag);
      }
    }
    expect(await get({ 'if-none-match': etag, range: 'bytes=0-9' })).toMatchObject({ status: 304 });
  });

  it('is told apart from another one', async () => {
    expect(await get({ 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
    expect(await get({ 'if-none-match': '"other"', range: 'bytes=0-9' })).toMatchObject({ status: 206 });
  });
});

describe('who hears it', () => {
  it('are those who may see the record', async () => {
    const reviewer = await t.addMember(owner, 'reviewer');
    const confined = await t.addMember(owner, 'supervisor', []);
    const agent = await t.addMember(owner, 'agent');
    const stranger = await t.createOrg();
    expect(await get({}, { member: reviewer })).toMatchObject({ status: 200 });
    for (const member of [confined, agent, stranger]) {
      const { status, body } = await get({}, { member });
      expect(status).toBe(404);
      expect(JSON.parse(body.toString())).toEqual({ error: { code: 'NOT_FOUND', message: 'Record not found.' } });
    }
    expect(await get({ authorization: 'Bearer none' })).toMatchObject({ status: 401 });
    expect(await get({ 'x-selected-org-id': stranger.orgId })).toMatchObject({ status: 403 });
  });

  it.each(['rec_01ky8v3tq6e5ztsn2hj5r5e6dn', 'nonsense', '%00', 'rec_%00', '..%2F..%2Fetc%2Fpasswd'])(
    'is nobody where there is no record %s',
    async (id) => {
      expect(await get({}, { path: `/api/v1/records/${id}/audio` })).toMatchObject({ status: 404 });
      expect(await get({}, { path: `/api/v1/records/${id}/audio`, method: 'HEAD' })).toMatchObject({ status: 404 });
    },
  );

  it('is nobody before the recording has been fetched', async () => {
    const ingested = await t.as(owner, {
      method: 'POST',
      url: '/api/v1/records/ingest',
      payload: { externalId: 'x', projectId: owner.projectId, recordingUrl: 'https://pbx.example/1.mp3' },
    });
    const path = `/api/v1/records/${ingested.body.data.id}/audio`;
    const { status, body } = await get({}, { path });
    expect(status).toBe(409);
    expect(JSON.parse(body.toString()).error.code).toBe('CONFLICT');
  });

  it('is nobody else by other methods', async () => {
    const { status, headers } = await get({}, { method: 'PUT' });
    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET, HEAD');
  });

  it('is told that it may come back where the storage has lost the file', async () => {
    const id = await uploaded('lost.wav');
    await t.deps.services.storage.remove(`${owner.orgId}/${id}`);
    for (const range of ['', 'bytes=0-9']) {
      const { status, headers, body } = await get({ range }, { path: `/api/v1/records/${id}/audio` });
      expect(status).toBe(503);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['content-range']).toBeUndefined();
      expect(JSON.parse(body.toString()).error.code).toBe('SERVICE_UNAVAILABLE');
    }
  });
});

describe('a listener that goes away', () => {
  it('does not keep the file open', async () => {
    const { port } = new URL(baseUrl);
    const headers = Object.entries({ ...owner.headers, host: 'x' }).map((pair) => pair.join(': '));
    const openFiles = async () => {
      const names = await readdir('/proc/self/fd');
      const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
      return targets.filter((target) => target.startsWith(t.dataDir)).length;
    };
    const before = await openFiles();
    for (let round = 0; round < 5; round += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`GET ${url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    await expect.poll(openFiles).toBe(before);
  });
});
