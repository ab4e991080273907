import { Toast } from '@base-ui/react/toast';
import { randomId } from '../lib/random-id.ts';
import { messageOf } from '../lib/trpc.ts';

/** What `toast-viewport.tsx` shows. It forgets what is added while no viewport is there. */
export const manager = Toast.createToastManager();
const undoMs = 6_000;
const longestUndoMs = 60_000;

/** To be called by the viewport as soon as it shows what is added. */
export let viewportIsThere: () => void;
const viewport = new Promise<void>((resolve) => (viewportIsThere = resolve));

/** News wait for the viewport, which comes after the first screen: none is lost on a slow line. */
function whenThere(show: () => void): void {
  void viewport.then(show);
}

/** Short news that need no answer. */
export const toast = {
  done(title: string, description?: string): void {
    whenThere(() => manager.add({ title, ...(description && { description }), type: 'good' }));
  },
  /** What failed, with the reason that the service gave. */
  failed(title: string, error: unknown): void {
    const description = messageOf(error);
    whenThere(() => manager.add({ title, description, type: 'bad', timeout: 10_000, priority: 'high' }));
  },
  /**
   * Does it when the reader has not taken it back while the news stand: six seconds in sight, longer under the pointer
   * or in the focus, a minute at most. Also when the page is left before. `onUndo` puts the view back as it was.
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
    // The viewport's own clock stands still while another window has the focus, and the viewport may never come.
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
