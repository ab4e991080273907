import { z } from 'zod';
import { operationsOf, router } from '../../trpc/procedures.ts';
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

const operation = operationsOf('Analyses', examples);
const notTheAuthor = 'Your role does not allow this action, or somebody else wrote the annotation.';

export const annotationsRouter = router({
  list: operation('listAnnotations', {
    permission: 'analyses:read',
    route: 'GET /analyses/{id}/annotations',
    summary: 'List annotations',
    description: 'What people wrote beside the analysis, oldest first unless sorted otherwise.',
  })
    .input(ListAnnotationsInput)
    .output(AnnotationPage)
    .query(({ ctx, input }) => listAnnotations(ctx.org, input)),

  create: operation('createAnnotation', {
    permission: 'annotations:write',
    route: 'POST /analyses/{id}/annotations',
    successStatus: 201,
    summary: 'Add an annotation',
    description:
      'On the analysis as a whole, a segment of the transcript, a time or a category. Agents annotate their own calls. It stays with this version of the analysis; `current` says whether that is still the one that the record shows.',
  })
    .input(CreateAnnotationInput)
    .output(Annotation)
    .mutation(({ ctx, input }) => createAnnotation(ctx.org, input)),

  get: operation('getAnnotation', {
    permission: 'analyses:read',
    route: 'GET /analyses/{id}/annotations/{annotationId}',
    summary: 'Get an annotation',
    description: 'One annotation of the analysis.',
    errorResponses: { 404: 'Annotation not found.' },
  })
    .input(AnnotationParams)
    .output(Annotation)
    .query(({ ctx, input }) => getAnnotation(ctx.org, input)),

  update: operation('updateAnnotation', {
    permission: 'annotations:write',
    route: 'PATCH /analyses/{id}/annotations/{annotationId}',
    summary: 'Update an annotation',
    description: 'Changes the text or the type that is given. Only who wrote an annotation may change it.',
    errorResponses: { 403: notTheAuthor, 404: 'Annotation not found.' },
  })
    .input(UpdateAnnotationInput)
    .output(Annotation)
    .mutation(({ ctx, input }) => updateAnnotation(ctx.org, input)),

  delete: operation('deleteAnnotation', {
    permission: 'annotations:write',
    route: 'DELETE /analyses/{id}/annotations/{annotationId}',
    successStatus: 204,
    summary: 'Delete an annotation',
    description: 'Only who wrote an annotation may delete it.',
    errorResponses: { 403: notTheAuthor, 404: 'Annotation not found.' },
  })
    .input(AnnotationParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteAnnotation(ctx.org, input)),
});
