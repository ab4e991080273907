import { violatedUniqueIndex } from '../../db/failures.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import type { OrgContext } from '../context.ts';
import * as queries from './queries.ts';
import { Rubric } from './rubric.ts';
import type { CreateProfileInput, ListProfilesInput, Profile, UpdateProfileInput } from './schemas.ts';

export async function listProfiles({ db, actor }: OrgContext, input: ListProfilesInput): Promise<Page<Profile>> {
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([queries.selectProfiles(tx, input), queries.countProfiles(tx)]),
  );
  return toPage(rows.map(toProfile), total, input);
}

export async function getProfile(
  { db, actor }: OrgContext,
  { id, version }: { id: string; version?: number | undefined },
): Promise<Profile> {
  return db.readOrg(actor.orgId, (tx) => findProfile(tx, id, version));
}

/** Throws CONFLICT for a name that is taken, VALIDATION_ERROR for a rubric that contradicts itself. */
export async function createProfile({ db, actor }: OrgContext, input: CreateProfileInput): Promise<Profile> {
  const { name, description, ...rubric } = input;
  const checked = checkRubric(rubric);
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      const id = newId('profile');
      await queries.insertProfile(tx, { id, name, description, rubric: checked });
      return findProfile(tx, id);
    }),
  );
}

/** A change of the rubric makes a new version; analyses that used an older one keep it. */
export async function updateProfile({ db, actor }: OrgContext, input: UpdateProfileInput): Promise<Profile> {
  const { id, name, description, categories, compliance } = input;
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      const locked = await queries.lockProfile(tx, id);
      const current = locked && (await queries.selectProfile(tx, id));
      if (!current) throw notFound('Profile');
      const changes = { name, description };
      if (categories || compliance) {
        const rubric = checkRubric({
          ...current.rubric,
          ...(categories && { categories }),
          ...(compliance && { compliance }),
        });
        const version = locked.currentVersion + 1;
        await queries.insertVersion(tx, { profileId: id, version, rubric });
        await queries.updateProfile(tx, id, { ...changes, currentVersion: version });
      } else {
        await queries.updateProfile(tx, id, changes);
      }
      return findProfile(tx, id);
    }),
  );
}

/** Throws CONFLICT while a project uses the profile. Analyses made with it stay readable. */
export async function deleteProfile({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  await db.withOrg(actor.orgId, async (tx) => {
    if (!(await queries.lockProfile(tx, id))) throw notFound('Profile');
    if (await queries.isUsedByProject(tx, id)) throw new AppError('CONFLICT', 'A project uses this profile.');
    await queries.updateProfile(tx, id, { deletedAt: new Date() });
  });
}

async function findProfile(tx: OrgTx, id: string, version?: number): Promise<Profile> {
  const row = await queries.selectProfile(tx, id, version);
  if (!row) throw notFound('Profile');
  return toProfile(row);
}

/** The parts are valid one by one; this sees that they fit together. */
function checkRubric(rubric: unknown): Rubric {
  const parsed = Rubric.safeParse(rubric);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  throw new AppError('VALIDATION_ERROR', 'The rubric is not valid.', { details });
}

async function refusingTakenNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'profiles_name') throw error;
    throw new AppError('CONFLICT', 'A profile of this name exists.', { cause: error });
  }
}

type ProfileRow = NonNullable<Awaited<ReturnType<typeof queries.selectProfile>>>;

function toProfile({ rubric, ...fields }: ProfileRow): Profile {
  return { ...fields, categories: rubric.categories, compliance: rubric.compliance };
}
