import { NoInput } from '../../trpc/input.ts';
import { personProcedure, router } from '../../trpc/procedures.ts';
import { Me } from './schemas.ts';
import { getMe } from './service.ts';

/** Over tRPC only: the dashboard's first request. */
export const meRouter = router({
  get: personProcedure()
    .input(NoInput)
    .output(Me)
    .query(({ ctx }) => getMe(ctx.person)),
});
