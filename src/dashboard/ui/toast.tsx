import { Toast } from '@base-ui/react/toast';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../lib/trpc.ts';
import { buttonClass, IconButton } from './button.tsx';

const manager = Toast.createToastManager();
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

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} timeout={5_000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((item) => (
    <Toast.Root
      key={item.id}
      toast={item}
      className={clsx(
        'rounded-xl border bg-surface shadow-float transition-all data-[ending-style]:translate-y-2 data-[ending-style]:opacity-0 data-[starting-style]:translate-y-2 data-[starting-style]:opacity-0',
        item.type === 'bad' ? 'border-bad' : 'border-line',
      )}
    >
      <Toast.Content className="flex items-center gap-3 py-2.5 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <Toast.Title className={clsx('text-sm font-medium', item.type === 'bad' && 'text-bad')} />
          <Toast.Description className="mt-0.5 text-xs text-ink-soft" />
        </div>
        {item.actionProps && <Toast.Action className={buttonClass({ size: 'sm' })} />}
        <Toast.Close render={<IconButton label="Dismiss" size="sm" icon={<X className="size-4" aria-hidden />} />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
