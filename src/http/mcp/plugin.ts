import type { AnyRouter } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unauthorized } from '../../auth/authenticate.ts';
import { membershipsOf, type Actor, type Principal } from '../../auth/principal.ts';
import type { Config } from '../../config/config.ts';
import type { Services } from '../../deps.ts';
import { AppError, validationError } from '../../lib/errors.ts';
import { challengeOf, mcpPath, protectedResource } from './protected-resource.ts';
import { toolsOf } from './tools.ts';

type McpOptions = { config: Config; services: Services; router: AnyRouter };
type Request = FastifyRequest<{ Params: { orgId?: string } }>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks for a tool, in the organization that was chosen; null while none is. */
    toolActor: Actor | null;
  }
}

const orgHeader = 'x-selected-org-id';

/**
 * Tools for assistants over MCP: the queries that declare `mcp`, with the credentials, permissions and limits of the
 * other surfaces. A client that cannot send headers of its own names the organization in the address.
 */
export async function mcp(app: FastifyInstance, { config, services, router }: McpOptions): Promise<void> {
  const origins = new Set([...config.CORS_ORIGINS, ...(config.PUBLIC_URL ? [new URL(config.PUBLIC_URL).origin] : [])]);
  // Describing the tools and loading the SDK take a while, and many installations have no assistant.
  let tools: ReturnType<typeof toolsOf> | undefined;

  app.decorateRequest('toolActor', null);
  for (const url of [mcpPath, `${mcpPath}/:orgId`]) {
    app.post<{ Params: { orgId?: string } }>(url, {
      // Before the body is read, so a refused request costs nothing.
      onRequest: async (req, reply) => {
        reply.header('Cache-Control', 'no-store');
        refuseOtherPages(req, origins);
        const principal = await authenticate(req, challengeOf(req, config));
        selectOrg(req, principal);
        req.toolActor = services.auth.select(principal, req.headers);
      },
      handler: async (req, reply) => {
        if (Array.isArray(req.body)) throw validationError('body', 'Send one message a request.');
        const { answerMessage } = await import('./protocol.ts');
        tools ??= toolsOf(router);
        const whyNot = () => undecided(req);
        return send(reply, await answerMessage({ tools, req, actor: req.toolActor, whyNot }));
      },
    });
  }
  await app.register(protectedResource, config);
}

/**
 * A page of another site may send requests to a service on the reader's own network, under a name that the site has
 * pointed there. Only pages that the operator named may.
 */
function refuseOtherPages({ headers: { origin } }: Request, allowed: ReadonlySet<string>): void {
  if (origin === undefined || allowed.has(origin)) return;
  throw new AppError(
    'FORBIDDEN',
    'Pages of this origin may not ask for tools. The operator can allow them: CORS_ORIGINS.',
  );
}

/** A cookie does not count, since browsers send it by themselves. */
async function authenticate(req: Request, challenge: string): Promise<Principal> {
  try {
    const principal = await req.context.authenticate();
    if (principal.kind !== 'embedded') return principal;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error;
  }
  throw unauthorized(challenge);
}

/** The organization in the address or the header, or else the only one there is. */
function selectOrg(req: Request, principal: Principal): void {
  const { orgId } = req.params;
  const header = req.headers[orgHeader];
  const given = typeof header === 'string' && header.trim() !== '' ? header.trim() : undefined;
  if (orgId !== undefined && given !== undefined && given !== orgId) {
    throw validationError('headers.X-Selected-Org-ID', 'The address names another organization.');
  }
  const [only, ...others] = membershipsOf(principal);
  const selected = orgId ?? given ?? (others.length === 0 ? only?.orgId : undefined);
  if (selected !== undefined) req.headers[orgHeader] = selected;
}

function undecided({ url }: Request): AppError {
  const message = `You are in several organizations, or in none. Name one in the address, as in ${url}/org_….`;
  return validationError('headers.X-Selected-Org-ID', message);
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  const type = response.headers.get('content-type');
  if (type !== null) reply.type(type);
  const body = await response.text();
  return body === '' ? reply.send() : reply.send(body);
}
