import type { Sql, TransactionSql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import { newId } from '../lib/ids.ts';
import { findAddressHolder, insertMatch } from './identity-matches.ts';
import type { Confirmation, Membership, UserIdentity } from './principal.ts';
import type { SessionClaims } from './session-claims.ts';

export type SessionUser = {
  user: UserIdentity;
  memberships: Membership[];
  confirmation: Confirmation;
  /** Minute (since 1970) of the last recorded use. */
  usedInMinute: number;
  /** Epoch of the requested organization at the time of these memberships; null if the user is no member of it. */
  epoch: string | null;
};

type Subject = Pick<SessionClaims, 'issuer' | 'subject'>;
type Person = { email: string; isEmailVerified: boolean; name: string | null };
type UserRow = UserIdentity & {
  emailVerified: boolean;
  usedInMinute: number;
  epoch: string | null;
  memberships: Membership[];
  isInvited: boolean;
  confirmation: Confirmation;
};

/** Our user for the subject, with their current memberships; null if they have never signed in. */
export async function readSessionUser(system: Sql, claims: SessionClaims, orgId: string): Promise<SessionUser | null> {
  const row = await readUser(system, claims, orgId);
  if (!row) return null;
  // Invites are for the person who has the address, and who that is has to be confirmed first.
  if (row.confirmation !== null) return toSessionUser(row);
  const { email, isEmailVerified } = claims;
  if (!row.emailVerified && isEmailVerified && email !== null) {
    if (await takeVerifiedAddress(system, claims, row.id, email)) return readSessionUser(system, claims, orgId);
  }
  if (!row.isInvited) return toSessionUser(row);
  await acceptInvites(system, row.id, isEmailVerified && email !== null ? email : row.email);
  const joined = await readUser(system, claims, orgId);
  return joined ? toSessionUser(joined) : null;
}

/** Of our own provider: the subject is the user, and the sign-in must not have ended. */
export async function readOwnUser(system: Sql, claims: SessionClaims, orgId: string): Promise<SessionUser | null> {
  const own = { ...claims, email: null };
  const row = await readUser(system, own, orgId, true);
  if (!row) return null;
  if (!row.isInvited) return toSessionUser(row);
  await acceptInvites(system, row.id, row.email);
  const joined = await readUser(system, own, orgId, true);
  return joined ? toSessionUser(joined) : null;
}

/**
 * Creates the user on first sign-in. An existing user is reused only if the provider has verified the address;
 * otherwise anybody who claims a foreign address would take over its owner's account. Who has been here is not joined
 * before somebody has confirmed it.
 */
export async function signUp(system: Sql, subject: Subject, person: Person): Promise<void> {
  await system.begin(async (tx) => {
    await lockSubject(tx, subject);
    if ((await identityOf(tx, subject)) !== undefined) return;
    const { isEmailVerified, email, name } = person;
    if (isEmailVerified) await lockAddress(tx, email);
    const holder = isEmailVerified ? await findAddressHolder(tx, { email }) : undefined;
    const joins = isEmailVerified && !holder?.hasBeenHere;
    const userId = joins ? await findOrCreateVerified(tx, person) : await createUser(tx, person);
    await tx`insert into identities (issuer, subject, user_id) values (${subject.issuer}, ${subject.subject}, ${userId})`;
    if (holder?.hasBeenHere) await insertMatch(tx, subject, { userId: holder.id, email, name });
  });
}

/** At most once a minute. */
export async function markSeen(system: Sql, userId: string, signInId: string | null = null): Promise<void> {
  if (signInId !== null)
    await answeredInTime(() => system`update sign_ins set last_used_at = now() where id = ${signInId}`);
  await answeredInTime(
    () => system`
    update users set last_seen_at = date_trunc('minute', now())
     where id = ${userId} and (last_seen_at is null or last_seen_at < date_trunc('minute', now()))`,
  );
}

async function readUser(
  system: Sql,
  { issuer, subject, email, isEmailVerified, signInId }: SessionClaims,
  orgId: string,
  isOwn = false,
): Promise<UserRow | undefined> {
  const address = isEmailVerified ? email : null;
  const [row] = await answeredInTime(
    () => system<UserRow[]>`
    select u.id, u.email, u.name, u.email_verified as "emailVerified", 
           coalesce(floor(extract(epoch from u.last_seen_at) / 60), 0)::int as "usedInMinute",
           (select o.credential_epoch::text from orgs o join memberships m on m.org_id = o.id
             where o.id = ${orgId} and m.user_id = u.id) as epoch,
           coalesce((select json_agg(json_build_object('orgId', m.org_id, 'role', m.role, 'projectIds', m.project_ids)
                                     order by m.created_at, m.org_id)
                       from memberships m where m.user_id = u.id), '[]') as memberships,
           (select case when x.refused_at is null then 'waiting' else 'refused' end from identity_matches x
             where not ${isOwn} and x.issuer = ${issuer} and x.subject = ${subject}) as confirmation,
           exists (select from invites v
                    where lower(v.email) = lower(coalesce(${address}, case when u.email_verified then u.email end))
                      and v.expires_at > now()) as "isInvited"
      from users u
     where ${
       isOwn
         ? system`u.id = ${subject} and exists (select from sign_ins s
              where s.id = ${signInId} and s.user_id = u.id and s.expires_at > now())`
         : system`u.id = (select i.user_id from identities i where i.issuer = ${issuer} and i.subject = ${subject})`
     }`,
  );
  return row;
}

function toSessionUser({ id, email, name, memberships, confirmation, usedInMinute, epoch }: UserRow): SessionUser {
  return { user: { id, email, name }, memberships, confirmation, usedInMinute, epoch };
}

/** An existing member keeps their role: roles are changed on purpose, never as a side effect. */
export async function acceptInvites(system: Sql, userId: string, email: string): Promise<void> {
  await answeredInTime(
    () => system`
    with accepted as (
      delete from invites where lower(email) = lower(${email}) and expires_at > now()
      returning org_id, role, project_ids)
    insert into memberships (org_id, user_id, role, project_ids)
    select org_id, ${userId}, role, project_ids from accepted
    on conflict do nothing`,
  );
}

/**
 * The address has been verified since: the user gets it, is merged into the user who has it already, or waits to be
 * confirmed as that. False if another user keeps it.
 */
async function takeVerifiedAddress(
  system: Sql,
  subject: SessionClaims,
  userId: string,
  email: string,
): Promise<boolean> {
  return system.begin(async (tx) => {
    await lockSubject(tx, subject);
    await lockAddress(tx, email);
    const holder = await findAddressHolder(tx, { email, except: userId });
    if (!holder) {
      await tx`update users set email = ${email}, email_verified = true where id = ${userId}`;
      return true;
    }
    // Somebody who was confirmed as a person with memberships stays that person.
    const [settled] = await tx`
      select from users u where u.id = ${userId}
         and (exists (select from memberships m where m.user_id = u.id) or exists (select from accounts a where a.user_id = u.id))`;
    if (settled) return false;
    if (holder.hasBeenHere) await insertMatch(tx, subject, { userId: holder.id, email, name: subject.name });
    else {
      await tx`update identities set user_id = ${holder.id} where issuer = ${subject.issuer} and subject = ${subject.subject}`;
      await deleteEmptyUser(tx, userId);
    }
    return true;
  });
}

/** Of somebody who turned out to be another user. */
export async function deleteEmptyUser(tx: TransactionSql, userId: string): Promise<void> {
  await tx`
    delete from users u where u.id = ${userId} and not u.email_verified
       and not exists (select from identities i where i.user_id = u.id)
       and not exists (select from accounts a where a.user_id = u.id)
       and not exists (select from memberships m where m.user_id = u.id)`;
}

async function findOrCreateVerified(tx: TransactionSql, { email, name }: Person): Promise<string> {
  const id = newId('user');
  // Users that an operator added have no name until they sign in.
  const [row] = await tx<{ id: string }[]>`
    insert into users (id, email, name, email_verified) values (${id}, ${email}, ${nameOf({ email, name })}, true)
    on conflict (lower(email)) where email_verified do update
       set name = case when exists (select from identities i where i.user_id = users.id) then users.name
                       else coalesce(${name}, users.name) end
    returning id`;
  return row?.id ?? id;
}

async function createUser(tx: TransactionSql, { email, name }: Person): Promise<string> {
  const id = newId('user');
  await tx`
    insert into users (id, email, name, email_verified) values (${id}, ${email}, ${nameOf({ email, name })}, false)`;
  return id;
}

function nameOf({ email, name }: Pick<Person, 'email' | 'name'>): string {
  return name ?? email.split('@')[0] ?? email;
}

/** Concurrent first requests wait until one of them has created the user. */
async function lockSubject(tx: TransactionSql, { issuer, subject }: Subject): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`;
}

/** Two subjects that prove the same address at the same time are one person. */
async function lockAddress(tx: TransactionSql, email: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(lower(${email}), 1))`;
}

async function identityOf(tx: TransactionSql, { issuer, subject }: Subject): Promise<string | undefined> {
  const [row] = await tx<{ userId: string }[]>`
    select user_id as "userId" from identities where issuer = ${issuer} and subject = ${subject}`;
  return row?.userId;
}
