import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { answeredInTime } from '../db/deadline.ts';
import { hashToken } from './api-token.ts';
import type { SentCredential } from './sent-credential.ts';

/** Whether the credential exists at all. Rejects if that cannot be found out now. */
export type RollCall = (sent: SentCredential) => Promise<boolean>;

type RollCallOptions = {
  system: Sql;
  /** Whether the provider signed a session token; needs no database lookup. */
  isSigned: (token: string) => Promise<boolean>;
};

type PendingLookup = PromiseWithResolvers<boolean> & { digest: Buffer };

/** An unnoticeable delay in which a flood of requests is batched. */
const paceMs = 20;
const batchMax = 1_000;
const waitingMax = 20_000;

/**
 * For credentials from addresses that send bad ones: all waiting lookups are combined into one statement, one statement
 * at a time, at most fifty a second. However many invalid credentials arrive, a valid one is recognized within moments.
 */
export function createRollCall({ system, isSigned }: RollCallOptions): RollCall {
  const waiting = new Map<string, PendingLookup>();
  let isAnswering = false;

  async function answerAll(): Promise<void> {
    isAnswering = true;
    while (waiting.size > 0) {
      await sleep(paceMs);
      const batch = [...waiting].slice(0, batchMax);
      for (const [key] of batch) waiting.delete(key);
      await answer(batch.map(([, asked]) => asked));
    }
    isAnswering = false;
  }

  async function answer(batch: PendingLookup[]): Promise<void> {
    try {
      const known = await selectKnown(
        system,
        batch.map(({ digest }) => digest.toString('hex')),
      );
      for (const { digest, resolve } of batch) resolve(known.has(digest.toString('hex')));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return async ({ kind, secret }) => {
    if (kind === 'session-token') return isSigned(secret);
    const digest = hashToken(secret);
    const key = digest.toString('latin1');
    const asked = waiting.get(key);
    if (asked) return asked.promise;
    if (waiting.size >= waitingMax) return false;
    const mine: PendingLookup = { digest, ...Promise.withResolvers<boolean>() };
    waiting.set(key, mine);
    if (!isAnswering) void answerAll();
    return mine.promise;
  };
}

/** Which of these digests belong to live API tokens or frame cookies. */
async function selectKnown(system: Sql, digests: string[]): Promise<Set<string>> {
  const rows = await answeredInTime(
    () => system<{ hash: string }[]>`
    with asked as materialized (select decode(digest, 'hex') as hash from unnest(${digests}::text[]) as digest)
    select encode(t.hash, 'hex') as hash from asked join api_tokens t using (hash)
     where t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
     union all
    select encode(s.hash, 'hex') from asked join sessions s using (hash) where s.expires_at > now()`,
  );
  return new Set(rows.map(({ hash }) => hash));
}
