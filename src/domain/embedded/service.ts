import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { hashToken } from '../../auth/api-token.ts';
import { acceptInvites } from '../../auth/session-users.ts';
import type { Database } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import type { Bitrix24, Bitrix24Grant } from '../../providers/crm/bitrix24.ts';
import { selectOrg } from '../orgs/service.ts';
import { originOf } from '../portals/origin.ts';
import { requestReconciliation } from '../portals/service.ts';
import { holdProject } from '../projects/service.ts';
import * as queries from './queries.ts';
import type { EmbeddedAuthInput, EmbeddedSession, LinkPortalInput } from './schemas.ts';

export type EmbeddedSessions = {
  /** Throws UNAUTHORIZED, FORBIDDEN (portal without organization) or UPSTREAM_UNAVAILABLE. */
  open(input: EmbeddedAuthInput): Promise<EmbeddedSession & { cookie: string }>;
  close(cookie: string): Promise<void>;
  /** The origin at which the portal may frame the app; undefined if no organization has linked it. */
  findPortal(memberId: string): Promise<{ origin: string } | undefined>;
};

type EmbeddedOptions = { system: Sql; crm: Bitrix24 | undefined };

export const sessionLifetimeMs = 3_600_000;

/**
 * Sessions of people who open the app inside their CRM. Nothing in the frame's request is trusted until the CRM has
 * confirmed it.
 */
export function createEmbeddedSessions({ system, crm }: EmbeddedOptions): EmbeddedSessions {
  async function open(input: EmbeddedAuthInput): Promise<EmbeddedSession & { cookie: string }> {
    if (!crm) throw new AppError('FORBIDDEN', 'This service belongs to no Bitrix24 application.');
    const { grant, accessToken } = await readGrant(crm, input);
    const isOurs = crm.isOurs(grant.clientId) && grant.memberId === input.memberId;
    if (!isOurs || grant.domain !== input.domain.toLowerCase()) throw refused();
    const portal = await queries.selectPortal(system, grant.memberId);
    if (!portal || !crm.isTrusted(grant.clientEndpoint, portal.domain)) {
      throw new AppError('FORBIDDEN', 'No organization has linked this portal.');
    }
    const profile = await crm.readProfile(grant.clientEndpoint, accessToken);
    if (!profile || (grant.userId !== null && grant.userId !== profile.id)) throw refused();
    const { orgId, orgName } = portal;
    const { name, isAdmin } = profile;
    // The profile has no address. The top-level domain (RFC 2606) marks one that receives no mail.
    const email = `${profile.id}@${grant.memberId}.bitrix24.invalid`;
    const identity = { issuer: `bitrix24:${grant.memberId}`, subject: profile.id };
    const userId = await queries.upsertPortalUser(system, { ...identity, email, name });
    await acceptInvites(system, userId, email);
    const role = await queries.ensureMembership(system, orgId, userId, isAdmin ? 'admin' : 'agent');
    const cookie = randomBytes(32).toString('base64url');
    const portalOrigin = originOf(portal.domain);
    const session = { orgId, userId, hash: hashToken(cookie), portalOrigin, lifetimeMs: sessionLifetimeMs };
    const expiresAt = await queries.insertSession(system, session);
    return { user: { id: userId, name, role }, org: { id: orgId, name: orgName }, expiresAt, cookie };
  }

  return {
    open,
    close: (cookie) => queries.deleteSession(system, hashToken(cookie)),
    async findPortal(memberId) {
      const portal = await queries.selectPortal(system, memberId);
      return portal && { origin: originOf(portal.domain) };
    },
  };
}

/**
 * For the operator, who vouches for the portal. Without a project, people can open the app, but no calls are taken.
 * Returns the resulting settings: linking again without a project keeps the existing one. Throws NOT_FOUND
 * (organization, project) or CONFLICT (linked by another one).
 */
export async function linkPortal(
  { db, system }: { db: Database; system: Sql },
  orgId: string,
  portal: LinkPortalInput,
): Promise<queries.LinkedPortal> {
  const { projectId } = portal;
  if (!(await db.withOrg(orgId, selectOrg))) throw notFound('Organization');
  if (projectId !== undefined && !(await db.withOrg(orgId, (tx) => holdProject(tx, projectId)))) {
    throw notFound('Project');
  }
  const linked = await queries.upsertPortal(system, orgId, portal);
  if (!linked) throw new AppError('CONFLICT', 'Another organization has linked this portal.');
  if (portal.projectId !== undefined) await db.withOrg(orgId, (tx) => requestReconciliation(tx, portal.memberId));
  return linked;
}

type Granted = { grant: Bitrix24Grant; accessToken: string };

/** If the frame has been open for a while, its access token has expired. */
async function readGrant(crm: Bitrix24, { authId, refreshId }: EmbeddedAuthInput): Promise<Granted> {
  const grant = await crm.readGrant(authId);
  if (grant) return { grant, accessToken: authId };
  const accessToken = await crm.refresh(refreshId);
  const renewed = accessToken === null ? null : await crm.readGrant(accessToken);
  if (accessToken === null || !renewed) throw refused();
  return { grant: renewed, accessToken };
}

function refused(): AppError {
  return new AppError('UNAUTHORIZED', 'The access token is invalid or has expired.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
