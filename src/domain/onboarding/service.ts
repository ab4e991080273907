import { newId } from '../../lib/ids.ts';
import { defaultProfile } from '../profiles/default-rubric.ts';
import { insertProfile } from '../profiles/service.ts';
import { insertProject } from '../projects/service.ts';
import * as queries from '../orgs/service.ts';
import { updateSettled } from './queries.ts';
import type { CreatedOrg, CreateOrgInput } from '../orgs/schemas.ts';
import type { OperatorContext } from '../orgs/service.ts';

/**
 * Creates an organization that is ready to use: with an owner, the default profile and a first project. For the
 * operator.
 */
export async function createOrg(
  { db, system }: OperatorContext,
  { name, owner, ownerName, isNamedByOwner = false }: CreateOrgInput & { ownerName?: string; isNamedByOwner?: boolean },
): Promise<CreatedOrg> {
  const orgId = newId('org');
  const projectId = newId('project');
  const profileId = newId('profile');
  const userId = await queries.ensureUser(system, owner, ownerName);
  await db.withOrg(orgId, async (tx) => {
    await queries.insertOrg(tx, name);
    await queries.insertMembership(tx, { userId, role: 'owner', projectIds: null });
    await insertProfile(tx, { id: profileId, ...defaultProfile });
    await insertProject(tx, { id: projectId, name: 'Default', language: 'en', profileId });
    if (isNamedByOwner) await updateSettled(tx, userId, { key: 'organization', as: 'confirmed' });
  });
  return { orgId, userId, projectId };
}
