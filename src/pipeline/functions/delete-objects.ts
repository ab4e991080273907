import type { Inngest } from 'inngest';
import { isBackupUnderWay } from '../../db/backup-lock.ts';
import type { OrgTx } from '../../db/scope.ts';
import { completeOrder } from '../../domain/events/service.ts';
import { isObjectInUse } from '../../domain/recordings/service.ts';
import { trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { isKeyBelow } from '../../providers/object-storage/interface.ts';
import { poison, toStepError } from '../base/faults.ts';
import { giveUp, type Order, orderIdOf, settle } from '../orders.ts';

const retries = 10;
const waitMs = 60_000;
const waitMsMax = 10 * waitMs;

/**
 * Deletes a recording that no record refers to. Retried for hours, so that a storage outage keeps nothing that was
 * deleted.
 */
export function createDeleteObjects(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    {
      id: 'delete-objects',
      triggers: [trigger('object.delete.requested')],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: 2 }],
      onFailure: ({ event }) => giveUp(deps.db, event),
    },
    async ({ event, step }) => {
      const { orgId, storageKey } = event.data;
      const deletion = { orgId, storageKey, orderId: orderIdOf(event) };
      for (let turn = 0; ; turn++) {
        const outcome = await step.run(turn === 0 ? 'remove' : `remove-${turn}`, () => remove(deps, deletion));
        if (outcome !== 'held') return { isRemoved: outcome === 'removed' };
        await step.sleep(`backup-${turn}`, Math.min((turn + 1) * waitMs, waitMsMax));
      }
    },
  );
}

type Deletion = Order & { storageKey: string };

/**
 * `held`: a backup reads what the database named when it started, so recordings of deleted calls stay until it has
 * ended.
 */
async function remove(
  { db, storage }: FunctionDeps,
  { storageKey, ...order }: Deletion,
): Promise<'removed' | 'in use' | 'held'> {
  requireOwn(order.orgId, storageKey);
  const isInUse = (tx: OrgTx) => isObjectInUse(tx, storageKey);
  if (await settle(db, order, isInUse, Boolean)) return 'in use';
  if (await db.withOrg(order.orgId, isBackupUnderWay)) return 'held';
  try {
    await storage.remove(storageKey);
  } catch (error) {
    throw toStepError(error);
  }
  await db.withOrg(order.orgId, (tx) => completeOrder(tx, order.orderId));
  return 'removed';
}

/** The storage has no row-level security: an order may only name objects of its own organization. */
function requireOwn(orgId: string, storageKey: string): void {
  if (isKeyBelow(orgId, storageKey)) return;
  throw poison('FOREIGN_OBJECT', 'The order names an object of another organization.');
}
