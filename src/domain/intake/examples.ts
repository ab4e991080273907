import { one, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import { receipt } from '../records/examples.ts';
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
    responses: { 201: { description: 'Stored and queued.', ...one('The new record', receipt) } },
  },
} satisfies Record<string, OperationExamples>;
