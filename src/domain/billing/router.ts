import { NoInput } from '../../trpc/input.ts';
import { operationsOf, orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  BillingParams,
  CreditPage,
  ListCreditsInput,
  PriceList,
  UpdateBudgetInput,
  UsageInput,
  UsageReport,
  UsageSummary,
} from './schemas.ts';
import { getPrices, getUsage, getUsageSummary, listCredits, updateBudget } from './service.ts';

const operation = operationsOf('Billing', examples);

export const billingRouter = router({
  summary: operation('getUsageSummary', {
    permission: 'billing:read',
    route: 'GET /billing/summary/{orgId}',
    summary: 'Get the usage of the current month',
    description: 'What the month (UTC) has cost so far, against the limit and the credits.',
  })
    .input(BillingParams)
    .output(UsageSummary)
    .query(({ ctx, input }) => getUsageSummary(ctx.org, input)),

  usage: operation('getUsage', {
    permission: 'billing:read',
    route: 'GET /billing/usage/{orgId}',
    summary: 'Get usage by day or month',
    description:
      'A recording is metered once, on the day (UTC) that it is processed: its length in minutes, rounded up to 0.1, its transcription unless the transcript was supplied, and its analysis. A further analysis costs an analysis and adds no minutes. Usage stays when records or projects are deleted.',
  })
    .input(UsageInput)
    .output(UsageReport)
    .query(({ ctx, input }) => getUsage(ctx.org, input)),

  credits: operation('listCredits', {
    permission: 'billing:read',
    route: 'GET /billing/credits/{orgId}',
    summary: 'List credits',
    description:
      'The ledger, newest first unless sorted otherwise, with the balance after each entry. The usage of a day (UTC) is one entry, which grows until the day is over.',
  })
    .input(ListCreditsInput)
    .output(CreditPage)
    .query(({ ctx, input }) => listCredits(ctx.org, input)),

  /** Over tRPC only: for the dashboard. */
  prices: orgProcedure('billing:read')
    .input(NoInput)
    .output(PriceList)
    .query(({ ctx }) => getPrices(ctx.org)),

  updateBudget: operation('updateBudget', {
    permission: 'billing:write',
    route: 'PATCH /billing/budget/{orgId}',
    changes: '/billing/summary/{orgId}',
    summary: 'Change the budget limit',
    description:
      'The limit holds for every month (UTC). What a call is going to cost is reserved when it is accepted; uploads, ingests, retries and further analyses that would pass the limit are 402, reads never. A recording of unknown length counts as 10 minutes until it is processed. `budget.threshold_reached` is sent once a month at 80 and at 100 %.',
  })
    .input(UpdateBudgetInput)
    .output(UsageSummary)
    .mutation(({ ctx, input }) => updateBudget(ctx.org, input)),
});
