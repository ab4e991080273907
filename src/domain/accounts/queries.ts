import type { Sql, TransactionSql } from 'postgres';
import type { Role } from '../../model/role.ts';
import { newId } from '../../lib/ids.ts';
import { addressKey } from './address.ts';

type Client = Sql | TransactionSql;

export type Account = {
  userId: string;
  email: string;
  name: string;
  emailVerified: boolean;
  passwordHash: string | null;
  passwordChangedAt: Date | null;
};

/** Somebody with an account, or whose address an operator or a mail has vouched for. */
export type Holder = Omit<Account, 'passwordChangedAt'> & { hasAccount: boolean };

export type SignIn = { id: string; device: string; createdAt: Date; lastUsedAt: Date };

/** Of the password that was checked: what was proved with it does not outlive a reset. */
export function versionOf({ passwordChangedAt }: Pick<Account, 'passwordChangedAt'>): string {
  return String(passwordChangedAt?.getTime() ?? 0);
}

const accountColumns = `u.id as "userId", u.email, u.name, u.email_verified as "emailVerified",
  a.password_hash as "passwordHash", a.password_changed_at as "passwordChangedAt"`;

export async function selectAccount(sql: Client, address: string): Promise<Account | null> {
  const [row] = await sql<Account[]>`
    select ${sql.unsafe(accountColumns)} from accounts a join users u on u.id = a.user_id where a.address = ${address}`;
  return row ?? null;
}

export async function selectAccountOf(sql: Client, userId: string): Promise<Account | null> {
  const [row] = await sql<Account[]>`
    select ${sql.unsafe(accountColumns)} from accounts a join users u on u.id = a.user_id where a.user_id = ${userId}`;
  return row ?? null;
}

/** An account comes first: its address may be the same as that of a user without one. */
export async function selectHolder(sql: Client, address: string): Promise<Holder | null> {
  const [row] = await sql<Holder[]>`
    select ${sql.unsafe(accountColumns)}, a.user_id is not null as "hasAccount"
      from users u left join accounts a on a.user_id = u.id
     where a.address = ${address} or (lower(u.email) = ${address} and u.email_verified)
     order by a.user_id is null limit 1`;
  return row ?? null;
}

export async function selectUserById(sql: Client, id: string) {
  const [row] = await sql<{ id: string; email: string; name: string; emailVerified: boolean }[]>`
    select id, email, name, email_verified as "emailVerified" from users where id = ${id}`;
  return row ?? null;
}

export async function hasAccounts(sql: Client): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select exists (select from accounts) as has`;
  return row?.has ?? false;
}

/** Whether there is an organization whose owner could be given a link. */
export async function selectFirstOwner(sql: Client): Promise<string | null> {
  const [row] = await sql<{ email: string }[]>`
    select u.email from memberships m join users u on u.id = m.user_id
     where m.role = 'owner' and u.email_verified and u.email !~* '[@.]invalid$' order by m.created_at limit 1`;
  return row?.email ?? null;
}

export async function selectOwner(sql: Client, address: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select u.id from users u join memberships m on m.user_id = u.id
     where lower(u.email) = ${address} and u.email_verified and m.role = 'owner' limit 1`;
  return row?.id ?? null;
}

/** Everything that changes who may sign in with an address happens one after the other. */
export async function lockAddress(tx: TransactionSql, address: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${address}, 1))`;
}

export async function upsertPassword(
  tx: TransactionSql,
  { userId, email, hash }: { userId: string; email: string; hash: string },
): Promise<void> {
  await tx`
    insert into accounts (user_id, address, password_hash, password_changed_at)
    values (${userId}, ${addressKey(email)}, ${hash}, now())
    on conflict (user_id) do update
       set (password_hash, password_changed_at) = (excluded.password_hash, excluded.password_changed_at)`;
}

export async function insertUser(
  tx: TransactionSql,
  { email, name, isVerified }: { email: string; name: string; isVerified: boolean },
): Promise<string> {
  const id = newId('user');
  await tx`insert into users (id, email, name, email_verified) values (${id}, ${email}, ${name}, ${isVerified})`;
  return id;
}

export async function updateName(tx: TransactionSql, userId: string, name: string): Promise<void> {
  await tx`update users set name = ${name} where id = ${userId}`;
}

/** Unless somebody else has proved the same address. */
export async function verifyAddress(tx: TransactionSql, userId: string): Promise<void> {
  await tx`
    update users u set email_verified = true where u.id = ${userId} and not u.email_verified
       and not exists (select from users o where lower(o.email) = lower(u.email) and o.email_verified)`;
}

type OpenInvite = { orgId: string; email: string; role: Role; projectIds: string[] | null };

export async function takeInvite(tx: TransactionSql, inviteId: string): Promise<OpenInvite | null> {
  const [row] = await tx<OpenInvite[]>`
    delete from invites where id = ${inviteId} and expires_at > now()
    returning org_id as "orgId", email, role, project_ids as "projectIds"`;
  await tx`delete from account_links where invite_id = ${inviteId}`;
  return row ?? null;
}

/** An existing member keeps their role. */
export async function joinOrg(tx: TransactionSql, userId: string, invite: OpenInvite): Promise<void> {
  await tx`
    insert into memberships (org_id, user_id, role, project_ids)
    values (${invite.orgId}, ${userId}, ${invite.role}, ${invite.projectIds}) on conflict do nothing`;
}

export function selectSignIns(sql: Client, userId: string): Promise<SignIn[]> {
  return sql<SignIn[]>`
    select id, device, created_at as "createdAt", last_used_at as "lastUsedAt" from sign_ins
     where user_id = ${userId} and expires_at > now() order by last_used_at desc, id`;
}

type Ended = { userId: string; id?: string; except?: string };

/** Ends sign-ins of the person: this one, all but one, or all. Their tokens stop at once. */
export async function deleteSignIns(tx: TransactionSql, { userId, id, except }: Ended): Promise<number> {
  const [one, other] = [id ?? null, except ?? null];
  // In the order in which a session is saved: neither waits for the other.
  const { count } = await tx`
    delete from sign_ins where user_id = ${userId}
       and (${one}::text is null or id = ${one}) and (${other}::text is null or id <> ${other})`;
  await tx`
    delete from provider_entries where model = 'Session' and account_id = ${userId}
       and (${one}::text is null or uid = ${one}) and (${other}::text is null or uid <> ${other})`;
  return count;
}

/** How many links to reset a password the person was sent in the last minute, and in the last hour. */
export async function countResetLinks(sql: Client, userId: string): Promise<{ minute: number; hour: number }> {
  const [row] = await sql<{ minute: number; hour: number }[]>`
    select count(*) filter (where created_at > now() - interval '1 minute')::int as minute, count(*)::int as hour
      from account_links where user_id = ${userId} and kind = 'reset' and created_at > now() - interval '1 hour'`;
  return row ?? { minute: 0, hour: 0 };
}
