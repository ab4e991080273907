import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../lib/trpc.ts';
import { Card } from '../ui/card.tsx';
import { ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Switch } from '../ui/switch.tsx';
import { toast } from '../ui/toast.tsx';

/** What the organization asks of owners who sign in with accounts of this service. */
export function SignInCard() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const rules = useQuery(trpc.accounts.rules.queryOptions());
  const update = useMutation(
    trpc.accounts.updateRules.mutationOptions({
      onSuccess: ({ ownersNeedSecondFactor }) =>
        toast.done(ownersNeedSecondFactor ? 'Owners need a second factor' : 'Owners may sign in with a password alone'),
      onError: (error) => toast.failed('The rule was not changed', error),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.accounts.pathKey() }),
    }),
  );
  return (
    <Card title="Signing in" className="mb-5">
      {rules.isPending && <SkeletonRows rows={1} />}
      {rules.isError && <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.data && (
        <div className="flex items-start justify-between gap-4 text-sm">
          <p>
            Owners need a second factor
            <span className="block text-xs text-ink-faint">
              A passkey, or an authenticator app beside the password. Who has neither sets one up at the next sign-in.
            </span>
          </p>
          <Switch
            label="Owners need a second factor"
            isOn={rules.data.ownersNeedSecondFactor}
            isDisabled={update.isPending}
            onChange={(ownersNeedSecondFactor) => update.mutate({ ownersNeedSecondFactor })}
          />
        </div>
      )}
    </Card>
  );
}
