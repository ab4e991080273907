import { type Json, one, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import { receipt } from '../records/examples.ts';
import type { ReanalysisReceipt } from './schemas.ts';

const reanalysis: Json<ReanalysisReceipt> = {
  id: 'ana_01m7ysd48genfrajf1r5t7x9yb',
  previousAnalysisId: ids.analysis,
  recordId: ids.record,
  profileId: ids.profile,
  status: 'pending',
  createdAt: '2026-03-03T08:20:17.225Z',
};

export const examples = {
  retryRecord: {
    request: {
      again: { summary: 'The same recording again', value: {} },
      elsewhere: {
        summary: 'From another address',
        value: { recordingUrl: 'https://recordings.example.com/call-4711-fixed.mp3' },
      },
    },
    responses: { 200: { description: 'Queued again.', ...one('The record', receipt) } },
  },
  reanalyze: {
    request: {
      profile: { summary: 'By another profile', value: { profileId: ids.profile, reason: 'The rubric has changed.' } },
      anew: { summary: 'Transcribed again', value: { profileId: ids.profile, retranscribe: true } },
    },
    responses: {
      202: {
        description: 'Accepted. The analysis is made in the background.',
        ...one('The order', reanalysis),
      },
    },
  },
  swapSpeakers: {
    request: { reason: { summary: 'With a reason', value: { reason: 'The customer was taken for the agent.' } } },
    responses: {
      202: {
        description: 'Accepted. The analysis is made in the background.',
        ...one('The order', reanalysis),
      },
    },
  },
} satisfies Record<string, OperationExamples>;
