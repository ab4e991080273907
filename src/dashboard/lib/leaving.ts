import { useSyncExternalStore } from 'react';
import { toast } from '../ui/toast.tsx';

let leaving: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Ids of deleted items that can still be restored: lists hide them, also after visiting another screen. */
export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => leaving);
}

type Deletion = { id: string; title: string; work: () => Promise<unknown> };

/** Hides it at once; it comes back on undo, or if the service refuses. */
export function deleteUndoably({ id, title, work }: Deletion): void {
  set(new Set([...leaving, id]));
  const comeBack = (): void => set(new Set([...leaving].filter((other) => other !== id)));
  toast.undoable({ title, onUndo: comeBack, work: () => work().then(comeBack) });
}

function set(next: ReadonlySet<string>): void {
  leaving = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
