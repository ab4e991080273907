import { operationsOf, orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { AnalysisDetail, AnalysisPage, AnalysisParams, ListAnalysesInput } from './schemas.ts';
import { CallMoments } from '../../model/scorecard.ts';
import { getAnalysis, getMoments, listAnalyses } from './service.ts';

const operation = operationsOf('Analyses', examples);

export const analysesRouter = router({
  list: operation('listAnalyses', {
    permission: 'analyses:read',
    route: 'GET /analyses',
    mcp: { title: 'List analyses' },
    summary: 'List analyses',
    description:
      'Current versions, newest first unless sorted otherwise. `versions=all` adds superseded ones and re-analyses under way. Scores are the final ones where an analysis is reviewed. `from` and `to` go by when a call was analysed; calls that took place in a period are found by the list of records.',
  })
    .input(ListAnalysesInput)
    .output(AnalysisPage)
    .query(({ ctx, input }) => listAnalyses(ctx.org, input)),

  get: operation('getAnalysis', {
    permission: 'analyses:read',
    route: 'GET /analyses/{id}',
    mcp: {
      title: 'Read an analysis',
      description:
        'Scores of a call, the answer to every check with the words that it rests on, findings, metrics, topics and action items. `evidence` names segments of the transcript, which records_segments shows.',
      without: ['segments', 'modelUsage'],
    },
    summary: 'Get an analysis',
    description: 'Scores, the answer and evidence of every check, findings, metrics and the transcript segments.',
  })
    .input(AnalysisParams)
    .output(AnalysisDetail)
    .query(({ ctx, input }) => getAnalysis(ctx.org, input)),

  /** Over tRPC only. */
  moments: orgProcedure('analyses:read')
    .input(AnalysisParams)
    .output(CallMoments)
    .query(({ ctx, input }) => getMoments(ctx.org, input)),
});
