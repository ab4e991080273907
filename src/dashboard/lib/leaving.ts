import { useSyncExternalStore } from 'react';
import { toast } from '../ui/toast.tsx';

let leaving: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Ids of what was deleted and may still be taken back: lists leave it out, also after another screen was visited. */
export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => leaving);
}

type Deletion = { id: string; title: string; work: () => Promise<unknown> };

/** Hides it at once; it comes back on undo, and where the service refuses. */
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
