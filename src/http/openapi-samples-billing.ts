import type { CreditEntry, UsageReport, UsageSummary } from '../domain/billing/schemas.ts';
import type { SearchResult } from '../domain/search/schemas.ts';
import { ids, type Json } from './openapi-samples.ts';

export const usageSummary: Json<UsageSummary> = {
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

export const usageReport: Json<UsageReport> = {
  orgId: ids.org,
  period: { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T23:59:59.999Z' },
  items: [{ date: '2026-03-02', projectId: ids.project, ...usage }],
  totals: usage,
};

export const creditEntry: Json<CreditEntry> = {
  id: ids.credit,
  type: 'grant',
  amount: 100,
  balance: 100,
  description: 'First month',
  createdAt: '2026-03-01T08:00:00.000Z',
};

export const searchResult: Json<SearchResult> = {
  recordId: ids.record,
  type: 'transcript',
  snippet: 'I was charged twice and would like a <mark>refund</mark> for the second payment.',
  score: 0.0909,
  createdAt: '2026-03-02T09:15:27.041Z',
};
