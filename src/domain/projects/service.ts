import { visibilityOf, type Visibility, mayUseProject, type Actor } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { hasChanges } from '../../lib/changes.ts';
import { AppError, notFound, unprocessable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import { earliestInstant, parsePeriod } from '../../lib/timestamp.ts';
import type { OrgContext } from '../context.ts';
import { removeProjectRecords } from '../records/service.ts';
import { refusingTaken } from '../taken-name.ts';
import * as queries from './queries.ts';
import type {
  CreateProjectInput,
  ListProjectsInput,
  Project,
  ProjectStats,
  ProjectStatsInput,
  UpdateProjectInput,
} from './schemas.ts';
import type { RedactionDepth } from '../../model/redaction.ts';

export { holdProject, insertProject, selectProjects } from './queries.ts';

const statsPeriodDefaultMs = 30 * 86_400_000;
const minuteMs = 60_000;

export async function listProjects({ db, actor }: OrgContext, input: ListProjectsInput): Promise<Page<Project>> {
  const visibility = visibilityOf(actor);
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all(queries.selectProjects(tx, visibility, input)),
  );
  return toPage(rows.map(toProject), total, input);
}

export async function getProject({ db, actor }: OrgContext, { id }: { id: string }): Promise<Project> {
  return db.findInOrg(actor.orgId, (tx) => findProject(tx, id, visibilityOf(actor)));
}

/** Throws CONFLICT if the name is taken, UNPROCESSABLE for an unknown profile or contradictory settings. */
export async function createProject({ db, actor }: OrgContext, input: CreateProjectInput): Promise<Project> {
  const { name, description, language, settings } = input;
  const { redactPii, redactNames, retentionDays, channelMap } = settings;
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      const id = newId('project');
      const profileId = await resolveProfile(tx, input.profileId);
      const fields = { name, description, language, profileId, redactPii, redactNames, retentionDays, channelMap };
      await queries.insertProject(tx, { id, ...fields });
      return requireUsable(await findProject(tx, id, visibilityOf(actor)));
    }),
  );
}

/** Changes the given fields. Throws NOT_FOUND, CONFLICT (name) or UNPROCESSABLE (profile, settings). */
export async function updateProject({ db, actor }: OrgContext, input: UpdateProjectInput): Promise<Project> {
  const { id, name, description, language, profileId, settings = {} } = input;
  const { redactPii, redactNames, retentionDays, channelMap } = settings;
  const changes = { name, description, language, profileId, redactPii, redactNames, retentionDays, channelMap };
  return refusingTakenNames(() =>
    db.withOrg(actor.orgId, async (tx) => {
      if (profileId !== undefined) await resolveProfile(tx, profileId);
      if (hasChanges(changes) && !(await queries.updateProject(tx, id, changes))) throw notFound('Project');
      return requireUsable(await findProject(tx, id, visibilityOf(actor)));
    }),
  );
}

/** Throws CONFLICT while the project has records, unless `force` deletes them too. */
export async function deleteProject(
  { db, actor }: OrgContext,
  { id, force }: { id: string; force: boolean },
): Promise<void> {
  await db.withOrg(actor.orgId, async (tx) => {
    if (!(await queries.lockProject(tx, id))) throw notFound('Project');
    if (!force && (await queries.hasRecords(tx, id))) {
      throw new AppError('CONFLICT', 'The project has records. Delete them first, or pass force=true.');
    }
    if (force) await removeProjectRecords(tx, id);
    await queries.deleteProject(tx, id);
  });
}

/**
 * Averages over the period's completed records, by the time of the call. The default is the last 30 days until the end
 * of this minute: within it the answer changes only with the calls, so that clients may keep it.
 */
export async function getProjectStats({ db, actor }: OrgContext, input: ProjectStatsInput): Promise<ProjectStats> {
  const given = parsePeriod(input);
  const to = given.to ?? new Date(Math.max(endOfMinute(), given.from?.getTime() ?? 0));
  const from = given.from ?? new Date(Math.max(to.getTime() - statsPeriodDefaultMs, earliestInstant.getTime()));
  const visibility = visibilityOf(actor);
  const [stats] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectStats(tx, { projectId: input.id, from, to, visibility }),
      findProject(tx, input.id, visibility),
    ]),
  );
  return { projectId: input.id, ...stats, period: { from, to } };
}

function endOfMinute(): number {
  return Math.floor(Date.now() / minuteMs + 1) * minuteMs - 1;
}

async function findProject(tx: OrgTx, id: string, visibility: Visibility): Promise<Project> {
  const row = await queries.selectProject(tx, id, visibility);
  if (!row) throw notFound('Project');
  return toProject(row);
}

/** Redacting names alone is refused, as it would be mistaken for full redaction. */
function requireUsable(project: Project): Project {
  const { redactPii, redactNames } = project.settings;
  if (redactPii || !redactNames) return project;
  const message = 'Names are redacted with other personal data only: turn on redactPii, or turn off redactNames.';
  throw unprocessable('settings.redactNames', message);
}

async function resolveProfile(tx: OrgTx, profileId: string | undefined): Promise<string> {
  const id = profileId ?? (await queries.selectFirstProfileId(tx));
  if (id === undefined || (profileId !== undefined && !(await queries.holdProfile(tx, profileId)))) {
    throw new AppError('UNPROCESSABLE', 'There is no such profile.', {
      details: [{ path: 'profileId', message: 'Unknown profile' }],
    });
  }
  return id;
}

function refusingTakenNames<T>(work: () => Promise<T>): Promise<T> {
  return refusingTaken('projects_name', 'A project of this name exists.', work);
}

function toProject({ orgId: _orgId, ...row }: queries.ProjectRow): Project {
  const { redactPii, redactNames, retentionDays, channelMap, ...project } = row;
  return { ...project, settings: { redactPii, redactNames, retentionDays, channelMap } };
}

/**
 * Throws NOT_FOUND for a project that does not exist or that the actor may not use; the two look the same. Locks the
 * project against deletion until the transaction ends.
 */
export async function requireProject(
  tx: OrgTx,
  actor: Actor,
  projectId: string,
): Promise<{ redaction: RedactionDepth }> {
  const project = mayUseProject(actor, projectId) ? await queries.holdProject(tx, projectId) : undefined;
  if (!project) throw notFound('Project');
  return project;
}
