import { z } from 'zod';
import { operationsOf, orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { InviteLink, InviteUserInput, ListUsersInput, UpdateUserInput, User, UserPage, UserParams } from './schemas.ts';
import { createInviteLink, getUser, inviteUser, listUsers, removeUser, resendInvite, updateUser } from './service.ts';

const operation = operationsOf('Users', examples);
const unusableProjects = 'There is no such project.';
const lastOwner = 'The last owner can be neither removed nor demoted.';

export const usersRouter = router({
  list: operation('listUsers', {
    permission: 'users:list',
    route: 'GET /users',
    summary: 'List users',
    description: 'Members of the organization and open invites, oldest first unless sorted otherwise.',
  })
    .input(ListUsersInput)
    .output(UserPage)
    .query(({ ctx, input }) => listUsers(ctx.org, input)),

  invite: operation('inviteUser', {
    permission: 'users:invite',
    route: 'POST /users/invite',
    successStatus: 201,
    location: '/users',
    summary: 'Invite a user',
    description:
      'Sends a mail. Signing in with that address, verified by the identity provider, makes the membership. ' +
      'An invite expires after 7 days; then the address can be invited again. Only an owner can invite an owner.',
    errorResponses: { 409: 'This address has been invited already.', 422: unusableProjects },
  })
    .input(InviteUserInput)
    .output(User)
    .mutation(({ ctx, input }) => inviteUser(ctx.org, input)),

  /** Over tRPC only. */
  resendInvite: orgProcedure('users:invite')
    .input(UserParams)
    .output(User)
    .mutation(({ ctx, input }) => resendInvite(ctx.org, input)),

  /** Over tRPC only: the link is a secret of whoever is invited. */
  createInviteLink: orgProcedure('users:invite')
    .input(UserParams)
    .output(InviteLink)
    .mutation(({ ctx, input }) => createInviteLink(ctx.org, input)),

  get: operation('getUser', {
    permission: 'users:list',
    route: 'GET /users/{id}',
    summary: 'Get a user',
    description: 'A member of the organization, or an open invite.',
  })
    .input(UserParams)
    .output(User)
    .query(({ ctx, input }) => getUser(ctx.org, input)),

  update: operation('updateUser', {
    permission: 'users:change-role',
    route: 'PATCH /users/{id}',
    summary: 'Change the role or the projects of a user',
    description:
      'Takes effect on the next request of the user. Nobody raises their own role; owners are made and changed by ' +
      'owners alone. Works on open invites as well.',
    errorResponses: { 409: lastOwner, 422: unusableProjects },
  })
    .input(UpdateUserInput)
    .output(User)
    .mutation(({ ctx, input }) => updateUser(ctx.org, input)),

  remove: operation('removeUser', {
    permission: 'users:remove',
    route: 'DELETE /users/{id}',
    successStatus: 204,
    summary: 'Remove a user from the organization',
    description:
      "Revokes the user's API tokens and sessions of this organization at once. Withdraws an open invite. " +
      'Owners are removed by owners alone.',
    errorResponses: { 409: lastOwner },
  })
    .input(UserParams)
    .output(z.void())
    .mutation(({ ctx, input }) => removeUser(ctx.org, input)),
});
