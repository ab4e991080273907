/** Local storage. In a frame of another site, browsers may deny it: then values last as long as the page. */
export const storage = {
  read(key: string): string | null {
    return attempt((store) => store.getItem(key)) ?? memory.get(key) ?? null;
  },
  write(key: string, value: string | null): void {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
    attempt((store) => (value === null ? store.removeItem(key) : store.setItem(key, value)));
  },
};

const memory = new Map<string, string>();

function attempt<T>(work: (store: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    // Denied to third parties, or full.
    return undefined;
  }
}
