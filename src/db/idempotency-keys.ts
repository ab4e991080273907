import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { idempotencyKeys as keys } from './schema/index.ts';
import type { OrgTx } from './scope.ts';

export type KeyedRequest = { client: string; key: string; fingerprint: string };
export type KeptAnswer = { status: number; location: string | null; body: string | null };

export type KeyState =
  /** No request has been answered with this key. */
  | { kind: 'free' }
  /** The answer to the first request. */
  | { kind: 'answered'; answer: KeptAnswer }
  | { kind: 'running' }
  /** The request was carried out, and its answer is not stored. */
  | { kind: 'withheld' }
  /** The key belongs to a different request. */
  | { kind: 'different' };

const lifetimeHours = 24;
const sweptMax = 10_000;

/**
 * Makes the request the only one that runs with its key until this transaction ends, or returns the state of the first
 * one. If the process dies, the key is free at once, since the transaction ends with the connection.
 */
export async function claimKey(tx: OrgTx, request: KeyedRequest): Promise<KeyState> {
  // Sequentially: the second statement sees what the previous lock holder committed.
  const [lock] = await tx.execute<{ isHeld: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockOf(tx, request)}) as "isHeld"`,
  );
  const state = await findKey(tx, request);
  return state.kind === 'free' && !lock?.isHeld ? { kind: 'running' } : state;
}

/** The outcome of the first request with the key, if it has ended. */
export async function findKey(tx: OrgTx, { client, key, fingerprint }: KeyedRequest): Promise<KeyState> {
  const [row] = await tx
    .select({ ...getTableColumns(keys), isExpired, isFree, isLeased })
    .from(keys)
    .where(and(eq(keys.client, client), eq(keys.key, key)));
  if (!row || row.isExpired) return { kind: 'free' };
  if (row.fingerprint !== fingerprint) return { kind: 'different' };
  if (row.isFree) return { kind: 'free' };
  const { status, location, body } = row;
  if (status !== null) return { kind: 'answered', answer: { status, location, body } };
  return { kind: row.isLeased ? 'running' : 'withheld' };
}

/**
 * Stores the answer in the transaction that did the work; `null` if only the fact is to be stored. False if another
 * request has answered with the key meanwhile: then nothing may be committed.
 */
export async function keepAnswer(tx: OrgTx, request: KeyedRequest, answer: KeptAnswer | null): Promise<boolean> {
  const { client, key, fingerprint } = request;
  const row = {
    fingerprint,
    isCarriedOut: true,
    ...(answer ?? { status: null, location: null, body: null }),
    ...unleased,
    expiresAt: sql`now() + make_interval(hours => ${lifetimeHours})`,
  };
  const kept = await tx
    .insert(keys)
    .values({ orgId: tx.orgId, client, key, ...row })
    .onConflictDoUpdate({ target: [keys.orgId, keys.client, keys.key], set: row, setWhere: isFree })
    .returning({ key: keys.key });
  return kept.length > 0;
}

/** Over all organizations. Returns the number of removed keys. */
export async function removeExpiredKeys(system: Sql): Promise<number> {
  const { count } = await system`
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where expires_at < now() order by expires_at limit ${sweptMax})`;
  return count;
}

/** The previous release claims a key with a leased row, and may run at the same time. */
const unleased = { lease: '', leasedUntil: sql`now()` };
const isLeased = sql<boolean>`${keys.leasedUntil} > now()`;
const isExpired = sql<boolean>`${keys.expiresAt} < now()`;
const isFree = sql<boolean>`
  (${isExpired} or (${keys.status} is null and not ${keys.isCarriedOut} and not ${isLeased}))`;

function lockOf({ orgId }: OrgTx, { client, key }: KeyedRequest) {
  return sql`hashtextextended(${`idempotency:${JSON.stringify([orgId, client, key])}`}, 0)`;
}
