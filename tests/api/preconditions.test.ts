import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '../../src/api/router.ts';
import { endpointsOf } from '../../src/http/endpoints.ts';
import { newId } from '../../src/lib/ids.ts';
import { guardsOf } from '../../src/http/preconditions.ts';
import { operations, requestOf, unknownIds, type Ids, type Operation } from '../security/operations.ts';
import { createResources } from '../security/resources.ts';
import { asAdmin } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const endpoints = endpointsOf(appRouter);
const guards = guardsOf(endpoints);
const api = '/api/v1';

/** Every operation that takes `If-Match`, by what it does. */
const guarded = operations.filter(({ rpc }) => guards.has(rpc ?? ''));

/** What would change nothing as the table has it. */
const changes: Record<string, object> = { 'PATCH /billing/budget/{orgId}': { budgetLimit: 5 } };

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

async function resourcesFor({ rest }: Operation): Promise<Ids> {
  const ids = await createResources(t, owner);
  if (rest === 'PATCH /sign-in-rules') {
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`update orgs set owners_need_second_factor = true where id = ${owner.orgId}`,
    );
  }
  if (rest?.endsWith('/resolve')) {
    await t.as(owner, {
      method: 'POST',
      url: `${api}/analyses/${ids.analysisId}/review/dispute`,
      payload: { comment: 'No.' },
    });
  }
  return ids;
}

function changeOf(operation: Operation, ids: Ids) {
  const request = requestOf(operation, 'rest', ids);
  const payload = request.payload && { ...(request.payload as object), ...changes[operation.rest ?? ''] };
  const change = { ...request, ...(payload && { payload }) };
  const { reader, names } = guards.get(operation.rpc ?? '') ?? {};
  const address = endpoints.find(({ path }) => path === reader?.path)?.meta.openapi.path ?? '';
  const input = operation.input(ids);
  const url = names?.reduce((path, name) => path.replace(`{${name}}`, String(input[name])), `${api}${address}`) ?? '';
  return { send: (tag: string) => t.as(owner, { ...change, headers: { 'if-match': tag } }), change, url };
}

const tagOf = async (url: string) => String((await t.as(owner, { url })).headers['etag']);

describe('every operation that changes what can be read takes If-Match', () => {
  it('is known by its declaration', () => {
    const changing = endpoints.filter(({ meta }) => ['PATCH', 'DELETE'].includes(meta.openapi.method));
    expect(changing.filter(({ path }) => !guards.has(path)).map(({ path }) => path)).toEqual([]);
    expect([...guards.keys()].filter((path) => path.startsWith('reviews.'))).toEqual([
      'reviews.submit',
      'reviews.dispute',
      'reviews.resolve',
    ]);
    expect(guarded.map(({ rpc }) => rpc).toSorted()).toEqual([...guards.keys()].toSorted());
  });

  it.each(guarded)(
    '$rest: refuses what is stale, and lets one of two through that read the same',
    async (operation) => {
      const ids = await resourcesFor(operation);
      const { send, url, change } = changeOf(operation, ids);
      const tag = await tagOf(url);
      for (const stale of ['"stale"', `W/${tag}`, `"a,b", "c"`]) {
        expect(await send(stale)).toMatchObject({ status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } });
      }
      expect(await send('unquoted')).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'headers.If-Match' }] } },
      });
      const wrong = { ...change, ...(change.payload ? { payload: { nonsense: 1 } } : { query: { nonsense: '1' } }) };
      expect(await t.as(owner, { ...wrong, headers: { 'if-match': '"stale"' } })).toMatchObject({ status: 400 });
      expect(await tagOf(url)).toBe(tag);
      const both = await Promise.all([send(`"other", ${tag}`), send(tag)]);
      const own = both.filter(({ status }) => status < 300);
      expect(own).toHaveLength(1);
      expect([404, 412]).toContain(both.find(({ status }) => status >= 300)?.status);
    },
  );

  it.each(guarded.filter(({ missing }) => missing !== undefined))(
    '$rest: is 404 for what is not there, whatever is asked for',
    async (operation) => {
      const { status } = await changeOf(operation, unknownIds()).send('"stale"');
      expect(status).toBe(operation.missing);
    },
  );
});

describe('If-Match', () => {
  it.each(['delivery', 'match', 'token'] as const)(
    'is 404 at the id of a %s, where another kind is meant',
    async (kind) => {
      const url = `${api}/analyses/${newId(kind)}/review/resolve`;
      const payload = { outcome: 'accepted', comment: '!' };
      const headers = { 'if-match': '*' };
      expect(await t.as(owner, { method: 'POST', url, payload, headers })).toMatchObject({ status: 404 });
    },
  );

  it('takes any state with *, and the tag of a compressed answer', async () => {
    const { alertId, recordId } = await createResources(t, owner);
    const url = `${api}/alerts/${alertId}`;
    const rename = (name: string, tag: string, path = url) =>
      t.as(owner, { method: 'PATCH', url: path, payload: { name }, headers: { 'if-match': tag } });
    expect(await rename('Any', '*')).toMatchObject({ status: 200 });
    const tag = await tagOf(url);
    expect(await rename('Coded', `${tag.slice(0, -1)}-br"`)).toMatchObject({ status: 200 });
    const record = `${api}/records/${recordId}`;
    const { headers } = await t.as(owner, { url: record, headers: { 'accept-encoding': 'gzip' } });
    const corrected = await t.as(owner, {
      method: 'PATCH',
      url: record,
      payload: { agentName: 'Ada' },
      headers: { 'if-match': String(headers['etag']) },
    });
    expect(corrected).toMatchObject({ status: 200 });
  });

  it('is told the tag of what a change or a creation answers with', async () => {
    const { body, headers } = await t.as(owner, {
      method: 'POST',
      url: `${api}/projects`,
      payload: { name: 'Tagged' },
    });
    const url = `${api}/projects/${body.data.id}`;
    expect(headers).toMatchObject({ location: url, etag: await tagOf(url) });
    const renamed = await t.as(owner, {
      method: 'PATCH',
      url,
      payload: { name: 'Tagged twice' },
      headers: { 'if-match': String(headers['etag']) },
    });
    expect(renamed).toMatchObject({ status: 200, headers: { etag: await tagOf(url) } });
  });

  it.each(guarded.filter(({ rest = '' }) => rest.startsWith('PATCH')))(
    '$rest: answers with the new tag',
    async (operation) => {
      const { send, url } = changeOf(operation, await resourcesFor(operation));
      const { headers } = await send(await tagOf(url));
      expect(headers).toMatchObject({ etag: await tagOf(url) });
    },
  );

  it('is not met by a first review, of which nothing stays', async () => {
    const [recordId = ''] = await seedRecords(t, owner, [{}]);
    const analysisId = await seedAnalysis(t, owner, { recordId, projectId: owner.projectId });
    const url = `${api}/analyses/${analysisId}/review`;
    const review = (headers: Record<string, string>) =>
      t.as(owner, { method: 'POST', url, payload: { verdict: 'approved' }, headers });
    expect(await review({ 'if-match': '*' })).toMatchObject({ status: 412 });
    expect(await t.as(owner, { url })).toMatchObject({ status: 404 });
    const first = await review({});
    expect(first).toMatchObject({ status: 201, headers: { etag: await tagOf(url) } });
  });

  it('goes with an Idempotency-Key: a refusal leaves the key free, and a repeated request gets its first answer', async () => {
    const { analysisId } = await createResources(t, owner);
    const url = `${api}/analyses/${analysisId}/review`;
    const review = (tag: string) =>
      t.as(owner, {
        method: 'POST',
        url,
        payload: { verdict: 'approved' },
        headers: { 'if-match': tag, 'idempotency-key': `review-${analysisId}` },
      });
    const tag = await tagOf(url);
    expect(await review('"stale"')).toMatchObject({ status: 412 });
    expect(await review(tag)).toMatchObject({ status: 200, body: { data: { revision: 2 } } });
    expect(await review(tag)).toMatchObject({
      status: 200,
      headers: { 'idempotent-replayed': 'true' },
      body: { data: { revision: 2 } },
    });
  });

  it('loses to whoever changes without it: both are not applied to the same state', async () => {
    const { projectId } = await createResources(t, owner);
    const url = `${api}/projects/${projectId}`;
    const tag = await tagOf(url);
    const patch = (payload: object, headers = {}) => t.as(owner, { method: 'PATCH', url, payload, headers });
    const [careless, careful] = await Promise.all([
      patch({ description: 'careless' }),
      patch({ description: 'careful' }, { 'if-match': tag }),
    ]);
    const { body } = await t.as(owner, { url });
    expect(careless.status).toBe(200);
    expect([200, 412]).toContain(careful.status);
    expect(body.data.description).toBe('careless');
  });

  it('holds over RPC, alone and not in a batch', async () => {
    const { alertId } = await createResources(t, owner);
    const operation = operations.find(({ rpc }) => rpc === 'alerts.update');
    const request = operation && requestOf(operation, 'rpc', { ...(await createResources(t, owner)), alertId });
    const call = (tag: string, url = String(request?.url)) =>
      t.as(owner, { ...request, url, headers: { ...request?.headers, 'if-match': tag } });
    const tag = await tagOf(`${api}/alerts/${alertId}`);
    expect(await call('"stale"')).toMatchObject({
      status: 412,
      body: { error: { json: { data: { code: 'PRECONDITION_FAILED', httpStatus: 412 } } } },
    });
    expect(await call(tag, `${String(request?.url)}?batch=1`)).toMatchObject({ status: 400 });
    expect(await call(tag)).toMatchObject({ status: 200, body: { result: { data: { json: { id: alertId } } } } });
    expect(await call(tag)).toMatchObject({ status: 412 });
    const { body } = await t.as(owner, { url: `${api}/alerts/${alertId}` });
    expect(await call(`"${body.data.updatedAt}"`)).toMatchObject({ status: 200 });
    expect(await call(`"${body.data.updatedAt}"`)).toMatchObject({ status: 412 });
  });
});
