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

export type CredentialCache = {
  /** The cached entry. The caller must compare `epoch` before relying on it. */
  recall(key: string): Credential | undefined;
  remember(key: string, credential: Credential): void;
  forget(key: string): void;
};

const entriesMax = 10_000;

/**
 * Caches live credentials between requests, evicting the least recently used. It is not notified of changes: an entry
 * is valid only while its epoch is still the organization's, which the scope of the request checks.
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
