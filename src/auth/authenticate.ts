import type { Sql } from 'postgres';
import { AppError } from '../lib/errors.ts';
import { findApiToken } from './api-token.ts';
import { createCredentialCache } from './credential-cache.ts';
import { findEmbeddedSession } from './embedded-session.ts';
import { can, type Permission } from './permissions.ts';
import { membershipsOf, type Actor, type Identity, type Principal } from './principal.ts';
import { createRollCall, type RollCall } from './roll-call.ts';
import { readCredential } from './sent-credential.ts';
import type { SessionTokens } from './session.ts';

const orgHeader = 'x-selected-org-id';

type Headers = Record<string, string | string[] | undefined>;

export type Authenticator = {
  /**
   * Throws UNAUTHORIZED, always with the same message: a failed attempt learns nothing about the reason. Unless read
   * `anew`, the identity may be cached, and counts only once a scope has confirmed its epoch.
   */
  authenticate(headers: Headers, options?: { anew: boolean }): Promise<Identity>;
  /** Whether the credential exists, at a cost that a flood of invalid ones does not raise. */
  exists: RollCall;
  /** Checks the organization, then the role, in this order. Throws 400 or 403. */
  authorize(principal: Principal, headers: Headers, permission: Permission): Actor;
  /** The sender in the request's organization, whatever their role; null if the request names none. Throws 403. */
  select(principal: Principal, headers: Headers): Actor | null;
};

type AuthenticatorOptions = { system: Sql; sessions: SessionTokens };

export function createAuthenticator({ system, sessions }: AuthenticatorOptions): Authenticator {
  const cache = createCredentialCache();

  async function identify(headers: Headers, anew: boolean): Promise<Identity | null> {
    const sent = readCredential(headers);
    if (!sent) return null;
    const { kind, secret } = sent;
    switch (kind) {
      case 'api-token':
        return findApiToken({ system, cache }, { token: secret, anew });
      case 'session-token': {
        const org = headers[orgHeader];
        return sessions.find(secret, { anew, orgId: isOrgSelected(org) ? org.trim() : '' });
      }
      case 'cookie':
        return findEmbeddedSession({ system, cache }, { cookie: secret, anew });
      default:
        return kind satisfies never;
    }
  }

  async function authenticate(headers: Headers, { anew } = { anew: true }): Promise<Identity> {
    const identity = await identify(headers, anew);
    if (!identity) throw unauthorized();
    return identity;
  }

  function authorize(principal: Principal, headers: Headers, permission: Permission): Actor {
    const actor = selectOrg(principal, headers[orgHeader]);
    if (!can(actor.role, permission)) {
      throw new AppError('FORBIDDEN', 'Your role does not allow this action.', {
        internal: `${actor.role} lacks ${permission}`,
      });
    }
    return actor;
  }

  return {
    authenticate,
    exists: createRollCall({ system, isSigned: sessions.isSigned }),
    authorize,
    select: (principal, headers) =>
      isOrgSelected(headers[orgHeader]) ? selectOrg(principal, headers[orgHeader]) : null,
  };
}

function selectOrg(principal: Principal, header: string | string[] | undefined): Actor {
  if (!isOrgSelected(header)) {
    const message = 'The X-Selected-Org-ID header is required.';
    throw new AppError('VALIDATION_ERROR', message, { details: [{ path: 'headers.X-Selected-Org-ID', message }] });
  }
  const selected = header.trim();
  const membership = membershipsOf(principal).find(({ orgId }) => orgId === selected);
  if (!membership) throw new AppError('FORBIDDEN', refusalOf(principal));
  return { principal, userId: principal.user.id, ...membership };
}

function refusalOf(principal: Principal): string {
  const confirmation = principal.kind === 'session' ? principal.confirmation : null;
  if (confirmation === 'waiting') return 'An owner or the operator has to confirm first that this sign-in is you.';
  return 'You are not a member of the selected organization.';
}

function isOrgSelected(header: string | string[] | undefined): header is string {
  return typeof header === 'string' && header.trim() !== '';
}

/** `challenge` says how to authenticate (RFC 9110, section 11.6.1), never what was wrong. */
export function unauthorized(challenge = 'Bearer'): AppError {
  return new AppError(
    'UNAUTHORIZED',
    'The access token is missing, invalid or has expired. Send it as `Authorization: Bearer …`.',
    {
      headers: { 'WWW-Authenticate': challenge },
    },
  );
}
