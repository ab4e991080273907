import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import {
  addressOf,
  contract,
  openApi,
  operations,
  startIntegrator,
  type Integrator,
  type Operation,
} from '../support/integrator.ts';

/** What every operation of the document refuses, and how: written from the document, not from the code. */
let s: Integrator;
let owner: TestMember;
let stranger: TestMember;

beforeAll(async () => {
  s = await startIntegrator();
  owner = await s.app.createOrg();
  stranger = await s.app.createOrg();
});
afterAll(() => s.close());

const unknownId = 'zzz_01m7ysd48genfrajdng7gg18f4';
// Answers to HEAD have no body that could say why: there is a check of its own for them.
const named = operations
  .filter(({ method }) => method !== 'HEAD')
  .map((each) => ({ ...each, name: each.operation.operationId }));
const closed = named.filter(({ operation }) => !operation.security);
const ofOrg = closed.filter(({ name }) => name !== 'getMe');
const ofResource = ofOrg.filter(({ path }) => path.includes('{id}'));

/** A body that the document gives as an example, whose ids nobody has. */
function bodyOf({ operation }: Operation): RequestInit {
  const media = operation.requestBody?.content ?? {};
  if (media['multipart/form-data']) return { body: new FormData() };
  const form = media['application/x-www-form-urlencoded'];
  if (form)
    return { body: new URLSearchParams(Object.values(form.examples ?? {})[0]?.value as Record<string, string>) };
  const json = media['application/json'];
  if (!json) return {};
  const [example] = Object.values(json.examples ?? {});
  return { body: JSON.stringify(example?.value ?? {}), headers: { 'content-type': 'application/json' } };
}

/** The operation, with what the document asks for unless it is said otherwise. */
async function ask(
  operation: Operation,
  { who, query, ids, init }: { who?: Record<string, string>; query?: string; ids?: string[]; init?: RequestInit },
) {
  const { headers, ...rest } = init ?? bodyOf(operation);
  const places = (operation.path.match(/\{\w+\}/g) ?? []).map((place) =>
    place === '{orgId}' ? owner.orgId : unknownId,
  );
  return s.send(addressOf(operation, ids ?? places, query ?? (operation.path === '/search' ? 'q=a' : '')), {
    method: operation.method,
    ...rest,
    headers: { ...(headers as Record<string, string>), ...who },
  });
}

/** The status and code of a refusal, which has to be as the document says. */
function refusal({ operation }: Operation, answer: Awaited<ReturnType<typeof ask>>): unknown[] {
  contract.check(operation.operationId, answer);
  return [answer.status, answer.body.error?.code];
}

describe('a request without a credential', () => {
  it.each(closed)('$name is 401', async (operation) => {
    const answer = await ask(operation, { who: { 'x-selected-org-id': owner.orgId } });
    expect(refusal(operation, answer)).toEqual([401, 'UNAUTHORIZED']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });
});

describe('a credential that is none', () => {
  it.each([
    ['a token that nobody has', 'Bearer cat_000000000000000000000000000000000000000000000000'],
    ['another scheme', 'Basic b3duZXI6c2VjcmV0'],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
    ['a JWT without a signature', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
    ['letters beyond ASCII', 'Bearer \u00e9\u00e8'],
  ])('%s is 401 and says nothing about why', async (_, authorization) => {
    const { status, body } = await s.request(null, 'listRecords', {
      headers: { authorization, 'x-selected-org-id': owner.orgId },
    });
    const plain = await s.request(null, 'listRecords');
    expect([status, body]).toEqual([401, plain.body]);
  });
});

describe('a request that names no organization', () => {
  it.each(ofOrg)('$name is 400', async (operation) => {
    const { authorization = '' } = owner.headers;
    expect(refusal(operation, await ask(operation, { who: { authorization } }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a request for the organization of others', () => {
  it.each(ofOrg)('$name is 403', async (operation) => {
    const { authorization = '' } = stranger.headers;
    const who = { authorization, 'x-selected-org-id': owner.orgId };
    expect(refusal(operation, await ask(operation, { who }))).toEqual([403, 'FORBIDDEN']);
  });
});

describe('a query parameter that the operation does not have', () => {
  it.each(named.filter(({ name }) => name !== 'receivePortalEvent'))('$name is 400 and names it', async (operation) => {
    const answer = await ask(operation, { who: owner.headers, query: 'q=a&whatIsThis=1' });
    expect(refusal(operation, answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ path: 'whatIsThis' }));
  });
});

describe('an id that nobody has', () => {
  it.each(ofResource)('$name is 404, whether it is malformed or not', async (operation) => {
    const answers = await Promise.all(
      ['x', 'rec_', '%00', '..%2f..', 'é', 'a'.repeat(300)].map((id) =>
        ask(operation, { who: owner.headers, ids: [id, id] }),
      ),
    );
    for (const answer of answers) expect(refusal(operation, answer)).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a method that an address does not have', () => {
  const paths = Object.entries(openApi.paths).map(([path, item]) => ({ path, methods: Object.keys(item) }));
  it.each(paths)('PUT $path is 405 with Allow', async ({ path, methods }) => {
    const operation = { method: 'PUT', path, operation: { operationId: 'none' } } as Operation;
    const { status, headers, body } = await ask(operation, { who: owner.headers, init: {} });
    expect([status, body.error?.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    const allowed = (headers['allow'] ?? '').split(/, */);
    expect(allowed).toEqual(expect.arrayContaining(methods.map((each) => each.toUpperCase())));
    expect(allowed).not.toContain('PUT');
  });
});

const withJson = named.filter(({ operation }) => operation.requestBody?.content['application/json']);

describe('a body that is not what it should be', () => {
  it.each(withJson)('$name takes no field that it does not know', async (operation) => {
    const { body } = bodyOf(operation);
    const given = JSON.stringify({ ...JSON.parse(String(body)), whatIsThis: 1 });
    const init = { body: given, headers: { 'content-type': 'application/json' } };
    const answer = await ask(operation, { who: owner.headers, init });
    expect(refusal(operation, answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ path: 'whatIsThis' }));
  });

  it.each(withJson)('$name takes no id of its own', async (operation) => {
    const init = { body: JSON.stringify({ id: 'x' }), headers: { 'content-type': 'application/json' } };
    const answer = await ask(operation, { who: owner.headers, init });
    expect(refusal(operation, answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ path: 'id' }));
  });

  it.each(
    withJson.flatMap((each) =>
      ['{', '[]', '"text"', '7', 'null'].map((given) => ({ ...each, given, title: `${each.name} ${given}` })),
    ),
  )('$title is 400', async ({ given, ...operation }) => {
    const init = { body: given, headers: { 'content-type': 'application/json' } };
    expect(refusal(operation, await ask(operation, { who: owner.headers, init }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(withJson)('$name is 415 as text, as XML, and compressed', async (operation) => {
    const kinds = [{ 'content-type': 'text/plain' }, { 'content-type': 'application/xml' }].map((headers) => ({
      headers,
      body: '{}',
    }));
    const packed = { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: 'x' };
    for (const init of [...kinds, packed]) {
      expect(refusal(operation, await ask(operation, { who: owner.headers, init }))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ]);
    }
  });

  it.each(withJson)('$name is 413 over 1 MB', async (operation) => {
    const body = JSON.stringify({ id: 'a'.repeat(2 ** 20) });
    const init = { body, headers: { 'content-type': 'application/json' } };
    expect(refusal(operation, await ask(operation, { who: owner.headers, init }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each(withJson.filter(({ method }) => method === 'PATCH'))('$name without a body is 400', async (operation) => {
    expect(refusal(operation, await ask(operation, { who: owner.headers, init: {} }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('HEAD of a recording', () => {
  it.each([
    ['401 without a credential', {}, '', 401],
    ['400 with a parameter that it does not have', undefined, 'whatIsThis=1', 400],
    ['404 of a recording that is not there', undefined, '', 404],
  ])('is %s', async (_, headers, query, status) => {
    const url = `/api/v1/records/${unknownId}/audio?${query}`;
    const answer = await s.send(url, { method: 'HEAD', headers: headers ?? owner.headers });
    expect([answer.status, answer.body]).toEqual([status, '']);
    expect(answer.headers).toHaveProperty('x-request-id');
  });
});
