import type { Sql, TransactionSql } from 'postgres';
import { answeredInTime } from '../../db/deadline.ts';
import type { IdentityMatch } from './schemas.ts';

/** Of the person's organizations. People span organizations, hence the system connection. */
export type Owner = { userId: string; ownedOrgIds: readonly string[] };

export type LockedMatch = {
  issuer: string;
  subject: string;
  /** The person who has been here. */
  userId: string;
  /** The user that the sign-in has until then. */
  waitingId: string;
  email: string;
  isRefused: boolean;
  /** Whether the person has proved the address. */
  isProved: boolean;
  createdAt: Date;
};

export function selectMatches(system: Sql, orgId: string, { userId, ownedOrgIds }: Owner): Promise<IdentityMatch[]> {
  return answeredInTime(
    () => system<IdentityMatch[]>`
    select x.id, x.issuer, x.email, x.name, x.created_at as "createdAt",
           json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'role', m.role) as user,
           not exists (
             select from memberships o
              where o.user_id = x.user_id
                and not (o.org_id = any(${[...ownedOrgIds]})
                         and exists (select from memberships a
                                      where (a.org_id, a.user_id, a.role) = (o.org_id, ${userId}, 'owner')))) as "canDecide"
      from identity_matches x
      join memberships m on m.user_id = x.user_id and m.org_id = ${orgId}
      join users u on u.id = x.user_id
     where x.refused_at is null order by x.id`,
  );
}

export type OpenMatch = {
  id: string;
  issuer: string;
  email: string;
  name: string | null;
  userId: string;
  isRefused: boolean;
  createdAt: Date;
  /** Whether another sign-in waits for the same person. */
  isAmbiguous: boolean;
};

export function selectOpenMatches(sql: Sql): Promise<OpenMatch[]> {
  return sql<OpenMatch[]>`
    select x.id, x.issuer, x.email, x.name, x.user_id as "userId", x.refused_at is not null as "isRefused",
           x.created_at as "createdAt",
           x.refused_at is null and exists (
             select from identity_matches o where o.user_id = x.user_id and o.id <> x.id and o.refused_at is null
           ) as "isAmbiguous"
      from identity_matches x order by x.created_at, x.id`;
}

/**
 * With the person: until the transaction ends, nobody else decides, and the person joins no organization. The subject is
 * locked first, as a sign-in does.
 */
export async function lockMatch(tx: TransactionSql, id: string): Promise<LockedMatch | undefined> {
  await tx`
    select pg_advisory_xact_lock(hashtextextended(issuer || ' ' || subject, 0)) from identity_matches where id = ${id}`;
  const [match] = await tx<LockedMatch[]>`
    select x.issuer, x.subject, x.user_id as "userId", i.user_id as "waitingId", x.email, x.created_at as "createdAt",
           x.refused_at is not null as "isRefused", u.email_verified as "isProved"
      from identity_matches x
      join identities i on (i.issuer, i.subject) = (x.issuer, x.subject)
      join users u on u.id = x.user_id
     where x.id = ${id} for update of x, i, u`;
  return match;
}

/** Whether this person has decided it, within a day. */
export async function wasDecided(
  tx: TransactionSql,
  { id, type, by }: { id: string; type: string; by: string },
): Promise<boolean> {
  const rows = await tx`
    select from account_events where created_at > now() - interval '1 day' and type = ${type}
       and details->>'matchId' = ${id} and details->>'by' = ${by} limit 1`;
  return rows.length > 0;
}

export async function countWaiting(tx: TransactionSql, userId: string): Promise<number> {
  const rows = await tx`select from identity_matches where user_id = ${userId} and refused_at is null`;
  return rows.length;
}

/** Organizations of the person, and whether the actor owns each of them at this moment. */
export function selectOrgsOf(
  tx: TransactionSql,
  { userId, ownerId }: { userId: string; ownerId: string },
): Promise<{ orgId: string; isOwned: boolean }[]> {
  return tx<{ orgId: string; isOwned: boolean }[]>`
    select m.org_id as "orgId", a.user_id is not null as "isOwned"
      from memberships m
      left join memberships a on (a.org_id, a.user_id, a.role) = (m.org_id, ${ownerId}, 'owner')
     where m.user_id = ${userId}`;
}

/** Whoever signs in as the subject is the person from now on, and has proved the address. */
export async function joinSubject(tx: TransactionSql, { issuer, subject, userId, email }: LockedMatch): Promise<void> {
  await tx`update identities set user_id = ${userId} where (issuer, subject) = (${issuer}, ${subject})`;
  await tx`delete from identity_matches where (issuer, subject) = (${issuer}, ${subject})`;
  await tx`
    update users u set email_verified = true where u.id = ${userId} and not u.email_verified and lower(u.email) = lower(${email})
       and not exists (select from users o where lower(o.email) = lower(u.email) and o.email_verified)`;
}

/**
 * An address that only a copied link has tied to an account is of whoever has proved it: they are somebody else, and take
 * invites from then on. Otherwise the refusal stays.
 */
export async function refuseMatch(
  tx: TransactionSql,
  id: string,
  { waitingId, isProved, email }: LockedMatch,
): Promise<void> {
  if (!isProved) {
    const { count } = await tx`
      update users u set (email, email_verified) = (${email}, true)
       where u.id = ${waitingId} and not exists (select from users o where lower(o.email) = lower(${email}) and o.email_verified)`;
    if (count > 0) {
      await tx`delete from identity_matches where id = ${id}`;
      return;
    }
  }
  await tx`update identity_matches set refused_at = now() where id = ${id}`;
}
