import type { DemoClient, NewAlert } from './client.ts';

const rules: NewAlert[] = [
  {
    name: 'Compliance breach',
    condition: { field: 'complianceStatus', operator: 'eq', value: 'failed' },
    severity: 'critical',
  },
  { name: 'Low score', condition: { field: 'qualityScore', operator: 'lt', value: 50 }, severity: 'warning' },
];

/** A rule only sees calls that come after it, so these are created before the first call, and only then. */
export async function watchCalls(client: DemoClient): Promise<void> {
  if ((await client.listRecords()).length > 0) return;
  for (const rule of rules) await client.createAlert(rule);
}
