import type { Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import { evaluateAlerts } from '../../domain/alerts/service.ts';
import { readOrder } from '../../domain/events/service.ts';
import { trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { giveUp, orderIdOf, settle } from '../orders.ts';

/** Only the database can fail here, and it comes back. */
const retries = 20;
const perOrg = 2;

/** Evaluates the alert rules for an analysis that was published or reviewed. Ordered only if a rule could fire. */
export function createEvaluateAlerts(client: Inngest, { db }: FunctionDeps) {
  return client.createFunction(
    {
      id: 'evaluate-alerts',
      triggers: [trigger('alerts.evaluate.requested')],
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
