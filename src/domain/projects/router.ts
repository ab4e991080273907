import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  CreateProjectInput,
  DeleteProjectInput,
  ListProjectsInput,
  Project,
  ProjectPage,
  ProjectParams,
  ProjectStats,
  ProjectStatsInput,
  UpdateProjectInput,
} from './schemas.ts';
import { createProject, deleteProject, getProject, getProjectStats, listProjects, updateProject } from './service.ts';

const tags = ['Projects'];

export const projectsRouter = router({
  list: orgProcedure('projects:read')
    .meta({
      examples: examples.listProjects,
      openapi: {
        method: 'GET',
        path: '/projects',
        operationId: 'listProjects',
        tags,
        summary: 'List projects',
        description: 'Projects that you may see, oldest first unless sorted otherwise.',
      },
    })
    .input(ListProjectsInput)
    .output(ProjectPage)
    .query(({ ctx, input }) => listProjects(ctx.org, input)),

  create: orgProcedure('projects:create')
    .meta({
      successStatus: 201,
      examples: examples.createProject,
      openapi: {
        method: 'POST',
        path: '/projects',
        operationId: 'createProject',
        tags,
        summary: 'Create a project',
        description: 'A project groups records and says how they are transcribed and scored.',
        errorResponses: { 409: 'A project of this name exists.', 422: 'There is no such profile.' },
      },
    })
    .input(CreateProjectInput)
    .output(Project)
    .mutation(({ ctx, input }) => createProject(ctx.org, input)),

  get: orgProcedure('projects:read')
    .meta({
      examples: examples.getProject,
      openapi: {
        method: 'GET',
        path: '/projects/{id}',
        operationId: 'getProject',
        tags,
        summary: 'Get a project',
        description: 'The project with its settings and the number of its records.',
      },
    })
    .input(ProjectParams)
    .output(Project)
    .query(({ ctx, input }) => getProject(ctx.org, input)),

  update: orgProcedure('projects:update')
    .meta({
      examples: examples.updateProject,
      openapi: {
        method: 'PATCH',
        path: '/projects/{id}',
        operationId: 'updateProject',
        tags,
        summary: 'Update a project',
        description: 'Changes what is given and leaves the rest.',
        errorResponses: { 409: 'A project of this name exists.', 422: 'There is no such profile.' },
      },
    })
    .input(UpdateProjectInput)
    .output(Project)
    .mutation(({ ctx, input }) => updateProject(ctx.org, input)),

  delete: orgProcedure('projects:delete')
    .meta({
      successStatus: 204,
      examples: examples.deleteProject,
      openapi: {
        method: 'DELETE',
        path: '/projects/{id}',
        operationId: 'deleteProject',
        tags,
        summary: 'Delete a project',
        description: 'A project with records is only deleted with `force=true`, which deletes them with it.',
        errorResponses: { 409: 'The project has records. Delete them first, or pass force=true.' },
      },
    })
    .input(DeleteProjectInput)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteProject(ctx.org, input)),

  stats: orgProcedure('projects:read')
    .meta({
      examples: examples.getProjectStats,
      openapi: {
        method: 'GET',
        path: '/projects/{id}/stats',
        operationId: 'getProjectStats',
        tags,
        summary: 'Get statistics of a project',
        description: 'Counts and averages over the records created in the period; the last 30 days by default.',
      },
    })
    .input(ProjectStatsInput)
    .output(ProjectStats)
    .query(({ ctx, input }) => getProjectStats(ctx.org, input)),
});
