import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { statusOf, useTRPC } from '../../lib/trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, Textarea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { outcomes, type Outcome } from './labels.ts';
import { useReviewChange } from './use-review-change.ts';

type Props = { analysisId: string; onClose: () => void };

export function DisputeDialog({ analysisId, onClose }: Props) {
  const trpc = useTRPC();
  const changed = useReviewChange();
  const dispute = useMutation(
    trpc.reviews.dispute.mutationOptions({
      async onSuccess() {
        await changed();
        toast.done('Review disputed', 'A reviewer will look at it again.');
        onClose();
      },
      onError(error) {
        toast.failed('The review was not disputed', error);
        return statusOf(error) === 409 ? changed() : undefined;
      },
    }),
  );
  return (
    <StatementDialog
      title="Dispute the review"
      label="What is wrong with it"
      action="Dispute"
      isBusy={dispute.isPending}
      onClose={onClose}
      onSubmit={(comment) => dispute.mutate({ id: analysisId, comment })}
    />
  );
}

const choices = Object.keys(outcomes) as Outcome[];

export function ResolveDialog({ analysisId, onClose }: Props) {
  const trpc = useTRPC();
  const changed = useReviewChange();
  const [outcome, setOutcome] = useState<Outcome>('accepted');
  const resolve = useMutation(
    trpc.reviews.resolve.mutationOptions({
      async onSuccess() {
        await changed();
        toast.done('Dispute resolved');
        onClose();
      },
      onError: (error) => toast.failed('The dispute was not resolved', error),
    }),
  );
  return (
    <StatementDialog
      title="Resolve the dispute"
      label="Answer to the agent"
      action="Resolve"
      isBusy={resolve.isPending}
      onClose={onClose}
      onSubmit={(comment) => resolve.mutate({ id: analysisId, outcome, comment })}
    >
      <Field label="Outcome" hint="Scores change by a further review only.">
        {(control) => (
          <Select
            {...control}
            value={outcome}
            onChange={({ target }) => setOutcome(choices.find((one) => one === target.value) ?? 'accepted')}
          >
            {choices.map((one) => (
              <option key={one} value={one}>
                {outcomes[one].label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </StatementDialog>
  );
}

type StatementProps = {
  title: string;
  label: string;
  action: string;
  isBusy: boolean;
  onClose: () => void;
  onSubmit: (comment: string) => void;
  children?: ReactNode;
};

function StatementDialog({ title, label, action, isBusy, onClose, onSubmit, children }: StatementProps) {
  const [comment, setComment] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit(comment);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="statement" isBusy={isBusy} disabled={comment.trim() === ''}>
            {action}
          </Button>
        </>
      }
    >
      <form id="statement" onSubmit={submit} className="grid gap-4">
        {children}
        <Field label={label}>
          {(control) => (
            <Textarea
              {...control}
              maxLength={5000}
              value={comment}
              onChange={({ target }) => setComment(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
