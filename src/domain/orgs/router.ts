import { NoInput } from '../../trpc/input.ts';
import { orgProcedure, personProcedure, router } from '../../trpc/procedures.ts';
import { ListOrgsInput, Org, OrgPage, UpdateOrgInput } from './schemas.ts';
import { getOrg, listOrgs, updateOrg } from './service.ts';

export const orgsRouter = router({
  list: personProcedure()
    .input(ListOrgsInput)
    .output(OrgPage)
    .query(({ ctx, input }) => listOrgs(ctx.person, input)),

  get: orgProcedure('orgs:read')
    .input(NoInput)
    .output(Org)
    .query(({ ctx }) => getOrg(ctx.org)),

  update: orgProcedure('orgs:update')
    .input(UpdateOrgInput)
    .output(Org)
    .mutation(({ ctx, input }) => updateOrg(ctx.org, input)),
});
