import { orgProcedure, router } from '../../trpc/procedures.ts';
import { Overview, OverviewAgents, OverviewInput } from './schemas.ts';
import { getOverview, listAgents } from './service.ts';

const periods =
  'Give `from` and `to` as dates (2026-01-31), at most a year apart, and `timeZone` if days are not those of UTC.';

export const overviewRouter = router({
  /** Over tRPC and MCP: the dashboard's first screen. */
  get: orgProcedure('analyses:read')
    .meta({
      mcp: {
        title: 'Overview of a period',
        description: `Figures of the calls of a period, compared with the period before: totals, days, categories, agents, the lowest scores, the checks that failed most. ${periods}`,
      },
    })
    .input(OverviewInput)
    .output(Overview)
    .query(({ ctx, input }) => getOverview(ctx.org, input)),

  /** Over tRPC and MCP. */
  agents: orgProcedure('analyses:read')
    .meta({
      mcp: {
        title: 'List agents',
        description: `The agents who took calls in a period, those with the most calls first, with their scores and those of the period before. ${periods}`,
      },
    })
    .input(OverviewInput)
    .output(OverviewAgents)
    .query(({ ctx, input }) => listAgents(ctx.org, input)),
});
