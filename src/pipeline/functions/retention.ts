import { cron, type Inngest } from 'inngest';
import { removeExpired } from '../../domain/accounts/service.ts';
import { retentionStart, deleteExpiredContent } from '../../domain/recordings/service.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { removeOldCalls, selectDueProject, type DueProject } from '../retention-queries.ts';

/** Well within the lease of a step. */
const partMs = 10_000;
const partsMax = 300;

/**
 * Every hour: deletes recordings and transcripts older than their project's limit, in batches. Each batch records its
 * progress in the transaction that deletes, so the next run continues after a crash. Then deletes data with a fixed
 * retention: portal calls, mails stored as files, and what has run out of accounts.
 */
export function createRetention(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    { id: 'retention', triggers: [cron('17 * * * *')], retries: 3, concurrency: [{ limit: 1 }] },
    async ({ step }) => {
      let deleted = 0;
      let after: DueProject = { orgId: '', projectId: '' };
      for (let part = 0; part < partsMax; part += 1) {
        const place = after;
        const done: Part = await step.run('delete', () => deletePart(deps, place));
        deleted += done.deleted;
        if (!done.after) break;
        ({ after } = done);
      }
      await step.run('old-calls', () => deleteOldCalls(deps));
      await step.run('old-mails', async () => (await deps.mailer.tidy?.()) ?? 0);
      await step.run('expired-sign-ins', () => removeExpired(deps.system));
      return { deleted };
    },
  );
}

async function deleteOldCalls({ system, stopping }: FunctionDeps): Promise<number> {
  const endAt = Date.now() + partMs;
  for (let deleted = 0; ;) {
    stopping.throwIfAborted();
    const { removed, isDone } = await removeOldCalls(system);
    deleted += removed;
    if (isDone || Date.now() > endAt) return deleted;
  }
}

type Part = { deleted: number; after: DueProject | null };

/** As many as time allows. `after` is the last project that was finished; null if nothing is left. */
async function deletePart({ system, db, stopping, log }: FunctionDeps, start: DueProject): Promise<Part> {
  const endAt = Date.now() + partMs;
  let after = start;
  let deleted = 0;
  for (;;) {
    const due = await selectDueProject(system, after);
    if (!due) return { deleted, after: null };
    const { orgId, projectId } = due;
    let progress = retentionStart;
    for (let isDone = false; !isDone;) {
      stopping.throwIfAborted();
      if (Date.now() > endAt) return { deleted, after };
      const before = progress;
      const batch = await db.withOrg(orgId, (tx) => deleteExpiredContent(tx, projectId, before));
      ({ progress, isDone } = batch);
      deleted += batch.deleted;
      if (batch.deleted > 0) log.info({ orgId, projectId, records: batch.deleted }, 'retention deleted calls');
    }
    after = due;
  }
}
