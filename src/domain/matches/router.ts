import { z } from 'zod';
import { operationsOf, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { IdentityMatchPage, ListMatchesInput, MatchParams } from './schemas.ts';

const operation = operationsOf('Users', examples);
const errorResponses = { 404: 'There is no such match, or it was decided already.' };

export const matchesRouter = router({
  list: operation('listIdentityMatches', {
    permission: 'users:confirm',
    route: 'GET /users/matches',
    summary: 'List sign-ins that wait to be confirmed',
    description:
      'Whoever signs in at the identity provider for the first time, with the verified address of a member who has ' +
      'been here, waits until an owner confirms that they are the member.',
  })
    .input(ListMatchesInput)
    .output(IdentityMatchPage)
    .query(({ ctx, input }) => ctx.services.matches.list(ctx.org.actor, input)),

  confirm: operation('confirmIdentityMatch', {
    permission: 'users:confirm',
    route: 'POST /users/matches/{id}/confirm',
    successStatus: 204,
    summary: 'Confirm that a sign-in is the member',
    description:
      'They get all organizations and roles of the member, so it takes an owner of all of these organizations.',
    errorResponses,
  })
    .input(MatchParams)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.matches.confirm(ctx.org.actor, input)),

  refuse: operation('refuseIdentityMatch', {
    permission: 'users:confirm',
    route: 'POST /users/matches/{id}/refuse',
    successStatus: 204,
    summary: 'Refuse a sign-in',
    description:
      'It stays without an organization and waits no longer. It takes an owner of all organizations of the member.',
    errorResponses,
  })
    .input(MatchParams)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.matches.refuse(ctx.org.actor, input)),
});
