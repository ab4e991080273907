import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deprecationHeaders, markDeprecated } from '../../src/http/deprecation.ts';
import { errors } from '../../src/http/errors.ts';
import { pressure } from '../../src/http/pressure.ts';
import { requestContext } from '../../src/http/request-context.ts';
import { rest } from '../../src/http/rest.ts';
import { orgProcedure, router } from '../../src/trpc/procedures.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

const api = '/api/v1';
let t: TestApp;
let owner: TestMember;
let recordId: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  [recordId = ''] = await seedRecords(t, owner, [{}]);
});
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}) => t.as(owner, { url, headers });
const tagOf = ({ headers }: { headers: Record<string, unknown> }): string => String(headers['etag']);

describe('a reading', () => {
  it('carries a tag of its bytes, for its reader alone', async () => {
    for (const url of [`${api}/projects`, `${api}/records/${recordId}`, `${api}/users`]) {
      const answer = await get(url);
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          etag: expect.stringMatching(/^"[\w-]{27}"$/),
          'cache-control': 'private, no-cache',
          vary: 'Authorization, Cookie, X-Selected-Org-ID',
        },
      });
      expect(tagOf(await get(url))).toBe(tagOf(answer));
    }
  });

  it('is 304 without a body for whoever has these bytes, by GET and by HEAD', async () => {
    const url = `${api}/records/${recordId}`;
    const etag = tagOf(await get(url));
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await t.as(owner, { method, url, headers: { 'if-none-match': header } });
        expect(answer).toMatchObject({
          status: 304,
          body: '',
          headers: { etag, 'cache-control': 'private, no-cache' },
        });
        expect(answer.headers).not.toHaveProperty('content-type');
        expect(answer.headers['x-request-id']).toBeDefined();
      }
    }
    expect(await get(url, { 'if-none-match': '"other"' })).toMatchObject({
      status: 200,
      body: { data: { id: recordId } },
    });
  });

  it('is whole again after a change', async () => {
    const url = `${api}/projects/${owner.projectId}`;
    const etag = tagOf(await get(url));
    await t.as(owner, { method: 'PATCH', url, payload: { description: 'Changed' } });
    const answer = await get(url, { 'if-none-match': etag });
    expect(answer).toMatchObject({ status: 200, body: { data: { description: 'Changed' } } });
    expect(tagOf(answer)).not.toBe(etag);
  });

  it('is checked like any other: a tag opens nothing', async () => {
    const url = `${api}/records/${recordId}`;
    const etag = tagOf(await get(url));
    const stranger = await t.createOrg();
    const headers = { 'if-none-match': etag };
    expect(await t.as(stranger, { url, headers })).toMatchObject({ status: 404 });
    expect((await t.app.inject({ url, headers: { 'if-none-match': '*' } })).statusCode).toBe(401);
  });
});

describe('everything else', () => {
  it('is kept by nobody', async () => {
    const post = await t.as(owner, { method: 'POST', url: `${api}/webhooks`, payload: { url: 'http://127.0.0.1' } });
    for (const answer of [
      post,
      await get(`${api}/records/rec_unknown`),
      await get(`${api}/health`),
      await get('/api/v2/x'),
    ]) {
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
      expect(answer.headers).not.toHaveProperty('etag');
    }
  });
});

describe('security headers', () => {
  const common = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' };
  it.each([
    ['a success', `${api}/projects`, 200],
    ['a refusal', `${api}/records?page=0`, 400],
    ['an unknown path', '/nowhere', 404],
    ['a broken encoding', `${api}/records/%zz`, 400],
    ['an RPC answer', '/api/trpc/orgs.get', 200],
    ['the document', '/openapi.json', 200],
  ])('are on %s, which no page may frame', async (_case, url, status) => {
    const answer = await get(url);
    expect(answer).toMatchObject({ status, headers: common });
    const policy = "default-src 'none'; frame-ancestors 'none'";
    expect(answer.headers['content-security-policy']).toBe(policy);
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  });

  it('leave pages their own policy', async () => {
    const answer = await get('/docs');
    expect(answer).toMatchObject({ status: 200, headers: common });
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  });

  it('keep browsers on https in production, where the service is reached by it', async () => {
    const production = {
      NODE_ENV: 'production',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_AUDIENCE: 'x',
      SECRETS_KEY: 'k'.repeat(32),
      TRUSTED_PROXIES: '10.0.0.1',
    };
    const app = await createTestApp({ runPipeline: false, env: production });
    const hsts = async (remoteAddress: string, forwarded: string) => {
      const headers = { 'x-forwarded-proto': forwarded };
      const { headers: answered } = await app.app.inject({ url: '/nowhere', remoteAddress, headers });
      return answered['strict-transport-security'];
    };
    try {
      expect(await hsts('10.0.0.1', 'https')).toBe('max-age=31536000');
      expect(await hsts('10.0.0.1', 'http')).toBeUndefined();
      expect(await hsts('10.0.0.2', 'https')).toBeUndefined();
    } finally {
      await app.close();
    }
  });
});

describe('the time that a request may take', () => {
  it('is limited, for its headers and as a whole', () => {
    expect(t.app.server.headersTimeout).toBe(20_000);
    expect(t.app.server.requestTimeout).toBe(60 * 60_000);
    expect(t.app.server.keepAliveTimeout).toBeGreaterThan(60_000);
  });
});

describe('a deprecated operation', () => {
  const deprecation = { since: '2026-01-31', sunset: '2027-01-31' };
  const headers = { deprecation: '@1769817600', sunset: 'Sun, 31 Jan 2027 00:00:00 GMT' };

  it('says so on every answer, refusals included', async () => {
    const old = orgProcedure('projects:read')
      .meta({ deprecation, openapi: { method: 'GET', path: '/old' }, examples: { responses: {} } })
      .input(z.object({}))
      .output(z.object({ isOld: z.boolean() }))
      .query(() => ({ isOld: true }));
    const app = fastify();
    await app.register(errors);
    await app.register(requestContext, { services: t.deps.services });
    await app.register(rest, { router: router({ old }) });
    const good = await app.inject({ url: `${api}/old`, headers: owner.headers });
    expect(good.json()).toEqual({ data: { isOld: true } });
    expect(good.headers).toMatchObject(headers);
    const refused = await app.inject({ url: `${api}/old` });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers).toMatchObject(headers);
    await app.close();
  });

  it('is marked in the document, with its headers', () => {
    const operation = { description: 'Does it.', responses: { 200: { description: 'Done.', headers: {} } } };
    markDeprecated(operation, deprecation);
    expect(operation).toMatchObject({
      deprecated: true,
      description: 'Does it.\n\nDeprecated. It works until 2027-01-31.',
      responses: {
        200: { headers: { Deprecation: { example: headers.deprecation }, Sunset: { example: headers.sunset } } },
      },
    });
  });

  it('has dates that are dates', () => {
    expect(() => deprecationHeaders({ since: 'soon', sunset: '2027-01-31' })).toThrow('soon is no date');
  });
});

describe('a process that cannot keep up', () => {
  const block = (ms: number): void => {
    for (const from = performance.now(); performance.now() - from < ms;);
  };

  it('answers 503 with Retry-After, but for health; and everything again when it has caught up', async () => {
    const app = fastify();
    await app.register(errors);
    await app.register(pressure, { delayMsMax: 60, intervalMs: 100, intervalsMin: 2 });
    app.get('/work', () => 'done');
    app.get('/health', { config: { isAlwaysAnswered: true } }, () => 'well');
    await app.ready();
    expect((await app.inject('/work')).statusCode).toBe(200);
    // One long task is nothing.
    block(250);
    // The interval that it delayed has been judged after this, and no other.
    await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await app.inject('/work')).statusCode).toBe(200);
    for (let turn = 0; turn < 8; turn += 1) {
      block(120);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const refused = await app.inject('/work');
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.json().error.code).toBe('SERVICE_UNAVAILABLE');
    expect((await app.inject('/health')).body).toBe('well');
    await expect.poll(async () => (await app.inject('/work')).statusCode).toBe(200);
    await app.close();
  });
});
