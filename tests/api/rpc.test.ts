import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../src/lib/errors.ts';
import type { AppRouter } from '../../src/api/router.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

let t: TestApp;
let owner: TestMember;
let baseUrl: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  baseUrl = await t.listen();
});
afterAll(() => t.close());

function clientOf(headers: Record<string, string>) {
  return createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${baseUrl}/api/trpc`, transformer: superjson, headers })],
  });
}

async function errorOf(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof TRPCClientError) return error;
  throw new Error('The call was not refused by the service.', { cause: error });
}

const post = (path: string, payload: string, type = 'application/json') =>
  t.as(owner, { method: 'POST', url: `/api/trpc/${path}`, headers: { 'content-type': type }, payload });

describe('RPC', () => {
  it('serves the same resources as REST, with dates as dates', async () => {
    const project = await clientOf(owner.headers).projects.get.query({ id: owner.projectId });
    const rest = await t.as(owner, { url: `/api/v1/projects/${owner.projectId}` });
    expect(project.createdAt).toBeInstanceOf(Date);
    expect(JSON.parse(JSON.stringify(project))).toEqual(rest.body.data);
  });

  it('is as strict about types as its declaration: text is no number and no boolean', async () => {
    const list = await post('projects.delete', '{"json":{"id":"prj_unknown","force":"true"}}');
    expect(list.status).toBe(400);
    const input = encodeURIComponent('{"json":{"page":"1"}}');
    expect((await t.as(owner, { url: `/api/trpc/projects.list?input=${input}` })).status).toBe(400);
    // Asking for the same over REST first changes nothing.
    expect((await t.as(owner, { url: '/api/v1/projects?page=1' })).status).toBe(200);
    expect((await t.as(owner, { url: `/api/trpc/projects.list?input=${input}` })).status).toBe(400);
  });

  it('names errors by the codes of the one table, with the status that they have over REST', async () => {
    const client = clientOf(owner.headers);
    const agent = clientOf((await t.addMember(owner, 'agent')).headers);
    const { 'x-selected-org-id': _org, ...withoutOrg } = owner.headers;
    const calls: [string, Promise<unknown>][] = [
      ['VALIDATION_ERROR', client.projects.create.mutate({ name: '' })],
      ['VALIDATION_ERROR', clientOf(withoutOrg).projects.list.query({})],
      ['UNAUTHORIZED', clientOf({}).projects.list.query({})],
      ['FORBIDDEN', agent.projects.create.mutate({ name: 'Mine' })],
      ['FORBIDDEN', client.tokens.create.mutate({ name: 'Immortal' })],
      ['NOT_FOUND', client.records.get.query({ id: 'rec_unknown' })],
      ['CONFLICT', client.projects.create.mutate({ name: 'default' })],
      ['UNPROCESSABLE', client.projects.create.mutate({ name: 'New', profileId: 'prf_unknown' })],
    ];
    const answers = await Promise.all(calls.map(async ([code, call]) => [code, await errorOf(call)] as const));
    for (const [code, error] of answers) {
      expect(error.data).toMatchObject({ code, httpStatus: errorTable[code as keyof typeof errorTable].status });
      expect(error.message).toMatch(/\w/);
    }
  });

  it('names every mistake of an input, as REST does', async () => {
    const error = await errorOf(clientOf(owner.headers).projects.create.mutate({ name: '', language: '12' }));
    expect(error.data?.details?.map(({ path }) => path)).toEqual(['name', 'language']);
  });

  it('answers a batch call by call', async () => {
    const client = clientOf(owner.headers);
    const results = await Promise.allSettled([
      client.projects.get.query({ id: owner.projectId }),
      client.records.get.query({ id: 'rec_unknown' }),
      client.orgs.get.query(),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('refuses a batch that would do the work of hundreds', async () => {
    const paths = (count: number) => Array.from({ length: count }, () => 'orgs.get').join(',');
    const most = await t.as(owner, { url: `/api/trpc/${paths(16)}?batch=1&input={}` });
    expect(most).toMatchObject({ status: 200, body: { length: 16 } });
    const more = await t.as(owner, { url: `/api/trpc/${paths(17)}?batch=1&input={}` });
    expect(more).toMatchObject({ status: 400, body: { error: { json: { data: { code: 'VALIDATION_ERROR' } } } } });
  });

  it('looks a credential up once for a whole batch', async () => {
    const [before] = await t.deps.connections.system`select now() as at`;
    expect(before).toBeDefined();
    let lookups = 0;
    const { auth } = t.deps.services;
    const { authenticate } = auth;
    auth.authenticate = (headers) => {
      lookups += 1;
      return authenticate(headers);
    };
    try {
      await t.as(owner, { url: '/api/trpc/orgs.get,orgs.get,orgs.get?batch=1&input={}' });
    } finally {
      auth.authenticate = authenticate;
    }
    expect(lookups).toBe(1);
  });
});

describe('RPC that is malformed', () => {
  const refused = (code: string, status: number) => ({ status, body: { error: { json: { data: { code } } } } });
  const invalid = refused('VALIDATION_ERROR', 400);

  it.each([
    ['a body that is broken off', '{"json":'],
    ['a body that is text', 'name=x'],
    ['a value of no known type', '{"json":{"name":"x"},"meta":{"values":{"name":["bogus"]}}}'],
    ['a path to the prototype', '{"json":{"name":"x"},"meta":{"values":{"__proto__.x":["Date"]}}}'],
    ['an expression that is none', '{"json":{"name":"/(/x"},"meta":{"values":{"name":["regexp"]}}}'],
    ['NUL', '{"json":{"name":"a\\u0000"}}'],
    ['half a surrogate pair', '{"json":{"name":"a\\ud800"}}'],
    ['no object', '{"json":5}'],
    ['nothing', ''],
    ['nesting without end', `{"json":{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`],
  ])('%s is 400', async (_case, payload) => {
    expect(await post('projects.create', payload)).toMatchObject(invalid);
  });

  it.each([
    ['a big integer', '1', ['bigint']],
    ['a set', ['a'], ['set']],
    ['a map', [['a', 'b']], ['map']],
    ['an expression', '/a/', ['regexp']],
    ['an invalid date', 'never', ['Date']],
    ['no number', 'NaN', ['number']],
  ])('%s inside free data is 400', async (_case, value, type) => {
    const call = { externalId: 'x', projectId: owner.projectId, recordingUrl: 'https://a.example/1.wav' };
    const payload = JSON.stringify({
      json: { ...call, metadata: { value } },
      meta: { values: { 'metadata.value': type } },
    });
    expect(await post('records.ingest', payload)).toMatchObject(invalid);
  });

  it.each(['input=%7B', 'input=nonsense', 'batch=1&input=5', 'connectionParams=1', 'connectionParams=%7B'])(
    'query %s is 400',
    async (query) => {
      const answer = await t.as(owner, { url: `/api/trpc/records.get?${query}` });
      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(JSON.stringify(answer.body)).toContain('"VALIDATION_ERROR"');
    },
  );

  it.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
  ])('body of %s is 415', async (type) => {
    expect(await post('projects.create', '--x--', type)).toMatchObject(refused('UNSUPPORTED_MEDIA_TYPE', 415));
  });

  it('body over a megabyte is 413, in a shape that its client understands', async () => {
    expect(await post('projects.create', `"${'x'.repeat(1024 * 1024)}"`)).toMatchObject(
      refused('PAYLOAD_TOO_LARGE', 413),
    );
    const error = await errorOf(clientOf(owner.headers).projects.create.mutate({ name: 'x'.repeat(1024 * 1024) }));
    expect(error.data).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', httpStatus: 413 });
  });

  it('path is 404, a query that is posted and a mutation that is fetched are 405', async () => {
    expect(await t.as(owner, { url: '/api/trpc/nothing.here' })).toMatchObject(refused('NOT_FOUND', 404));
    expect(await post('projects.list', '{}')).toMatchObject(refused('METHOD_NOT_ALLOWED', 405));
    const fetched = await t.as(owner, { url: '/api/trpc/projects.create' });
    expect(fetched).toMatchObject({ ...refused('METHOD_NOT_ALLOWED', 405), headers: { allow: 'POST' } });
  });
});
