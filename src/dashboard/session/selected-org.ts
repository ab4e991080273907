const key = 'earshot.org';

/** The organization that the reader works in; remembered by this browser. */
export function selectedOrg(): string | null {
  return localStorage.getItem(key);
}

export function selectOrg(orgId: string | null): void {
  if (orgId === null) localStorage.removeItem(key);
  else localStorage.setItem(key, orgId);
}
