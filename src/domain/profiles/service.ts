import type { OrgTx } from '../../db/scope.ts';
import { hasChanges } from '../../lib/changes.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { listItems, toPage, type Page } from '../../lib/paging.ts';
import type { HeavyContext, OrgContext } from '../context.ts';
import { plainJson, storedList } from '../../lib/plain-json.ts';
import { checkParts, checkRubric } from './check-rubric.ts';
import { refusingTaken } from '../taken-name.ts';
import * as queries from './queries.ts';
import { JUDGED_SHARE_MIN, type Rubric } from '../../model/rubric.ts';
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

export { insertProfile, selectRubric, selectRubricJson } from './queries.ts';
/** Size in the database, about a fifth of the JSON. */
const portionBytesMax = 50_000;
/** Longer ones are copied into the answer as stored, see `storedList`. */
const longRubricsMin = 500_000;

export async function listProfiles({ db, actor }: OrgContext, input: ListProfilesInput): Promise<Page<Profile>> {
  const [rows, total] = await db.readOrg(actor.orgId, (tx) => Promise.all(queries.selectProfiles(tx, input)));
  const rubrics = new Map<string, RubricText>();
  for (const portion of portionsOf(rows)) {
    const read = await db.readOrg(actor.orgId, (tx) => queries.selectRubrics(tx, portion));
    for (const rubric of read) rubrics.set(rubric.id, rubric);
  }
  const length = [...rubrics.values()].reduce((sum, each) => sum + each.categories.length + each.compliance.length, 0);
  const listOf = length < longRubricsMin ? readList : storedList;
  const data = rows.flatMap(({ id, name, description, createdAt }) => {
    const rubric = rubrics.get(id);
    return rubric ? [{ id, name, description, createdAt, ...partsOf(rubric, listOf) }] : [];
  });
  return toPage(data, total, input, rows);
}

type ListedProfile = Awaited<ReturnType<typeof queries.selectProfiles>[0]>[number];
type RubricText = Awaited<ReturnType<typeof queries.selectRubrics>>[number];

/** Rubrics may add up to megabytes, so they are read in portions, and other requests get their turn in between. */
function portionsOf(rows: readonly ListedProfile[]): string[][] {
  const portions: string[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    if (bytes + row.storedBytes > portionBytesMax) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(row.id);
    bytes += row.storedBytes;
  }
  return portions;
}

function readList<Item>(json: string): Item[] {
  return plainJson(JSON.parse(json) as Item[]);
}

function partsOf({ version, languages, judgedShareMin, categories, compliance }: RubricText, listOf: typeof readList) {
  return {
    version,
    languages: JSON.parse(languages) as string[],
    judgedShareMin: judgedShareMin ?? JUDGED_SHARE_MIN,
    categories: listOf<Rubric['categories'][number]>(categories),
    compliance: listOf<Rubric['compliance'][number]>(compliance),
  };
}

export async function getProfile(
  { db, actor }: OrgContext,
  { id, version }: { id: string; version?: number | undefined },
): Promise<Profile> {
  return db.findInOrg(actor.orgId, (tx) => findProfile(tx, id, version));
}

/** Throws CONFLICT if the name is taken, VALIDATION_ERROR if the rubric contradicts itself. */
export async function createProfile(context: HeavyContext, input: CreateProfileInput): Promise<Profile> {
  const { db, actor } = context;
  const id = newId('profile');
  const made = input.template ? fromTemplate(input.template, input) : await fromScratch(context, input);
  const profile = { id, ...made };
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      await queries.insertProfile(tx, profile);
      return findProfile(tx, id);
    }),
  );
}

const identifiedTemplates = profileTemplates.map((template) => ({ ...template, id: template.key }));

export function listTemplates(input: ListTemplatesInput): Page<ProfileTemplate> {
  const { data, meta } = listItems(identifiedTemplates, input);
  return { data: data.map(describeTemplate), meta };
}

type NewProfile = { name: string; description: string; rubric: Rubric };

async function fromScratch(
  context: HeavyContext,
  { name = '', description = '', languages, judgedShareMin, categories, compliance }: CreateProfileInput,
): Promise<NewProfile> {
  const rubric = { languages, judgedShareMin, categories, compliance };
  return { name, description, rubric: await checkRubric(context, rubric) };
}

function fromTemplate(key: TemplateKey, given: CreateProfileInput): NewProfile {
  const { name, description, languages = [], judgedShareMin } = given;
  const template = copyTemplate(key, languages);
  const rubric = { ...template.rubric, ...(judgedShareMin !== undefined && { judgedShareMin }) };
  return { name: name ?? template.name, description: description ?? template.description, rubric };
}

/**
 * A changed rubric becomes a new version; analyses that used an older one keep it. Throws CONFLICT if the name is
 * taken, or the profile is no longer at `expectedVersion`.
 */
export async function updateProfile(context: HeavyContext, input: UpdateProfileInput): Promise<Profile> {
  const { id, languages, judgedShareMin, categories, compliance } = input;
  const changes = { languages, judgedShareMin, categories, compliance };
  if (!hasChanges(changes)) return storeProfile(context, input, null);
  for (;;) {
    const profile = await context.db.readOrg(context.actor.orgId, (tx) => queries.selectProfile(tx, id));
    if (!profile) throw await withoutProfile(context, changes);
    refuseStale(profile.version, input.expectedVersion);
    // Checked before the transaction, which must not wait for another process.
    const rubric = await withChanges(context, profile.rubric, changes);
    const stored = await storeProfile(context, input, { rubric, madeOf: profile.version });
    if (stored) return stored;
  }
}

/** Mistakes that are independent of the profile. Throws VALIDATION_ERROR. */
export async function withoutProfile(
  context: HeavyContext,
  changes: RubricChanges,
  within: string[] = [],
): Promise<AppError> {
  await checkParts(context, changes, within);
  return notFound('Profile');
}

type NewRubric = { rubric: Rubric; madeOf: number };

function storeProfile(context: OrgContext, input: UpdateProfileInput, made: null): Promise<Profile>;
function storeProfile(context: OrgContext, input: UpdateProfileInput, made: NewRubric): Promise<Profile | null>;
/** Null if the new rubric was based on a version that is no longer current. */
function storeProfile(
  { db, actor }: OrgContext,
  { id, expectedVersion, name, description }: UpdateProfileInput,
  made: NewRubric | null,
): Promise<Profile | null> {
  const changes = { name, description };
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      const locked = await queries.lockProfile(tx, id);
      if (!locked) throw notFound('Profile');
      refuseStale(locked.currentVersion, expectedVersion);
      if (made) {
        if (made.madeOf !== locked.currentVersion) return null;
        const version = locked.currentVersion + 1;
        await queries.insertVersion(tx, { profileId: id, version, rubric: made.rubric });
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

type RubricChanges = { [Part in keyof Rubric]?: unknown };

/**
 * A rubric with some parts replaced. Throws VALIDATION_ERROR if it contradicts itself; `within` is the path of the
 * changes in the request.
 */
export function withChanges(
  context: HeavyContext,
  rubric: Rubric,
  { languages, judgedShareMin, categories, compliance }: RubricChanges,
  within: string[] = [],
): Promise<Rubric> {
  const changed = {
    ...rubric,
    ...(languages !== undefined && { languages }),
    ...(judgedShareMin !== undefined && { judgedShareMin }),
    ...(categories !== undefined && { categories }),
    ...(compliance !== undefined && { compliance }),
  };
  return checkRubric(context, changed, within);
}

function refusingTakenNames<T>(work: () => Promise<T>): Promise<T> {
  return refusingTaken('profiles_name', 'A profile of this name exists.', work);
}

type ProfileRow = NonNullable<Awaited<ReturnType<typeof queries.selectProfile>>>;

function toProfile({ rubric, ...fields }: ProfileRow): Profile {
  return {
    ...fields,
    languages: rubric.languages ?? [],
    judgedShareMin: rubric.judgedShareMin ?? JUDGED_SHARE_MIN,
    categories: rubric.categories,
    compliance: rubric.compliance,
  };
}
