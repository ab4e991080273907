import { personProcedure, router } from '../../trpc/procedures.ts';
import { Me } from './schemas.ts';
import { getMe } from './service.ts';

/** Over tRPC only: what the dashboard asks first. */
export const meRouter = router({
  get: personProcedure()
    .output(Me)
    .query(({ ctx }) => getMe(ctx.person)),
});
