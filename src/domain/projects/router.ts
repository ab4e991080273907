import { z } from 'zod';
import { operationsOf, router } from '../../trpc/procedures.ts';
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

const operation = operationsOf('Projects', examples);

export const projectsRouter = router({
  list: operation('listProjects', {
    permission: 'projects:read',
    route: 'GET /projects',
    mcp: { title: 'List projects' },
    summary: 'List projects',
    description: 'Projects that you may see, oldest first unless sorted otherwise.',
  })
    .input(ListProjectsInput)
    .output(ProjectPage)
    .query(({ ctx, input }) => listProjects(ctx.org, input)),

  create: operation('createProject', {
    permission: 'projects:create',
    route: 'POST /projects',
    successStatus: 201,
    summary: 'Create a project',
    description: 'A project groups records and says how they are transcribed and scored.',
    errorResponses: { 409: 'A project of this name exists.', 422: 'There is no such profile.' },
  })
    .input(CreateProjectInput)
    .output(Project)
    .mutation(({ ctx, input }) => createProject(ctx.org, input)),

  get: operation('getProject', {
    permission: 'projects:read',
    route: 'GET /projects/{id}',
    summary: 'Get a project',
    description: 'The project with its settings and the number of its records.',
  })
    .input(ProjectParams)
    .output(Project)
    .query(({ ctx, input }) => getProject(ctx.org, input)),

  update: operation('updateProject', {
    permission: 'projects:update',
    route: 'PATCH /projects/{id}',
    summary: 'Update a project',
    description: 'Changes what is given and leaves the rest.',
    errorResponses: { 409: 'A project of this name exists.', 422: 'There is no such profile.' },
  })
    .input(UpdateProjectInput)
    .output(Project)
    .mutation(({ ctx, input }) => updateProject(ctx.org, input)),

  delete: operation('deleteProject', {
    permission: 'projects:delete',
    route: 'DELETE /projects/{id}',
    successStatus: 204,
    summary: 'Delete a project',
    description: 'A project with records is only deleted with `force=true`, which deletes them with it.',
    errorResponses: { 409: 'The project has records. Delete them first, or pass force=true.' },
  })
    .input(DeleteProjectInput)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteProject(ctx.org, input)),

  stats: operation('getProjectStats', {
    permission: 'projects:read',
    route: 'GET /projects/{id}/stats',
    summary: 'Get statistics of a project',
    description: 'Counts and averages over the records created in the period; the last 30 days by default.',
  })
    .input(ProjectStatsInput)
    .output(ProjectStats)
    .query(({ ctx, input }) => getProjectStats(ctx.org, input)),
});
