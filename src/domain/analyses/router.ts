import { orgProcedure, router } from '../../trpc/procedures.ts';
import { reanalyze } from './reanalyze.ts';
import {
  AnalysisDetail,
  AnalysisPage,
  AnalysisParams,
  ListAnalysesInput,
  ReanalysisReceipt,
  ReanalyzeInput,
} from './schemas.ts';
import { CallMoments } from '../../model/scorecard.ts';
import { getAnalysis, getMoments, listAnalyses } from './service.ts';

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
        description:
          'Current versions, newest first unless sorted otherwise. `versions=all` adds superseded ones and re-analyses under way. Scores are the final ones where an analysis is reviewed.',
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

  /** Over tRPC only. */
  moments: orgProcedure('analyses:read')
    .input(AnalysisParams)
    .output(CallMoments)
    .query(({ ctx, input }) => getMoments(ctx.org, input)),

  reanalyze: orgProcedure('analyses:reanalyze')
    .meta({
      successStatus: 202,
      openapi: {
        method: 'POST',
        path: '/analyses/{id}/re-analyze',
        operationId: 'reanalyze',
        tags,
        summary: 'Analyse a call again',
        description:
          'Scores the call by another profile, or by the present version of the same one. The new analysis becomes the current one when it is completed; until then, and where it fails, the record shows the old one. The record stays `completed`. Reviews and annotations stay with their version, and the call is not reviewed meanwhile. A call that was reviewed is analysed again only with `replaceReview: true`.',
        errorResponses: {
          402: 'The budget of this month leaves no room for further processing.',
          409: 'A re-analysis of this record is under way, or it was reviewed and `replaceReview` is not `true`.',
          422: 'There is no such profile, or the transcript was deleted at the end of its retention period.',
        },
      },
    })
    .input(ReanalyzeInput)
    .output(ReanalysisReceipt)
    .mutation(async ({ ctx, input }) => {
      const receipt = await reanalyze(ctx.org, input);
      ctx.reply.headers['Location'] = `/api/v1/analyses/${receipt.id}`;
      return receipt;
    }),
});
