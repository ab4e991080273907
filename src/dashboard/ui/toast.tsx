import { Toast } from '@base-ui/react/toast';
import { messageOf } from '../lib/trpc.ts';

/** What `toast-viewport.tsx` shows. */
export const manager = Toast.createToastManager();
const undoMs = 6_000;

/** Short news that need no answer. */
export const toast = {
  done(title: string, description?: string): void {
    manager.add({ title, ...(description && { description }), type: 'good' });
  },
  /** What failed, with the reason that the service gave. */
  failed(title: string, error: unknown): void {
    manager.add({ title, description: messageOf(error), type: 'bad', timeout: 10_000, priority: 'high' });
  },
  /**
   * Does it when the reader has not taken it back within six seconds, also when the page is left before.
   * `onUndo` puts the view back as it was.
   */
  undoable({ title, work, onUndo }: { title: string; work: () => Promise<unknown>; onUndo: () => void }): void {
    let isSettled = false;
    const go = (): void => {
      if (isSettled) return;
      isSettled = true;
      removeEventListener('pagehide', go);
      void work().catch((error: unknown) => {
        onUndo();
        toast.failed(`${title}: not done`, error);
      });
    };
    const undo = (): void => {
      if (isSettled) return;
      isSettled = true;
      removeEventListener('pagehide', go);
      manager.close(id);
      onUndo();
    };
    addEventListener('pagehide', go);
    setTimeout(go, undoMs);
    const id = manager.add({ title, timeout: undoMs, onClose: go, actionProps: { children: 'Undo', onClick: undo } });
  },
};
