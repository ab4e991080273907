import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPortalRest, type PortalRest } from './bitrix24-portal.ts';

export type PortalUser = { id: number; isAdmin: boolean; firstName: string; lastName: string };
export type Grant = { clientId: string; memberId: string; domain: string; userId: number };

export type Bitrix24Server = {
  baseUrl: string;
  /** `host:port`: the domain of the portal that this server is as well. */
  domain: string;
  /** By access token. */
  grants: Map<string, Grant>;
  users: Map<number, PortalUser>;
  /** Access tokens that a refresh token gives. */
  refreshes: Map<string, string>;
  /** Refresh tokens that are good once: each gives an access token for its grant, and the next refresh token. */
  rotating: Map<string, Grant>;
  /** How often tokens were renewed by a rotating refresh token. */
  renewals: number;
  /** What the portal's own REST has and does. */
  portal: PortalRest;
  /** Answers the next requests instead, by path; what it answers null to goes on as always. */
  intercept: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** Paths that were asked for, with the host of the endpoint in grants. */
  requests: string[];
  /** HTML by path below `/page/`: what the portal shows its users. */
  pages: Map<string, string>;
  isDown: boolean;
  /** Replaces the address of the portal's REST in grants. */
  clientEndpoint: string | undefined;
  close(): Promise<void>;
};

export const clientId = 'app.test';
export const clientSecret = 'secret';

/** Bitrix24 at its wire: the OAuth server's `app.info` and `oauth/token`, and the REST of a portal. */
export async function startBitrix24(): Promise<Bitrix24Server> {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url?.startsWith('/page/')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(state.pages.get(request.url) ?? '');
      return;
    }
    if (state.intercept?.(request.url ?? '', response)) {
      request.resume();
      return;
    }
    const file = state.portal.files.get(request.url ?? '');
    if (file) {
      state.requests.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(file);
      return;
    }
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    const url = new URL(request.url ?? '/', state.baseUrl);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    state.requests.push(url.pathname);
    if (state.isDown) return [503, { error: 'QUERY_LIMIT_EXCEEDED' }];
    if (url.pathname === '/oauth/token/') return refresh(url.searchParams);
    const parameters = readParameters(request, body);
    const grant = state.grants.get(String(parameters['auth'] ?? ''));
    if (!grant) return [401, { error: 'expired_token', error_description: 'The access token provided has expired' }];
    if (url.pathname === '/rest/app.info/') return [200, { result: describe(grant) }];
    const user = state.users.get(grant.userId);
    if (url.pathname !== '/rest/profile') return state.portal.answer(url.pathname.slice('/rest/'.length), parameters);
    if (!user) return [200, { result: [] }];
    const { id, isAdmin, firstName, lastName } = user;
    return [200, { result: { ID: String(id), ADMIN: isAdmin, NAME: firstName, LAST_NAME: lastName } }];
  }

  function refresh(given: URLSearchParams): [number, unknown] {
    const isOurs = given.get('client_id') === clientId && given.get('client_secret') === clientSecret;
    const grant = state.rotating.get(given.get('refresh_token') ?? '');
    if (isOurs && grant) return rotate(given.get('refresh_token') ?? '', grant);
    const token = state.refreshes.get(given.get('refresh_token') ?? '');
    if (!isOurs || given.get('grant_type') !== 'refresh_token' || !token) return [400, { error: 'invalid_grant' }];
    return [200, { access_token: token, expires_in: 3600, refresh_token: 'next', domain: state.domain }];
  }

  function rotate(spent: string, grant: Grant): [number, unknown] {
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    state.rotating.delete(spent);
    state.rotating.set(refresh_token, grant);
    state.grants.set(access_token, grant);
    state.renewals += 1;
    const client_endpoint = state.clientEndpoint ?? `${state.baseUrl}/rest/`;
    return [200, { access_token, expires_in: 3600, refresh_token, domain: 'oauth.test', client_endpoint }];
  }

  function describe({ clientId, memberId, domain, userId }: Grant) {
    const endpoint = state.clientEndpoint ?? `${state.baseUrl}/rest/`;
    const install = {
      installed: true,
      version: 1,
      status: 'L',
      member_id: memberId,
      domain,
      client_endpoint: endpoint,
    };
    return { client_id: clientId, scope: 'user_brief', expires: '2030-01-01T00:00:00+00:00', user_id: userId, install };
  }

  const state: Bitrix24Server = {
    baseUrl: `http://127.0.0.1:${port}`,
    domain: `127.0.0.1:${port}`,
    grants: new Map(),
    users: new Map(),
    refreshes: new Map(),
    rotating: new Map(),
    renewals: 0,
    portal: createPortalRest((path) => `http://127.0.0.1:${port}${path}`),
    intercept: undefined,
    requests: [],
    pages: new Map(),
    isDown: false,
    clientEndpoint: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

/** JSON, or a form: Bitrix24 takes both. */
function readParameters({ headers }: IncomingMessage, body: string): Record<string, unknown> {
  if (headers['content-type']?.startsWith('application/json')) return JSON.parse(body) as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(body));
}
