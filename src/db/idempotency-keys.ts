import { randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { AppError } from '../lib/errors.ts';
import { idempotencyKeys } from './schema/index.ts';
import type { Database, OrgTx } from './scope.ts';

export type KeyedRequest = { client: string; key: string; fingerprint: string };
export type Claim = Pick<KeyedRequest, 'client' | 'key'> & { lease: string };
export type KeptAnswer = { status: number; location: string | null; body: string | null };

export type ClaimOutcome =
  | { kind: 'claimed'; claim: Claim }
  /** The first request has been answered: this is its answer. */
  | { kind: 'answered'; answer: KeptAnswer }
  | { kind: 'running' }
  /** Carried out, but its answer was never kept. */
  | { kind: 'unanswered' }
  /** The key stands for another request. */
  | { kind: 'different' };

const leaseSeconds = 60;
const lifetimeHours = 24;
const sweptMax = 10_000;

/** Makes the request the only one that works under its key, or tells what has become of the first one. */
export async function claimKey(tx: OrgTx, request: KeyedRequest): Promise<ClaimOutcome> {
  const { client, key, fingerprint } = request;
  const lease = randomUUID();
  const fresh = {
    fingerprint,
    lease,
    leasedUntil: sql`now() + make_interval(secs => ${leaseSeconds})`,
    isCarriedOut: false,
    status: null,
    location: null,
    body: null,
    expiresAt: sql`now() + make_interval(hours => ${lifetimeHours})`,
  };
  const abandoned = and(
    eq(idempotencyKeys.fingerprint, fingerprint),
    eq(idempotencyKeys.isCarriedOut, false),
    isNull(idempotencyKeys.status),
    sql`${idempotencyKeys.leasedUntil} < now()`,
  );
  const claimed = await tx
    .insert(idempotencyKeys)
    .values({ orgId: tx.orgId, client, key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.orgId, idempotencyKeys.client, idempotencyKeys.key],
      set: fresh,
      setWhere: sql`${idempotencyKeys.expiresAt} < now() or (${abandoned})`,
    })
    .returning({ lease: idempotencyKeys.lease });
  return claimed.length > 0 ? { kind: 'claimed', claim: { client, key, lease } } : findOutcome(tx, request);
}

/**
 * The same database for the work of a claim: whatever it commits commits together with the mark that it was carried out.
 * Work whose lease was taken over meanwhile is rolled back (CONFLICT).
 */
export function underClaim(db: Database, claim: Claim): Database {
  return {
    ...db,
    withOrg: (orgId, work) =>
      db.withOrg(orgId, async (tx) => {
        const result = await work(tx);
        const held = await tx
          .update(idempotencyKeys)
          .set({ isCarriedOut: true })
          .where(isOf(claim))
          .returning({ lease: idempotencyKeys.lease });
        if (held.length === 0) {
          throw new AppError(
            'CONFLICT',
            'The request took too long, and another one with its key has taken its place.',
          );
        }
        return result;
      }),
    asOf: (memory) => underClaim(db.asOf(memory), claim),
  };
}

export async function keepAnswer(tx: OrgTx, claim: Claim, answer: KeptAnswer): Promise<void> {
  await tx.update(idempotencyKeys).set(answer).where(isOf(claim));
}

/** Lets the key be used again; unless something was carried out under it. */
export async function releaseKey(tx: OrgTx, claim: Claim): Promise<void> {
  await tx.delete(idempotencyKeys).where(and(isOf(claim), eq(idempotencyKeys.isCarriedOut, false)));
}

/** Over all organizations. Gives the number of keys that were removed. */
export async function removeExpiredKeys(system: Sql): Promise<number> {
  const { count } = await system`
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where expires_at < now() order by expires_at limit ${sweptMax})`;
  return count;
}

async function findOutcome(tx: OrgTx, { client, key, fingerprint }: KeyedRequest): Promise<ClaimOutcome> {
  const [row] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.client, client), eq(idempotencyKeys.key, key)));
  // One that is gone by now was running until a moment ago.
  if (!row) return { kind: 'running' };
  const { status, location, body, isCarriedOut } = row;
  if (row.fingerprint !== fingerprint) return { kind: 'different' };
  if (status !== null) return { kind: 'answered', answer: { status, location, body } };
  return isCarriedOut && row.leasedUntil.getTime() < Date.now() ? { kind: 'unanswered' } : { kind: 'running' };
}

function isOf({ client, key, lease }: Claim) {
  return and(eq(idempotencyKeys.client, client), eq(idempotencyKeys.key, key), eq(idempotencyKeys.lease, lease));
}
