let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function publish(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}

/** Calls about to be deleted: hidden on every screen until they are deleted or the deletion is undone. */
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
