import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { AnalysisId } from '../../model/analysis.ts';
import { Author } from '../author.ts';

export const AnnotationType = z.enum(['comment', 'praise', 'issue', 'correction']).meta({ id: 'AnnotationType' });

const text = z.string().trim().min(1).max(5_000).meta({ description: 'Plain text, up to 5,000 characters.' });
const segmentId = z.string().meta({ description: 'Segment of the transcript (`seg_…`) that it speaks of.' });
// The limit of an integer column; no recording is that long.
const timeMs = z.int().min(0).max(2_147_483_647);
const startMs = timeMs.meta({ description: 'Milliseconds from the start of the recording.' });
const endMs = timeMs.meta({
  description: 'Milliseconds from the start of the recording; with `startMs`, and not before it.',
});
const category = z.string().meta({ description: 'Key of a category of the analysis.' });

export const Annotation = z
  .object({
    id: z.string().meta({ description: 'Annotation id (`ann_…`).', examples: ['ann_01m7ysd48genfrajf0z3bs8t6k'] }),
    analysisId: AnalysisId,
    current: z.boolean().meta({
      description:
        'Whether its analysis is the one that the record shows. Annotations of a superseded one stay with that.',
    }),
    text,
    type: AnnotationType,
    segmentId: segmentId.nullable(),
    startMs: startMs.nullable(),
    endMs: endMs.nullable(),
    category: category.nullable(),
    author: Author,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Annotation' });
export type Annotation = z.infer<typeof Annotation>;

export const AnnotationParams = z.strictObject({
  id: AnalysisId,
  annotationId: z
    .string()
    .meta({ description: 'Annotation id (`ann_…`).', examples: ['ann_01m7ysd48genfrajf0z3bs8t6k'] }),
});
export type AnnotationParams = z.infer<typeof AnnotationParams>;

export const UpdateAnnotationInput = AnnotationParams.extend({
  text: text.optional(),
  type: AnnotationType.optional(),
});
export type UpdateAnnotationInput = z.infer<typeof UpdateAnnotationInput>;

export const ListAnnotationsInput = listInput(
  { sorts: ['createdAt', 'updatedAt', 'startMs'], order: 'asc' },
  { id: AnalysisId },
);
export type ListAnnotationsInput = z.infer<typeof ListAnnotationsInput>;
export const AnnotationPage = pageOf(Annotation).meta({ id: 'AnnotationPage' });

export const CreateAnnotationInput = z
  .strictObject({
    id: AnalysisId,
    text,
    type: AnnotationType.default('comment'),
    segmentId: segmentId.nullish(),
    startMs: startMs.nullish(),
    endMs: endMs.nullish(),
    category: category.nullish(),
  })
  .refine(({ startMs, endMs }) => typeof endMs !== 'number' || typeof startMs === 'number', {
    path: ['startMs'],
    message: '`endMs` needs a `startMs`',
  })
  .refine(({ startMs, endMs }) => typeof endMs !== 'number' || typeof startMs !== 'number' || startMs <= endMs, {
    path: ['endMs'],
    message: '`endMs` is before `startMs`',
  });
export type CreateAnnotationInput = z.infer<typeof CreateAnnotationInput>;
