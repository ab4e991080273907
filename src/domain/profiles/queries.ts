import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { inPeriod, paged, withoutCase } from '../../db/listing.ts';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { profiles, profileVersions, projects } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import type { Rubric } from '../../model/rubric.ts';

const columns = {
  id: profiles.id,
  name: profiles.name,
  description: profiles.description,
  version: profileVersions.version,
  rubric: profileVersions.rubric,
  createdAt: profiles.createdAt,
};

const sortColumns = { createdAt: profiles.createdAt, name: withoutCase(profiles.name) };

/**
 * A page, and how many there are in all. Without their rubrics, which may be a megabyte each; `storedBytes` is the
 * rubric's size in the database.
 */
export function selectProfiles(tx: OrgTx, input: ListRequest<keyof typeof sortColumns>) {
  const where = and(live(tx), inPeriod(profiles.createdAt, input));
  const { id, name, description, createdAt, rubric } = columns;
  const query = tx
    .select({ id, name, description, createdAt, storedBytes: sql<number>`pg_column_size(${rubric})` })
    .from(profiles)
    .innerJoin(profileVersions, versionOf(profiles.currentVersion))
    .$dynamic();
  return [
    paged(query, { where, page: input, sorting: { by: sortColumns[input.sort], id: profiles.id } }),
    tx.$count(profiles, where),
  ] as const;
}

/** The current versions of some profiles, with the parts of their rubrics as JSON. */
export function selectRubrics(tx: OrgTx, ids: readonly string[]) {
  const { id, version, rubric } = columns;
  const part = (name: keyof Rubric) => sql<string>`coalesce(${rubric}->>${sql.raw(`'${name}'`)}, '[]')`;
  return tx
    .select({
      id,
      version,
      languages: part('languages'),
      judgedShareMin: sql<number | null>`(${rubric}->>'judgedShareMin')::float8`,
      categories: part('categories'),
      compliance: part('compliance'),
    })
    .from(profiles)
    .innerJoin(profileVersions, versionOf(profiles.currentVersion))
    .where(and(eq(profiles.orgId, tx.orgId), sql`${id} = any(${sql.param(ids)})`));
}

/** By default, the current version. */
export async function selectProfile(tx: OrgTx, id: string, version?: number) {
  const [row] = await tx
    .select(columns)
    .from(profiles)
    .innerJoin(profileVersions, versionOf(version === undefined ? profiles.currentVersion : sql`${version}`))
    .where(and(live(tx), eq(profiles.id, id)));
  return row;
}

/** Locks the profile, so that two changes cannot create the same version. */
export async function lockProfile(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({ currentVersion: profiles.currentVersion })
    .from(profiles)
    .where(and(live(tx), eq(profiles.id, id)))
    .for('update');
  return row;
}

export async function insertProfile(
  tx: OrgTx,
  profile: { id: string; name: string; description: string; rubric: Rubric },
): Promise<void> {
  const { rubric, ...fields } = profile;
  await tx.insert(profiles).values({ ...fields, orgId: tx.orgId, currentVersion: 1 });
  await insertVersion(tx, { profileId: profile.id, version: 1, rubric });
}

export async function insertVersion(
  tx: OrgTx,
  version: { profileId: string; version: number; rubric: Rubric },
): Promise<void> {
  await tx.insert(profileVersions).values({ ...version, orgId: tx.orgId });
}

type ProfileChanges = {
  name?: string | undefined;
  description?: string | undefined;
  currentVersion?: number;
  deletedAt?: Date;
};

export async function updateProfile(tx: OrgTx, id: string, changes: ProfileChanges): Promise<void> {
  await tx
    .update(profiles)
    .set({ ...changes, updatedAt: new Date() })
    .where(byId(tx, profiles, id));
}

export async function isUsedByProject(tx: OrgTx, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.orgId, tx.orgId), eq(projects.profileId, id)))
    .limit(1);
  return rows.length > 0;
}

function live(tx: OrgTx): SQL | undefined {
  return and(eq(profiles.orgId, tx.orgId), isNull(profiles.deletedAt));
}

function versionOf(version: typeof profiles.currentVersion | SQL): SQL | undefined {
  return and(
    eq(profileVersions.orgId, profiles.orgId),
    eq(profileVersions.profileId, profiles.id),
    sql`${profileVersions.version} = ${version}`,
  );
}

type ProfileVersion = { id: string; version: number };

export async function selectRubric(tx: OrgTx, version: ProfileVersion): Promise<Rubric> {
  return JSON.parse(await selectRubricJson(tx, version)) as Rubric;
}

/** Throws if the profile has no such version, which the foreign keys rule out. */
export async function selectRubricJson(tx: OrgTx, { id, version }: ProfileVersion): Promise<string> {
  const [row] = await tx
    .select({ rubric: sql<string>`${profileVersions.rubric}::text` })
    .from(profileVersions)
    .where(
      and(eq(profileVersions.orgId, tx.orgId), eq(profileVersions.profileId, id), eq(profileVersions.version, version)),
    );
  if (!row) throw new Error(`Profile ${id} has no version ${version}.`);
  return row.rubric;
}
