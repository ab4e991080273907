import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { idEntities, isId, type IdEntity } from '../lib/ids.ts';
import { byId } from './keys.ts';
import {
  alerts,
  analyses,
  annotations,
  invites,
  memberships,
  orgs,
  portals,
  profiles,
  projects,
  records,
  webhooks,
} from './schema/index.ts';
import type { OrgTx } from './scope.ts';

type Lock = (tx: OrgTx, id: string) => SQL;

/** By kind of id, what everybody locks who changes it. A review and all else of a call is locked with its record. */
const locks: Partial<Record<IdEntity, Lock>> = {
  alert: (tx, id) => rowLock(alerts, byId(tx, alerts, id)),
  analysis: (tx, id) => rowLock(records, sql`${records.orgId} = ${tx.orgId} and ${records.id} = ${recordOf(tx, id)}`),
  annotation: (tx, id) => rowLock(annotations, byId(tx, annotations, id)),
  invite: (tx, id) => rowLock(invites, byId(tx, invites, id)),
  org: (tx) => sql`select pg_advisory_xact_lock(${budgetLock(tx)})`,
  portal: (tx, id) => rowLock(portals, byId(tx, portals, id)),
  profile: (tx, id) => rowLock(profiles, byId(tx, profiles, id)),
  project: (tx, id) => rowLock(projects, byId(tx, projects, id)),
  record: (tx, id) => rowLock(records, byId(tx, records, id)),
  user: (tx, id) => rowLock(memberships, and(eq(memberships.orgId, tx.orgId), eq(memberships.userId, id))),
  webhook: (tx, id) => rowLock(webhooks, byId(tx, webhooks, id)),
};

/** Nobody else changes what has this id until the transaction ends. An id of nothing, or of another kind, locks nothing. */
export async function lockById(tx: OrgTx, id: string): Promise<void> {
  const entity = idEntities.find((each) => isId(each, id));
  const lock = entity && locks[entity];
  if (lock) await tx.execute(lock(tx, id));
}

/** The same for what the organization itself holds. */
export async function lockOrg(tx: OrgTx): Promise<void> {
  await tx.execute(rowLock(orgs, eq(orgs.id, tx.orgId)));
}

/** Of the organization's budget, whose row exists once a limit was set. */
export function budgetLock(tx: OrgTx): SQL {
  return sql`hashtextextended('budget:' || ${tx.orgId}::text, 0)`;
}

/** Does not keep others from referring to the row. */
function rowLock(table: PgTable, where: SQL | undefined): SQL {
  return sql`select from ${table} where ${where} for no key update`;
}

function recordOf(tx: OrgTx, analysisId: string): SQL {
  return sql`(select record_id from ${analyses} where org_id = ${tx.orgId} and id = ${analysisId})`;
}
