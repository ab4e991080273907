import { type Json, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids, reviewer } from '../example-story.ts';
import { receipt, record } from '../records/examples.ts';
import type { RecordChange } from './schemas.ts';
import { subtitles } from '../transcripts/examples.ts';

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

const change: Json<RecordChange> = {
  id: 'chg_01m7ysd48genfrajf9r2k5n8td',
  author: reviewer,
  changes: [
    { field: 'agentName', from: null, to: 'Maria Lopez' },
    { field: 'tags', from: [], to: ['refund'] },
  ],
  createdAt: '2026-03-02T10:40:02.118Z',
};

export const examples = {
  ingestRecord: {
    request: {
      address: { summary: 'The recording lies at an address', value: ingest },
      transcribed: {
        summary: 'The telephony system has transcribed the call',
        value: { ...ingest, transcript: subtitles.vtt },
      },
    },
    responses: {
      202: {
        description: 'Accepted. The recording is fetched in the background.',
        ...one('The new record', receipt),
      },
      200: {
        description: 'The call is known already: its first record, unchanged.',
        ...one('The first record', { ...receipt, status: 'completed' }),
      },
    },
  },
  updateRecord: {
    request: {
      agent: {
        summary: 'Name the agent and tag the call',
        value: { agentName: 'Maria Lopez', tags: ['refund'], metadata: { queue: 'refunds', draft: null } },
      },
      nothing: { summary: 'Nothing changes', value: {} },
    },
    responses: { 200: one('The corrected call', record) },
  },
  listRecordChanges: { responses: { 200: page('Agent and tags were added', change) } },
  uploadRecord: {
    request: {
      withMetadata: {
        summary: 'A recording with what is known about the call',
        value: {
          file: 'call-4711.wav',
          projectId: ids.project,
          metadata: JSON.stringify({ agentName: 'Maria Lopez', customerPhone: '+441234567890', queue: 'refunds' }),
        },
      },
    },
    responses: {
      201: { description: 'Stored and queued.', ...one('The new record', receipt) },
      200: {
        description: 'The project has this very recording under this `externalId`: its first record, unchanged.',
        ...one('The first record', { ...receipt, status: 'completed' }),
      },
    },
  },
} satisfies Record<string, OperationExamples>;
