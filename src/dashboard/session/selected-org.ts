import { storage } from '../lib/storage.ts';

const key = 'earshot.org';

/** The selected organization, remembered in this browser. */
export function selectedOrg(): string | null {
  return storage.read(key);
}

export function selectOrg(orgId: string | null): void {
  storage.write(key, orgId);
}
