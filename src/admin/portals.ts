import { LinkPortalInput } from '../domain/embedded/schemas.ts';
import { linkPortal } from '../domain/embedded/service.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

/** Links again to change the domain. Throws NOT_FOUND (organization) or CONFLICT (linked by another one). */
export async function link(
  session: Session,
  { org, ...given }: { org: string; domain: string; memberId: string },
): Promise<Result> {
  const portal = LinkPortalInput.parse(given);
  await linkPortal(await session.database(), org, portal);
  const text = table([
    ['Portal', portal.memberId],
    ['Domain', portal.domain],
    ['Organization', org],
  ]);
  return { data: { orgId: org, domain: portal.domain, memberId: portal.memberId }, text };
}
