import { one, type OperationExamples } from './openapi-example-parts.ts';
import * as samples from './openapi-samples-billing.ts';

const credits = { data: [samples.creditEntry], meta: { page: 1, pageSize: 20, total: 1, balance: 100 } };

const results = { data: [samples.searchResult], meta: { total: 1, query: 'refund' } };

/** Of what processing costs, and of search. */
export const billingExamples: Record<string, OperationExamples> = {
  getUsageSummary: { responses: { 200: one('A month with a limit', samples.usageSummary) } },
  getUsage: { responses: { 200: one('By day and project', samples.usageReport) } },
  listCredits: {
    responses: { 200: { examples: { 'application/json': { example: { summary: 'One grant', value: credits } } } } },
  },
  search: {
    responses: { 200: { examples: { 'application/json': { example: { summary: 'q=refund', value: results } } } } },
  },
  updateBudget: {
    request: {
      limit: { summary: 'At most 50 a month', value: { budgetLimit: 50 } },
      none: { summary: 'No limit', value: { budgetLimit: null } },
    },
    responses: {
      200: { description: 'The usage under the new limit.', ...one('The new limit', samples.usageSummary) },
    },
  },
};
