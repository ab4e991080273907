import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { buildOpenApiDocument } from '../../src/http/openapi/document.ts';
import { objectShape } from '../../src/http/coerce.ts';
import { appRouter } from '../../src/api/router.ts';
import { operations, requestOf, surfacesOf, type Ids } from '../security/operations.ts';
import { createResources } from '../security/resources.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { openStored, type Stored } from '../support/stored.ts';
import { operationsOf, type OpenApiJson } from './openapi-contract.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';

const api = '/api/v1';
const document = buildOpenApiDocument({ version: '1.0.0' }) as unknown as OpenApiJson;

let t: TestApp;
let owner: TestMember;
let ids: Ids;
let stored: Stored;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  ids = await createResources(t, owner);
  stored = openStored(t);
});
afterAll(async () => {
  await stored.close();
  await t.close();
});

type Definition = {
  type: string;
  catchall?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  options?: z.core.$ZodType[];
};

/** Places of objects that would pass over a field that they do not know. */
function openPlaces(schema: z.core.$ZodType, place: string): string[] {
  const { type, catchall, shape, innerType, element, valueType, in: input, options } = schema._zod.def as Definition;
  const isOpen = type === 'object' && catchall?._zod.def.type !== 'never';
  const inner = [innerType, element, valueType, input, ...(options ?? [])].filter((part) => part !== undefined);
  return [
    ...(isOpen ? [place] : []),
    ...Object.entries(shape ?? {}).flatMap(([key, part]) => openPlaces(part, `${place}.${key}`)),
    ...inner.flatMap((part) => openPlaces(part, place)),
  ];
}

type Procedure = { _def: { inputs: z.core.$ZodType[] } };
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>);

describe('the input of every procedure', () => {
  it('is declared, and closed at every depth', () => {
    expect(procedures.length).toBeGreaterThan(60);
    expect(procedures.filter(([, { _def }]) => _def.inputs.length === 0).map(([path]) => path)).toEqual([]);
    expect(procedures.flatMap(([path, { _def }]) => _def.inputs.flatMap((input) => openPlaces(input, path)))).toEqual(
      [],
    );
  });
});

/** Places in an example where the document has an object without further fields. */
function closedPlaces(schema: Record<string, unknown>, value: unknown, place: string[] = []): string[][] {
  const resolved = resolve(schema);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      closedPlaces((resolved['items'] ?? {}) as never, item, [...place, String(index)]),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const either = [resolved['anyOf'], resolved['oneOf']].find(Array.isArray) as Record<string, unknown>[] | undefined;
  const fitting = either?.map(resolve).find((option) => {
    const { kind, part } = (option['properties'] ?? {}) as Record<string, { const?: unknown }>;
    const own = value as { kind?: unknown; part?: unknown };
    return option['type'] !== 'null' && (kind ?? part)?.const === (kind ? own.kind : part ? own.part : undefined);
  });
  if (fitting) return closedPlaces(fitting, value, place);
  const properties = (resolved['properties'] ?? {}) as Record<string, Record<string, unknown>>;
  const nested = Object.entries(value).flatMap(([key, part]) =>
    closedPlaces(properties[key] ?? {}, part, [...place, key]),
  );
  return resolved['additionalProperties'] === false ? [place, ...nested] : nested;
}

function resolve(schema: Record<string, unknown>): Record<string, unknown> {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  return resolve(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
}

/** Every place of every example of a body, with a field there that nobody knows. */
const misspelt = operationsOf(document).flatMap(({ method, path, operation }) => {
  const media = operation.requestBody?.content['application/json'];
  return Object.entries(media?.examples ?? {}).flatMap(([name, { value }]) =>
    closedPlaces(media?.schema ?? {}, value).map((place) => {
      const body = structuredClone(value);
      const target = place.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], body);
      Object.assign(target as object, { nobodyKnowsThis: 1 });
      const where = [...place, 'nobodyKnowsThis'].join('.');
      return { title: `${method} ${path} (${name}): ${where}`, method, path, body, where };
    }),
  );
});

function urlOf(path: string): string {
  const kind = path.split('/')[1]?.replace(/ies$/, 'y').replace(/yses$/, 'ysis').replace(/s$/, '') ?? '';
  const named: Record<string, string> = { ...ids, id: ids[`${kind}Id` as keyof Ids] ?? ids.portalId };
  return `${api}${path.replace(/\{(\w+)\}/g, (_, key: string) => named[key] ?? '')}`;
}

describe('a field of a body that nobody knows', () => {
  it('is tried in every body of the document, some of them many levels deep', () => {
    const bodies = operationsOf(document).filter(({ operation }) => operation.requestBody?.content['application/json']);
    const tried = new Set(misspelt.map(({ method, path }) => `${method} ${path}`));
    expect(bodies.map(({ method, path }) => `${method} ${path}`).filter((name) => !tried.has(name))).toEqual([]);
    expect(Math.max(...misspelt.map(({ where }) => where.split('.').length))).toBeGreaterThan(4);
  });

  it.each(misspelt)('is 400 and is named: $title', async ({ method, path, body, where }) => {
    const request = { method: method as 'POST', url: urlOf(path), payload: body as object };
    const { status, body: answer } = await t.as(owner, request);
    expect({ status, code: answer.error?.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.error.details).toContainEqual({ path: where, message: 'Unknown field `nobodyKnowsThis`.' });
  });
});

type Mistake = [what: string, send: () => Parameters<TestApp['as']>[1], path: string, message: string | RegExp];
const post = (url: string, payload: object) => ({ method: 'POST' as const, url: `${api}${url}`, payload });
const patch = (url: string, payload: object) => ({ method: 'PATCH' as const, url: `${api}${url}`, payload });
const get = (url: string) => ({ method: 'GET' as const, url: `${api}${url}` });
const call = () => ({ externalId: 'x', projectId: owner.projectId, recordingUrl: 'https://a.example/1.wav' });
const upload = (...parts: { name: string; content: string }[]) => {
  const content = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);
  const file = { name: 'file', fileName: 'call.wav', type: 'audio/wav', content };
  const payload = formBytes([...parts, file, { name: 'projectId', content: owner.projectId }]);
  return { method: 'POST' as const, url: `${api}/records/upload`, headers: { 'content-type': formType }, payload };
};

const mistakes: Mistake[] = [
  ['a name', () => post('/projects', { nmae: 'A' }), 'nmae', 'Unknown field `nmae`. Did you mean `name`?'],
  [
    'a setting',
    () => post('/projects', { name: 'A', settings: { redactPII: true } }),
    'settings.redactPII',
    'Unknown field `redactPII`. Did you mean `redactPii`?',
  ],
  [
    'an option',
    () => post(`/analyses/${ids.analysisId}/re-analyze`, { profileId: ids.profileId, retransribe: true }),
    'retransribe',
    'Unknown field `retransribe`. Did you mean `retranscribe`?',
  ],
  [
    'a place',
    () => post(`/analyses/${ids.analysisId}/annotations`, { text: 'A', segmentID: 'seg_x' }),
    'segmentID',
    'Unknown field `segmentID`. Did you mean `segmentId`?',
  ],
  [
    'a filter',
    () => get('/records?complianceStaus=failed'),
    'complianceStaus',
    'Unknown query parameter `complianceStaus`. Did you mean `complianceStatus`?',
  ],
  ['a format', () => get(`/records/${ids.recordId}/transcript?fromat=vtt`), 'fromat', /Did you mean `format`\?/],
  ['a flag of a deletion', () => ({ method: 'DELETE', url: `${api}/projects/x?forced=true` }), 'forced', /`force`/],
  ['a filter of a search', () => get('/search?q=a&project_id=x'), 'project_id', /Did you mean `projectId`\?/],
  ['a parameter of what takes none', () => get('/health?deep=1'), 'deep', 'Unknown query parameter `deep`.'],
  ['a parameter beside a body', () => post('/projects?dryRun=1', { name: 'A' }), 'dryRun', /^Unknown query parameter/],
  ['a parameter of an upload', () => ({ ...upload(), url: `${api}/records/upload?a=1` }), 'a', /^Unknown query/],
  [
    'a body of a deletion',
    () => ({ method: 'DELETE', url: `${api}/projects/${ids.projectId}`, payload: { force: true } }),
    'force',
    'Unknown field `force`. This operation takes no body.',
  ],
  ['what the service sets', () => post('/projects', { name: 'A', createdAt: 'x' }), 'createdAt', /set by the service/],
  ['what the service counts', () => patch(`/alerts/${ids.alertId}`, { triggerCount: 0 }), 'triggerCount', /set by the/],
  ['an id', () => post('/alerts', { id: 'alr_x' }), 'id', '`id` is set by the service and cannot be given.'],
  ['an id in the address', () => patch(`/projects/${ids.projectId}`, { id: 'x' }), 'id', /stands in the address/],
  ['a part', () => upload({ name: 'metadat', content: '{}' }), 'metadat', /Did you mean `metadata`\?/],
  [
    'a fact as a part',
    () => upload({ name: 'agentName', content: 'A' }),
    'agentName',
    /a field of the JSON in `metadata`/,
  ],
  [
    'a fact in metadata',
    () => upload({ name: 'metadata', content: '{"agent_name":"A"}' }),
    'metadata.agent_name',
    /`agentName`/,
  ],
  [
    'a fact but for a letter',
    () => upload({ name: 'metadata', content: '{"langage":"en"}' }),
    'metadata.langage',
    /`language`/,
  ],
  [
    'a fact beside itself',
    () => upload({ name: 'metadata', content: '{"AgentName":"A"}' }),
    'metadata.AgentName',
    /`agentName`/,
  ],
  [
    'a fact in the metadata of an ingest',
    () => post('/records/ingest', { ...call(), metadata: { 'customer-phone': '1' } }),
    'metadata.customer-phone',
    /`customerPhone`/,
  ],
  ['an agent', () => post('/records/ingest', { ...call(), agent: { nane: 'A' } }), 'agent.nane', /`name`/],
  [
    'a field of a transcript',
    () => upload({ name: 'transcript', content: '[{"speker":"agent","startMs":0,"endMs":1,"text":"Hi"}]' }),
    'transcript.0.speker',
    /`speaker`/,
  ],
  ['a frame', () => post('/embedded/auth', { domain: 'a.bitrix24.com', memberID: 'x' }), 'memberID', /`memberId`/],
  [
    'a prototype',
    () => ({
      ...post('/projects', {}),
      payload: '{"name":"A","a":{"__proto__":{}}}',
      headers: { 'content-type': 'application/json' },
    }),
    'a.__proto__',
    /cannot be named/,
  ],
  [
    'a category',
    () => post('/alerts', { name: 'A', condition: { field: 'categories.greting', operator: 'lt', value: 1 } }),
    'condition.field',
    'No profile of the organization has the category `greting`. Did you mean `greeting`?',
  ],
  [
    'a check for a category',
    () => post('/alerts', { name: 'A', condition: { field: 'categories.greeting.opens', operator: 'lt', value: 1 } }),
    'condition.field',
    /has the category `greeting.opens`/,
  ],
];

describe('a mistake in', () => {
  it.each(mistakes)('%s is 400, with the place and what was meant', async (_what, send, path, message) => {
    const { status, body } = await t.as(owner, send());
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    const told = body.error.details.find((detail: { path: string }) => detail.path === path);
    expect(told?.message).toMatch(message);
  });

  it('further keys of metadata is none, as long as they are less like those that are known', async () => {
    const metadata = { campaign: 'spring', agent: 'desk 4', lang: 'english', external: 7, phone: '1' };
    const uploaded = await t.as(owner, upload({ name: 'metadata', content: JSON.stringify(metadata) }));
    expect(uploaded.status).toBe(201);
    const ingested = await t.as(owner, post('/records/ingest', { ...call(), metadata }));
    expect(ingested.status).toBe(202);
    for (const { body } of [uploaded, ingested]) {
      expect((await t.as(owner, get(`/records/${body.data.id}`))).body.data.metadata).toEqual(metadata);
    }
  });

  it('over RPC is told in the same words', async () => {
    const payload = { json: { nmae: 'A', id: 'x', settings: { redactPII: true } } };
    const { status, body } = await t.as(owner, { method: 'POST', url: '/api/trpc/projects.create', payload });
    expect(status).toBe(400);
    expect(body.error.json.data.details).toEqual(
      expect.arrayContaining([
        { path: 'nmae', message: 'Unknown field `nmae`. Did you mean `name`?' },
        { path: 'id', message: '`id` is set by the service and cannot be given.' },
        { path: 'settings.redactPII', message: 'Unknown field `redactPII`. Did you mean `redactPii`?' },
      ]),
    );
  });

  it('a body that is nothing but mistakes names a hundred of them', async () => {
    const payload = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]));
    const { status, body } = await t.as(owner, post('/projects', payload));
    expect([status, body.error.details.length]).toEqual([400, 100]);
  });
});

describe('an alert on a category', () => {
  const rule = (key: string, projectId: string | null) => ({
    name: 'Rule',
    projectId,
    condition: { field: `categories.${key}`, operator: 'lt', value: 50 },
  });

  it('is taken where the profile of the project has it or, for all projects, any profile', async () => {
    const { body: project } = await t.as(owner, post('/projects', { name: 'Own rubric', profileId: ids.profileId }));
    const create = async (key: string, projectId: string | null) =>
      (await t.as(owner, post('/alerts', rule(key, projectId)))).status;
    expect(await create('opening', project.data.id)).toBe(201);
    expect(await create('opening', owner.projectId)).toBe(400);
    expect(await create('greeting', owner.projectId)).toBe(201);
    expect(await create('opening', null)).toBe(201);
    expect(await create('nothing', null)).toBe(400);
  });

  it('cannot be moved to a project without it, and keeps what is not changed', async () => {
    const { body } = await t.as(owner, post('/alerts', rule('greeting', owner.projectId)));
    const { body: project } = await t.as(owner, post('/projects', { name: 'Other rubric', profileId: ids.profileId }));
    const moved = await t.as(owner, patch(`/alerts/${body.data.id}`, { projectId: project.data.id }));
    expect([moved.status, moved.body.error.details[0].path]).toEqual([400, 'projectId']);
    expect((await t.as(owner, patch(`/alerts/${body.data.id}`, { enabled: false }))).status).toBe(200);
  });
});

describe('PATCH', () => {
  const changes = operations.filter(({ rest }) => rest?.startsWith('PATCH '));

  it('is looked at for every resource that can be changed', () => {
    expect(changes.length).toBeGreaterThan(7);
  });

  it.each(changes)('without a body is 400: $name', async (operation) => {
    const { payload: _payload, ...request } = requestOf(operation, 'rest', ids);
    const { status, body } = await t.as(owner, request);
    expect({ status, error: body.error }).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', details: [{ path: 'body' }] },
    });
  });

  it.each(changes)('with {} changes nothing: $name', async (operation) => {
    const { rest = '' } = operation;
    const inPath = new Set([...rest.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    const before = await stored.read();
    for (const surface of surfacesOf(operation)) {
      const input = (given: Ids) =>
        Object.fromEntries(Object.entries(operation.input(given)).filter(([key]) => inPath.has(key)));
      const { status } = await t.as(owner, requestOf({ ...operation, input }, surface, ids));
      expect({ surface, status }).toEqual({ surface, status: 200 });
    }
    expect(await stored.read()).toEqual(before);
  });

  it('has no field that must be given', () => {
    for (const { rpc = '', rest = '' } of changes) {
      const [input] = procedures.find(([path]) => path === rpc)?.[1]._def.inputs ?? [];
      const required = Object.entries(input ? objectShape(input) : {}).filter(
        ([, field]) => field._zod.optin !== 'optional',
      );
      expect(required.map(([name]) => name).filter((name) => !rest.includes(`{${name}}`))).toEqual([]);
    }
  });
});
