import { violatedUniqueIndex } from '../../db/failures.ts';
import type { OrgTx } from '../../db/scope.ts';
import { hasChanges } from '../../lib/changes.ts';
import { detailsOf } from '../../lib/details.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { listItems, toPage, type Page } from '../../lib/paging.ts';
import type { OrgContext } from '../context.ts';
import * as queries from './queries.ts';
import { Rubric } from './rubric.ts';
import type {
  CreateProfileInput,
  ListProfilesInput,
  ListTemplatesInput,
  Profile,
  ProfileTemplate,
  UpdateProfileInput,
} from './schemas.ts';
import type { TemplateKey } from './template-keys.ts';
import { copyTemplate, describeTemplate, profileTemplates } from './templates.ts';

export async function listProfiles({ db, actor }: OrgContext, input: ListProfilesInput): Promise<Page<Profile>> {
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([queries.selectProfiles(tx, input), queries.countProfiles(tx, input)]),
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
  const id = newId('profile');
  const profile = { id, ...(input.template ? fromTemplate(input.template, input) : fromScratch(input)) };
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      await queries.insertProfile(tx, profile);
      return findProfile(tx, id);
    }),
  );
}

export function listTemplates(input: ListTemplatesInput): Page<ProfileTemplate> {
  const { data, meta } = listItems(profileTemplates, input);
  return { data: data.map(describeTemplate), meta };
}

type NewProfile = { name: string; description: string; rubric: Rubric };

function fromScratch({
  name = '',
  description = '',
  languages,
  categories,
  compliance,
}: CreateProfileInput): NewProfile {
  return { name, description, rubric: checkRubric({ languages, categories, compliance }) };
}

function fromTemplate(key: TemplateKey, { name, description, languages = [] }: CreateProfileInput): NewProfile {
  const template = copyTemplate(key, languages);
  return { ...template, name: name ?? template.name, description: description ?? template.description };
}

/**
 * A change of the rubric makes a new version; analyses that used an older one keep it. Throws CONFLICT for a name that
 * is taken, and where the profile is not at `expectedVersion` any more.
 */
export async function updateProfile({ db, actor }: OrgContext, input: UpdateProfileInput): Promise<Profile> {
  const { id, expectedVersion, name, description, languages, categories, compliance } = input;
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      const locked = await queries.lockProfile(tx, id);
      const current = locked && (await queries.selectProfile(tx, id));
      if (!current) throw notFound('Profile');
      refuseStale(locked.currentVersion, expectedVersion);
      const changes = { name, description };
      if (languages || categories || compliance) {
        const rubric = withChanges(current.rubric, { languages, categories, compliance });
        const version = locked.currentVersion + 1;
        await queries.insertVersion(tx, { profileId: id, version, rubric });
        await queries.updateProfile(tx, id, { ...changes, currentVersion: version });
      } else if (hasChanges(changes)) {
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

function refuseStale(version: number, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === version) return;
  throw new AppError('CONFLICT', `The profile is at version ${version} by now.`, {
    details: [{ path: 'expectedVersion', message: `Read version ${version} first, or send it here to replace it.` }],
  });
}

type RubricChanges = { [Part in keyof Rubric]?: Rubric[Part] | undefined };

/**
 * A rubric with some of its parts exchanged. Throws VALIDATION_ERROR where it contradicts itself; `within` is where the
 * changes stand in the request.
 */
export function withChanges(rubric: Rubric, changes: RubricChanges, within: string[] = []): Rubric {
  const { languages, categories, compliance } = changes;
  return checkRubric(
    {
      ...rubric,
      ...(languages && { languages }),
      ...(categories && { categories }),
      ...(compliance && { compliance }),
    },
    within,
  );
}

/** The parts are valid one by one; this sees that they fit together. */
function checkRubric(rubric: unknown, within: string[] = []): Rubric {
  const parsed = Rubric.safeParse(rubric);
  if (parsed.success) return parsed.data;
  throw new AppError('VALIDATION_ERROR', 'The rubric is not valid.', { details: detailsOf(parsed.error, within) });
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
  return {
    ...fields,
    languages: rubric.languages ?? [],
    categories: rubric.categories,
    compliance: rubric.compliance,
  };
}
