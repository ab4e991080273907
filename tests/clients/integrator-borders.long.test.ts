import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import {
  addressOf,
  contract,
  operations,
  startIntegrator,
  type Integrator,
  type Operation,
} from '../support/integrator.ts';

/** Limits of parameters and fields, each at its border and one beyond: read from the document. */
let s: Integrator;
let owner: TestMember;
let ids: Record<string, string>;

beforeAll(async () => {
  s = await startIntegrator();
  owner = await s.app.createOrg();
  const call = await s.scored(owner);
  const alert = await s.request(owner, 'createAlert', {
    json: { name: 'A', condition: { field: 'qualityScore', operator: 'lt', value: 1 } },
  });
  const webhook = await s.request(owner, 'createWebhook', {
    json: { url: 'https://hooks.example.com/a', events: ['record.completed'] },
  });
  await s.request(owner, 'submitReview', { path: [call.analysisId], json: { verdict: 'approved' } });
  const project = await s.request(owner, 'getProject', { path: [owner.projectId] });
  ids = {
    alerts: alert.body.data.id,
    webhooks: webhook.body.data.id,
    records: call.id,
    analyses: call.analysisId,
    projects: owner.projectId,
    profiles: project.body.data.profileId,
    users: owner.userId,
    billing: owner.orgId,
  };
});
afterAll(() => s.close());

type Parameter = { $ref?: string; name: string; in: string; schema: Schema };
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
};

const resolve = (schema: Schema): Schema => contract.resolve(schema);
const places = (operation: Operation): string[] => [ids[operation.path.split('/')[1] ?? ''] ?? 'x'];
const readable = operations
  .filter(
    ({ method, path, operation }) =>
      method === 'GET' && operation.requestBody === undefined && !/portals\/|annotationId|captions|audio/.test(path),
  )
  .map((each) => ({ ...each, name: each.operation.operationId }));
const queries = readable.flatMap((each) =>
  ((each.operation.parameters ?? []) as Parameter[])
    .map((given) => contract.resolve(given))
    // A cursor is what an answer gave: it has no border of its own.
    .filter((given) => given.in === 'query' && given.name !== 'cursor')
    .map((given) => ({ ...each, parameter: given.name, schema: resolve(given.schema) })),
);

async function read(operation: Operation, query: string) {
  const isSearch = operation.path === '/search' && !/(^|&)q=/.test(query);
  const address = addressOf(operation, places(operation), isSearch ? `q=refund&${query}` : query);
  const answer = await s.send(address, { headers: owner.headers });
  contract.check(operation.operation.operationId, answer);
  return answer;
}

/** What is wrong with the answers to queries that are to be refused because of the parameter: nothing, it is hoped. */
async function notRefused(operation: Operation, parameter: string, queries: string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const query of queries) {
    const { status, body } = await read(operation, query);
    const places: { path: string }[] = body.error?.details ?? [];
    const isNamed = places.some(({ path }) => path.replace(/\.\d+$/, '') === parameter);
    if (status !== 400 || !isNamed) wrong.push(`${query}: ${status} ${JSON.stringify(body)}`.slice(0, 500));
  }
  return wrong;
}

async function notTaken(operation: Operation, queries: string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const query of queries) {
    const { status, body } = await read(operation, query);
    if (status !== 200) wrong.push(`${query}: ${status} ${JSON.stringify(body)}`.slice(0, 500));
  }
  return wrong;
}

describe('reading', () => {
  it.each(readable)('$name is 200, and 304 for who has it', async (operation) => {
    const answer = await read(operation, '');
    expect(answer.status).toBe(200);
    const tag = answer.headers['etag'] ?? '"none"';
    const init = { headers: { ...owner.headers, 'if-none-match': tag } };
    const again = await s.send(
      addressOf(operation, places(operation), operation.path === '/search' ? 'q=refund' : ''),
      init,
    );
    expect(again.status).toBe(operation.path === '/health' ? 200 : 304);
    contract.check(operation.name, again);
  });

  it.each(readable)('$name answers HEAD without a body', async (operation) => {
    const address = addressOf(operation, places(operation), operation.path === '/search' ? 'q=refund' : '');
    const { status, body, headers } = await s.send(address, { method: 'HEAD', headers: owner.headers });
    expect([status, body]).toEqual([200, '']);
    expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  });
});

describe('a number in the query', () => {
  const numbers = queries.filter(({ schema }) => schema.type === 'integer' || schema.type === 'number');
  it.each(numbers)('$name: $parameter from its least to its greatest', async ({ parameter, schema, ...operation }) => {
    const { minimum: least = 1, maximum: greatest = 100 } = schema;
    const beyond = greatest === Number.MAX_SAFE_INTEGER ? '9007199254740993' : greatest + 1;
    const bad = [least - 1, beyond, 'x', '', '1e', '%20', '1,2', 'NaN', '0x1', 'Infinity'];
    const refused = bad.map((value) => `${parameter}=${value}`);
    expect(await notRefused(operation, parameter, refused)).toEqual([]);
    expect(await notTaken(operation, [`${parameter}=${least}`])).toEqual([]);
  });

  it.each(numbers.filter(({ parameter }) => parameter !== 'version'))(
    '$name: the greatest $parameter is taken',
    async ({ parameter, schema, ...operation }) => {
      expect(await notTaken(operation, [`${parameter}=${schema.maximum}`])).toEqual([]);
    },
  );
});

describe('a list of values in the query', () => {
  const values = queries
    .map((each) => ({ ...each, values: (each.schema.items ? resolve(each.schema.items) : each.schema).enum ?? [] }))
    .filter((each) => each.values.length > 0);
  it.each(values)('$name: $parameter takes its values alone', async ({ parameter, values, ...operation }) => {
    const bad = ['nonsense', '', `${values[0]?.toUpperCase()}`, `${values[0]}%20`].map(
      (value) => `${parameter}=${value}`,
    );
    expect(await notRefused(operation, parameter, bad)).toEqual([]);
    const good = values.map((value) => `${parameter}=${value}`);
    expect(await notTaken(operation, good)).toEqual([]);
  });
});

describe('yes and no in the query', () => {
  const flags = queries.filter(({ schema }) => schema.type === 'boolean');
  it.each(flags)('$name: $parameter is true or false', async ({ parameter, ...operation }) => {
    expect(await notTaken(operation, [`${parameter}=true`, `${parameter}=false`])).toEqual([]);
    const bad = ['yes', '1', '', 'TRUE'].map((value) => `${parameter}=${value}`);
    expect(await notRefused(operation, parameter, bad)).toEqual([]);
  });
});

describe('a period', () => {
  const periods = queries.filter(({ parameter }) => parameter === 'from' || parameter === 'receivedFrom');
  const good = [
    '2026-11-01',
    '2026-11-01T00:00Z',
    '2026-11-01T00:00:00.123Z',
    '2026-11-01T01:00%2B02:00',
    '2026-11-30',
  ];
  const bad = ['2026-02-30', '2025-02-29', '2026-13-01', 'tomorrow', '', '2026-11-01T25:00Z', '2026-11-01T00:00', '1'];
  it.each(periods)('$name: $parameter is a date or a date-time before its end', async ({ parameter, ...operation }) => {
    const end = parameter === 'from' ? 'to' : 'receivedTo';
    const taken = good.map((value) => `${parameter}=${value}&${end}=2026-11-30`);
    expect(await notTaken(operation, taken)).toEqual([]);
    const refused = bad.map((value) => `${parameter}=${encodeURIComponent(value)}`);
    expect(await notRefused(operation, parameter, refused)).toEqual([]);
    const { status } = await read(operation, `${parameter}=2026-11-02&${end}=2026-11-01`);
    expect(status).toBe(400);
  });
});

describe('text in the query', () => {
  // Of the CRM's, none goes without the others.
  const texts = queries.filter(
    ({ schema, parameter }) => schema.maxLength && !schema.pattern && !parameter.startsWith('crm'),
  );
  it.each(texts)('$name: $parameter has at most its length', async ({ parameter, schema, ...operation }) => {
    const most = schema.maxLength ?? 0;
    const taken = ['a'.repeat(most), 'a', encodeURIComponent('日本 ñ 😀 \' " % ; --')].map(
      (value) => `${parameter}=${value}`,
    );
    expect(await notTaken(operation, taken)).toEqual([]);
    expect(await notRefused(operation, parameter, [`${parameter}=${'a'.repeat(most + 1)}`])).toEqual([]);
  });

  it.each(['listRecords', 'search'])('%s: the entity of a CRM has its three parts', async (name) => {
    const operation = readable.find((each) => each.name === name) ?? readable[0];
    const most = 'a'.repeat(255);
    const taken = await read(operation as Operation, `crmEntityType=${most}&crmEntityId=${most}&crmPortal=${most}`);
    expect([taken.status, taken.body.data]).toEqual([200, []]);
    const refused = await read(operation as Operation, `crmEntityType=deal&crmEntityId=${most}a`);
    expect(refused.status).toBe(400);
  });
});

describe('a parameter that is given twice', () => {
  const singles = queries.filter(({ parameter }) =>
    ['page', 'sort', 'from', 'q', 'limit', 'order'].includes(parameter),
  );
  it.each(singles)('$name: $parameter is 400', async ({ parameter, schema, ...operation }) => {
    const value = schema.enum?.[0] ?? (parameter === 'from' ? '2026-11-01' : '1');
    expect(await notRefused(operation, parameter, [`${parameter}=${value}&${parameter}=${value}`])).toEqual([]);
  });
});
