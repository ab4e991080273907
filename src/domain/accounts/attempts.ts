import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Sql, TransactionSql } from 'postgres';

type Limit = { kind: 'account' | 'network' | 'site' | 'device'; of: string; free: number };

/** Who is counted: the account that was named and where the attempt comes from, or a browser that is known. */
export type Attempt = { addressKey: string; client: string; deviceId: string | null };

export type Reserved = { isDelayed: false; release(): Promise<void> } | { isDelayed: true; seconds: number };

const delaySecondsMax = 15 * 60;

/**
 * Counts the attempt as failed before it is judged, so that many at once count too. After some free attempts, each
 * doubles the delay until the next one; an hour after the last one, all is forgotten. A transaction that began earlier may
 * count later, so times are those of the clock.
 */
export async function reserveAttempt(
  system: Sql,
  { secret, attempt }: { secret: string; attempt: Attempt },
): Promise<Reserved> {
  const limits = limitsOf(attempt).map(({ kind, of, free }) => ({ free, key: hashOf(secret, `${kind} ${of}`), kind }));
  // One order for all, so that nobody waits for each other.
  limits.sort((a, b) => Buffer.compare(a.key, b.key));
  const delayed = await system
    .begin(async (tx) => {
      for (const { key, free } of limits)
        if (!(await count(tx, key, free))) throw new Delayed(await waitOf(tx, limits));
      return null;
    })
    .catch((error: unknown) => {
      if (error instanceof Delayed) return error.seconds;
      throw error;
    });
  if (delayed !== null) return { isDelayed: true, seconds: delayed };
  return {
    isDelayed: false,
    async release() {
      const own = limits.filter(({ kind }) => kind === 'account' || kind === 'device');
      const shared = limits.filter(({ kind }) => kind === 'network' || kind === 'site');
      await system`delete from sign_in_attempts where key = any(select decode(x, 'hex') from unnest(${hex(own)}::text[]) x)`;
      // Only its own failure is taken back: whoever owns one account must not clear the way to others.
      await system`
        update sign_in_attempts set failures = greatest(failures - 1, 0), next_at = to_timestamp(0) where key = any(select decode(x, 'hex') from unnest(${hex(shared)}::text[]) x)`;
    },
  };
}

/** Forgets the failures of an account whose password was reset. */
export async function forgetAttempts(
  sql: Sql | TransactionSql,
  { secret, addressKey }: { secret: string; addressKey: string },
): Promise<void> {
  await sql`delete from sign_in_attempts where key = ${hashOf(secret, `account ${addressKey}`)}`;
}

class Delayed extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super('Delayed');
    this.seconds = seconds;
  }
}

/** A browser that has signed in before is counted by itself: whoever attacks the account does not delay its owner. */
function limitsOf({ addressKey, client, deviceId }: Attempt): Limit[] {
  if (deviceId !== null) return [{ kind: 'device', of: deviceId, free: 10 }];
  const account: Limit = { kind: 'account', of: addressKey, free: 5 };
  const [network, site] = networksOf(client);
  const nearby: Limit[] = [{ kind: 'network', of: network, free: 20 }];
  if (site !== undefined) nearby.push({ kind: 'site', of: site, free: 100 });
  return [account, ...nearby];
}

/** An IPv4 address alone; of an IPv6 address the networks that one customer gets: /64, and /48. */
function networksOf(client: string): [network: string, site?: string] {
  if (!ipaddr.isValid(client)) return ['unknown'];
  const address = ipaddr.process(client);
  if (address.kind() === 'ipv4') return [address.toString()];
  const hex = Buffer.from(address.toByteArray()).toString('hex');
  return [hex.slice(0, 16), hex.slice(0, 12)];
}

function hashOf(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`attempts ${text}`).digest();
}

async function count(tx: TransactionSql, key: Buffer, free: number): Promise<boolean> {
  const rows = await tx`
    insert into sign_in_attempts as a (key, failures, next_at, last_at) values (${key}, 1, to_timestamp(0), now())
    on conflict (key) do update set (failures, next_at, last_at) = (
      select f, case when f <= ${free}::int then to_timestamp(0)
                     else clock_timestamp() + make_interval(secs => least(${delaySecondsMax}::float8, power(2, least(f - ${free}::int - 1, 20)))) end,
             now()
        from (select case when a.last_at < now() - interval '1 hour' then 1 else a.failures + 1 end as f) as counted)
    where a.next_at <= clock_timestamp()
    returning 1`;
  return rows.length > 0;
}

async function waitOf(tx: TransactionSql, limits: { key: Buffer }[]): Promise<number> {
  const [row] = await tx<{ seconds: number }[]>`
    select coalesce(ceil(extract(epoch from max(next_at) - now())), 1)::int as seconds from sign_in_attempts
     where key = any(select decode(x, 'hex') from unnest(${hex(limits)}::text[]) x)`;
  return Math.max(row?.seconds ?? 1, 1);
}

/** The driver sends no arrays of bytes. */
function hex(limits: { key: Buffer }[]): string[] {
  return limits.map(({ key }) => key.toString('hex'));
}
