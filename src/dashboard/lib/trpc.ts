import { createTRPCClient, httpBatchLink, httpLink, splitLink, TRPCClientError, type TRPCClient } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import superjson from 'superjson';
import type { AppRouter } from '../../api/router.ts';
import type { Session } from '../session/session.ts';
import { selectedOrg } from '../session/selected-org.ts';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;
export type Client = TRPCClient<AppRouter>;

/** A batch counts as one request of the rate limit. Small, so that addresses stay below servers' limits. */
const batchItemsMax = 16;
/** Contains whole rubrics, so it is never batched. */
const longList = 'profiles.list';

/**
 * Queries of one render are sent as a batch. A slow one opts out with `trpc: { context: { alone: true } }`, so that
 * nothing waits for it; a mutation with an edition is about that alone (`useEdition`).
 */
export function createClient(session: Session): Client {
  const options = {
    url: '/api/trpc',
    transformer: superjson,
    headers: () => requestHeaders(session),
    fetch: fetchWith(session),
  };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ context, path }) => context.alone === true || hasEdition(context) || path === longList,
        true: httpLink({
          ...options,
          headers: async ({ op: { context } }) => ({ ...(await requestHeaders(session)), ...conditionOf(context) }),
        }),
        false: httpBatchLink({ ...options, maxItems: batchItemsMax }),
      }),
    ],
  });
}

function hasEdition(context: Record<string, unknown>): context is { edition: Date } {
  return context['edition'] instanceof Date;
}

/** Over RPC, the time of the last change is the tag. */
function conditionOf(context: Record<string, unknown>): Record<string, string> {
  return hasEdition(context) ? { 'if-match': `"${context.edition.toISOString()}"` } : {};
}

/** The credential and the organization. */
export async function requestHeaders(session: Session): Promise<Record<string, string>> {
  const token = await session.token();
  const org = selectedOrg();
  return { ...(token && { authorization: `Bearer ${token}` }), ...(org && { 'x-selected-org-id': org }) };
}

function fetchWith(session: Session) {
  return async (input: RequestInfo | URL | string, init?: RequestInit) => {
    const response = await fetch(input, { ...init, credentials: 'same-origin' });
    if (response.status === 401) session.expire();
    return response;
  };
}

const retriesMax = 2;
const staleMs = 15_000;

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache(),
    // What somebody else has changed is shown as it is now.
    mutationCache: new MutationCache({
      onError: (error) => (statusOf(error) === 412 ? client.invalidateQueries() : undefined),
    }),
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        retry: (failures, error) => failures < retriesMax && isPassing(error),
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 5_000),
      },
    },
  });
  return client;
}

/** Whether retrying may help: the service was unavailable, or asked to wait. */
function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 503 || status === 502;
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof TRPCClientError ? error.data?.httpStatus : undefined;
}

const changedMeanwhile =
  'Somebody else has changed this in the meantime. Close this, look at what is there now, and change it again.';

/** A message for the user. The service's own messages are written for people. */
export function messageOf(error: unknown): string {
  if (error instanceof TRPCClientError) {
    if (statusOf(error) === 412) return changedMeanwhile;
    if (error.data === undefined || error.data === null) return 'The service cannot be reached. Check your connection.';
    const [first] = (error.data.details ?? []) as { path: string; message: string }[];
    if (first?.message === error.message) return error.message;
    return first?.message ? `${error.message} ${first.path ? `${first.path}: ` : ''}${first.message}` : error.message;
  }
  return error instanceof Error ? error.message : 'Something went wrong.';
}
