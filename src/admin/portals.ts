import { LinkPortalInput } from '../domain/embedded/schemas.ts';
import { linkPortal } from '../domain/embedded/service.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

/** Links again to change the domain. Throws NOT_FOUND (organization) or CONFLICT (linked by another one). */
export async function link(
  session: Session,
  given: { org: string; domain: string; memberId: string; project?: string },
): Promise<Result> {
  const { org, project } = given;
  const portal = LinkPortalInput.parse({ domain: given.domain, memberId: given.memberId, projectId: project });
  await linkPortal(await session.database(), org, portal);
  const text = table([
    ['Portal', portal.memberId],
    ['Domain', portal.domain],
    ['Organization', org],
    ...(project === undefined ? [] : [['Project', project]]),
  ]);
  const { domain, memberId, projectId = null } = portal;
  return { data: { orgId: org, domain, memberId, projectId }, text };
}
