import type { InjectOptions } from 'fastify';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '../../src/http/openapi/document.ts';
import { objectShape } from '../../src/http/coerce.ts';
import { appRouter } from '../../src/api/router.ts';
import { createContract, operationsOf, type OpenApiJson } from '../api/openapi-contract.ts';
import { formBytes, formType, wavHeader } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import {
  operations,
  publicRoutes,
  requestOf,
  restRoutes,
  surfacesOf,
  readAnswer,
  unknownIds,
  type Operation,
  type Surface,
} from './operations.ts';
import { specifiedOperations } from './specified-operations.ts';

const document = buildOpenApiDocument({ version: '1.0.0' }) as unknown as OpenApiJson;
const contract = createContract(document);
const documented = new Map(operationsOf(document).map((each) => [`${each.method} ${each.path}`, each]));

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

describe('the table of operations', () => {
  const listed = [...operations.flatMap(({ rest }) => (rest === undefined ? [] : [rest])), ...publicRoutes];

  it('holds every operation of the document, and the document every one of the table', () => {
    // HEAD is the GET without its body; that it is documented, another test holds.
    const names = [...documented.keys()].filter((name) => !name.startsWith('HEAD '));
    expect(listed.toSorted()).toEqual(names.toSorted());
  });

  it('holds every operation that has been specified, and the service answers it', () => {
    expect(specifiedOperations.length).toBeGreaterThan(40);
    expect(specifiedOperations.filter((name) => !listed.includes(name))).toEqual([]);
    const routes = new Set(restRoutes(t));
    expect(specifiedOperations.filter((name) => !routes.has(name))).toEqual([]);
  });

  it('offers over RPC, for the dashboard, everything that JSON can carry', () => {
    const missing = operations.filter(({ rest, rpc }) => rest !== undefined && rpc === undefined);
    // The dashboard writes its captions from the transcript.
    expect(missing.map(({ rest }) => rest).toSorted()).toEqual([
      'GET /records/{id}/audio',
      'GET /records/{id}/captions',
      'POST /records/upload',
    ]);
  });
});

type Mistake = { title: string; operation: Operation; surface: Surface; request: () => InjectOptions; field: string };

/** Text that no parameter of these types means. */
const wrongTexts: Record<string, string> = { integer: '1.5', number: 'many', boolean: 'perhaps' };

/** One mistake at a time, in everything that an operation reads beside its path. */
function mistakesIn(operation: Operation): Mistake[] {
  return surfacesOf(operation).flatMap((surface) => {
    const found = documented.get(operation.rest ?? '')?.operation;
    const title = `${operation.name} (${surface})`;
    const make = (field: string, text: string | undefined, value: unknown): Mistake => ({
      title: `${title}: ${field}`,
      operation,
      surface,
      field,
      request: () => {
        const wrong = surface === 'rest' && text !== undefined ? text : value;
        const input = (ids: Parameters<Operation['input']>[0]) => ({ ...operation.input(ids), [field]: wrong });
        return requestOf({ ...operation, input }, surface, unknownIds());
      },
    });
    const shape = surface === 'rest' ? undefined : inputOf(operation.rpc ?? '');
    const query = (found?.parameters ?? []).map(contract.resolve).flatMap(({ name, in: place, schema }) => {
      const { type, enum: values, format } = contract.resolve(schema);
      const text = wrongTexts[String(type)] ?? (values || format || schema['anyOf'] ? 'nonsense' : undefined);
      const isRead = place === 'query' && (shape === undefined || name in shape);
      return isRead && text !== undefined ? [make(name, text, { wrong: true })] : [];
    });
    const body = found?.requestBody?.content['application/json']?.schema;
    const fields = body ? Object.entries(propertiesOf(contract.resolve(body))) : [];
    const wrongBody = fields.map(([name, schema]) => make(name, undefined, wrongFor(schema)));
    // Over REST, a name in the path is any text, and one that names nothing is 404.
    const named = surface === 'rest' ? [] : Object.keys(operation.input(unknownIds()));
    const known = new Set([...query, ...wrongBody].map(({ field }) => field));
    const wrongNames = named.filter((name) => !known.has(name)).map((name) => make(name, undefined, { wrong: true }));
    return [...query, ...wrongBody, ...wrongNames];
  });
}

/** The fields that a procedure reads. */
function inputOf(rpc: string): Record<string, unknown> {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.core.$ZodType[] } }>;
  const [input] = procedures[rpc]?._def.inputs ?? [];
  return input ? objectShape(input) : {};
}

function propertiesOf(schema: Record<string, unknown>): Record<string, Record<string, unknown>> {
  return (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>;
}

/** A value that the schema does not allow. */
function wrongFor(schema: Record<string, unknown>): unknown {
  const resolved = contract.resolve(schema);
  const types = JSON.stringify(resolved);
  return types.includes('"object"') || types.includes('$ref') || 'not' in resolved ? 12.5 : { wrong: true };
}

const mistakes = operations.flatMap(mistakesIn);

describe('input that is not valid', () => {
  it.each(mistakes)('is 400 and names the place: $title', async ({ request, surface, field }) => {
    const made = request();
    const response = await t.app.inject({ ...made, headers: { ...made.headers, ...owner.headers } });
    const answer = readAnswer(surface, response);
    const body = JSON.parse(answer.body);
    const error = body.error.data ?? body.error.json?.data ?? body.error;
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(answer.status).toBe(400);
    const places = (error.details ?? []).map(({ path }: { path: string }) => path.split('.')[0]);
    expect(places).toContain(field);
  });

  it('is looked for in every operation that reads anything but a path', () => {
    const tried = new Set(mistakes.map(({ operation }) => operation.name));
    const untried = operations.filter(({ name }) => !tried.has(name));
    expect(untried.filter(({ input }) => Object.keys(input(unknownIds())).length > 0).map(({ rest }) => rest)).toEqual([
      'POST /records/upload',
    ]);
  });

  it('is 400 also in the parts of an upload', async () => {
    const file = {
      name: 'file',
      fileName: 'call.wav',
      type: 'audio/wav',
      content: Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]),
    };
    const project = { name: 'projectId', content: owner.projectId };
    const forms = [
      [file],
      [project],
      [],
      [project, file, project],
      [project, { name: 'metadata', content: '{' }, file],
    ];
    for (const parts of forms) {
      const headers = { 'content-type': formType };
      const request = { method: 'POST' as const, url: '/api/v1/records/upload', headers, payload: formBytes(parts) };
      expect(await t.as(owner, request)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
  });

  const reading = operations.flatMap((operation) => {
    const parameters = (documented.get(operation.rest ?? '')?.operation.parameters ?? []).map(contract.resolve);
    const query = parameters.find((parameter) => parameter.in === 'query');
    return query ? [{ operation, parameter: query.name, title: operation.name }] : [];
  });

  it.each(reading)('is 400 where its encoding means nothing: $title', async ({ operation, parameter }) => {
    const request = requestOf(operation, 'rest', unknownIds());
    const [path = ''] = String(request.url).split('?');
    const { status, body } = await t.as(owner, { ...request, query: {}, url: `${path}?${parameter}=%ff` });
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  });
});
