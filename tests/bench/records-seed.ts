import type { Sql } from 'postgres';

type SeedOptions = { orgs: { orgId: string; projectIds: string[] }[]; recordsPerOrg: number };

/**
 * Records of three months, three projects an organization, as a busy service has them: most completed, a few failed,
 * some still waiting. Bulk SQL as the owner of the tables; indexes come afterwards, which takes a quarter of the time.
 */
export async function seedRecords(sql: Sql, { orgs, recordsPerOrg }: SeedOptions): Promise<void> {
  await sql`set maintenance_work_mem = '256MB'`;
  await sql`set synchronous_commit = off`;
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'records' and schemaname = 'public' and indexname not like '%_pk'`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await sql`alter table records disable trigger user`;
  for (const { orgId, projectIds } of orgs) await seedOrg(sql, { orgId, projectIds, count: recordsPerOrg });
  await sql`alter table records enable trigger user`;
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`insert into record_days
    select org_id, project_id, (created_at at time zone 'UTC')::date,
           count(*) filter (where status = 'pending'), count(*) filter (where status = 'processing'),
           count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'),
           coalesce(sum(duration_seconds) filter (where status = 'completed'), 0), count(duration_seconds) filter (where status = 'completed'),
           coalesce(sum(quality_score) filter (where status = 'completed'), 0), count(quality_score) filter (where status = 'completed')
      from records group by 1, 2, 3`;
  await sql`vacuum (analyze) records`;
  await sql`vacuum (analyze) record_days`;
}

type OrgOptions = { orgId: string; projectIds: string[]; count: number };

async function seedOrg(sql: Sql, { orgId, projectIds, count }: OrgOptions): Promise<void> {
  await sql`
    insert into records (org_id, id, project_id, status, source, external_id, agent_name, customer_phone, duration_seconds,
                         quality_score, compliance_status, created_at, updated_at, completed_at)
    select ${orgId}, 'rec_01' || lpad(to_hex(n), 8, '0') || substr(md5(${orgId} || n::text), 1, 16),
           (${sql.array(projectIds, 1009)}::text[])[1 + n % ${projectIds.length}],
           r.status, 'api', 'call-' || n, 'Agent ' || n % 40, '+4477009' || lpad((n % 100000)::text, 5, '0'),
           case when r.status in ('completed', 'failed') then 20 + (n::bigint * 7919) % 1200 end,
           case when r.status = 'completed' then 30 + (n::bigint * 104729) % 71 end,
           case when r.status = 'completed' then 'passed' end, r.at, r.at,
           case when r.status = 'completed' then r.at + interval '2 minutes' end
      from (select n, timestamptz '2026-01-01' + n * (interval '90 days' / ${count}) as at,
                   case when n % 50 = 7 then 'failed' when n > ${count} - 200 then 'pending' else 'completed' end as status
              from generate_series(1, ${count}::int) as n) as r`;
}
