import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import type { Role } from '../model/role.ts';
import type { Memory } from '../lib/memory.ts';
import { findCredential, type Credential } from './credential-cache.ts';
import type { Identity } from './principal.ts';

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

/** Whether the text looks like an API token, rather than a token of an identity provider. */
export function isApiToken(token: string): boolean {
  return token.startsWith(prefix);
}

/** Whether the checksum fits: a typo is refused without a database lookup. */
export function isWellFormedApiToken(token: string): boolean {
  if (!shape.test(token)) return false;
  const secret = token.slice(prefix.length, -checksumLength);
  return checksum(secret) === token.slice(-checksumLength);
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
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
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  epoch: string;
};

export type CredentialLookup = { system: Sql; cache: Memory<Credential> };

/** The principal behind a token, with its user's current role; null unless the token is live. */
export async function findApiToken(
  { system, cache }: CredentialLookup,
  { token, anew }: { token: string; anew: boolean },
): Promise<Identity | null> {
  const digest = hashToken(token);
  const read = async () => (isWellFormedApiToken(token) ? readToken(system, digest) : null);
  return findCredential(cache, { digest, anew, read, markUsed: () => markUsed(system, digest) });
}

async function readToken(system: Sql, digest: Buffer): Promise<Credential | null> {
  const [row] = await answeredInTime(
    () => system<TokenRow[]>`
    select t.id, t.hash, t.org_id as "orgId", u.id as "userId", u.email, u.name, m.role, m.project_ids as "projectIds",
           t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt", o.credential_epoch::text as "epoch"
      from api_tokens t
      join orgs o on o.id = t.org_id
      join memberships m on (m.org_id, m.user_id) = (t.org_id, t.user_id)
      join users u on u.id = t.user_id
     where t.hash = ${digest} and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())`,
  );
  if (!row || !timingSafeEqual(row.hash, digest)) return null;
  const { id, orgId, userId, email, name, role, projectIds, expiresAt, lastUsedAt, epoch } = row;
  return {
    principal: {
      kind: 'api-token',
      tokenId: id,
      user: { id: userId, email, name },
      membership: { orgId, role, projectIds },
    },
    expiresAt,
    usedInMinute: lastUsedAt ? Math.floor(lastUsedAt.getTime() / 60_000) : 0,
    epoch,
  };
}

/** Updates at most once a minute. The condition is repeated so that concurrent requests write only one row version. */
async function markUsed(system: Sql, digest: Buffer): Promise<void> {
  await answeredInTime(
    () => system`
    update api_tokens set last_used_at = date_trunc('minute', now())
     where hash = ${digest} and (last_used_at is null or last_used_at < date_trunc('minute', now()))`,
  );
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), checksumLength);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = `${base62[Number(rest % 62n)]}${text}`;
  return text.padStart(length, '0');
}
