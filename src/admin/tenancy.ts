import type { Role } from '../model/role.ts';
import { CreateOrgInput } from '../domain/orgs/schemas.ts';
import { addMember } from '../domain/orgs/service.ts';
import { createOrg } from '../domain/onboarding/service.ts';
import { CreateTokenInput } from '../domain/tokens/schemas.ts';
import { issueToken } from '../domain/tokens/service.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

/** Creates an organization with its owner, a first project and an API token: enough to send the first call. */
export async function createOrganization(
  session: Session,
  { name, owner }: { name: string; owner: string },
): Promise<Result> {
  const input = CreateOrgInput.parse({ name, owner });
  const database = await session.database();
  const { orgId, userId, projectId } = await createOrg(database, input);
  const { token } = await database.db.withOrg(orgId, (tx) =>
    issueToken(tx, userId, { name: 'First token', expiresAt: null }),
  );
  const text = table([
    ['Organization', orgId],
    ['Owner', `${userId} (${input.owner})`],
    ['Project', projectId],
    ['Token', `${token} (shown this once)`],
  ]);
  return { data: { orgId, userId, projectId, token }, text };
}

/** Throws NOT_FOUND if the user is not a member of the organization. */
export async function createToken(
  session: Session,
  { org, user, name, expires }: { org: string; user: string; name: string; expires?: Date },
): Promise<Result> {
  const input = CreateTokenInput.parse({ name, expiresAt: expires ?? null });
  const { db } = await session.database();
  const created = await db.withOrg(org, (tx) => issueToken(tx, user, input));
  const { id, token, expiresAt } = created;
  const text = table([
    ['Token', `${token} (shown this once)`],
    ['Id', id],
    ['Expires', expiresAt?.toISOString() ?? 'never'],
  ]);
  return { data: { orgId: org, userId: user, id, name: input.name, expiresAt, token }, text };
}

/** Throws NOT_FOUND (organization) or CONFLICT (already a member). */
export async function addUser(
  session: Session,
  { org, email, role, project }: { org: string; email: string; role: Role; project?: string[] },
): Promise<Result> {
  const address = CreateOrgInput.shape.owner.parse(email);
  const projectIds = project ?? null;
  const database = await session.database();
  const { userId } = await addMember(database, { orgId: org, email: address, role, projectIds });
  const text = table([
    ['User', `${userId} (${address})`],
    ['Role', role],
    ['Projects', projectIds?.join(', ') ?? 'all'],
  ]);
  return { data: { orgId: org, userId, email: address, role, projectIds }, text };
}
