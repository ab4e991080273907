import { one, page, type OperationExamples } from './openapi-example-parts.ts';
import * as samples from './openapi-samples-quality.ts';
import { ids } from './openapi-samples.ts';

/** Of what people add to analyses. */
export const qualityExamples: Record<string, OperationExamples> = {
  listAnnotations: { responses: { 200: page('One annotation', samples.annotation) } },
  createAnnotation: {
    request: {
      whole: { summary: 'On the analysis as a whole', value: { text: 'Well handled.', type: 'praise' } },
      segment: {
        summary: 'On a segment and a category',
        value: {
          text: samples.annotation.text,
          type: 'issue',
          segmentId: ids.segments[0],
          startMs: 640,
          endMs: 3_180,
          category: 'greeting',
        },
      },
    },
    responses: { 201: { description: 'Added.', ...one('The new annotation', samples.annotation) } },
  },
  getAnnotation: { responses: { 200: one('An annotation', samples.annotation) } },
};
