import { z } from 'zod';
import { operationsOf, orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  CreateProfileInput,
  GetProfileInput,
  ListProfilesInput,
  ListTemplatesInput,
  PreviewProfileInput,
  Profile,
  ProfileOutline,
  ProfilePage,
  ProfileParams,
  ProfilePreview,
  TemplatePage,
  UpdateProfileInput,
} from './schemas.ts';
import { previewProfile } from './preview.ts';
import { createProfile, deleteProfile, getProfile, listProfiles, listTemplates, updateProfile } from './service.ts';

const operation = operationsOf('Profiles', examples);

export const profilesRouter = router({
  list: operation('listProfiles', {
    permission: 'profiles:read',
    route: 'GET /profiles',
    mcp: { title: 'List profiles', without: ['categories', 'compliance'] },
    summary: 'List profiles',
    description: 'The rubrics of the organization, oldest first unless sorted otherwise.',
  })
    .input(ListProfilesInput)
    .output(ProfilePage)
    .query(({ ctx, input }) => listProfiles(ctx.org, input)),

  templates: operation('listProfileTemplates', {
    permission: 'profiles:read',
    route: 'GET /profiles/templates',
    summary: 'List profile templates',
    description:
      'Ready-made rubrics for service, sales, support and collections, each with words for several languages. `POST /profiles` with `template` makes a profile of one, which is then yours to change.',
  })
    .input(ListTemplatesInput)
    .output(TemplatePage)
    .query(({ input }) => listTemplates(input)),

  create: operation('createProfile', {
    permission: 'profiles:write',
    route: 'POST /profiles',
    successStatus: 201,
    summary: 'Create a profile',
    description:
      'A rubric of your own: categories with weighted checks, and compliance rules. Or, with `template`, a copy of a ready-made one.',
    errorResponses: { 409: 'A profile of this name exists.' },
  })
    .input(CreateProfileInput)
    .output(Profile)
    .mutation(({ ctx, input }) => createProfile(ctx.org, input)),

  get: operation('getProfile', {
    permission: 'profiles:read',
    route: 'GET /profiles/{id}',
    summary: 'Get a profile',
    description: 'The current version, or the one named by `version`.',
  })
    .input(GetProfileInput)
    .output(Profile)
    .query(({ ctx, input }) => getProfile(ctx.org, input)),

  /** Over tRPC and MCP: what a profile asks, without the phrases that it knows the answers by. */
  outline: orgProcedure('profiles:read')
    .meta({
      mcp: {
        title: 'Read a profile',
        description:
          'What calls are judged by: categories with their weighted checks, and compliance rules. The current version, or the one named by `version`, such as an analysis names.',
      },
    })
    .input(GetProfileInput)
    .output(ProfileOutline)
    .query(({ ctx, input }) => getProfile(ctx.org, input)),

  update: operation('updateProfile', {
    permission: 'profiles:write',
    route: 'PATCH /profiles/{id}',
    summary: 'Update a profile',
    description:
      'A change of `categories` or `compliance` makes a new version; old analyses keep theirs. With `expectedVersion` a change that somebody else made meanwhile is not overwritten.',
    errorResponses: { 409: 'A profile of this name exists, or it is not at `expectedVersion` any more.' },
  })
    .input(UpdateProfileInput)
    .output(Profile)
    .mutation(({ ctx, input }) => updateProfile(ctx.org, input)),

  preview: operation('previewProfile', {
    permission: 'profiles:preview',
    route: 'POST /profiles/{id}/preview',
    changesNothing: true,
    summary: 'Try a profile on a call',
    description:
      'Scores a call by the profile, or by a draft of it that is not saved, with the rules engine. Nothing is stored, charged or sent, and no language model is asked. An organization has two under way at most.',
    errorResponses: {
      404: 'Profile or record not found.',
      409: 'The transcript is not ready yet.',
      422: 'The record has no transcript, or scoring it by this profile takes more work than one scoring may.',
    },
  })
    .input(PreviewProfileInput)
    .output(ProfilePreview)
    .mutation(({ ctx, input }) => previewProfile(ctx.org, input)),

  delete: operation('deleteProfile', {
    permission: 'profiles:write',
    route: 'DELETE /profiles/{id}',
    successStatus: 204,
    summary: 'Delete a profile',
    description: 'Refused while a project uses it. Analyses made with it stay readable.',
    errorResponses: { 409: 'A project uses this profile.' },
  })
    .input(ProfileParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteProfile(ctx.org, input)),
});
