import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  Annotation,
  AnnotationPage,
  AnnotationParams,
  CreateAnnotationInput,
  ListAnnotationsInput,
  UpdateAnnotationInput,
} from './schemas.ts';
import { createAnnotation, deleteAnnotation, getAnnotation, listAnnotations, updateAnnotation } from './service.ts';

const tags = ['Analyses'];
const notTheAuthor = 'Your role does not allow this action, or somebody else wrote the annotation.';

export const annotationsRouter = router({
  list: orgProcedure('analyses:read')
    .meta({
      examples: examples.listAnnotations,
      openapi: {
        method: 'GET',
        path: '/analyses/{id}/annotations',
        operationId: 'listAnnotations',
        tags,
        summary: 'List annotations',
        description: 'What people wrote beside the analysis, oldest first unless sorted otherwise.',
      },
    })
    .input(ListAnnotationsInput)
    .output(AnnotationPage)
    .query(({ ctx, input }) => listAnnotations(ctx.org, input)),

  create: orgProcedure('annotations:write')
    .meta({
      successStatus: 201,
      examples: examples.createAnnotation,
      openapi: {
        method: 'POST',
        path: '/analyses/{id}/annotations',
        operationId: 'createAnnotation',
        tags,
        summary: 'Add an annotation',
        description:
          'On the analysis as a whole, a segment of the transcript, a time or a category. Agents annotate their own calls. It stays with this version of the analysis; `current` says whether that is still the one that the record shows.',
      },
    })
    .input(CreateAnnotationInput)
    .output(Annotation)
    .mutation(({ ctx, input }) => createAnnotation(ctx.org, input)),

  get: orgProcedure('analyses:read')
    .meta({
      examples: examples.getAnnotation,
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

  update: orgProcedure('annotations:write')
    .meta({
      examples: examples.updateAnnotation,
      openapi: {
        method: 'PATCH',
        path: '/analyses/{id}/annotations/{annotationId}',
        operationId: 'updateAnnotation',
        tags,
        summary: 'Update an annotation',
        description: 'Changes the text or the type that is given. Only who wrote an annotation may change it.',
        errorResponses: { 403: notTheAuthor, 404: 'Annotation not found.' },
      },
    })
    .input(UpdateAnnotationInput)
    .output(Annotation)
    .mutation(({ ctx, input }) => updateAnnotation(ctx.org, input)),

  delete: orgProcedure('annotations:write')
    .meta({
      successStatus: 204,
      examples: examples.deleteAnnotation,
      openapi: {
        method: 'DELETE',
        path: '/analyses/{id}/annotations/{annotationId}',
        operationId: 'deleteAnnotation',
        tags,
        summary: 'Delete an annotation',
        description: 'Only who wrote an annotation may delete it.',
        errorResponses: { 403: notTheAuthor, 404: 'Annotation not found.' },
      },
    })
    .input(AnnotationParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteAnnotation(ctx.org, input)),
});
