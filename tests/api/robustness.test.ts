import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { audience, startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { seedRecords } from '../support/seed.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';

/** What generated requests have found. */
const api = '/api/v1';
let t: TestApp;
let owner: TestMember;
let idp: IdentityProvider;
let baseUrl: URL;
let superuser: Sql;

beforeAll(async () => {
  idp = await startIdentityProvider();
  const env = { OIDC_ISSUER: idp.issuer, OIDC_AUDIENCE: audience };
  t = await createTestApp({ runPipeline: false, env });
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  owner = await t.createOrg();
  baseUrl = new URL(await t.listen());
});
afterAll(async () => {
  await superuser.end();
  await t.close();
  await idp.close();
});

describe('a date-time of the first centuries', () => {
  it.each([
    '0001-01-01T00:00:00.000Z',
    '0050-06-01T12:00:00.123Z',
    '0099-12-31T23:59:59.999Z',
    '0100-01-01T00:00:00.000Z',
  ])('is read as it was written: %s', async (startedAt) => {
    const [recordId = ''] = await seedRecords(t, owner, [{}]);
    const url = `${api}/records/${recordId}`;
    const changed = await t.as(owner, { method: 'PATCH', url, payload: { startedAt } });
    expect(changed).toMatchObject({ status: 200, body: { data: { startedAt, callAt: startedAt } } });
    expect(await t.as(owner, { url })).toMatchObject({ status: 200, body: { data: { startedAt, callAt: startedAt } } });
    const day = startedAt.slice(0, 10);
    const listed = await t.as(owner, { url: `${api}/records`, query: { from: day, to: day } });
    expect(listed).toMatchObject({ status: 200, body: { data: [{ id: recordId, callAt: startedAt }] } });
  });
});

describe('a number in a query', () => {
  it.each([
    ['1e2', 200],
    ['5E1', 200],
    ['0.5e2', 200],
    ['100e-1', 200],
    ['1e9', 400],
    ['1e999', 400],
    ['e1', 400],
    ['1e', 400],
  ])('may have an exponent, as in JSON: %s', async (minScore, status) => {
    expect(await t.as(owner, { url: `${api}/records`, query: { minScore } })).toMatchObject({ status });
  });
});

describe('somebody who belongs to no organization', () => {
  it('learns who they are, and is a member of nothing', async () => {
    const session = await idp.sign({
      sub: 'stranger',
      email: 'stranger@example.com',
      email_verified: true,
      name: 'Stranger',
    });
    const headers = { authorization: `Bearer ${session}` };
    const { statusCode, body } = await t.app.inject({ url: `${api}/me`, headers });
    expect({ statusCode, ...JSON.parse(body) }).toMatchObject({
      statusCode: 200,
      data: { user: { email: 'stranger@example.com' }, memberships: [], selected: null, token: null },
    });
    const list = await t.app.inject({
      url: `${api}/records`,
      headers: { ...headers, 'x-selected-org-id': owner.orgId },
    });
    expect(list.statusCode).toBe(403);
  });
});

describe('NUL in a text', () => {
  const nul = 'a\u0000b';
  const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);
  const file = { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: wav };
  const projectId = () => ({ name: 'projectId', content: owner.projectId });

  it.each([
    ['a known key', JSON.stringify({ agentName: nul })],
    ['an id', JSON.stringify({ externalId: nul })],
    ['a key of their own', JSON.stringify({ mine: { deep: [nul] } })],
    ['a name of a key', JSON.stringify({ [nul]: 1 })],
  ])('of the metadata of an upload is 400: %s', async (_where, metadata) => {
    const payload = formBytes([projectId(), { name: 'metadata', content: metadata }, file]);
    const upload = {
      method: 'POST' as const,
      url: `${api}/records/upload`,
      headers: { 'content-type': formType },
      payload,
    };
    expect(await t.as(owner, upload)).toMatchObject({ status: 400 });
  });

  it.each([
    ['WebVTT', `WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n<v Agent>${nul}`],
    ['SubRip', `1\n00:00:00,000 --> 00:00:01,000\n${nul}\n`],
    ['JSON', JSON.stringify({ segments: [{ speaker: 'agent', startMs: 0, endMs: 900, text: nul }] })],
  ])('of a transcript is refused, never a fault of ours: %s', async (_kind, content) => {
    const payload = formBytes([projectId(), { name: 'transcript', content }, file]);
    const upload = {
      method: 'POST' as const,
      url: `${api}/records/upload`,
      headers: { 'content-type': formType },
      payload,
    };
    const { status } = await t.as(owner, upload);
    expect([201, 400, 422]).toContain(status);
  });

  it('of a file name is no fault of ours', async () => {
    const payload = formBytes([projectId(), { ...file, fileName: nul }]);
    const upload = {
      method: 'POST' as const,
      url: `${api}/records/upload`,
      headers: { 'content-type': formType },
      payload,
    };
    const { status } = await t.as(owner, upload);
    expect([201, 400]).toContain(status);
  });

  it.each([
    ['/search?q=%00', 400],
    ['/search?q=a%00b', 400],
    ['/records?agentName=%00', 400],
    ['/records?externalId=a%00', 400],
    ['/records?tag=%00', 400],
    ['/records?cursor=%00', 400],
    ['/records/%00', 404],
    ['/records/%00/transcript', 404],
    ['/records/%00/audio', 404],
    ['/users/%00', 404],
    ['/analyses/%00/review', 404],
  ])('of an address: %s', async (path, status) => {
    expect(await t.as(owner, { url: `${api}${path}` })).toMatchObject({ status });
  });

  it.each([
    [
      'embedded/auth',
      { 'content-type': 'application/json' },
      JSON.stringify({ authId: nul, domain: nul, memberId: nul }),
    ],
    [
      'integrations/bitrix24/events',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'event=%00&auth[member_id]=%00',
    ],
  ])('of what a portal sends: %s', async (path, headers, payload) => {
    const { statusCode } = await t.app.inject({ method: 'POST', url: `${api}/${path}`, headers, payload });
    expect([400, 401, 403]).toContain(statusCode);
  });
});

describe('a request that is too large', () => {
  /** What a server answers on a connection, until it ends it. */
  async function answered(...parts: (string | Buffer)[]): Promise<string> {
    const socket = connect(Number(baseUrl.port), baseUrl.hostname);
    let text = '';
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => resolve()));
    socket.on('data', (chunk) => (text += String(chunk)));
    for (const part of parts) {
      if (socket.writable) socket.write(part);
      await sleep(0);
    }
    await ended;
    return text;
  }

  const head = (line: string) =>
    `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nX-Selected-Org-ID: ${owner.orgId}\r\n`;

  it('by its headers is 431 in the envelope', async () => {
    const text = await answered(`${head('GET /api/v1/projects')}X: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toContain('"code":"VALIDATION_ERROR"');
  });

  it.each([
    ['a length that is told', `Content-Length: ${3 * 1024 * 1024}\r\n`],
    ['chunks', 'Transfer-Encoding: chunked\r\n'],
  ])('by its body is 413, and the connection does not hang: %s', async (_how, header) => {
    const start = `${head('POST /api/v1/projects')}Content-Type: application/json\r\n${header}\r\n`;
    const isChunked = header.startsWith('Transfer');
    const piece = 'x'.repeat(256 * 1024);
    const pieces = Array.from({ length: 6 }, () => (isChunked ? `40000\r\n${piece}\r\n` : piece));
    // The rest of it is written without a look at the answer, and the next request follows.
    const rest = isChunked ? ['0\r\n\r\n'] : Array.from({ length: 6 }, () => piece);
    const next = `${head('GET /api/v1/projects')}Connection: close\r\n\r\n`;
    const text = await answered(start, ...pieces, ...rest, next);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('"code":"PAYLOAD_TOO_LARGE"');
    expect(text.split('HTTP/1.1 200 ')).toHaveLength(2);
  });
});

describe('a search with filters that few of its matches pass', () => {
  it('looks through more of them', async () => {
    await superuser`alter function search_found rename to search_found_of_few`;
    await superuser`
      create function search_found(q text, prefixes text[], of_kind text, of_project text, projects text[], own text,
        row_limit int, is_ranked boolean)
      returns table (record_id text, kind text, score float8, place bigint) language sql as $$
        select 'rec_' || n, 'transcript', 1::float8, n::bigint from generate_series(1, row_limit) n $$`;
    const found = await t.as(owner, { url: `${api}/search`, query: { q: 'few', agentName: 'Nobody' } });
    expect(found).toMatchObject({ status: 200, body: { data: [], meta: { total: 0 } } });
  });
});
