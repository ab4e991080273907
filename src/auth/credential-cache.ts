import { createMemory, type Memory } from '../lib/memory.ts';
import type { Identity, Principal } from './principal.ts';

/** What a database lookup knows about a credential. */
export type Credential = {
  principal: Principal;
  expiresAt: Date | null;
  /** Minute (since 1970) of the last recorded use. */
  usedInMinute: number;
  /** The organization's count of credential changes (`orgs.credential_epoch`), read together with the rest. */
  epoch: string;
};

const entriesMax = 10_000;

/**
 * Caches live credentials between requests. It is not notified of changes: the caller must compare the epoch of an
 * entry, which is valid only while it is still the organization's.
 */
export function createCredentialCache(): Memory<Credential> {
  const memory = createMemory<Credential>(entriesMax);
  return {
    ...memory,
    recall(key) {
      const credential = memory.recall(key);
      return credential?.expiresAt && credential.expiresAt.getTime() <= Date.now() ? undefined : credential;
    },
  };
}

type Lookup = {
  digest: Buffer;
  /** Reads the database, whatever is cached. */
  anew: boolean;
  /** Null unless the credential is live. */
  read: () => Promise<Credential | null>;
  /** Called at most once a minute. */
  markUsed: (principal: Principal) => Promise<void>;
};

/** The principal behind a credential, with the epoch it belongs to if it was cached; null unless it is live. */
export async function findCredential(
  cache: Memory<Credential>,
  { digest, anew, read, markUsed }: Lookup,
): Promise<Identity | null> {
  const key = digest.toString('latin1');
  const remembered = anew ? undefined : cache.recall(key);
  const credential = remembered ?? (await read());
  if (!credential) {
    cache.forget(key);
    return null;
  }
  if (!remembered) cache.remember(key, credential);
  const { principal, epoch, usedInMinute } = credential;
  const minute = Math.floor(Date.now() / 60_000);
  if (usedInMinute < minute) {
    credential.usedInMinute = minute;
    await markUsed(principal);
  }
  return { principal, epoch: remembered ? epoch : null };
}
