import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { hasChanges } from '../../lib/changes.ts';
import { AppError, notFound, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import { authorOf } from '../author.ts';
import type { OrgContext } from '../context.ts';
import * as queries from './queries.ts';
import type {
  Annotation,
  AnnotationParams,
  CreateAnnotationInput,
  ListAnnotationsInput,
  UpdateAnnotationInput,
} from './schemas.ts';

/** Oldest first by default, like a conversation. Throws NOT_FOUND for an analysis that the actor may not see. */
export async function listAnnotations(
  { db, actor }: OrgContext,
  input: ListAnnotationsInput,
): Promise<Page<Annotation>> {
  const [analysis, rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectAnalysisState(tx, input.id, visibilityOf(actor)),
      ...queries.selectAnnotations(tx, input.id, input),
    ]),
  );
  if (!analysis) throw notFound('Analysis');
  return toPage(
    rows.map((row) => toAnnotation(row, analysis)),
    total,
    input,
  );
}

export async function getAnnotation({ db, actor }: OrgContext, params: AnnotationParams): Promise<Annotation> {
  const { id, annotationId } = params;
  const [analysis, row] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectAnalysisState(tx, id, visibilityOf(actor)),
      queries.selectAnnotation(tx, id, annotationId),
    ]),
  );
  if (!analysis) throw notFound('Analysis');
  if (!row) throw notFound('Annotation');
  return toAnnotation(row, analysis);
}

/** Throws NOT_FOUND, or VALIDATION_ERROR for a segment or category that the analysis does not have. */
export async function createAnnotation({ db, actor }: OrgContext, input: CreateAnnotationInput): Promise<Annotation> {
  const { id: analysisId, text, type } = input;
  const { segmentId = null, startMs = null, endMs = null, category = null } = input;
  return db.withOrg(actor.orgId, async (tx) => {
    const targets = await queries.selectTargets(tx, { id: analysisId, segmentId, visibility: visibilityOf(actor) });
    if (!targets) throw notFound('Analysis');
    if (segmentId !== null && !targets.hasSegment) {
      throw validationError('segmentId', 'The transcript of the analysis has no such segment.');
    }
    if (category !== null && !Object.hasOwn(targets.categories, category)) {
      throw validationError('category', 'The analysis has no such category.');
    }
    const author = authorOf(actor);
    const row = await queries.insertAnnotation(tx, {
      id: newId('annotation'),
      analysisId,
      text,
      type,
      segmentId,
      startMs,
      endMs,
      category,
      authorId: author.id,
      authorName: author.name,
    });
    return toAnnotation(row, targets);
  });
}

/** Throws NOT_FOUND, or FORBIDDEN for somebody else's annotation. */
export async function updateAnnotation(ctx: OrgContext, input: UpdateAnnotationInput): Promise<Annotation> {
  const { text, type } = input;
  return ctx.db.withOrg(ctx.actor.orgId, async (tx) => {
    const { row, analysis } = await lockOwn(tx, ctx, input);
    const changed = hasChanges({ text, type }) ? await queries.updateAnnotation(tx, row.id, { text, type }) : row;
    return toAnnotation(changed, analysis);
  });
}

/** Throws NOT_FOUND, or FORBIDDEN for somebody else's annotation. */
export async function deleteAnnotation(ctx: OrgContext, params: AnnotationParams): Promise<void> {
  await ctx.db.withOrg(ctx.actor.orgId, async (tx) => {
    const { row } = await lockOwn(tx, ctx, params);
    await queries.deleteAnnotation(tx, row.id);
  });
}

async function lockOwn(
  tx: OrgTx,
  { actor }: OrgContext,
  { id, annotationId }: AnnotationParams,
): Promise<{ row: queries.AnnotationRow; analysis: AnalysisState }> {
  const analysis = await queries.selectAnalysisState(tx, id, visibilityOf(actor));
  if (!analysis) throw notFound('Analysis');
  const row = await queries.lockAnnotation(tx, id, annotationId);
  if (!row) throw notFound('Annotation');
  if (row.authorId !== authorOf(actor).id) {
    throw new AppError('FORBIDDEN', 'Only who wrote an annotation may change or delete it.');
  }
  return { row, analysis };
}

type AnalysisState = Pick<Annotation, 'current'>;

function toAnnotation(
  { orgId: _orgId, authorId, authorName, ...row }: queries.AnnotationRow,
  { current }: AnalysisState,
): Annotation {
  return { ...row, current, author: { id: authorId, name: authorName } };
}
