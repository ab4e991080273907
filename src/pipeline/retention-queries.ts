import type { Sql } from 'postgres';

const callsMax = 5000;

export type DueProject = { orgId: string; projectId: string };

/** The next project, in order of organization and id, that has records with content older than its limit. */
export async function selectDueProject(system: Sql, after: DueProject): Promise<DueProject | undefined> {
  const [row] = await system<DueProject[]>`
    select p.org_id as "orgId", p.id as "projectId" from projects p
     where p.retention_days is not null and (p.org_id, p.id) > (${after.orgId}, ${after.projectId})
       and exists (
         select from records r
          where r.org_id = p.org_id and r.project_id = p.id
            and r.created_at >= coalesce(p.retained_since, '-infinity')
            and r.created_at < now() - make_interval(days => p.retention_days))
     order by p.org_id, p.id limit 1`;
  return row;
}

/**
 * Deletes portal calls that were settled 90 days ago, in all organizations; their records stay. Returns whether there
 * are more.
 */
export async function removeOldCalls(system: Sql): Promise<{ removed: number; isDone: boolean }> {
  const { count: removed } = await system`
    delete from crm_calls where (org_id, member_id, call_id) in (
      select org_id, member_id, call_id from crm_calls
       where status <> 'waiting' and updated_at < now() - interval '90 days'
       order by updated_at limit ${callsMax})`;
  return { removed, isDone: removed < callsMax };
}
