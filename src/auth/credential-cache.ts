import type { Principal } from './principal.ts';

/** What a look into the database tells of a credential. */
export type Credential = {
  principal: Principal;
  expiresAt: Date | null;
  /** Minutes since 1970 of the last use that is on record. */
  usedInMinute: number;
  /** The organization's count of changes to its credentials (`orgs.credential_epoch`), read together with the rest. */
  epoch: string;
};

export type CredentialCache = {
  /** What is remembered of a credential: true once, for whoever compares `epoch` before relying on it. */
  recall(key: string): Credential | undefined;
  remember(key: string, credential: Credential): void;
  forget(key: string): void;
};

const entriesMax = 10_000;

/**
 * Remembers live credentials between requests, the latest used ones. It hears of no change: an entry counts only
 * together with an epoch that is still the organization's own, which the scope compares that a request reads in.
 */
export function createCredentialCache(): CredentialCache {
  const entries = new Map<string, Credential>();

  function remember(key: string, credential: Credential): void {
    entries.delete(key);
    entries.set(key, credential);
    if (entries.size <= entriesMax) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }

  return {
    recall(key) {
      const credential = entries.get(key);
      if (credential?.expiresAt && credential.expiresAt.getTime() <= Date.now()) return undefined;
      return credential;
    },
    remember,
    forget: (key) => void entries.delete(key),
  };
}
