import type { Sql } from 'postgres';
import { AppError } from '../lib/errors.ts';
import { findApiTokenPrincipal } from './api-token.ts';
import { can, type Permission } from './permissions.ts';
import type { Actor, Principal } from './principal.ts';

type Headers = Record<string, string | string[] | undefined>;

export type Authenticator = {
  /** Throws UNAUTHORIZED, always with the same words: a credential that fails learns nothing about why. */
  authenticate(headers: Headers): Promise<Principal>;
  /** Organization, then role, in the order that the contract fixes. Throws 400 or 403. */
  authorize(principal: Principal, headers: Headers, permission: Permission): Actor;
};

export function createAuthenticator({ system }: { system: Sql }): Authenticator {
  async function authenticate(headers: Headers): Promise<Principal> {
    const token = bearerToken(headers['authorization']);
    const principal = token === null ? null : await findApiTokenPrincipal(system, token);
    if (!principal) throw unauthorized();
    return principal;
  }

  function authorize(principal: Principal, headers: Headers, permission: Permission): Actor {
    const actor = selectOrg(principal, headers['x-selected-org-id']);
    if (!can(actor.role, permission)) {
      throw new AppError('FORBIDDEN', 'Your role does not allow this action.', {
        internal: `${actor.role} lacks ${permission}`,
      });
    }
    return actor;
  }

  return { authenticate, authorize };
}

function selectOrg(principal: Principal, header: string | string[] | undefined): Actor {
  if (typeof header !== 'string' || header.trim() === '') {
    const message = 'The X-Selected-Org-ID header is required.';
    throw new AppError('VALIDATION_ERROR', message, { details: [{ path: 'headers.X-Selected-Org-ID', message }] });
  }
  if (principal.kind !== 'api-token' || principal.membership.orgId !== header.trim()) {
    throw new AppError('FORBIDDEN', 'You are not a member of the selected organization.');
  }
  return { principal, userId: principal.user.id, ...principal.membership };
}

function bearerToken(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null;
}

function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', 'The access token is invalid or has expired.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
