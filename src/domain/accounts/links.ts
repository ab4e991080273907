import { randomBytes } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { hashToken } from '../../auth/api-token.ts';

export type LinkKind = 'first-owner' | 'invite' | 'reset';

type NewLink = { kind: LinkKind; userId?: string; inviteId?: string; isMailed?: boolean; lifetimeMs: number };

/** What a link is for. Looking it up spends nothing: mail programs open links before people do. */
export type Link = {
  kind: LinkKind;
  isMailed: boolean;
  userId: string | null;
  inviteId: string | null;
  /** Of the person, or of the invite; null for the first owner. */
  email: string | null;
  name: string | null;
  orgName: string | null;
};

/** The secret part of the link. */
export async function createLink(sql: Sql | TransactionSql, link: NewLink): Promise<string> {
  const { kind, userId = null, inviteId = null, isMailed = false, lifetimeMs } = link;
  const token = randomBytes(32).toString('base64url');
  await sql`
    insert into account_links (hash, kind, user_id, invite_id, is_mailed, expires_at)
    values (${hashToken(token)}, ${kind}, ${userId}, ${inviteId}, ${isMailed}, now() + make_interval(secs => ${lifetimeMs / 1000}))`;
  return token;
}

/** Null if the link was used, has expired or was withdrawn. */
export async function findLink(sql: Sql | TransactionSql, token: string): Promise<Link | null> {
  const [row] = await sql<Link[]>`
    select l.kind, l.is_mailed as "isMailed", l.user_id as "userId", l.invite_id as "inviteId",
           coalesce(u.email, v.email) as email, u.name, o.name as "orgName"
      from account_links l
      left join users u on u.id = l.user_id
      left join invites v on v.id = l.invite_id and v.expires_at > now()
      left join orgs o on o.id = v.org_id
     where l.hash = ${hashToken(token)} and l.expires_at > now() and (l.kind <> 'invite' or v.id is not null)`;
  return row ?? null;
}

/** True for one of all who use it at once. */
export async function spendLink(tx: TransactionSql, token: string): Promise<boolean> {
  const rows = await tx`delete from account_links where hash = ${hashToken(token)} and expires_at > now() returning 1`;
  return rows.length > 0;
}

export async function withdrawLinks(sql: Sql | TransactionSql, { kind, userId }: { kind: LinkKind; userId?: string }) {
  await sql`
    delete from account_links where kind = ${kind} and (${userId ?? null}::text is null or user_id = ${userId ?? null})`;
}
