import { orgProcedure, router } from '../../trpc/procedures.ts';
import { Overview, OverviewInput } from './schemas.ts';
import { getOverview } from './service.ts';

/** Over tRPC only: the dashboard's first screen. */
export const overviewRouter = router({
  get: orgProcedure('analyses:read')
    .input(OverviewInput)
    .output(Overview)
    .query(({ ctx, input }) => getOverview(ctx.org, input)),
});
