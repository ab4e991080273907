import { type Json, one, type OperationExamples } from '../../trpc/examples.ts';
import type { Playback } from './schemas.ts';

const playback: Json<Playback> = {
  url: '/media/WyJvcmdfMDFtN3lzZDQ4ZmVuZnJhamNuNDd3a3hmNzUiXQ.q0Zl1vX5o3b9gkKQe8nT7uYw2cRj4mHs6pAaBdEfGhI',
  expiresAt: '2026-03-02T09:25:27.041Z',
};

export const examples = {
  getRecordAudio: { responses: { 200: {}, 206: {}, 304: {} } },
  createPlayback: {
    request: {
      listen: { summary: 'The most complete version that you may hear', value: {} },
      redacted: { summary: 'With redacted stretches silent', value: { redacted: true } },
    },
    responses: { 200: one('An address, valid for ten minutes', playback) },
  },
  headRecordAudio: { responses: { 200: {}, 304: {} } },
} satisfies Record<string, OperationExamples>;
