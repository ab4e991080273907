import type { InjectOptions } from 'fastify';
import { stringify } from 'superjson';
import type { Role } from '../../src/model/role.ts';
import { newId } from '../../src/lib/ids.ts';
import { appRouter } from '../../src/api/router.ts';
import { formBytes, formType, wavHeader } from '../api/upload-support.ts';
import type { TestApp } from '../support/app.ts';
import { billingOperations } from './operations-billing.ts';
import { isTool, readToolAnswer, toolRequest } from './mcp-surface.ts';
import { portalOperations } from './operations-portals.ts';
import { qualityOperations } from './operations-quality.ts';
import { webhookOperations } from './operations-webhooks.ts';

/** One resource of each kind, in one organization or in none. */
export type Ids = {
  orgId: string;
  projectId: string;
  recordId: string;
  analysisId: string;
  annotationId: string;
  alertId: string;
  webhookId: string;
  deliveryId: string;
  profileId: string;
  tokenId: string;
  portalId: string;
  userId: string;
  matchId: string;
};

export type Operation = {
  name: string;
  /** `METHOD /path/{id}`; absent where there is RPC alone. */
  rest?: string;
  /** Path of the procedure; absent for routes of their own. */
  rpc?: string;
  /** Whom the table of the contract, section 2, lets do it. */
  roles: readonly Role[];
  /** Parameters that name `ids`: path, query and body in one, as RPC takes them. */
  input: (ids: Ids) => Record<string, unknown>;
  /** Status with resources of one's own, and with those of nobody; absent where nothing is named. */
  own: number;
  missing?: number;
  form?: true;
  /** Managed by signed-in people: an API token is refused, whatever its role. */
  isForPeople?: true;
  /** About the person, so that no organization has to be selected. */
  isPersonal?: true;
};

const everyone: readonly Role[] = ['owner', 'admin', 'supervisor', 'reviewer', 'agent'];
const managers: readonly Role[] = ['owner', 'admin'];
const leaders: readonly Role[] = ['owner', 'admin', 'supervisor'];
const listeners: readonly Role[] = ['owner', 'admin', 'supervisor', 'reviewer'];

let count = 0;
export const categories = [
  {
    key: 'opening',
    title: 'Opening',
    weight: 1,
    checks: [{ key: 'opening.hello', title: 'Says hello', weight: 1, kind: 'phrase', phrases: ['hello'] }],
  },
];

/** Every operation of the service. A new one has to join, or the matrices fail. */
export const operations: Operation[] = [
  {
    name: 'list records',
    rest: 'GET /records',
    rpc: 'records.list',
    roles: everyone,
    input: ({ projectId }) => ({ projectId }),
    own: 200,
    missing: 200,
  },
  {
    name: 'see the results of records',
    rpc: 'records.results',
    roles: everyone,
    input: ({ recordId }) => ({ ids: [recordId] }),
    own: 200,
    missing: 200,
  },
  {
    name: 'get a record',
    rest: 'GET /records/{id}',
    rpc: 'records.get',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'upload a record',
    rest: 'POST /records/upload',
    roles: ['owner', 'admin', 'supervisor', 'agent'],
    input: ({ projectId }) => ({ projectId }),
    form: true,
    own: 201,
    missing: 404,
  },
  {
    name: 'ingest a record',
    rest: 'POST /records/ingest',
    rpc: 'records.ingest',
    roles: leaders,
    input: ({ projectId }) => ({ externalId: `x${++count}`, projectId, recordingUrl: 'https://a.example/1.wav' }),
    own: 202,
    missing: 404,
  },
  {
    name: 'read a transcript',
    rest: 'GET /records/{id}/transcript',
    rpc: 'records.transcript',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'read captions',
    rest: 'GET /records/{id}/captions',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'listen to a recording',
    rest: 'GET /records/{id}/audio',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    // There is none for a record that was seeded; what is missing is another matter.
    own: 409,
    missing: 404,
  },
  {
    name: 'be given an address to play a recording',
    rest: 'POST /records/{id}/playback',
    rpc: 'records.playback',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    // There is no recording of a record that was seeded.
    own: 409,
    missing: 404,
  },
  {
    name: 'see the waveform of a recording',
    rpc: 'records.waveform',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'see the overview',
    rpc: 'overview.get',
    roles: everyone,
    input: ({ projectId }) => ({ projectId, from: '2026-01-01', to: '2026-01-31' }),
    own: 200,
    missing: 200,
  },
  {
    name: 'see the agents of a period',
    rpc: 'overview.agents',
    roles: everyone,
    input: ({ projectId }) => ({ projectId, from: '2026-01-01', to: '2026-01-31' }),
    own: 200,
    missing: 200,
  },
  {
    name: 'read a part of a transcript',
    rpc: 'records.segments',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'read what a profile asks',
    rpc: 'profiles.outline',
    roles: listeners,
    input: ({ profileId }) => ({ id: profileId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'retry a record',
    rest: 'POST /records/{id}/retry',
    rpc: 'records.retry',
    roles: leaders,
    input: ({ recordId }) => ({ id: recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'swap the speakers of a record',
    rest: 'POST /records/{id}/swap-speakers',
    rpc: 'records.swapSpeakers',
    roles: leaders,
    input: ({ recordId }) => ({ id: recordId, reason: 'The other way round.' }),
    // The record has failed.
    own: 409,
    missing: 404,
  },
  {
    name: 'correct a record',
    rest: 'PATCH /records/{id}',
    rpc: 'records.update',
    roles: leaders,
    input: ({ recordId }) => ({ id: recordId, agentName: `Agent ${++count}` }),
    own: 200,
    missing: 404,
  },
  {
    name: 'list the corrections of a record',
    rest: 'GET /records/{id}/changes',
    rpc: 'records.changes',
    roles: everyone,
    input: ({ recordId }) => ({ id: recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'delete a record',
    rest: 'DELETE /records/{id}',
    rpc: 'records.delete',
    roles: managers,
    input: ({ recordId }) => ({ id: recordId }),
    own: 204,
    missing: 404,
  },
  { name: 'list projects', rest: 'GET /projects', rpc: 'projects.list', roles: everyone, input: () => ({}), own: 200 },
  {
    name: 'create a project',
    rest: 'POST /projects',
    rpc: 'projects.create',
    roles: managers,
    input: ({ profileId }) => ({ name: `Project ${++count}`, profileId }),
    own: 201,
    missing: 422,
  },
  {
    name: 'get a project',
    rest: 'GET /projects/{id}',
    rpc: 'projects.get',
    roles: everyone,
    input: ({ projectId }) => ({ id: projectId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'update a project',
    rest: 'PATCH /projects/{id}',
    rpc: 'projects.update',
    roles: managers,
    input: ({ projectId }) => ({ id: projectId, description: 'Changed' }),
    own: 200,
    missing: 404,
  },
  {
    name: 'delete a project',
    rest: 'DELETE /projects/{id}',
    rpc: 'projects.delete',
    roles: managers,
    input: ({ projectId }) => ({ id: projectId, force: true }),
    own: 204,
    missing: 404,
  },
  {
    name: 'read statistics',
    rest: 'GET /projects/{id}/stats',
    rpc: 'projects.stats',
    roles: everyone,
    input: ({ projectId }) => ({ id: projectId }),
    own: 200,
    missing: 404,
  },
  { name: 'list profiles', rest: 'GET /profiles', rpc: 'profiles.list', roles: listeners, input: () => ({}), own: 200 },
  {
    name: 'create a profile',
    rest: 'POST /profiles',
    rpc: 'profiles.create',
    roles: managers,
    input: () => ({ name: `Profile ${++count}`, categories, compliance: [] }),
    own: 201,
  },
  {
    name: 'get a profile',
    rest: 'GET /profiles/{id}',
    rpc: 'profiles.get',
    roles: listeners,
    input: ({ profileId }) => ({ id: profileId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'update a profile',
    rest: 'PATCH /profiles/{id}',
    rpc: 'profiles.update',
    roles: managers,
    input: ({ profileId }) => ({ id: profileId, categories }),
    own: 200,
    missing: 404,
  },
  {
    name: 'delete a profile',
    rest: 'DELETE /profiles/{id}',
    rpc: 'profiles.delete',
    roles: managers,
    input: ({ profileId }) => ({ id: profileId }),
    own: 204,
    missing: 404,
  },
  {
    name: 'list profile templates',
    rest: 'GET /profiles/templates',
    rpc: 'profiles.templates',
    roles: listeners,
    input: () => ({}),
    own: 200,
  },
  {
    name: 'preview a profile',
    rest: 'POST /profiles/{id}/preview',
    rpc: 'profiles.preview',
    roles: leaders,
    input: ({ profileId, recordId }) => ({ id: profileId, recordId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'list analyses',
    rest: 'GET /analyses',
    rpc: 'analyses.list',
    roles: everyone,
    input: ({ projectId, recordId }) => ({ projectId, recordId }),
    own: 200,
    missing: 200,
  },
  {
    name: 'get an analysis',
    rest: 'GET /analyses/{id}',
    rpc: 'analyses.get',
    roles: everyone,
    input: ({ analysisId }) => ({ id: analysisId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'see when parties interrupt each other and are silent',
    rpc: 'analyses.moments',
    roles: everyone,
    input: ({ analysisId }) => ({ id: analysisId }),
    own: 200,
    missing: 404,
  },
  ...qualityOperations,
  ...billingOperations,
  ...webhookOperations,
  ...portalOperations,
  { name: 'list users', rest: 'GET /users', rpc: 'users.list', roles: leaders, input: () => ({}), own: 200 },
  {
    name: 'send an invite again',
    rpc: 'users.resendInvite',
    roles: managers,
    // Of a member there is none.
    input: ({ userId }) => ({ id: userId }),
    own: 404,
    missing: 404,
  },
  {
    name: 'make a link to an invite',
    rpc: 'users.createInviteLink',
    roles: managers,
    // Of a member there is none.
    input: ({ userId }) => ({ id: userId }),
    own: 404,
    missing: 404,
  },
  {
    name: 'list sign-ins that wait',
    rest: 'GET /users/matches',
    rpc: 'matches.list',
    roles: ['owner'],
    input: () => ({}),
    own: 200,
  },
  {
    name: 'confirm a sign-in',
    rest: 'POST /users/matches/{id}/confirm',
    rpc: 'matches.confirm',
    roles: ['owner'],
    input: ({ matchId }) => ({ id: matchId }),
    own: 204,
    missing: 404,
  },
  {
    name: 'refuse a sign-in',
    rest: 'POST /users/matches/{id}/refuse',
    rpc: 'matches.refuse',
    roles: ['owner'],
    input: ({ matchId }) => ({ id: matchId }),
    own: 204,
    missing: 404,
  },
  {
    name: 'invite a user',
    rest: 'POST /users/invite',
    rpc: 'users.invite',
    roles: managers,
    input: ({ projectId }) => ({ email: `invited${++count}@example.com`, role: 'reviewer', projectIds: [projectId] }),
    own: 201,
    missing: 422,
  },
  {
    name: 'get a user',
    rest: 'GET /users/{id}',
    rpc: 'users.get',
    roles: leaders,
    input: ({ userId }) => ({ id: userId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'change the role of a user',
    rest: 'PATCH /users/{id}',
    rpc: 'users.update',
    roles: managers,
    input: ({ userId }) => ({ id: userId, role: 'supervisor' }),
    own: 200,
    missing: 404,
  },
  {
    name: 'remove a user',
    rest: 'DELETE /users/{id}',
    rpc: 'users.remove',
    roles: managers,
    input: ({ userId }) => ({ id: userId }),
    own: 204,
    missing: 404,
  },
  {
    name: 'learn who one is',
    rest: 'GET /me',
    rpc: 'me.get',
    roles: everyone,
    input: () => ({}),
    own: 200,
    isPersonal: true,
  },
  {
    name: "list one's organizations",
    rpc: 'orgs.list',
    roles: everyone,
    input: () => ({}),
    own: 200,
    isPersonal: true,
  },
  { name: 'get the organization', rpc: 'orgs.get', roles: everyone, input: () => ({}), own: 200 },
  {
    name: 'rename the organization',
    rpc: 'orgs.update',
    roles: managers,
    input: () => ({ name: 'Renamed' }),
    own: 200,
  },
  {
    name: 'read the rules for signing in',
    rest: 'GET /sign-in-rules',
    rpc: 'accounts.rules',
    roles: everyone,
    input: () => ({}),
    own: 200,
  },
  {
    name: 'change the rules for signing in',
    rest: 'PATCH /sign-in-rules',
    rpc: 'accounts.updateRules',
    roles: ['owner'],
    input: () => ({ ownersNeedSecondFactor: false }),
    own: 200,
  },
  { name: 'read the first steps', rpc: 'onboarding.get', roles: managers, input: () => ({}), own: 200 },
  {
    name: 'settle a first step',
    rpc: 'onboarding.settle',
    roles: managers,
    input: () => ({ key: 'invite', as: 'skipped' }),
    own: 200,
  },
  {
    name: 'dismiss the first steps',
    rpc: 'onboarding.dismiss',
    roles: managers,
    input: () => ({ isDismissed: true }),
    own: 200,
  },
  { name: 'list tokens', rpc: 'tokens.list', roles: everyone, input: () => ({}), own: 403, isForPeople: true },
  {
    name: 'create a token',
    rpc: 'tokens.create',
    roles: everyone,
    input: () => ({ name: 'New' }),
    own: 403,
    isForPeople: true,
  },
  {
    name: 'revoke a token',
    rpc: 'tokens.revoke',
    roles: everyone,
    input: ({ tokenId }) => ({ id: tokenId }),
    own: 403,
    missing: 403,
    isForPeople: true,
  },
];

/** Public, and without an organization. */
export const publicRoutes = [
  'GET /health',
  'POST /embedded/auth',
  'DELETE /embedded/auth',
  'POST /integrations/bitrix24/events',
];

export type Surface = 'rest' | 'rpc' | 'mcp';

export function surfacesOf({ rest, rpc }: Operation): Surface[] {
  return [
    ...(rest === undefined ? [] : ['rest' as const]),
    ...(rpc === undefined ? [] : ['rpc' as const]),
    ...(isTool(rpc) ? ['mcp' as const] : []),
  ];
}

/** The request, without a credential. */
export function requestOf(operation: Operation, surface: Surface, ids: Ids): InjectOptions {
  const input = operation.input(ids);
  switch (surface) {
    case 'rest':
      return restRequest(operation, input);
    case 'rpc':
      return rpcRequest(operation, input);
    case 'mcp':
      return toolRequest(operation.rpc ?? '', input);
    default:
      return surface satisfies never;
  }
}

/** Status and body as REST would have them, where the surface wraps them up. */
export function readAnswer(surface: Surface, response: { statusCode: number; body: string }) {
  return surface === 'mcp' ? readToolAnswer(response) : { status: response.statusCode, body: response.body };
}

function restRequest({ rest = '', form }: Operation, input: Record<string, unknown>): InjectOptions {
  const [method = 'GET', path = ''] = rest.split(' ') as [InjectOptions['method'], string];
  const others = { ...input };
  const url = `/api/v1${path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = encodeURIComponent(String(others[key]));
    delete others[key];
    return value;
  })}`;
  if (form) {
    const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);
    const parts = [
      { name: 'projectId', content: String(others['projectId']) },
      { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: wav },
    ];
    return { method, url, headers: { 'content-type': formType }, payload: formBytes(parts) };
  }
  if (method === 'POST' || method === 'PATCH') return { method, url, payload: others };
  const query = Object.entries(others).map(([key, value]) => [key, String(value)]);
  return { method, url, query: Object.fromEntries(query) };
}

function rpcRequest({ rpc = '' }: Operation, input: Record<string, unknown>): InjectOptions {
  const url = `/api/trpc/${rpc}`;
  const serialized = stringify(input);
  if (procedureTypes()[rpc] === 'query') return { method: 'GET', url, query: { input: serialized } };
  return { method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: serialized };
}

/** Path of every procedure, and whether it is a query or a mutation. */
export function procedureTypes(): Record<string, string> {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>);
  return Object.fromEntries(procedures.map(([path, procedure]) => [path, procedure._def.type]));
}

/** `METHOD /path/{id}` of every route under /api/v1, as Fastify lists them. */
export function restRoutes(t: TestApp): string[] {
  const parents: string[] = [];
  const lines = t.app.printRoutes({ commonPrefix: false }).split('\n');
  const routes = lines.flatMap((line) => {
    const [, indent = '', segment, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([^)]+)\))?$/.exec(line) ?? [];
    if (segment === undefined) return [];
    const depth = indent.length / 4;
    const url = `${parents[depth - 1] ?? ''}${segment}`;
    parents.splice(depth, parents.length, url);
    const path = url.replace(/:(\w+)/g, '{$1}').replace(/^\/api\/v1/, '');
    if (!url.startsWith('/api/v1/')) return [];
    return (methods?.split(', ') ?? []).map((method) => `${method} ${path}`);
  });
  return routes.filter((route) => !route.startsWith('HEAD '));
}

/** Well-formed ids of nothing. */
export function unknownIds(): Ids {
  return {
    orgId: newId('org'),
    projectId: newId('project'),
    recordId: newId('record'),
    analysisId: newId('analysis'),
    annotationId: newId('annotation'),
    alertId: newId('alert'),
    webhookId: newId('webhook'),
    deliveryId: newId('delivery'),
    profileId: newId('profile'),
    tokenId: newId('token'),
    portalId: newId('portal'),
    userId: newId('user'),
    matchId: newId('match'),
  };
}
