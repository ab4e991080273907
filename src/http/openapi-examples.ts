import { nothing, one, page, type OperationExamples } from './openapi-example-parts.ts';
import { billingExamples } from './openapi-examples-billing.ts';
import { portalExamples } from './openapi-examples-portals.ts';
import { qualityExamples } from './openapi-examples-quality.ts';
import { webhookExamples } from './openapi-examples-webhooks.ts';
import * as profiles from './openapi-samples-profiles.ts';
import * as users from './openapi-samples-users.ts';
import * as samples from './openapi-samples.ts';

const { ids } = samples;

const health = (isWell: boolean) => ({
  status: isWell ? 'ok' : 'degraded',
  version: '1.0.0',
  uptime: 86_400,
  checks: { database: 'ok', storage: isWell ? 'ok' : 'down', pipeline: 'ok' },
});

const ingest = {
  externalId: 'call-4711',
  projectId: ids.project,
  recordingUrl: 'https://recordings.example.com/call-4711.mp3',
  startedAt: '2026-03-02T08:58:10Z',
  direction: 'inbound',
  agent: { name: 'Maria Lopez', email: 'maria@example.com' },
  customerPhone: '+441234567890',
  crm: { entityType: 'contact', entityId: '815' },
};

/** By operation id. Every operation has its entry, and a test holds each example against its schema. */
export const operationExamples: Record<string, OperationExamples> = {
  listRecords: { responses: { 200: page('One call', samples.recordListItem) } },
  getRecord: { responses: { 200: one('A call that has been analysed', samples.record) } },
  uploadRecord: {
    request: {
      withMetadata: {
        summary: 'A recording with what is known about the call',
        value: {
          file: 'call-4711.wav',
          projectId: ids.project,
          metadata: { agentName: 'Maria Lopez', customerPhone: '+441234567890', queue: 'refunds' },
        },
      },
    },
    responses: { 201: { description: 'Stored and queued.', ...one('The new record', samples.receipt) } },
  },
  ingestRecord: {
    request: {
      address: { summary: 'The recording lies at an address', value: ingest },
      transcribed: {
        summary: 'The telephony system has transcribed the call',
        value: { ...ingest, transcript: samples.subtitles.vtt },
      },
    },
    responses: {
      202: {
        description: 'Accepted. The recording is fetched in the background.',
        ...one('The new record', samples.receipt),
      },
      200: {
        description: 'The call is known already: its first record, unchanged.',
        ...one('The first record', { ...samples.receipt, status: 'completed' }),
      },
    },
  },
  getRecordTranscript: {
    responses: {
      200: {
        description: 'The transcript in the format that was asked for.',
        examples: {
          'application/json': { json: { summary: 'format=json', value: { data: samples.transcript } } },
          'text/vtt': { vtt: { summary: 'format=vtt', value: samples.subtitles.vtt } },
          'application/x-subrip': { srt: { summary: 'format=srt', value: samples.subtitles.srt } },
          'text/plain': { txt: { summary: 'format=txt', value: samples.subtitles.txt } },
        },
      },
    },
  },
  getRecordAudio: { responses: { 200: {}, 206: {}, 304: {} } },
  headRecordAudio: { responses: { 200: {}, 304: {} } },
  retryRecord: { responses: { 200: { description: 'Queued again.', ...one('The record', samples.receipt) } } },
  deleteRecord: { responses: { 204: nothing } },

  listProjects: { responses: { 200: page('One project', samples.project) } },
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
    responses: { 201: { description: 'Created.', ...one('The new project', { ...samples.project, recordCount: 0 }) } },
  },
  getProject: { responses: { 200: one('A project', samples.project) } },
  updateProject: {
    request: { retention: { summary: 'Keep recordings for a year', value: { settings: { retentionDays: 365 } } } },
    responses: { 200: { description: 'The project as it is now.', ...one('The changed project', samples.project) } },
  },
  deleteProject: { responses: { 204: nothing } },
  getProjectStats: { responses: { 200: one('February', samples.projectStats) } },

  listAnalyses: { responses: { 200: page('One analysis', samples.analysisListItem) } },
  getAnalysis: { responses: { 200: one('An analysis with its evidence', samples.analysis) } },

  ...qualityExamples,
  ...billingExamples,
  ...webhookExamples,
  ...portalExamples,

  listProfiles: { responses: { 200: page('One profile', profiles.profile) } },
  createProfile: {
    request: {
      refund: { summary: 'A short rubric', value: profiles.newProfile },
      template: { summary: 'A ready-made one', value: { template: 'sales', languages: ['de'] } },
    },
    responses: { 201: { description: 'Created, as version 1.', ...one('The new profile', profiles.profile) } },
  },
  getProfile: { responses: { 200: one('A profile', profiles.profile) } },
  updateProfile: {
    request: {
      rename: { summary: 'Another name', value: { name: 'Refund call' } },
      guarded: {
        summary: 'Only if nobody changed it meanwhile',
        value: { expectedVersion: 1, compliance: profiles.profile.compliance },
      },
    },
    responses: { 200: { description: 'The profile as it is now.', ...one('The changed profile', profiles.profile) } },
  },
  deleteProfile: { responses: { 204: nothing } },
  listProfileTemplates: { responses: { 200: page('One template', profiles.template) } },
  previewProfile: {
    request: {
      saved: { summary: 'As it is now', value: { recordId: ids.record } },
      draft: { summary: 'Before it is saved', value: profiles.draft },
    },
    responses: { 200: one('What an analysis would say', profiles.preview) },
  },

  listUsers: { responses: { 200: page('One member', users.user) } },
  inviteUser: {
    request: {
      supervisor: {
        summary: 'A supervisor for one project',
        value: { email: 'lena@example.com', role: 'supervisor', projectIds: [ids.project] },
      },
      admin: { summary: 'An admin', value: { email: 'omar@example.com', role: 'admin' } },
    },
    responses: { 201: { description: 'Invited.', ...one('The open invite', users.invitedUser) } },
  },
  getUser: { responses: { 200: one('A member', users.user) } },
  updateUser: {
    request: { reviewer: { summary: 'Another role', value: { role: 'reviewer' } } },
    responses: { 200: { description: 'The user as it is now.', ...one('The changed user', users.user) } },
  },
  removeUser: { responses: { 204: nothing } },

  openEmbeddedSession: {
    request: { frame: { summary: 'What the frame was opened with', value: users.frame } },
    responses: { 200: one('Signed in', users.embeddedSession) },
  },
  closeEmbeddedSession: { responses: { 204: {} } },

  getHealth: {
    responses: { 200: one('Well', health(true)), 503: one('The storage is down', health(false)) },
  },
};
