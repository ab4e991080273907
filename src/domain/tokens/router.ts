import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import { CreatedToken, CreateTokenInput, ListTokensInput, TokenPage, TokenParams } from './schemas.ts';
import { createToken, listTokens, revokeToken } from './service.ts';

/** Over tRPC only: the dashboard's Settings, API Keys. */
export const tokensRouter = router({
  list: orgProcedure('tokens:own')
    .input(ListTokensInput)
    .output(TokenPage)
    .query(({ ctx, input }) => listTokens(ctx.org, input)),

  create: orgProcedure('tokens:own')
    .input(CreateTokenInput)
    .output(CreatedToken)
    .mutation(({ ctx, input }) => createToken(ctx.org, input)),

  revoke: orgProcedure('tokens:own')
    .input(TokenParams)
    .output(z.void())
    .mutation(({ ctx, input }) => revokeToken(ctx.org, input)),
});
