import type { InjectOptions } from 'fastify';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonBody } from '../../src/http/body.ts';
import { errors } from '../../src/http/errors.ts';
import { requestId } from '../../src/http/request-id.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import type { OpenApiJson } from './openapi-contract.ts';
import { sendRaw } from './conventions-socket.ts';

const api = '/api/v1';
const requestIdShape = /^[A-Za-z0-9._-]{1,128}$/;
const json = { 'content-type': 'application/json' };

let t: TestApp;
let owner: TestMember;
let baseUrl: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  baseUrl = await t.listen();
});
afterAll(() => t.close());

const post = (
  url: string,
  payload: InjectOptions['payload'],
  headers: Record<string, string> = json,
): InjectOptions => ({
  method: 'POST',
  url: `${api}${url}`,
  headers,
  ...(payload === undefined ? {} : { payload }),
});

/** What the document declares of an address; HEAD comes with GET. */
function methodsOf({ paths }: OpenApiJson, path: string): string[] {
  const declared = Object.keys(paths[path] ?? {}).map((method) => method.toUpperCase());
  return [...new Set([...declared, ...(declared.includes('GET') ? ['HEAD'] : [])])].toSorted();
}

function refusal(code: string, status: number) {
  return { status, body: { error: { code, message: expect.stringMatching(/\w/) } } };
}
const invalid = refusal('VALIDATION_ERROR', 400);

describe('the request id', () => {
  it.each<[string, InjectOptions, number]>([
    ['a success', { url: `${api}/projects` }, 200],
    ['a HEAD', { method: 'HEAD', url: `${api}/projects` }, 200],
    ['an empty answer', post('/projects', { name: 'Short-lived' }), 201],
    ['an unknown path', { url: '/nowhere' }, 404],
    ['an unknown version', { url: '/api/v2/records' }, 404],
    ['an unknown resource', { url: `${api}/records/rec_unknown` }, 404],
    ['another method', { method: 'PATCH', url: `${api}/records` }, 405],
    ['a broken encoding', { url: `${api}/records/%E0%A4%A` }, 400],
    ['no JSON', post('/projects', '{"name":'), 400],
    ['another content type', post('/projects', 'name=x', { 'content-type': 'text/plain' }), 415],
    ['a body over 1 MB', post('/projects', `"${'x'.repeat(1024 * 1024)}"`), 413],
    ['an RPC success', { url: '/api/trpc/orgs.get' }, 200],
    ['an RPC error', { url: '/api/trpc/nothing.here' }, 404],
    ['the document', { url: '/openapi.json' }, 200],
    ['the health check', { url: `${api}/health` }, 503],
  ])('is on %s', async (_case, request, status) => {
    const answer = await t.as(owner, request);
    expect(answer).toMatchObject({ status, headers: { 'x-request-id': expect.stringMatching(requestIdShape) } });
  });

  it('is on a refused credential, and is made anew for each request', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => t.app.inject({ url: `${api}/records` })));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(20);
    expect(answers.every(({ statusCode }) => statusCode === 401)).toBe(true);
  });

  it.each(['abc', 'A-1_2.3', 'x'.repeat(128)])('is the valid one that came in: %s', async (given) => {
    const answer = await t.as(owner, { url: '/nowhere', headers: { 'x-request-id': given } });
    expect(answer.headers['x-request-id']).toBe(given);
  });

  it.each(['', 'a b', 'a/b', 'a"b', 'ä', 'x'.repeat(129), 'a,b'])('is a new one instead of %j', async (given) => {
    const answer = await t.as(owner, { url: '/nowhere', headers: { 'x-request-id': given } });
    expect(answer.headers['x-request-id']).not.toBe(given);
    expect(answer.headers['x-request-id']).toMatch(requestIdShape);
  });
});

describe('an address', () => {
  it.each<[string, InjectOptions['method'], string]>([
    ['/api/v1/projects', 'OPTIONS', 'GET, HEAD, POST'],
    ['/api/v1/health', 'POST', 'GET, HEAD'],
    ['/api/trpc/orgs.get', 'PUT', 'GET, POST'],
  ])('%s refuses %s and says what it takes', async (url, method, allow) => {
    const answer = await t.as(owner, { url, method, headers: { ...json, 'content-type': 'text/plain' }, payload: 'x' });
    expect(answer.status).toBe(405);
    expect(answer.headers).toMatchObject({ allow });
    expect(JSON.stringify(answer.body)).toContain('"METHOD_NOT_ALLOWED"');
  });

  it('refuses a method that the document does not declare, and says which it does', async () => {
    const document: OpenApiJson = (await t.app.inject('/openapi.json')).json();
    const paths = Object.keys(document.paths);
    const answers = await Promise.all(
      paths.map(async (path) => {
        const url = `${api}${path.replace(/\{\w+\}/g, 'x_1')}`;
        const { status, headers } = await t.as(owner, { url, method: 'PUT', headers: json, payload: '{}' });
        return { path, status, allow: headers['allow'] };
      }),
    );
    expect(paths.length).toBeGreaterThan(30);
    expect(answers).toEqual(paths.map((path) => ({ path, status: 405, allow: methodsOf(document, path).join(', ') })));
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v2/records',
    '/api/v1/records/rec_1/nothing',
    '/api/v1//records',
    '/API/V1/records',
    '/api/trpc',
    '/.env',
    '/api/v1/../../package.json',
    `/${'x/'.repeat(500)}`,
  ])('%s that leads nowhere is 404, whatever was sent', async (url) => {
    const bodies = [undefined, '{"broken', 'x'.repeat(2 * 1024 * 1024)];
    const requests = bodies.map((payload) =>
      t.as(owner, { method: 'POST', url, headers: json, ...(payload && { payload }) }),
    );
    for (const answer of await Promise.all(requests)) {
      expect(answer).toMatchObject(refusal('NOT_FOUND', 404));
      expect(answer.headers['allow']).toBeUndefined();
    }
  });

  it.each([
    '',
    'x',
    'rec_',
    'rec_01m7ysd48genfrajdng7gg18f',
    'REC_1',
    'x'.repeat(300),
    'x'.repeat(9000),
    '%F0%9F%8E%A7',
  ])('with the malformed id %j is the same 404 as one with an unknown id', async (id) => {
    const malformed = await t.as(owner, { url: `${api}/records/${id}` });
    const unknown = await t.as(owner, { url: `${api}/records/rec_01m7ysd48genfrajdng7gg18f4` });
    expect(malformed.status).toBe(404);
    expect(malformed.body).toEqual(unknown.body);
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const url of [`${api}/projects`, `${api}/records/rec_unknown`, '/nowhere', '/openapi.json']) {
      const [head, get] = await Promise.all([t.as(owner, { method: 'HEAD', url }), t.as(owner, { url })]);
      expect({
        url,
        status: head.status,
        type: head.headers['content-type'],
        length: head.headers['content-length'],
      }).toEqual({
        url,
        status: get.status,
        type: get.headers['content-type'],
        length: get.headers['content-length'],
      });
      expect(head.body).toBe('');
    }
  });

  it.each(['%', '%zz', '%E0%A4%A', '%ff', 'rec_%'])('with the broken encoding %s is 400', async (part) => {
    expect(await t.as(owner, { url: `${api}/records/${part}` })).toMatchObject(invalid);
    expect(await t.as(owner, { url: `${api}/records?projectId=${part}` })).toMatchObject(invalid);
  });
});

describe('what is not HTTP', () => {
  const head = 'Host: localhost\r\n';
  it.each([
    ['text', 'hello there\r\n\r\n', 400],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01', 400],
    ['HTTP/2 without agreement', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown version', `GET ${api}/health HTTP/9.9\r\n${head}\r\n`, 400],
    ['no Host', `GET ${api}/projects HTTP/1.1\r\n\r\n`, 400],
    ['two lengths', `POST ${api}/projects HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    [
      'a length and chunks',
      `POST ${api}/projects HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a raw byte in the path', `GET ${api}/\xe9 HTTP/1.1\r\n${head}\r\n`, 400],
    ['a line without a colon', `GET ${api}/projects HTTP/1.1\r\n${head}nonsense\r\n\r\n`, 400],
    ['endless headers', `GET ${api}/projects HTTP/1.1\r\n${head}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an expectation that nobody knows', `GET ${api}/projects HTTP/1.1\r\n${head}Expect: a-miracle\r\n\r\n`, 401],
    ['a method that nobody routes', `PROPFIND ${api}/projects HTTP/1.1\r\n${head}\r\n`, 405],
    ['a method that wants a content type', `QUERY ${api}/projects HTTP/1.1\r\n${head}\r\n`, 405],
    [
      'a wish to upgrade',
      `GET ${api}/projects HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      401,
    ],
  ])('%s is answered in the envelope, with a request id', async (_case, text, status) => {
    const answer = await sendRaw(baseUrl, text);
    expect(answer).toMatchObject({ status, headers: { 'x-request-id': expect.stringMatching(requestIdShape) } });
    const { error } = JSON.parse(answer?.body ?? '');
    expect(error).toEqual(
      expect.objectContaining({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) }),
    );
  });

  it('is refused in chunks as well, for a request that was let in', async () => {
    const credential = `Authorization: Bearer ${owner.token}\r\nX-Selected-Org-ID: ${owner.orgId}\r\n`;
    const start = `POST ${api}/projects HTTP/1.1\r\n${head}${credential}Content-Type: application/json\r\n`;
    const answer = await sendRaw(baseUrl, `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`);
    expect(answer).toMatchObject({ status: 400, headers: { 'x-request-id': expect.any(String) } });
  });

  it('costs nobody else anything', async () => {
    await Promise.all(Array.from({ length: 50 }, () => sendRaw(baseUrl, 'hello\r\n\r\n')));
    expect(await t.as(owner, { url: `${api}/projects` })).toMatchObject({ status: 200 });
  });
});

describe('a body', () => {
  it.each<[string, string]>([
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['XML', 'application/xml'],
    ['another JSON', 'application/vnd.api+json'],
    ['bytes', 'application/octet-stream'],
    ['nonsense', ';;;'],
  ])('of %s is 415', async (_case, type) => {
    const answer = await t.as(owner, post('/projects', '{"name":"X"}', { 'content-type': type }));
    expect(answer).toMatchObject(refusal('UNSUPPORTED_MEDIA_TYPE', 415));
  });

  it('without a content type is 415', async () => {
    expect(await t.as(owner, post('/projects', Buffer.from('{"name":"X"}'), {}))).toMatchObject(
      refusal('UNSUPPORTED_MEDIA_TYPE', 415),
    );
  });

  it('may name its charset', async () => {
    const answer = await t.as(
      owner,
      post('/projects', '{"name":"Charset"}', { 'content-type': 'Application/JSON; charset=UTF-8' }),
    );
    expect(answer.status).toBe(201);
  });

  it.each<[string, string]>([
    ['broken off', '{"name":'],
    ['not JSON', 'name=x'],
    ['followed by more', '{"name":"x"} {}'],
    ['a list', '[]'],
    ['text', '"name"'],
    ['a number', '1'],
    ['with a prototype', '{"name":"x","__proto__":{"admin":true}}'],
    ['with a constructor', '{"name":"x","constructor":{"prototype":{"admin":true}}}'],
    ['nested without end', `{"name":${'['.repeat(300_000)}${']'.repeat(300_000)}}`],
    ['nested without end in objects', `{"name":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
    ['absent', ''],
    ['null', 'null'],
    ['with NUL', '{"name":"a\\u0000b"}'],
    ['with NUL in a key', '{"name":"a","x\\u0000":1}'],
    ['with half a surrogate pair', '{"name":"a\\ud83d"}'],
    ['with an infinite number', '{"name":"a","settings":{"retentionDays":1e999}}'],
  ])('that is %s is 400', async (_case, payload) => {
    expect(await t.as(owner, post('/projects', payload))).toMatchObject(invalid);
  });

  it('takes a megabyte and not a byte more', async () => {
    const fill = (length: number) => `{"name":"","x":"${'x'.repeat(length - 18)}"}`;
    expect(fill(1024 * 1024)).toHaveLength(1024 * 1024);
    expect(await t.as(owner, post('/projects', fill(1024 * 1024)))).toMatchObject(invalid);
    const over = await t.as(owner, post('/projects', fill(1024 * 1024 + 1)));
    expect(over).toMatchObject(refusal('PAYLOAD_TOO_LARGE', 413));
  });

  it('of a GET is not looked at', async () => {
    const answer = await t.as(owner, { method: 'GET', url: `${api}/projects`, headers: json, payload: '{"broken' });
    expect(answer.status).toBe(200);
  });

  it('keeps every script, emoji and space that it may hold', async () => {
    const name = 'Поддержка 支援 🎧 e\u0301 \u200f‏عربي';
    const created = await t.as(owner, post('/projects', { name }));
    const read = await t.as(owner, { url: `${api}/projects/${created.body.data.id}` });
    expect(read.body.data.name).toBe(name);
  });

  it('that does not arrive is answered after a while, and nobody is cut off who sends none', async () => {
    const app = fastify();
    await app.register(errors);
    await app.register(requestId);
    await app.register(jsonBody, { bodyTimeoutMs: 50 });
    app.post('/', async () => 'never');
    app.get('/', async () => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return 'late but whole';
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    const [slow, late] = await Promise.all([sendRaw(address, request), fetch(address)]);
    expect(slow).toMatchObject({ status: 400, headers: { connection: 'close', 'x-request-id': expect.any(String) } });
    expect(await late.text()).toBe('late but whole');
    await app.close();
  });
});

describe('a parameter', () => {
  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e30',
    'page=0x10',
    'page=',
    'page=one',
    'page=99999999999999999999',
    'page=NaN',
    'page=1&page=2',
    'pageSize=0',
    'pageSize=101',
    'pageSize=-5',
    'status=done',
    'status=',
    'status=COMPLETED',
    'order=asc&order=desc',
    'sort=id',
    'sort=created_at;drop table records',
    'order=up',
    'from=yesterday',
    'from=2026-02-30',
    'from=2026-13-01',
    'from=2026-01-01T25:00:00Z',
    'from=2026-01-01T00:00:00',
    'from=0000-01-01',
    'to=9999-12-31T23:59:59-14:00',
    'from=2026-02-01&to=2026-01-31',
    'from=2026-02-01T00:00:00.001Z&to=2026-02-01T00:00:00Z',
    'projectId=a&projectId=b',
    'nonsense=1&__proto__=x&constructor=y&toString=z',
    '__proto__=x',
    'agentName=%00',
  ])('like %s is 400 and is named', async (query) => {
    const answer = await t.as(owner, { url: `${api}/records?${query}` });
    expect(answer).toMatchObject(invalid);
    const [name = ''] = query.split('=');
    const { details } = answer.body.error;
    // Of a parameter that takes several values, the place of the wrong one follows.
    expect(details[0].path.split('.')[0]).toBe(name);
    expect(Object.keys(answer.body.error).toSorted()).toEqual(['code', 'details', 'message']);
  });

  it.each([
    '',
    'page=1&pageSize=100',
    'page=9007199254740991&pageSize=100',
    'from=2026-01-01&to=2026-01-01',
    'from=0001-01-01&to=9999-12-31',
    'from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'from=2026-01-01T02:00:00%2B02:00',
    'from=2026-01-01T00:00:00.123456Z',
    'from=2026-01-01T00:00Z&to=2026-01-01T00:00%2B00:00',
    'projectId=prj_unknown',
    // An id of nothing, like any other.
    'projectId=%00',
    'projectId=%F0%9F%8E%A7',
    'sort=duration&order=asc',
  ])('like %s is taken', async (query) => {
    const answer = await t.as(owner, { url: `${api}/records?${query}` });
    expect(answer).toMatchObject({ status: 200, body: { data: [], meta: { total: 0 } } });
    expect(Object.keys(answer.body.meta).toSorted()).toEqual(['nextCursor', 'page', 'pageSize', 'total']);
  });

  it('without a value takes the documented default', async () => {
    const answer = await t.as(owner, { url: `${api}/records` });
    expect(answer.body.meta).toMatchObject({ page: 1, pageSize: 20, total: 0 });
  });

  it('of a boolean is true or false and nothing else', async () => {
    for (const value of ['yes', '1', 'TRUE', '', 'on']) {
      const refused = await t.as(owner, { method: 'DELETE', url: `${api}/projects/prj_unknown?force=${value}` });
      expect(refused).toMatchObject(invalid);
    }
    for (const value of ['true', 'false']) {
      const taken = await t.as(owner, { method: 'DELETE', url: `${api}/projects/prj_unknown?force=${value}` });
      expect(taken).toMatchObject(refusal('NOT_FOUND', 404));
    }
  });

  it('of a path is none of the body', async () => {
    const project = await t.as(owner, post('/projects', { name: 'Mine' }));
    const { id } = project.body.data;
    const changed = await t.as(owner, {
      method: 'PATCH',
      url: `${api}/projects/${id}`,
      payload: { id: owner.projectId, name: 'Still mine' },
    });
    expect(changed).toMatchObject(invalid);
    expect(changed.body.error.details).toEqual([{ path: 'id', message: expect.stringContaining('in the address') }]);
    expect((await t.as(owner, { url: `${api}/projects/${id}` })).body.data.name).toBe('Mine');
  });
});

describe('the order of checks', () => {
  const unknown = `${api}/records/rec_unknown`;
  it('is credential, organization, membership, role, parameters and body, resource', async () => {
    const agent = await t.addMember(owner, 'agent');
    const stranger = await t.createOrg();
    const bad = { method: 'DELETE' as const, url: `${api}/projects/prj_unknown?force=perhaps` };
    const { authorization = '' } = agent.headers;
    const answers = [
      await t.app.inject(bad),
      await t.app.inject({ ...bad, headers: { authorization: 'Bearer nonsense', 'x-selected-org-id': owner.orgId } }),
      await t.app.inject({ ...bad, headers: { authorization } }),
      await t.app.inject({ ...bad, headers: { authorization, 'x-selected-org-id': '' } }),
      await t.app.inject({ ...bad, headers: { authorization, 'x-selected-org-id': stranger.orgId } }),
      await t.app.inject({ ...bad, headers: { authorization, 'x-selected-org-id': 'org_nonsense' } }),
      await t.app.inject({ ...bad, headers: agent.headers }),
      await t.app.inject({ ...bad, headers: owner.headers }),
      await t.app.inject({ ...bad, url: `${api}/projects/prj_unknown`, headers: owner.headers }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 400, 400, 403, 403, 403, 400, 404]);
    expect(answers[2]?.json().error.details).toEqual([
      { path: 'headers.X-Selected-Org-ID', message: 'The X-Selected-Org-ID header is required.' },
    ]);
  });

  it('comes to the body last: without a credential nothing of it is judged', async () => {
    for (const payload of ['{"broken', 'x'.repeat(2 * 1024 * 1024)]) {
      for (const url of [`${api}/projects`, '/api/trpc/projects.create']) {
        const answer = await t.app.inject({ method: 'POST', url, headers: { 'content-type': 'text/plain' }, payload });
        expect(answer.statusCode).toBe(401);
      }
    }
  });

  it('says of a missing credential what the specification says, and how to send one', async () => {
    const answer = await t.app.inject({ url: unknown });
    expect(answer.json()).toEqual({
      error: {
        message: 'The access token is missing, invalid or has expired. Send it as `Authorization: Bearer …`.',
        code: 'UNAUTHORIZED',
      },
    });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('an answer', () => {
  it('wraps one resource in data, and a list in data and meta', async () => {
    const one = await t.as(owner, { url: `${api}/projects/${owner.projectId}` });
    expect(Object.keys(one.body)).toEqual(['data']);
    const many = await t.as(owner, { url: `${api}/projects` });
    expect(Object.keys(many.body).toSorted()).toEqual(['data', 'meta']);
  });

  it('writes timestamps as ISO 8601 UTC with milliseconds', async () => {
    const { body } = await t.as(owner, { url: `${api}/projects/${owner.projectId}` });
    expect(body.data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('to a creation names the place of what was created', async () => {
    const created = await t.as(owner, post('/projects', { name: 'Located' }));
    expect(created.status).toBe(201);
    const followed = await t.as(owner, { url: String(created.headers['location']) });
    expect(followed.body).toEqual(created.body);
  });

  it('to a deletion is empty, and the second time there is nothing to delete', async () => {
    const created = await t.as(owner, post('/projects', { name: 'Deleted twice' }));
    const url = String(created.headers['location']);
    const first = await t.as(owner, { method: 'DELETE', url });
    expect(first).toMatchObject({ status: 204, body: '' });
    expect(first.headers['content-type']).toBeUndefined();
    expect(await t.as(owner, { method: 'DELETE', url })).toMatchObject(refusal('NOT_FOUND', 404));
  });
});
