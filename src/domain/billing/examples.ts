import { type Json, one, type OperationExamples } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { CreditEntry, UsageReport, UsageSummary } from './schemas.ts';

const usageSummary: Json<UsageSummary> = {
  orgId: ids.org,
  period: '2026-03',
  totalRecords: 128,
  totalMinutes: 512.4,
  totalCost: 4.3544,
  budgetLimit: 50,
  budgetUsedPercent: 8.71,
  credits: { available: 95.6456, used: 4.3544 },
};

const usage = { records: 64, minutes: 256.2, transcriptionCost: 1.5372, analysisCost: 0.64, cost: 2.1772 };

const usageReport: Json<UsageReport> = {
  orgId: ids.org,
  period: { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T23:59:59.999Z' },
  items: [{ date: '2026-03-02', projectId: ids.project, ...usage }],
  totals: usage,
};

const creditEntry: Json<CreditEntry> = {
  id: ids.credit,
  type: 'grant',
  amount: 100,
  balance: 100,
  description: 'First month',
  createdAt: '2026-03-01T08:00:00.000Z',
};

const credits = { data: [creditEntry], meta: { page: 1, pageSize: 20, total: 1, nextCursor: null, balance: 100 } };

export const examples = {
  getUsageSummary: { responses: { 200: one('A month with a limit', usageSummary) } },
  getUsage: { responses: { 200: one('By day and project', usageReport) } },
  listCredits: {
    responses: { 200: { examples: { 'application/json': { example: { summary: 'One grant', value: credits } } } } },
  },
  updateBudget: {
    request: {
      limit: { summary: 'At most 50 a month', value: { budgetLimit: 50 } },
      none: { summary: 'No limit', value: { budgetLimit: null } },
    },
    responses: {
      200: { description: 'The usage under the new limit.', ...one('The new limit', usageSummary) },
    },
  },
} satisfies Record<string, OperationExamples>;
