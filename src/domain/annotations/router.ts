import { orgProcedure, router } from '../../trpc/procedures.ts';
import {
  Annotation,
  AnnotationPage,
  AnnotationParams,
  CreateAnnotationInput,
  ListAnnotationsInput,
} from './schemas.ts';
import { createAnnotation, getAnnotation, listAnnotations } from './service.ts';

const tags = ['Analyses'];

export const annotationsRouter = router({
  list: orgProcedure('analyses:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/analyses/{id}/annotations',
        operationId: 'listAnnotations',
        tags,
        summary: 'List annotations',
        description: 'What people wrote beside the analysis, oldest first.',
      },
    })
    .input(ListAnnotationsInput)
    .output(AnnotationPage)
    .query(({ ctx, input }) => listAnnotations(ctx.org, input)),

  create: orgProcedure('annotations:write')
    .meta({
      successStatus: 201,
      openapi: {
        method: 'POST',
        path: '/analyses/{id}/annotations',
        operationId: 'createAnnotation',
        tags,
        summary: 'Add an annotation',
        description:
          'On the analysis as a whole, a segment of the transcript, a time or a category. Agents annotate their own calls.',
      },
    })
    .input(CreateAnnotationInput)
    .output(Annotation)
    .mutation(({ ctx, input }) => createAnnotation(ctx.org, input)),

  get: orgProcedure('analyses:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/analyses/{id}/annotations/{annotationId}',
        operationId: 'getAnnotation',
        tags,
        summary: 'Get an annotation',
        description: 'One annotation of the analysis.',
        errorResponses: { 404: 'Annotation not found.' },
      },
    })
    .input(AnnotationParams)
    .output(Annotation)
    .query(({ ctx, input }) => getAnnotation(ctx.org, input)),
});
