import type { Inngest } from 'inngest';
import { isObjectInUse } from '../../domain/records/processing-queries.ts';
import { triggers } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { isKeyBelow } from '../../providers/object-storage/interface.ts';
import { poison, toStepError } from '../faults.ts';

const retries = 10;

/** Removes a recording that no record names any more. Retried for hours: a storage that is down must not keep what was deleted. */
export function createDeleteObjects(client: Inngest, { db, storage }: FunctionDeps) {
  return client.createFunction(
    {
      id: 'delete-objects',
      triggers: [triggers.deleteObject],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: 2 }],
    },
    async ({ event, step }) => {
      const { orgId, storageKey } = event.data;
      return step.run('remove', async () => {
        requireOwn(orgId, storageKey);
        if (await db.withOrg(orgId, (tx) => isObjectInUse(tx, storageKey))) return { isRemoved: false };
        try {
          await storage.remove(storageKey);
        } catch (error) {
          throw toStepError(error);
        }
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
