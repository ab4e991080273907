import { can, permissions } from '../../auth/permissions.ts';
import { membershipsOf } from '../../auth/principal.ts';
import type { PersonContext } from '../context.ts';
import type { Me } from './schemas.ts';

/** Throws FORBIDDEN if the request selects an organization that the credential gives no access to. */
export async function getMe({ directory, principal, selectedOrg }: PersonContext): Promise<Me> {
  const actor = selectedOrg();
  const held = membershipsOf(principal);
  const [orgs, token] = await Promise.all([
    directory.findOrgs(held.map(({ orgId }) => orgId)),
    principal.kind === 'api-token' ? directory.findToken(principal.tokenId) : null,
  ]);
  const memberships = held.flatMap(({ orgId, role, projectIds }) => {
    const org = orgs.find(({ id }) => id === orgId);
    return org ? [{ org: { id: org.id, name: org.name }, role, projectIds }] : [];
  });
  const selected = memberships.find(({ org }) => org.id === actor?.orgId);
  return {
    user: principal.user,
    memberships,
    selected: selected
      ? { ...selected, permissions: permissions.filter((permission) => can(selected.role, permission)) }
      : null,
    confirmation: principal.kind === 'session' ? (principal.confirmation ?? null) : null,
    token,
  };
}
