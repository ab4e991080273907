import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { Project, ProjectStats } from './schemas.ts';

const project: Json<Project> = {
  id: ids.project,
  name: 'Support line',
  description: 'Calls about orders and refunds',
  language: 'en',
  profileId: ids.profile,
  settings: { redactPii: true, redactNames: false, retentionDays: 365, channelMap: { '0': 'customer', '1': 'agent' } },
  recordCount: 1,
  createdAt: '2026-03-02T09:12:03.518Z',
  updatedAt: '2026-03-02T09:12:03.518Z',
};

const projectStats: Json<ProjectStats> = {
  projectId: ids.project,
  totalRecords: 128,
  completedRecords: 125,
  averageQualityScore: 81.4,
  averageDuration: 214.6,
  averageJudgedShare: 0.93,
  awaitingReview: 2,
  period: { from: '2026-02-01T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' },
};

export const examples = {
  listProjects: { responses: { 200: page('One project', project) } },
  createProject: {
    request: {
      shortest: { summary: 'A name is enough', value: { name: 'Support line' } },
      full: {
        summary: 'With everything',
        value: {
          name: 'Support line',
          description: 'Calls about orders and refunds',
          language: 'en',
          profileId: ids.profile,
          settings: {
            redactPii: false,
            redactNames: false,
            retentionDays: 365,
            channelMap: { '0': 'customer', '1': 'agent' },
          },
        },
      },
    },
    responses: { 201: { description: 'Created.', ...one('The new project', { ...project, recordCount: 0 }) } },
  },
  getProject: { responses: { 200: one('A project', project) } },
  updateProject: {
    request: { retention: { summary: 'Keep recordings for a year', value: { settings: { retentionDays: 365 } } } },
    responses: { 200: { description: 'The project as it is now.', ...one('The changed project', project) } },
  },
  deleteProject: { responses: { 204: nothing } },
  getProjectStats: { responses: { 200: one('February', projectStats) } },
} satisfies Record<string, OperationExamples>;
