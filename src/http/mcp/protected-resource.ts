import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';

const wellKnown = '/.well-known/oauth-protected-resource';
export const mcpPath = '/mcp';

type Settings = Pick<Config, 'PUBLIC_URL' | 'OIDC_ISSUER' | 'OIDC_SCOPE'>;

/**
 * Where to sign in for the tools (RFC 9728): public, and only there is with an identity provider. Assistants find it by
 * the challenge of a 401, or by the address of the tools.
 */
export async function protectedResource(app: FastifyInstance, config: Settings): Promise<void> {
  const { OIDC_ISSUER: issuer, OIDC_SCOPE: scope } = config;
  if (issuer === undefined) return;
  for (const url of [wellKnown, `${wellKnown}${mcpPath}`, `${wellKnown}${mcpPath}/:orgId`]) {
    app.get(url, async (req, reply) => {
      reply.header('Cache-Control', 'no-cache');
      return {
        resource: `${originOf(req, config)}${mcpPath}`,
        resource_name: 'Earshot',
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        // Whether to stay signed in is between the client and the provider.
        scopes_supported: scope.split(' ').filter((name) => name !== 'offline_access'),
      };
    });
  }
}

/** `WWW-Authenticate` of a 401 (RFC 9728, section 5.1). */
export function challengeOf(req: FastifyRequest, config: Settings): string {
  if (config.OIDC_ISSUER === undefined) return 'Bearer';
  return `Bearer resource_metadata="${originOf(req, config)}${wellKnown}${mcpPath}"`;
}

/** Where clients reach the service. */
function originOf({ protocol, host }: FastifyRequest, { PUBLIC_URL }: Settings): string {
  return PUBLIC_URL?.replace(/\/+$/, '') ?? `${protocol}://${host}`;
}
