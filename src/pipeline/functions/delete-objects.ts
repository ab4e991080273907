import type { Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import { completeOrder } from '../../domain/events.ts';
import { isObjectInUse } from '../../domain/records/processing-queries.ts';
import { triggers } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { isKeyBelow } from '../../providers/object-storage/interface.ts';
import { poison, toStepError } from '../faults.ts';
import { giveUp, orderIdOf, settle } from '../orders.ts';

const retries = 10;

/** Removes a recording that no record names any more. Retried for hours: a storage that is down must not keep what was deleted. */
export function createDeleteObjects(client: Inngest, { db, storage }: FunctionDeps) {
  return client.createFunction(
    {
      id: 'delete-objects',
      triggers: [triggers.deleteObject],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: 2 }],
      onFailure: ({ event }) => giveUp(db, event),
    },
    async ({ event, step }) => {
      const { orgId, storageKey } = event.data;
      const order = { orgId, orderId: orderIdOf(event) };
      return step.run('remove', async () => {
        requireOwn(orgId, storageKey);
        const isInUse = (tx: OrgTx) => isObjectInUse(tx, storageKey);
        if (await settle(db, order, isInUse, Boolean)) return { isRemoved: false };
        try {
          await storage.remove(storageKey);
        } catch (error) {
          throw toStepError(error);
        }
        await db.withOrg(orgId, (tx) => completeOrder(tx, order.orderId));
        return { isRemoved: true };
      });
    },
  );
}

/** No policy of the database stands before the storage: what an order names is believed below its own organization alone. */
function requireOwn(orgId: string, storageKey: string): void {
  if (isKeyBelow(orgId, storageKey)) return;
  throw poison('FOREIGN_OBJECT', 'The order names an object of another organization.');
}
