import { createMemory, type Memory } from '../lib/memory.ts';
import type { Principal } from './principal.ts';

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
