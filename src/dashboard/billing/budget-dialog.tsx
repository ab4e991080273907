import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { messageOf, useTRPC, type Outputs } from '../lib/trpc.ts';
import { useMe } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';

const formId = 'budget';

type Props = { summary: Outputs['billing']['summary']; onClose: () => void };

export function BudgetDialog({ summary, onClose }: Props) {
  const trpc = useTRPC();
  const { org } = useMe();
  const queryClient = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  const [limit, setLimit] = useState(summary.budgetLimit === null ? '' : String(summary.budgetLimit));
  const update = useMutation(
    trpc.billing.updateBudget.mutationOptions({
      onSuccess(next) {
        queryClient.setQueryData(trpc.billing.summary.queryKey({ orgId: org.id }), next);
        toast.done(next.budgetLimit === null ? 'The limit is removed' : 'The budget is changed');
        onClose();
      },
    }),
  );
  const save = (event: FormEvent): void => {
    event.preventDefault();
    update.mutate({ orgId: org.id, budgetLimit: limit === '' ? null : Number(limit) });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      initialFocus={first}
      title="Budget for a month"
      description="Holds for every month (UTC). What was accepted already is still processed."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={update.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} className="pb-2">
        <Field
          label="Limit"
          hint="Leave empty for no limit."
          error={update.error ? messageOf(update.error) : undefined}
        >
          {(control) => (
            <Input
              {...control}
              ref={first}
              type="number"
              inputMode="decimal"
              min={0}
              max={1_000_000_000}
              step="any"
              placeholder="No limit"
              value={limit}
              onChange={({ target }) => setLimit(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
