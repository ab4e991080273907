import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { operations, requestOf, surfacesOf, unknownIds, type Ids } from '../security/operations.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { formBytes, formType, send } from './upload-support.ts';

const api = '/api/v1';
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

type Details = { path: string; message: string }[];
type Refusal = { status: number; details: Details };

async function refusal(request: Parameters<TestApp['as']>[1]): Promise<Refusal> {
  const { status, body } = await t.as(owner, request);
  const error = body.error?.json?.data ?? body.error?.data ?? body.error;
  return { status, details: error?.details ?? [] };
}

/** What is said of a request that is written by hand. */
async function rawRefusal(text: string): Promise<{ status: number; details: Details }> {
  const { port } = new URL(baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
  const [head = '', body = '{}'] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), details: JSON.parse(body).error?.details ?? [] };
}

const post = (payload: string, url = '/projects') => ({
  method: 'POST' as const,
  url: `${api}${url}`,
  headers: json,
  payload,
});

describe('a 400 says where the mistake is:', () => {
  it.each<[string, () => Parameters<TestApp['as']>[1], string]>([
    [
      'no organization',
      () => ({ url: `${api}/records`, headers: { 'x-selected-org-id': '' } }),
      'headers.X-Selected-Org-ID',
    ],
    ['no JSON', () => post('{"name":'), 'body'],
    ['no object', () => post('[]'), 'body'],
    ['null', () => post('null'), 'body'],
    ['no body', () => post(''), 'name'],
    ['a value', () => post('{"name":7}'), 'name'],
    ['NUL', () => post('{"name":"a","settings":{"channelMap":{"a\\u0000":"agent"}}}'), 'settings.channelMap.a\ufffd'],
    ['half a surrogate pair', () => post('{"name":"a\\ud83d"}'), 'name'],
    ['a number without end', () => post('{"name":"a","settings":{"retentionDays":1e999}}'), 'settings.retentionDays'],
    ['a prototype', () => post('{"name":"a","settings":{"__proto__":{}}}'), 'settings.__proto__'],
    ['an address', () => ({ url: `${api}/records?agentName=%ff` }), 'url'],
    ['a path', () => ({ url: `${api}/records/%ff` }), 'url'],
    [
      'a key',
      () => ({ ...post('{"name":"a"}'), headers: { ...json, 'idempotency-key': 'k'.repeat(256) } }),
      'headers.Idempotency-Key',
    ],
    [
      'an event',
      () => ({
        method: 'POST',
        url: `${api}/integrations/bitrix24/events`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'a=b',
      }),
      'event',
    ],
    [
      'RPC that is no JSON',
      () => ({ method: 'POST', url: '/api/trpc/projects.create', headers: json, payload: '{' }),
      'input',
    ],
    [
      'RPC without an object',
      () => ({ method: 'POST', url: '/api/trpc/projects.create', headers: json, payload: '{"json":1}' }),
      '',
    ],
    [
      'RPC with a prototype',
      () => ({
        method: 'POST',
        url: '/api/trpc/projects.create',
        headers: json,
        payload: '{"json":{"a":{"__proto__":{}}}}',
      }),
      '__proto__',
    ],
    [
      'a batch that is too large',
      () => ({ url: `/api/trpc/${Array.from({ length: 40 }, () => 'me.get').join(',')}?batch=1` }),
      'input',
    ],
    [
      'a form without a boundary',
      () => ({
        method: 'POST',
        url: `${api}/records/upload`,
        headers: { 'content-type': 'multipart/form-data' },
        payload: 'x',
      }),
      'body',
    ],
    [
      'a form that breaks off',
      () => ({
        method: 'POST',
        url: `${api}/records/upload`,
        headers: { 'content-type': formType },
        payload: formBytes([{ name: 'projectId', content: 'x' }]).subarray(0, 90),
      }),
      'body',
    ],
  ])('%s', async (_what, request, path) => {
    const { status, details } = await refusal(request());
    expect({ status, paths: details.map((detail) => detail.path) }).toEqual({ status: 400, paths: [path] });
    expect(details.every(({ message }) => message.length > 8)).toBe(true);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 'request'],
    ['no host', 'GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 'headers.Host'],
    ['a header without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 'request'],
  ])('%s', async (_what, text, path) => {
    const { status, details } = await rawRefusal(text);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(details.map((detail) => detail.path)).toEqual([path]);
  });

  it('a part that is missing', async () => {
    const { status, body } = await send(baseUrl, { member: owner, parts: [] });
    expect([status, body.error.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['file', 'projectId'],
    ]);
  });
});

describe('an id that nobody could store', () => {
  const naming = operations.flatMap((operation) =>
    operation.missing === undefined || operation.form
      ? []
      : surfacesOf(operation).map((surface) => ({ operation, surface, title: `${operation.name} (${surface})` })),
  );

  it.each(naming)('reads like any other that names nothing: $title', async ({ operation, surface }) => {
    const unknown = unknownIds();
    const ask = async (ids: Ids) => {
      const request = requestOf(operation, surface, ids);
      const { statusCode, body } = await t.app.inject({
        ...request,
        headers: { ...request.headers, ...owner.headers },
      });
      return { statusCode, body };
    };
    const odd = Object.fromEntries(Object.entries(unknown).map(([key, id]) => [key, `${id.slice(0, 12)}\0`])) as Ids;
    expect(await ask(odd)).toEqual(await ask(unknown));
  });
});

describe('a mail address', () => {
  const invite = (email: string) => refusal(post(JSON.stringify({ email, role: 'reviewer' }), '/users/invite'));
  const alert = (email: string) =>
    refusal(
      post(
        JSON.stringify({ name: 'A', recipients: [email], condition: { field: 'duration', operator: 'gt', value: 1 } }),
        '/alerts',
      ),
    );
  const ingest = (email: string) =>
    refusal(
      post(
        JSON.stringify({
          externalId: newId('event'),
          projectId: owner.projectId,
          recordingUrl: 'https://a.example/1.wav',
          agent: { email },
        }),
        '/records/ingest',
      ),
    );

  it.each([
    ['of 64 characters before the @', `${'a'.repeat(64)}@example.com`, true],
    ['of 65 characters before the @', `${'a'.repeat(65)}@example.com`, false],
    ['of 90 characters before the @', `${'a'.repeat(90)}@example.com`, false],
    ['with a label of 63', `a@${'b'.repeat(63)}.com`, true],
    ['with a label of 64', `a@${'b'.repeat(64)}.com`, false],
    ['of 254 characters', `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}com`, true],
    ['of more than 254', `${'a'.repeat(64)}@${`${'b'.repeat(62)}.`.repeat(4)}com`, false],
  ])('%s is as good as a server has to take it', async (_what, email, isGood) => {
    const answers = await Promise.all([invite(email), alert(email), ingest(email)]);
    expect(answers.map(({ status }) => status)).toEqual(isGood ? [201, 201, 202] : [400, 400, 400]);
    expect(answers.map(({ details }) => details[0]?.path)).toEqual(
      isGood ? [undefined, undefined, undefined] : ['email', 'recipients.0', 'agent.email'],
    );
  });
});
