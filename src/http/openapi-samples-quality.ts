import type { Annotation } from '../domain/annotations/schemas.ts';
import { ids, type Json } from './openapi-samples.ts';

export const annotation: Json<Annotation> = {
  id: ids.annotation,
  analysisId: ids.analysis,
  text: 'A warm opening, but no name.',
  type: 'issue',
  segmentId: ids.segments[0],
  startMs: 640,
  endMs: 3_180,
  category: 'greeting',
  author: { id: ids.user, name: 'Paula Becker' },
  createdAt: '2026-03-02T10:02:11.630Z',
  updatedAt: '2026-03-02T10:02:11.630Z',
};
