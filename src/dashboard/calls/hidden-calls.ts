let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function publish(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}

/** Calls that are about to be deleted: out of sight at once, on every screen, until that is done or taken back. */
export const hiddenCalls = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  snapshot: (): ReadonlySet<string> => hidden,
  hide(ids: readonly string[]): void {
    publish(new Set([...hidden, ...ids]));
  },
  show(ids: readonly string[]): void {
    publish(new Set([...hidden].filter((id) => !ids.includes(id))));
  },
};
