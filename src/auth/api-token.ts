import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import type { Role } from './permissions.ts';
import type { Principal } from './principal.ts';

const prefix = 'cat_';
const secretLength = 43;
const checksumLength = 6;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

export type NewApiToken = { token: string; hash: Buffer; start: string; lastFour: string };

/** `cat_` + 32 random bytes in base62 + CRC-32 of that in base62. The token itself is never stored. */
export function generateApiToken(): NewApiToken {
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
  const token = `${prefix}${secret}${checksum(secret)}`;
  return { token, hash: hashToken(token), start: token.slice(0, 8), lastFour: token.slice(-4) };
}

/** Whether the text means to be an API token, as opposed to one of an identity provider. */
export function isApiToken(token: string): boolean {
  return token.startsWith(prefix);
}

/** Whether the text is a token that we could have made: a typing error is refused without a look into the database. */
export function isWellFormedApiToken(token: string): boolean {
  if (!shape.test(token)) return false;
  const secret = token.slice(prefix.length, -checksumLength);
  return checksum(secret) === token.slice(-checksumLength);
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

type TokenRow = {
  id: string;
  hash: Buffer;
  orgId: string;
  userId: string;
  email: string;
  name: string;
  role: Role;
  projectIds: string[] | null;
  isUseDue: boolean;
};

/** The principal behind a token, with its user's present role; null for anything that is not a live token. */
export async function findApiTokenPrincipal(system: Sql, token: string): Promise<Principal | null> {
  if (!isWellFormedApiToken(token)) return null;
  const hash = hashToken(token);
  const [row] = await answeredInTime(
    () => system<TokenRow[]>`
    select t.id, t.hash, t.org_id as "orgId", u.id as "userId", u.email, u.name, m.role, m.project_ids as "projectIds",
           (t.last_used_at is null or t.last_used_at < date_trunc('minute', now())) as "isUseDue"
      from api_tokens t
      join memberships m on (m.org_id, m.user_id) = (t.org_id, t.user_id)
      join users u on u.id = t.user_id
     where t.hash = ${hash} and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`,
  );
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  if (row.isUseDue) await markUsed(system, row);
  const { orgId, userId, email, name, role, projectIds } = row;
  return {
    kind: 'api-token',
    tokenId: row.id,
    user: { id: userId, email, name },
    membership: { orgId, role, projectIds },
  };
}

/** To the minute, and once a minute: the condition is repeated so that concurrent requests write one row version. */
async function markUsed(system: Sql, { orgId, id }: Pick<TokenRow, 'orgId' | 'id'>): Promise<void> {
  await system`
    update api_tokens set last_used_at = date_trunc('minute', now())
     where org_id = ${orgId} and id = ${id} and (last_used_at is null or last_used_at < date_trunc('minute', now()))`;
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), checksumLength);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = `${base62[Number(rest % 62n)]}${text}`;
  return text.padStart(length, '0');
}
