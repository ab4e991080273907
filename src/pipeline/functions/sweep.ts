import { cron, type Inngest } from 'inngest';
import { removeExpiredKeys } from '../../db/idempotency-keys.ts';
import { discardObject } from '../../domain/recordings/service.ts';
import { indexAnew } from '../../domain/search/service.ts';
import { removeAbandonedFolders, workRoot } from '../../lib/work-folder.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { pruneOutbox } from '../outbox.ts';
import { announceDeliveries, announceOrders, announceAttempts, announceReanalyses } from '../redelivery.ts';
import { removeOldDeliveries, selectAbandonedUploads, selectOrgsToIndex } from '../sweep-queries.ts';

const minute = 60_000;
const uploadAgeMsMax = 60 * minute;
const documentsAtOnce = 10;
const passagesMsMax = 5_000;

/** Every minute: restarts or deletes what a crash or a lost message left behind. */
export function createSweep(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    { id: 'sweep', triggers: [cron('* * * * *')], retries: 0, concurrency: [{ limit: 1 }] },
    async ({ step }) => ({
      orders: await step.run('open-orders', () => announceOrders(deps, false)),
      passes: await step.run('stuck-records', () => announceAttempts(deps)),
      reanalyses: await step.run('stuck-reanalyses', () => announceReanalyses(deps)),
      deliveries: await step.run('stuck-deliveries', () => announceDeliveries(deps, false)),
      oldDeliveries: await step.run('old-deliveries', () => removeOldDeliveries(deps.system)),
      oldEvents: await step.run('old-events', () => pruneOutbox(deps.system)),
      uploads: await step.run('abandoned-uploads', () => removeAbandonedUploads(deps)),
      keys: await step.run('expired-keys', () => removeExpiredKeys(deps.system)),
      passages: await step.run('search-passages', () => indexDocumentsAnew(deps)),
      folders: await step.run('work-folders', () => removeAbandonedFolders(workRoot(deps.config.DATA_DIR))),
      incomplete: await step.run('incomplete-objects', () =>
        deps.storage.removeIncomplete(new Date(Date.now() - uploadAgeMsMax)),
      ),
    }),
  );
}

/** The order to delete the object commits together with the deletion of its row, so neither can be lost. */
async function removeAbandonedUploads({ db, system, log }: FunctionDeps): Promise<number> {
  const uploads = await selectAbandonedUploads(system, uploadAgeMsMax);
  for (const { orgId, storageKey } of uploads) {
    await db.withOrg(orgId, (tx) => discardObject(tx, storageKey));
    log.info({ orgId, storageKey }, 'an upload that never became a record is removed');
  }
  return uploads.length;
}

/** A few seconds each minute. Until then, documents are found as the earlier version had them. */
async function indexDocumentsAnew({ db, system }: FunctionDeps): Promise<number> {
  const startedAt = performance.now();
  let total = 0;
  for (const { orgId } of await selectOrgsToIndex(system)) {
    let count = documentsAtOnce;
    while (count === documentsAtOnce && performance.now() - startedAt < passagesMsMax) {
      count = await db.withOrg(orgId, (tx) => indexAnew(tx, documentsAtOnce));
      total += count;
    }
  }
  return total;
}
