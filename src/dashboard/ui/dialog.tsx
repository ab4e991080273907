import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Button, IconButton } from './button.tsx';

const backdrop =
  'fixed inset-0 z-40 bg-black/40 transition-opacity data-[starting-style]:opacity-0 data-[ending-style]:opacity-0';
const popup =
  'fixed top-1/2 left-1/2 z-50 flex max-h-[min(90dvh,52rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-2xl ' +
  'border border-line bg-surface shadow-float transition-all data-[starting-style]:scale-95 data-[starting-style]:opacity-0 ' +
  'data-[ending-style]:scale-95 data-[ending-style]:opacity-0';

type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  size?: 'md' | 'lg';
  /** The element to focus; by default the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Below the content: the buttons. */
  footer?: ReactNode;
  children: ReactNode;
};

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  size = 'md',
  initialFocus,
  footer,
  children,
}: DialogProps) {
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop data-backdrop className={backdrop} />
        <BaseDialog.Popup
          {...(initialFocus && { initialFocus })}
          className={clsx(popup, size === 'lg' ? 'max-w-3xl' : 'max-w-lg')}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
            <div>
              <BaseDialog.Title className="text-base font-semibold">{title}</BaseDialog.Title>
              {description && (
                <BaseDialog.Description className="mt-1 text-sm text-ink-soft">{description}</BaseDialog.Description>
              )}
            </div>
            <BaseDialog.Close
              render={<IconButton label="Close" size="sm" icon={<X className="size-4" aria-hidden />} />}
            />
          </header>
          <div className="relative min-h-0 flex-1 overflow-y-auto px-5 py-2">{children}</div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 px-5 pt-2 pb-4">{footer}</footer>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

type ConfirmProps = {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  description: ReactNode;
  confirmLabel: string;
  isBusy?: boolean;
};

/** For actions that cannot be undone. */
export function ConfirmDialog({ isOpen, onClose, onConfirm, title, description, confirmLabel, isBusy }: ConfirmProps) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop data-backdrop className={backdrop} />
        <AlertDialog.Popup className={clsx(popup, 'max-w-md p-5')}>
          <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-sm text-ink-soft">{description}</AlertDialog.Description>
          <footer className="mt-5 flex flex-wrap justify-end gap-2">
            <AlertDialog.Close render={<Button>Cancel</Button>} />
            <Button variant="danger" onClick={onConfirm} isBusy={isBusy ?? false}>
              {confirmLabel}
            </Button>
          </footer>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
