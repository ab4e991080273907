import { Toast } from '@base-ui/react/toast';
import { randomId } from '../lib/random-id.ts';
import { messageOf } from '../lib/trpc.ts';

/** What `toast-viewport.tsx` shows. Toasts that are added before there is a viewport are lost. */
export const manager = Toast.createToastManager();
const undoMs = 6_000;
const longestUndoMs = 60_000;

/** Called by the viewport as soon as it shows new toasts. */
export let viewportIsThere: () => void;
const viewport = new Promise<void>((resolve) => (viewportIsThere = resolve));

/** Toasts wait for the viewport, which loads after the first screen, so none is lost on a slow line. */
function whenThere(show: () => void): void {
  void viewport.then(show);
}

/** Short notices that need no answer. */
export const toast = {
  done(title: string, description?: string): void {
    whenThere(() => manager.add({ title, ...(description && { description }), type: 'good' }));
  },
  /** What failed, with the service's reason. */
  failed(title: string, error: unknown): void {
    const description = messageOf(error);
    whenThere(() => manager.add({ title, description, type: 'bad', timeout: 10_000, priority: 'high' }));
  },
  /**
   * Runs the work unless the user undoes it while the toast is visible: six seconds, longer under the pointer or in
   * focus, a minute at most. Also if the page is left before. `onUndo` restores the view.
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
    const id = randomId();
    addEventListener('pagehide', go);
    // The viewport's clock pauses while another window has the focus, and the viewport may never load.
    setTimeout(() => {
      go();
      manager.close(id);
    }, longestUndoMs);
    whenThere(() => {
      if (isSettled) return;
      manager.add({ id, title, timeout: undoMs, onClose: go, actionProps: { children: 'Undo', onClick: undo } });
    });
  },
};
