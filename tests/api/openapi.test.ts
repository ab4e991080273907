import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Part } from '../../src/model/rubric-parts.ts';
import { z } from 'zod';
import { appRouter } from '../../src/api/router.ts';
import { endpointsOf } from '../../src/http/endpoints.ts';
import { errorTable, type ErrorCode } from '../../src/lib/errors.ts';
import { newProfile } from '../../src/domain/profiles/examples.ts';
import { ids } from '../../src/domain/example-story.ts';
import { evaluateOrdered } from '../support/alert-orders.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis } from '../support/seed.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';
import { createContract, operationsOf, type Contract, type OpenApiJson } from './openapi-contract.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);

let t: TestApp;
let owner: TestMember;
let document: OpenApiJson;
let contract: Contract;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  document = (await t.app.inject('/openapi.json')).json();
  contract = createContract(document);
});
afterAll(() => t.close());

describe('the document and the service', () => {
  it('have the same routes: everything under /api/v1 is documented, everything documented is there', () => {
    const documented = operationsOf(document).map(({ method, path: url }) => `${method} /api/v1${url}`);
    const registered = routesOf(t.app.printRoutes({ commonPrefix: false })).filter(({ url }) =>
      url.startsWith('/api/v1/'),
    );
    const gets = new Set(registered.filter(({ method }) => method === 'GET').map(({ url }) => url));
    // HEAD comes with every GET; it is documented only where it is a route of its own.
    const expected = registered
      .filter(({ method, url }) => method !== 'HEAD' || !gets.has(url))
      .map(({ method, url }) => `${method} ${url}`);
    expect(documented.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(expected.sort());
    for (const route of documented.filter((name) => name.startsWith('HEAD '))) {
      expect(registered.map(({ method, url }) => `${method} ${url}`)).toContain(route);
    }
  });

  it('agree on status, headers and body of real answers', async () => {
    const created = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: 'Contract' } });
    contract.check('createProject', created);
    const projectUrl = `/api/v1/projects/${created.body.data.id}`;
    contract.check('listProjects', await t.as(owner, { url: '/api/v1/projects' }));
    contract.check('getProject', await t.as(owner, { url: projectUrl }));
    const changed = await t.as(owner, { method: 'PATCH', url: projectUrl, payload: { language: 'en' } });
    contract.check('updateProject', changed);
    contract.check('getProjectStats', await t.as(owner, { url: `${projectUrl}/stats` }));

    const profile = await t.as(owner, { method: 'POST', url: '/api/v1/profiles', payload: newProfile });
    contract.check('createProfile', profile);
    const profileUrl = `/api/v1/profiles/${profile.body.data.id}`;
    contract.check('getProfile', await t.as(owner, { url: profileUrl }));
    contract.check('listProfiles', await t.as(owner, { url: '/api/v1/profiles' }));
    const renamed = await t.as(owner, { method: 'PATCH', url: profileUrl, payload: { name: 'Renamed' } });
    contract.check('updateProfile', renamed);

    const payload = {
      externalId: 'call-1',
      projectId: owner.projectId,
      recordingUrl: 'https://recordings.example.com/call-1.mp3',
      customerPhone: '+441234567890',
      transcript: 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Agent>Hello\n',
    };
    const ingested = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
    expect(ingested.status).toBe(202);
    contract.check('ingestRecord', ingested);
    const again = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
    expect(again.status).toBe(200);
    contract.check('ingestRecord', again);
    const recordUrl = `/api/v1/records/${ingested.body.data.id}`;
    contract.check('listRecords', await t.as(owner, { url: '/api/v1/records' }));
    contract.check('getRecord', await t.as(owner, { url: recordUrl }));
    const analysisId = await seedAnalysis(t, owner, { recordId: ingested.body.data.id });
    contract.check('getRecordTranscript', await t.as(owner, { url: `${recordUrl}/transcript` }));
    contract.check('getRecordTranscript', await t.as(owner, { url: `${recordUrl}/transcript?format=srt` }));
    contract.check('retryRecord', await t.as(owner, { method: 'POST', url: `${recordUrl}/retry` }));
    contract.check('listAnalyses', await t.as(owner, { url: '/api/v1/analyses' }));
    contract.check('getAnalysis', await t.as(owner, { url: `/api/v1/analyses/${ids.analysis}` }));
    const analysisUrl = `/api/v1/analyses/${analysisId}`;
    contract.check('getAnalysis', await t.as(owner, { url: analysisUrl }));
    const annotated = await t.as(owner, {
      method: 'POST',
      url: `${analysisUrl}/annotations`,
      payload: { text: 'A note', startMs: 0, endMs: 10 },
    });
    contract.check('createAnnotation', annotated);
    contract.check('listAnnotations', await t.as(owner, { url: `${analysisUrl}/annotations` }));
    const annotationUrl = String(annotated.headers['location']);
    contract.check('getAnnotation', await t.as(owner, { url: annotationUrl }));
    const praised = await t.as(owner, { method: 'PATCH', url: annotationUrl, payload: { type: 'praise' } });
    contract.check('updateAnnotation', praised);
    contract.check('deleteAnnotation', await t.as(owner, { method: 'DELETE', url: annotationUrl }));
    const reanalyze = () =>
      t.as(owner, { method: 'POST', url: `${analysisUrl}/re-analyze`, payload: { profileId: profile.body.data.id } });
    contract.check('reanalyze', await reanalyze());
    contract.check('reanalyze', await reanalyze());
    const reviewUrl = `${analysisUrl}/review`;
    const post = (url: string, payload: object) => t.as(owner, { method: 'POST', url, payload });
    contract.check('getReview', await t.as(owner, { url: reviewUrl }));
    contract.check('submitReview', await post(reviewUrl, { verdict: 'approved' }));
    contract.check('submitReview', await post(reviewUrl, { verdict: 'rejected', comment: 'No.' }));
    contract.check('getReview', await t.as(owner, { url: reviewUrl }));
    contract.check('resolveReview', await post(`${reviewUrl}/resolve`, { outcome: 'accepted', comment: 'Yes.' }));
    contract.check('disputeReview', await post(`${reviewUrl}/dispute`, { comment: 'Really?' }));
    contract.check('disputeReview', await post(`${reviewUrl}/dispute`, { comment: 'Really?' }));
    contract.check('resolveReview', await post(`${reviewUrl}/resolve`, { outcome: 'accepted', comment: 'Yes.' }));
    contract.check('listReviewHistory', await t.as(owner, { url: `${reviewUrl}/history` }));
    const condition = { field: 'complianceStatus', operator: 'eq', value: 'failed' };
    const alert = await post('/api/v1/alerts', { name: 'Breach', condition });
    contract.check('createAlert', alert);
    const alertUrl = `/api/v1/alerts/${alert.body.data.id}`;
    await post(reviewUrl, { verdict: 'rejected', comment: 'No.', complianceStatus: 'failed' });
    await evaluateOrdered(t, owner);
    contract.check('listAlerts', await t.as(owner, { url: '/api/v1/alerts' }));
    contract.check('getAlert', await t.as(owner, { url: alertUrl }));
    const firings = await t.as(owner, { url: `${alertUrl}/events` });
    expect(firings.body.meta.total).toBe(1);
    contract.check('listAlertEvents', firings);
    contract.check('updateAlert', await t.as(owner, { method: 'PATCH', url: alertUrl, payload: { name: 'Other' } }));
    contract.check('deleteAlert', await t.as(owner, { method: 'DELETE', url: alertUrl }));
    contract.check('getHealth', await t.as(owner, { url: '/api/v1/health' }));

    const parts = [
      { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: wav },
      { name: 'projectId', content: owner.projectId },
      { name: 'metadata', content: JSON.stringify({ agentName: 'Ann', queue: 'refunds' }) },
    ];
    const uploaded = await t.as(owner, {
      method: 'POST',
      url: '/api/v1/records/upload',
      headers: { 'content-type': formType },
      payload: formBytes(parts),
    });
    contract.check('uploadRecord', uploaded);
    const audioUrl = `/api/v1/records/${uploaded.body.data.id}/audio`;
    contract.check('getRecord', await t.as(owner, { url: `/api/v1/records/${uploaded.body.data.id}` }));
    const audio = await t.as(owner, { url: audioUrl });
    const statuses: number[] = [];
    for (const headers of [
      {},
      { range: 'bytes=0-9' },
      { range: 'bytes=99999-' },
      { 'if-none-match': String(audio.headers['etag']) },
    ]) {
      const answer = await t.as(owner, { url: audioUrl, headers });
      contract.check('getRecordAudio', answer);
      contract.check(
        'headRecordAudio',
        await t.as(owner, { method: 'HEAD', url: audioUrl, headers: omitRange(headers) }),
      );
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 206, 416, 304]);

    contract.check('deleteRecord', await t.as(owner, { method: 'DELETE', url: recordUrl }));
    contract.check('deleteProfile', await t.as(owner, { method: 'DELETE', url: profileUrl }));
    contract.check('deleteProject', await t.as(owner, { method: 'DELETE', url: projectUrl }));
  });

  it('would be found to disagree: on a field, a status, a header', async () => {
    const answer = await t.as(owner, { url: '/api/v1/projects' });
    const changed = structuredClone(document);
    delete (changed.components.schemas['Project'] as { properties: Record<string, unknown> }).properties['recordCount'];
    expect(() => createContract(changed).check('listProjects', answer)).toThrow(/recordCount/);
    expect(() => contract.check('listProjects', { ...answer, status: 201 })).toThrow(/does not document 201/);
    expect(() => contract.check('listProjects', { ...answer, headers: {} })).toThrow(/x-request-id/);
    expect(() => contract.check('getProject', answer)).toThrow(/data/);
  });

  it('agree on every refusal that any operation can meet', async () => {
    const agent = await t.addMember(owner, 'agent');
    for (const { method, path: url, operation } of operationsOf(document)) {
      if (operation.security?.length === 0) continue;
      const request = { method: method as 'GET', url: `/api/v1${url.replace(/\{\w+\}/g, ids.record)}` };
      const { authorization, 'x-selected-org-id': org } = owner.headers;
      const answers = {
        401: await t.app.inject({ ...request, headers: { 'x-selected-org-id': org } }),
        // About the person, no organization has to be named: there a parameter that is not known is what is wrong.
        400: await t.app.inject(
          url === '/me'
            ? { ...request, url: `${request.url}?nothing=1`, headers: { authorization } }
            : { ...request, headers: { authorization } },
        ),
        403: await t.app.inject({ ...request, headers: { authorization, 'x-selected-org-id': ids.org } }),
      };
      for (const [status, response] of Object.entries(answers)) {
        expect(`${operation.operationId} ${response.statusCode}`).toBe(`${operation.operationId} ${status}`);
        const body = method === 'HEAD' ? '' : response.json();
        contract.check(operation.operationId, { status: response.statusCode, headers: response.headers, body });
      }
      const unknown = await t.as(agent, request);
      contract.check(operation.operationId, { ...unknown, body: method === 'HEAD' ? '' : unknown.body });
    }
  });
});

describe('a body where none is expected', () => {
  it('is refused as documented where it is no JSON, also by operations that have nobody sign in', async () => {
    const bodies = [
      { type: 'application/x-www-form-urlencoded', payload: 'a=1', status: 415 },
      { type: 'application/json', payload: '{"a":', status: 400 },
      { type: 'application/json', payload: `"${'x'.repeat(1024 * 1024)}"`, status: 413 },
    ];
    const none = operationsOf(document).filter(
      ({ method, operation }) => operation.requestBody === undefined && ['DELETE', 'POST'].includes(method),
    );
    expect(none.map(({ operation }) => operation.operationId)).toEqual(
      expect.arrayContaining(['deleteProject', 'testWebhook', 'closeEmbeddedSession']),
    );
    for (const { method, path: url, operation } of none) {
      for (const { type, payload, status } of bodies) {
        const request = { method: method as 'POST', url: `/api/v1${url.replace(/\{\w+\}/g, ids.record)}`, payload };
        const answer = await t.as(owner, { ...request, headers: { 'content-type': type } });
        expect(`${operation.operationId} ${answer.status}`).toBe(`${operation.operationId} ${status}`);
        contract.check(operation.operationId, answer);
      }
    }
  });
});

describe('the document', () => {
  it('has an example for every body that is sent and every success that has one, and all of them fit', () => {
    const examples = contract.examples();
    expect(examples.filter(({ errors }) => errors.length > 0)).toEqual([]);
    const places = new Set(examples.map(({ place }) => place));
    expect(contract.bodies().filter((place) => !places.has(place))).toEqual([]);
  });

  it('says of every operation what it is, who may call it and how it can fail', () => {
    const operationIds = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(operationIds).size).toBe(operationIds.length);
    for (const { method, path: url, operation } of operationsOf(document)) {
      expect(operation).toMatchObject({
        operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
        summary: expect.stringMatching(/^[A-Z][^.]+$/),
        description: expect.stringMatching(/\.$/),
        tags: [expect.any(String)],
      });
      const { responses, parameters = [] } = operation;
      const statuses = new Set(Object.keys(responses).map(Number));
      const isPublic = operation.security?.length === 0;
      const expected = [429, 500, 503, ...(isPublic ? [] : [400, 401, 403])];
      if (url.includes('{id}')) expected.push(404);
      if (method !== 'GET' && method !== 'HEAD') expected.push(413, 415);
      expect(`${method} ${url}: ${expected.filter((status) => !statuses.has(status))}`).toBe(`${method} ${url}: `);
      for (const response of Object.values(responses)) {
        expect(contract.resolve(response).headers).toHaveProperty('X-Request-Id');
      }
      for (const parameter of parameters) expect(contract.resolve(parameter).description).toMatch(/\S/);
      const hasOrg = parameters.some((parameter) => contract.resolve(parameter).name === 'X-Selected-Org-ID');
      expect(hasOrg).toBe(!isPublic);
    }
  });

  it('shows every refusal in the envelope, with the code that its status has', () => {
    const wrong: string[] = [];
    for (const { method, operation } of operationsOf(document)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || method === 'HEAD') continue;
        const { examples = {} } = contract.resolve(response).content?.['application/json'] ?? {};
        const codes = Object.values(examples).map(({ value }) => (value as { error?: { code?: string } }).error?.code);
        const fitting = codes.filter((code) => errorTable[code as ErrorCode]?.status === Number(status));
        // Health tells what is down in its own words.
        const isHealth = operation.operationId === 'getHealth' && status === '503';
        if (!isHealth && (codes.length === 0 || fitting.length < codes.length)) {
          wrong.push(`${operation.operationId} ${status}: ${codes}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('names the credentials of every operation, and only those that it describes', () => {
    const described = Object.keys(document.components.securitySchemes);
    for (const { operation } of operationsOf(document)) {
      const schemes = (operation.security ?? document.security).flatMap((either) => Object.keys(either));
      expect(described).toEqual(expect.arrayContaining(schemes));
      if (operation.security !== undefined) continue;
      expect(`${operation.operationId}: ${schemes}`).toContain('bearerAuth');
    }
  });

  it('names what every operation answers with, so that clients have a type for it', () => {
    const unnamed = operationsOf(document).flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status.startsWith('2') && content?.['application/json'])
        .filter(([, { content }]) => !isNamed(content?.['application/json']?.schema ?? {}))
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(unnamed).toEqual([]);
  });

  it('names every object and every choice of shapes itself: generators would borrow a name, or count', () => {
    const unnamed = partsOf(document).filter(({ place, schema }) => {
      const isTop = /^components\.schemas\.\w+$/.test(place);
      const choice = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(({ type }) => type !== 'null');
      const isChoice = choice.length > 1;
      const hasUnnamedShape = choice.some((shape) => 'properties' in shape || 'enum' in shape);
      return hasUnnamedShape || (!isTop && (isChoice || 'properties' in schema));
    });
    expect(unnamed.map(({ place }) => place)).toEqual([]);
  });

  it('tells the shapes of a choice apart by a field, in what is sent and in what is answered', () => {
    const choices = partsOf(document).filter(({ schema }) => 'oneOf' in schema);
    expect(choices.length).toBeGreaterThan(5);
    for (const { place, schema } of choices) {
      const { propertyName = '', mapping = {} } = (schema['discriminator'] ?? {}) as {
        propertyName?: string;
        mapping?: Record<string, string>;
      };
      const told = Object.entries(mapping).map(([value, $ref]) => {
        const { properties = {} } = contract.resolve({ $ref }) as { properties?: Record<string, { const?: string }> };
        return properties[propertyName]?.const === value ? $ref : `not ${value}`;
      });
      expect(`${place}: ${told}`).toBe(`${place}: ${listOf(schema['oneOf']).map(({ $ref }) => String($ref))}`);
    }
  });

  it('has one object for shapes that a constant alone tells apart, and it allows what the service takes', () => {
    const schema = document.components.schemas['Part'] ?? {};
    const isDocumented = new Ajv2020({ strict: false }).compile(schema);
    expect(Object.keys(schema['properties'] as object)).toEqual(['part', 'turns', 'seconds']);
    const parts = ['whole', 'firstTurns', 'lastSeconds', 'secondHalf', 'betweenGreetingAndClosing', 'nowhere'];
    const numbers = [{}, { turns: 2 }, { seconds: 2 }, { turns: 2, seconds: 2 }, { turns: 101 }, { seconds: 0 }];
    const tried = parts.flatMap((part) => numbers.map((each) => ({ part, ...each })));
    expect(tried.filter((value) => isDocumented(value))).toEqual(
      tried.filter((value) => Part.safeParse(value).success),
    );
    expect(tried.filter((value) => isDocumented(value))).toHaveLength(5);
  });

  it('names what every operation answers in the schema itself, not after the operation', () => {
    const unnamed = endpointsOf(appRouter).flatMap(({ output, meta }) => {
      const isEmpty = meta.successStatus === 204;
      const isNamed = output !== undefined && z.globalRegistry.get(output)?.id !== undefined;
      return isEmpty || isNamed ? [] : [`${meta.openapi.operationId}: .output(…) needs a schema with .meta({ id })`];
    });
    expect(unnamed).toEqual([]);
  });

  it('has names that no number ends, that differ in more than case, and that no language has itself', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const taken =
      'Any Array Boolean Class Date Error Exception File Function Iterator List Map Module Number Object Process Promise Record Request Response Result Set String Symbol Thread Type';
    expect(names.filter((name) => taken.split(' ').includes(name))).toEqual([]);
  });

  it('says of every object in an answer that it may grow, so that no client refuses a new field', () => {
    const sent = contract.sentNames();
    const closed = partsOf(document).filter(({ place, schema }) => {
      const [, , name = ''] = place.split('.');
      return 'properties' in schema && !sent.has(name) && schema['additionalProperties'] === undefined;
    });
    expect(closed.map(({ place }) => place)).toEqual([]);
  });

  it('leaves objects in answers open, so that clients survive a new field', () => {
    expect(contract.closedAnswers()).toEqual([]);
  });

  it('is served with a validator, and without credentials', async () => {
    const first = await t.app.inject('/openapi.json');
    expect(first.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-request-id': expect.any(String),
    });
    const etag = String(first.headers['etag']);
    const second = await t.app.inject({ url: '/openapi.json', headers: { 'if-none-match': etag } });
    expect(second).toMatchObject({ statusCode: 304, body: '' });
    const other = await t.app.inject({ url: '/openapi.json', headers: { 'if-none-match': '"other"' } });
    expect(other.statusCode).toBe(200);
  });

  it('passes Redocly and Spectral without an error or a warning', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'earshot-openapi-'));
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' };
    const lint = (program: string, args: string[]) =>
      run(process.execPath, [fileURLToPath(program), 'lint', file, ...args], { cwd: repository, env });
    try {
      const [redocly, spectral] = await Promise.all([
        lint(import.meta.resolve('@redocly/cli/bin/cli.js'), ['--config=.redocly.yaml', '--format=json']),
        lint(import.meta.resolve('@stoplight/spectral-cli/dist/index.js'), [
          '--ruleset=.spectral.yaml',
          '--format=json',
          '--quiet',
        ]),
      ]);
      expect(JSON.parse(redocly.stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
      expect(JSON.parse(spectral.stdout)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** HEAD knows no ranges (RFC 9110, section 14.2). */
function omitRange({ range: _range, ...headers }: Record<string, string | undefined>): Record<string, string> {
  return headers as Record<string, string>;
}

/** Reads Fastify's own picture of its routes, one level of the tree each four characters. */
function routesOf(tree: string): { method: string; url: string }[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] =
      /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([^)]+)\))?$/.exec(line) ?? [];
    if (segment === '') return [];
    const depth = indent.length / 4;
    const url = `${parents[depth - 1] ?? ''}${segment}`;
    parents.splice(depth, parents.length, url);
    const shown = url.replace(/:(\w+)/g, '{$1}');
    return methods === '' ? [] : methods.split(', ').map((method) => ({ method, url: shown }));
  });
}

type Answer = { $ref?: string; items?: Answer; properties?: { data?: Answer } };

/** Whether a resource, or the items of a list, are a component of their own. */
type Schema = Record<string, unknown>;

/** Every schema in the document, and every schema inside one. */
function partsOf(part: unknown, place: string[] = []): { place: string; schema: Schema }[] {
  if (typeof part !== 'object' || part === null) return [];
  const inside = Object.entries(part)
    .filter(
      ([key]) => !['example', 'examples', 'description', 'mapping', 'not', 'if', 'dependentSchemas'].includes(key),
    )
    .flatMap(([key, value]) => partsOf(value, [...place, key]));
  const isSchema = ['type', 'properties', 'anyOf', 'oneOf', '$ref'].some((key) => key in part);
  return isSchema && place.at(-1) !== 'properties'
    ? [{ place: place.join('.'), schema: part as Schema }, ...inside]
    : inside;
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? (value as Schema[]) : [];
}

function isNamed(answer: Answer): boolean {
  const data = contract.resolve(answer).properties?.data;
  return '$ref' in (data?.items ?? data ?? answer);
}
