import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { toast } from '../ui/toast.tsx';

export type FirstStepsState = Outputs['onboarding']['get'];
export type StepState = FirstStepsState['steps'][number];
export type StepKey = StepState['key'];

/** How far the user has come; undefined until it is known, and for those who do not set the organization up. */
export function useFirstSteps(): FirstStepsState | undefined {
  const trpc = useTRPC();
  const can = useCan();
  return useQuery(trpc.onboarding.get.queryOptions(undefined, { enabled: can('orgs:update') })).data;
}

export function isUnfinished(state: FirstStepsState | undefined): boolean {
  return state !== undefined && !state.isDismissed && state.steps.some((step) => step.state === 'open');
}

/** Reads again what has been done, after a step whose result exists elsewhere. */
export function useRefreshFirstSteps(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.onboarding.pathKey() });
}

export function useSettleStep() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.onboarding.settle.mutationOptions({
      onSuccess: (state) => queryClient.setQueryData(trpc.onboarding.get.queryKey(), state),
      onError: (error) => toast.failed('This was not kept', error),
    }),
  );
}

export function useDismissFirstSteps() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.onboarding.dismiss.mutationOptions({
      onSuccess: (state) => queryClient.setQueryData(trpc.onboarding.get.queryKey(), state),
      onError: (error) => toast.failed('The first steps were not put away', error),
    }),
  );
}
