import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids, reviewer } from '../example-story.ts';
import type { Annotation } from './schemas.ts';

const annotation: Json<Annotation> = {
  id: ids.annotation,
  analysisId: ids.analysis,
  current: true,
  text: 'A warm opening, but no name.',
  type: 'issue',
  segmentId: ids.segments[0],
  startMs: 640,
  endMs: 3_180,
  category: 'greeting',
  author: reviewer,
  createdAt: '2026-03-02T10:02:11.630Z',
  updatedAt: '2026-03-02T10:02:11.630Z',
};

export const examples = {
  listAnnotations: { responses: { 200: page('One annotation', annotation) } },
  createAnnotation: {
    request: {
      whole: { summary: 'On the analysis as a whole', value: { text: 'Well handled.', type: 'praise' } },
      segment: {
        summary: 'On a segment and a category',
        value: {
          text: annotation.text,
          type: 'issue',
          segmentId: ids.segments[0],
          startMs: 640,
          endMs: 3_180,
          category: 'greeting',
        },
      },
    },
    responses: { 201: { description: 'Added.', ...one('The new annotation', annotation) } },
  },
  getAnnotation: { responses: { 200: one('An annotation', annotation) } },
  updateAnnotation: {
    request: { type: { summary: 'It is praise', value: { type: 'praise' } } },
    responses: {
      200: {
        description: 'The annotation as it is now.',
        ...one('The changed annotation', { ...annotation, type: 'praise' }),
      },
    },
  },
  deleteAnnotation: { responses: { 204: nothing } },
} satisfies Record<string, OperationExamples>;
