import { Toast } from '@base-ui/react/toast';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { buttonClass, IconButton } from './button.tsx';
import { manager, viewportIsThere } from './toast.tsx';

/** Where toasts appear. Loaded after the first screen. */
export function ToastViewport() {
  // After the provider's own effect, in which it starts to listen.
  useEffect(viewportIsThere, []);
  return (
    <Toast.Provider toastManager={manager} timeout={5_000}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-[calc(1rem+var(--toast-lift,0px))] z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2">
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
      data-notice
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
