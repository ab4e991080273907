import { type OperationExamples } from '../../trpc/examples.ts';

export const examples = {
  getRecordAudio: { responses: { 200: {}, 206: {}, 304: {} } },
  headRecordAudio: { responses: { 200: {}, 304: {} } },
} satisfies Record<string, OperationExamples>;
