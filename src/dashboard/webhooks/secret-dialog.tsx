import { Button } from '../ui/button.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Dialog } from '../ui/dialog.tsx';

type Props = { secret: string; isNew?: boolean; onClose: () => void };

/** Shows the secret, only once. */
export function SecretDialog({ secret, isNew = false, onClose }: Props) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Copy the signing secret now"
      description="This is the only time it is shown. Your endpoint verifies with it that a request is ours."
      footer={
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <div className="grid gap-4 pb-2">
        <CopyBlock label="Signing secret" value={secret} />
        {!isNew && (
          <p className="text-sm text-ink-soft">
            For 24 hours every request carries two signatures, one by this secret and one by the old one. Put the new
            one in place within that time and nothing is lost.
          </p>
        )}
        <p className="text-sm text-ink-soft">
          Any Standard Webhooks library checks <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
          <code>webhook-signature</code> with it.
        </p>
      </div>
    </Dialog>
  );
}
