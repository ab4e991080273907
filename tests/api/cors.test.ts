import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

const api = '/api/v1';
const origin = 'https://app.example.com';
let t: TestApp;
let closed: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({
    runPipeline: false,
    env: { CORS_ORIGINS: `${origin}, http://localhost:5173`, RATE_LIMIT_PER_MINUTE: '3' },
  });
  closed = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(async () => {
  await t.close();
  await closed.close();
});

function preflight(from: string, { url = `${api}/projects`, app = t, method = 'POST' } = {}) {
  const headers = {
    origin: from,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,x-selected-org-id,idempotency-key',
  };
  return app.app.inject({ method: 'OPTIONS', url, headers });
}

const names = (header: unknown) => String(header).toLowerCase().split(/, */);

describe('a page of an allowed origin', () => {
  it('may ask beforehand, and is told methods and headers', async () => {
    for (const url of [
      `${api}/projects`,
      `${api}/records/upload`,
      `${api}/records/rec_x/audio`,
      '/api/trpc/orgs.get',
    ]) {
      const answer = await preflight(origin, { url });
      expect(answer.statusCode).toBe(204);
      expect(answer.body).toBe('');
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-max-age': '7200',
        'x-request-id': expect.any(String),
      });
      expect(names(answer.headers['access-control-allow-methods'])).toEqual(['get', 'head', 'post', 'patch', 'delete']);
      expect(names(answer.headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'x-selected-org-id',
          'idempotency-key',
          'if-none-match',
        ]),
      );
      expect(names(answer.headers['vary'])).toContain('origin');
    }
  });

  it('asks beforehand as often as it likes: that counts for nothing', async () => {
    for (let sent = 0; sent < 5; sent += 1) expect((await preflight(origin)).statusCode).toBe(204);
  });

  it('reads the answer and the headers that matter, of refusals too', async () => {
    const answers = [];
    for (let sent = 0; sent < 4; sent += 1) {
      answers.push(await t.as(owner, { url: `${api}/projects`, headers: { origin } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      });
      expect(names(headers['access-control-expose-headers'])).toEqual(
        expect.arrayContaining([
          'x-request-id',
          'ratelimit-remaining',
          'retry-after',
          'location',
          'etag',
          'idempotent-replayed',
        ]),
      );
      expect(names(headers['vary'])).toContain('origin');
    }
    expect(names(answers[0]?.headers['vary'])).toContain('authorization');
  });

  it('is told of a missing credential and of an unknown path as well', async () => {
    for (const url of [`${api}/users`, '/nowhere', `${api}/records/%zz`]) {
      const { headers } = await t.app.inject({ url, headers: { origin }, remoteAddress: '203.0.113.5' });
      expect(headers['access-control-allow-origin']).toBe(origin);
    }
  });
});

describe('a page of any other origin', () => {
  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://sub.app.example.com',
    'null',
  ])('is let in neither beforehand nor afterwards: %s', async (from) => {
    const asked = await preflight(from);
    expect(asked.statusCode).not.toBe(204);
    expect(asked.headers).not.toHaveProperty('access-control-allow-origin');
    const { headers } = await t.app.inject({ url: '/docs', headers: { origin: from }, remoteAddress: '203.0.113.6' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(names(headers['vary'])).toContain('origin');
  });

  it('is every origin, unless the configuration names some', async () => {
    const asked = await preflight(origin, { app: closed });
    expect(asked.statusCode).toBe(405);
    expect(asked.headers).not.toHaveProperty('access-control-allow-origin');
    const { headers } = await closed.app.inject({ url: '/openapi.json', headers: { origin } });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(names(headers['vary'])).not.toContain('origin');
  });
});

describe('the list of origins', () => {
  it.each(['*', 'app.example.com', 'https://app.example.com/', 'https://*.example.com/x', 'null'])(
    'takes origins alone, exactly as browsers send them: not %s',
    (value) => {
      expect(() => loadConfig({ CORS_ORIGINS: `${origin},${value}` })).toThrow('CORS_ORIGINS');
    },
  );
});
