import { NoInput } from '../../trpc/input.ts';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import { dismissFirstSteps, getFirstSteps, settleFirstStep } from './first-steps.ts';
import { DismissFirstStepsInput, FirstSteps, SettleFirstStepInput } from './schemas.ts';

/** Over tRPC only: the dashboard's first steps, for those who set an organization up. */
export const onboardingRouter = router({
  get: orgProcedure('orgs:update')
    .input(NoInput)
    .output(FirstSteps)
    .query(({ ctx }) => getFirstSteps(ctx.org)),

  settle: orgProcedure('orgs:update')
    .input(SettleFirstStepInput)
    .output(FirstSteps)
    .mutation(({ ctx, input }) => settleFirstStep(ctx.org, input)),

  dismiss: orgProcedure('orgs:update')
    .input(DismissFirstStepsInput)
    .output(FirstSteps)
    .mutation(({ ctx, input }) => dismissFirstSteps(ctx.org, input)),
});
