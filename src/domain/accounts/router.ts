import { NoInput } from '../../trpc/input.ts';
import { operationsOf, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { SignInRules, UpdateSignInRulesInput } from './schemas.ts';

const operation = operationsOf('Users', examples);

export const accountsRouter = router({
  rules: operation('getSignInRules', {
    permission: 'orgs:read',
    route: 'GET /sign-in-rules',
    summary: 'Get the rules for signing in',
    description: 'What the organization asks of people who sign in with accounts of this service.',
  })
    .input(NoInput)
    .output(SignInRules)
    .query(({ ctx }) => ctx.services.factors.readRules(ctx.org)),

  updateRules: operation('updateSignInRules', {
    permission: 'orgs:secure',
    route: 'PATCH /sign-in-rules',
    summary: 'Change the rules for signing in',
    description:
      'They count from the next sign-in: an owner who has no second factor sets one up there, and nobody is signed out.',
    errorResponses: { 409: 'You have no second factor yourself.' },
  })
    .input(UpdateSignInRulesInput)
    .output(SignInRules)
    .mutation(({ ctx, input }) => ctx.services.factors.changeRules(ctx.org, input)),
});
