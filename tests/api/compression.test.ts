import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codingFor } from '../../src/http/compression.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

let t: TestApp;
let owner: TestMember;
let recordId: string;
const url = '/api/v1/records?pageSize=50';

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  [recordId = ''] = await seedRecords(
    t,
    owner,
    Array.from({ length: 50 }, () => ({ agentName: 'Zoë' })),
  );
});
afterAll(() => t.close());

const get = (address: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  t.app.inject({ method, url: address, headers: { ...owner.headers, ...headers } });
const plainOf = { br: brotliDecompressSync, gzip: gunzipSync };

describe('a JSON answer of more than 1 KB', () => {
  it.each(['br', 'gzip'] as const)('comes in %s where it is asked for, with the same content', async (coding) => {
    const [plain, coded] = [await get(url), await get(url, { 'accept-encoding': coding })];
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(coded.headers).toMatchObject({
      'content-encoding': coding,
      'content-length': String(coded.rawPayload.length),
      vary: 'Authorization, Cookie, X-Selected-Org-ID, Accept-Encoding',
    });
    expect(plain.headers.vary).toBe(coded.headers.vary);
    expect(plainOf[coding](coded.rawPayload).toString()).toBe(plain.body);
    expect(coded.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    const head = await get(url, { 'accept-encoding': coding }, 'HEAD');
    expect(head.headers).toMatchObject({ 'content-encoding': coding, etag: coded.headers.etag });
  });

  it('has a tag of its own in each coding, and 304 for each', async () => {
    const tags = new Set<unknown>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const { headers } = await get(url, { 'accept-encoding': coding });
      tags.add(headers.etag);
      const again = await get(url, { 'accept-encoding': coding, 'if-none-match': String(headers.etag) });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
      expect(again.headers).not.toHaveProperty('content-encoding');
      expect(again.headers.vary).toBe(headers.vary);
    }
    expect(tags.size).toBe(3);
    const other = await get(url, { 'accept-encoding': 'gzip', 'if-none-match': '"other-gzip"' });
    expect(other.statusCode).toBe(200);
  });

  it('comes compressed over RPC, in errors and as a document, too', async () => {
    const document = await get('/openapi.json', { 'accept-encoding': 'gzip' });
    expect(document.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(document.rawPayload).toString())).toHaveProperty('openapi');
    const many = Array.from({ length: 60 }, (_, at) => `strange${at}=1`).join('&');
    const refused = await get(`/api/v1/records?${many}`, { 'accept-encoding': 'br' });
    expect(refused.statusCode).toBe(400);
    expect(JSON.parse(brotliDecompressSync(refused.rawPayload).toString()).error.code).toBe('VALIDATION_ERROR');
  });
});

describe('the page at /docs', () => {
  it('is kept compressed, and is another thing to a cache in each coding', async () => {
    const plain = await get('/docs', { 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const tags = new Set([plain.headers.etag]);
    for (const coding of ['br', 'gzip'] as const) {
      const coded = await get('/docs', { 'accept-encoding': coding });
      expect(plainOf[coding](coded.rawPayload).toString()).toBe(plain.body);
      tags.add(coded.headers.etag);
    }
    expect(tags.size).toBe(3);
  });
});

describe('what is not compressed', () => {
  it('is short, or no JSON, or for somebody who does not ask', async () => {
    const short = await get('/api/v1/projects?pageSize=1', { 'accept-encoding': 'gzip' });
    expect(short.headers).not.toHaveProperty('content-encoding');
    expect(short.headers.vary).toBe('Authorization, Cookie, X-Selected-Org-ID');
    const metrics = await get('/metrics', { 'accept-encoding': 'gzip' });
    expect(metrics.rawPayload.length).toBeGreaterThan(1024);
    expect(metrics.headers).not.toHaveProperty('content-encoding');
    const metadata = { notes: 'long '.repeat(500) };
    await t.as(owner, { method: 'PATCH', url: `/api/v1/records/${recordId}`, payload: { metadata } });
    const plain = await get(`/api/v1/records/${recordId}`, { 'accept-encoding': 'identity' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['deflate', undefined],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
  ])('follows from Accept-Encoding: %s', (header, coding) => {
    expect(codingFor(header)).toBe(coding);
  });
});
