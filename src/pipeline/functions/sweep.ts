import { cron, type Inngest } from 'inngest';
import { reannounceReanalysis } from '../../domain/analyses/reprocessing.ts';
import { removeExpiredKeys } from '../../db/idempotency-keys.ts';
import { discardObject, reannounce } from '../../domain/records/processing.ts';
import { reannounceDelivery } from '../../domain/webhooks/delivering.ts';
import { cutPassages } from '../../domain/search/queries.ts';
import { removeAbandonedFolders, workRoot } from '../../lib/work-folder.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { pruneOutbox } from '../outbox.ts';
import {
  removeOldDeliveries,
  selectAbandonedUploads,
  selectOrgsToCut,
  selectStuckDeliveries,
  selectStuckPasses,
  selectStuckReanalyses,
} from '../sweep-queries.ts';

const minute = 60_000;
/** An engine of our own knows which runs are under way; of a server's we know only how long a record was silent. */
const stuckAfterMs = { embedded: 5 * minute, inngest: 60 * minute };
const uploadAgeMsMax = 60 * minute;
const documentsAtOnce = 10;
const passagesMsMax = 5_000;

/** Each minute: what a crash or a lost message left behind is set going again, or removed. */
export function createSweep(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    { id: 'sweep', triggers: [cron('* * * * *')], retries: 0, concurrency: [{ limit: 1 }] },
    async ({ step }) => ({
      passes: await step.run('stuck-records', () => reannounceStuck(deps)),
      reanalyses: await step.run('stuck-reanalyses', () => reannounceStuckReanalyses(deps)),
      deliveries: await step.run('stuck-deliveries', () => reannounceStuckDeliveries(deps)),
      oldDeliveries: await step.run('old-deliveries', () => removeOldDeliveries(deps.system)),
      oldEvents: await step.run('old-events', () => pruneOutbox(deps.system)),
      uploads: await step.run('abandoned-uploads', () => removeAbandonedUploads(deps)),
      keys: await step.run('expired-keys', () => removeExpiredKeys(deps.system)),
      passages: await step.run('search-passages', () => cutWholeDocuments(deps)),
      folders: await step.run('work-folders', () => removeAbandonedFolders(workRoot(deps.config.DATA_DIR))),
      incomplete: await step.run('incomplete-objects', () =>
        deps.storage.removeIncomplete(new Date(Date.now() - uploadAgeMsMax)),
      ),
    }),
  );
}

async function reannounceStuck({ db, system, config, log }: FunctionDeps): Promise<number> {
  const passes = await selectStuckPasses(system, stuckAfterMs[config.PIPELINE_ENGINE]);
  for (const { orgId, ...pass } of passes) {
    await db.withOrg(orgId, (tx) => reannounce(tx, pass, new Date()));
    log.warn({ orgId, recordId: pass.recordId }, 'a record that nobody was working on is processed again');
  }
  return passes.length;
}

async function reannounceStuckReanalyses({ db, system, config, log }: FunctionDeps): Promise<number> {
  const stuck = await selectStuckReanalyses(system, stuckAfterMs[config.PIPELINE_ENGINE]);
  for (const { orgId, ...reanalysis } of stuck) {
    await db.withOrg(orgId, (tx) => reannounceReanalysis(tx, reanalysis, new Date()));
    log.warn({ orgId, ...reanalysis }, 'a re-analysis that nobody was working on is made again');
  }
  return stuck.length;
}

async function reannounceStuckDeliveries({ db, system, config, log }: FunctionDeps): Promise<number> {
  const stuck = await selectStuckDeliveries(system, stuckAfterMs[config.PIPELINE_ENGINE]);
  for (const { orgId, ...round } of stuck) {
    await db.withOrg(orgId, (tx) => reannounceDelivery(tx, round));
    log.warn({ orgId, deliveryId: round.deliveryId }, 'a delivery that nobody was working on goes on');
  }
  return stuck.length;
}

/** The order to remove the object commits with the end of its trace, so neither can be lost. */
async function removeAbandonedUploads({ db, system, log }: FunctionDeps): Promise<number> {
  const uploads = await selectAbandonedUploads(system, uploadAgeMsMax);
  for (const { orgId, storageKey } of uploads) {
    await db.withOrg(orgId, (tx) => discardObject(tx, storageKey));
    log.info({ orgId, storageKey }, 'an upload that never became a record is removed');
  }
  return uploads.length;
}

/** A few seconds each minute: until they are cut, snippets of long texts come from their beginning. */
async function cutWholeDocuments({ db, system }: FunctionDeps): Promise<number> {
  const startedAt = performance.now();
  let total = 0;
  for (const { orgId } of await selectOrgsToCut(system)) {
    let count = documentsAtOnce;
    while (count === documentsAtOnce && performance.now() - startedAt < passagesMsMax) {
      count = await db.withOrg(orgId, (tx) => cutPassages(tx, documentsAtOnce));
      total += count;
    }
  }
  return total;
}
