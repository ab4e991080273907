import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import {
  CreateProfileInput,
  GetProfileInput,
  ListProfilesInput,
  Profile,
  ProfilePage,
  ProfileParams,
  UpdateProfileInput,
} from './schemas.ts';
import { createProfile, deleteProfile, getProfile, listProfiles, updateProfile } from './service.ts';

const tags = ['Profiles'];

export const profilesRouter = router({
  list: orgProcedure('profiles:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/profiles',
        operationId: 'listProfiles',
        tags,
        summary: 'List profiles',
        description: 'The rubrics of the organization, oldest first.',
      },
    })
    .input(ListProfilesInput)
    .output(ProfilePage)
    .query(({ ctx, input }) => listProfiles(ctx.org, input)),

  create: orgProcedure('profiles:write')
    .meta({
      successStatus: 201,
      openapi: {
        method: 'POST',
        path: '/profiles',
        operationId: 'createProfile',
        tags,
        summary: 'Create a profile',
        description: 'A rubric of your own: categories with weighted checks, and compliance rules.',
        errorResponses: { 409: 'A profile of this name exists.' },
      },
    })
    .input(CreateProfileInput)
    .output(Profile)
    .mutation(({ ctx, input }) => createProfile(ctx.org, input)),

  get: orgProcedure('profiles:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/profiles/{id}',
        operationId: 'getProfile',
        tags,
        summary: 'Get a profile',
        description: 'The current version, or the one named by `version`.',
      },
    })
    .input(GetProfileInput)
    .output(Profile)
    .query(({ ctx, input }) => getProfile(ctx.org, input)),

  update: orgProcedure('profiles:write')
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/profiles/{id}',
        operationId: 'updateProfile',
        tags,
        summary: 'Update a profile',
        description: 'A change of `categories` or `compliance` makes a new version; old analyses keep theirs.',
        errorResponses: { 409: 'A profile of this name exists.' },
      },
    })
    .input(UpdateProfileInput)
    .output(Profile)
    .mutation(({ ctx, input }) => updateProfile(ctx.org, input)),

  delete: orgProcedure('profiles:write')
    .meta({
      successStatus: 204,
      openapi: {
        method: 'DELETE',
        path: '/profiles/{id}',
        operationId: 'deleteProfile',
        tags,
        summary: 'Delete a profile',
        description: 'Refused while a project uses it. Analyses made with it stay readable.',
        errorResponses: { 409: 'A project uses this profile.' },
      },
    })
    .input(ProfileParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteProfile(ctx.org, input)),
});
