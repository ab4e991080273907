import type { Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import { evaluateAlerts } from '../../domain/alerts/evaluate.ts';
import { readOrder } from '../../domain/events/service.ts';
import { triggers } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { giveUp, orderIdOf, settle } from '../orders.ts';

/** Nothing but the database can fail here, and it comes back. */
const retries = 20;
const perOrg = 2;

/** Holds the alert rules against an analysis that was published, or reviewed: ordered only where one of them could fire. */
export function createEvaluateAlerts(client: Inngest, { db }: FunctionDeps) {
  return client.createFunction(
    {
      id: 'evaluate-alerts',
      triggers: [triggers.evaluateAlerts],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: ({ event }) => giveUp(db, event),
    },
    async ({ event, step }) => {
      const { orgId, recordId, analysisId, review } = event.data;
      const orderId = orderIdOf(event);
      const evaluate = async (tx: OrgTx): Promise<number> => {
        const order = await readOrder(tx, orderId);
        if (!order) return 0;
        return evaluateAlerts(tx, { recordId, analysisId, review, orderedAt: order.createdAt });
      };
      return { fired: await step.run('evaluate', () => settle(db, { orgId, orderId }, evaluate)) };
    },
  );
}
