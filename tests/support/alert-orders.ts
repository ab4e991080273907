import { evaluateAlerts } from '../../src/domain/alerts/evaluate.ts';
import { eventPayloads } from '../../src/domain/events/payloads.ts';
import type { TestApp, TestMember } from './app.ts';

/** Evaluates what was ordered in the organization, where no pipeline does. */
export async function evaluateOrdered(t: TestApp, { orgId }: TestMember): Promise<void> {
  const orders = await t.deps.connections.system<{ data: object; createdAt: Date }[]>`
    select data, created_at as "createdAt" from outbox
     where org_id = ${orgId} and type = 'alerts.evaluate.requested' order by id`;
  for (const { data, createdAt } of orders) {
    const order = { ...eventPayloads['alerts.evaluate.requested'].parse(data), orderedAt: createdAt };
    await t.deps.services.db.withOrg(orgId, (tx) => evaluateAlerts(tx, order));
  }
}
