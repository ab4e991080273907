import { orgProcedure, router } from '../../trpc/procedures.ts';
import { Org } from './schemas.ts';
import { getOrg } from './service.ts';

export const orgsRouter = router({
  get: orgProcedure('orgs:read')
    .output(Org)
    .query(({ ctx }) => getOrg(ctx.org)),
});
