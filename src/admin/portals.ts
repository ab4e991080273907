import { LinkPortalInput } from '../domain/embedded/schemas.ts';
import { linkPortal } from '../domain/embedded/service.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

/** Linking again changes the domain. Throws NOT_FOUND (organization) or CONFLICT (linked by another one). */
export async function link(
  session: Session,
  given: { org: string; domain: string; memberId: string; project?: string },
): Promise<Result> {
  const { org, project } = given;
  const portal = LinkPortalInput.parse({ domain: given.domain, memberId: given.memberId, projectId: project });
  const { status, projectId } = await linkPortal(await session.database(), org, portal);
  const { domain, memberId } = portal;
  const rows = [
    ['Portal', memberId],
    ['Domain', domain],
    ['Organization', org],
    ['Project', projectId ?? 'none: no calls are taken'],
    ['Access', status === 'active' ? 'given' : 'not given'],
  ];
  const next = nextSteps({ domain, status, projectId }).map((step) => `Next: ${step}`);
  return { data: { orgId: org, domain, memberId, projectId, status }, text: [table(rows), ...next].join('\n') };
}

type Linked = { domain: string; status: 'active' | 'suspended'; projectId: string | null };

/** What is still missing before calls arrive. */
function nextSteps({ domain, status, projectId }: Linked): string[] {
  return [
    ...(status === 'active'
      ? []
      : [`an administrator of ${domain} has to open the app there, which gives Earshot access.`]),
    ...(projectId === null ? ['run this again with --project to take the calls of the portal.'] : []),
  ];
}
