import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestMember } from '../support/app.ts';
import { startIntegrator, type Answer, type Integrator } from '../support/integrator.ts';

/** Portals, browsers, assistants, and what every answer has. */
let s: Integrator;
let owner: TestMember;
let stranger: TestMember;
let profileId: string;

beforeAll(async () => {
  s = await startIntegrator({ CORS_ORIGINS: 'https://desk.example.com' });
  owner = await s.app.createOrg();
  stranger = await s.app.createOrg();
  await s.scored(owner);
  profileId = (await s.request(owner, 'getProject', { path: [owner.projectId] })).body.data.profileId;
});
afterAll(() => s.close());

describe('portals', () => {
  it('are linked by a code that they show alone', async () => {
    const json = { domain: 'acme.bitrix24.com', code: 'K7QM-2XPA', projectId: owner.projectId };
    const { status } = await s.request(owner, 'linkPortal', { json });
    expect(status).toBe(422);
    expect((await s.request(owner, 'listPortals')).body.meta.total).toBe(0);
    expect((await s.request(owner, 'listCrmCalls')).body.meta.total).toBe(0);
  });

  it.each(['getPortal', 'updatePortal', 'unlinkPortal'])('that are not there are 404 for %s', async (operationId) => {
    const json = operationId === 'updatePortal' ? {} : undefined;
    expect((await s.request(owner, operationId, { path: ['ptl_x'], json })).status).toBe(404);
  });

  it('end a session that nobody has without a word', async () => {
    expect((await s.request(null, 'closeEmbeddedSession')).status).toBe(204);
  });
});

describe('a page in a browser', () => {
  const preflight = (origin: string) =>
    s.send('/api/v1/records', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });

  it.each(['authorization', 'x-selected-org-id', 'idempotency-key', 'content-type', 'if-match', 'range'])(
    'of a known origin may send %s',
    async (name) => {
      const { status, headers } = await preflight('https://desk.example.com');
      expect([status, headers['access-control-allow-origin']]).toEqual([204, 'https://desk.example.com']);
      expect(headers['access-control-allow-headers']?.toLowerCase()).toContain(name);
    },
  );

  it.each([
    'X-Request-Id',
    'ETag',
    'Location',
    'Retry-After',
    'RateLimit-Remaining',
    'Idempotent-Replayed',
    'Content-Range',
  ])('of a known origin may read %s', async (name) => {
    const headers = { ...owner.headers, origin: 'https://desk.example.com' };
    const answer = await s.request(owner, 'listRecords', { headers });
    expect(answer.headers['access-control-expose-headers']).toContain(name);
    expect(answer.headers['vary']).toContain('Origin');
  });

  it.each(['https://evil.example.com', 'null', 'http://desk.example.com', 'https://desk.example.com.evil.com'])(
    'of %s may not',
    async (origin) => {
      expect((await preflight(origin)).headers).not.toHaveProperty('access-control-allow-origin');
      const answer = await s.request(owner, 'listRecords', { headers: { origin } });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});

describe('every answer', () => {
  it.each(['/api/v1/nothing', '/api/v2/records', '/api/v1/records/', '/api/v1//records', '/api'])(
    'to %s is 404',
    async (url) => {
      const { status, headers, body } = await s.send(url, { headers: owner.headers });
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
      expect(headers).toHaveProperty('x-request-id');
    },
  );

  it.each([
    ['a', true],
    ['A.b_c-9', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['a b', false],
    ['<x>', false],
  ])('has the request id %s: %s', async (id, isKept) => {
    const { headers } = await s.request(null, 'getHealth', { headers: { 'x-request-id': id } });
    expect(headers['x-request-id'] === id).toBe(isKept);
  });

  it.each(['gzip', 'br'])('is compressed with %s where that is asked for', async (coding) => {
    const plain = await s.request(owner, 'getProfile', {
      path: [profileId],
      headers: { 'accept-encoding': 'identity' },
    });
    const packed = await s.request(owner, 'getProfile', { path: [profileId], headers: { 'accept-encoding': coding } });
    expect([packed.headers['content-encoding'], plain.headers['content-encoding']]).toEqual([coding, undefined]);
    expect(packed.body).toEqual(plain.body);
  });

  it('says how it is', async () => {
    const { body } = await s.request(null, 'getHealth');
    expect(body.data).toMatchObject({ status: 'ok', checks: { database: 'ok', storage: 'ok', pipeline: 'ok' } });
  });
});

describe('an assistant', () => {
  const speak = (who: TestMember | null, message: unknown) =>
    s.send('/mcp', {
      method: 'POST',
      headers: {
        ...(who && { authorization: who.headers['authorization'] ?? '' }),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
    });
  const resultOf = ({ body }: Answer) =>
    typeof body === 'string' ? JSON.parse(body.replace(/^[\s\S]*?data: /, '')).result : body.result;

  it('is told what it speaks with', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'i', version: '1' } };
    const answer = await speak(owner, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(resultOf(answer)).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
  });

  it.each([
    'search_query',
    'records_list',
    'records_get',
    'records_segments',
    'analyses_list',
    'analyses_get',
    'overview_get',
    'overview_agents',
    'alerts_list',
    'alerts_events',
    'profiles_list',
    'profiles_outline',
    'projects_list',
  ])('has the tool %s', async (name) => {
    const tools = resultOf(await speak(owner, { jsonrpc: '2.0', id: 2, method: 'tools/list' })).tools;
    expect(tools).toContainEqual(
      expect.objectContaining({ name, inputSchema: expect.objectContaining({ type: 'object' }) }),
    );
  });

  it('reads the calls of its user alone', async () => {
    const message = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'records_list', arguments: {} } };
    expect(resultOf(await speak(owner, message)).structuredContent.data).toHaveLength(1);
    expect(resultOf(await speak(stranger, message)).structuredContent.data).toEqual([]);
  });

  it('without a credential is 401, and GET is 405', async () => {
    expect((await speak(null, { jsonrpc: '2.0', id: 4, method: 'tools/list' })).status).toBe(401);
    expect((await s.send('/mcp', { headers: owner.headers })).status).toBe(405);
  });
});
