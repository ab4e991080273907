import { orgProcedure, router } from '../../trpc/procedures.ts';
import { AnalysisDetail, AnalysisPage, AnalysisParams, ListAnalysesInput } from './schemas.ts';
import { getAnalysis, listAnalyses } from './service.ts';

const tags = ['Analyses'];

export const analysesRouter = router({
  list: orgProcedure('analyses:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/analyses',
        operationId: 'listAnalyses',
        tags,
        summary: 'List analyses',
        description: 'Current versions, newest first unless sorted otherwise.',
      },
    })
    .input(ListAnalysesInput)
    .output(AnalysisPage)
    .query(({ ctx, input }) => listAnalyses(ctx.org, input)),

  get: orgProcedure('analyses:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/analyses/{id}',
        operationId: 'getAnalysis',
        tags,
        summary: 'Get an analysis',
        description: 'Scores, the answer and evidence of every check, findings, metrics and the transcript segments.',
      },
    })
    .input(AnalysisParams)
    .output(AnalysisDetail)
    .query(({ ctx, input }) => getAnalysis(ctx.org, input)),
});
