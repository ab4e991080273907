import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../ui/dialog.tsx';

/** Protects unsaved changes from being lost by a link, the back button, or closing the tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
      title="Leave without saving?"
      description="The profile has changes that are not saved. They will be lost."
      confirmLabel="Discard changes"
    />
  );
}
