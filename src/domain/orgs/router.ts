import { NoInput } from '../../trpc/input.ts';
import { orgProcedure, personProcedure, router } from '../../trpc/procedures.ts';
import { ListOrgsInput, Org, OrgPage } from './schemas.ts';
import { getOrg, listOrgs } from './service.ts';

export const orgsRouter = router({
  list: personProcedure()
    .input(ListOrgsInput)
    .output(OrgPage)
    .query(({ ctx, input }) => listOrgs(ctx.person, input)),

  get: orgProcedure('orgs:read')
    .input(NoInput)
    .output(Org)
    .query(({ ctx }) => getOrg(ctx.org)),
});
