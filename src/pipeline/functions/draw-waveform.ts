import type { Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import { getDrawingSource, saveNoWaveform, saveWaveform } from '../../domain/recordings/service.ts';
import { AudioError } from '../../providers/audio/errors.ts';
import { drawWaveform } from '../../providers/audio/waveform.ts';
import { formatOf } from '../audio-format.ts';
import { trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { toStepError } from '../base/faults.ts';
import { giveUp, orderIdOf, settle, type Order } from '../orders.ts';

const retries = 3;
const perOrg = 2;

type DrawingJob = Order & { recordId: string };

/**
 * Draws a recording that is being viewed and was never decoded, because its transcript was supplied or it is older than
 * waveforms. Others are drawn while they are transcribed.
 */
export function createDrawWaveform(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    {
      id: 'draw-waveform',
      triggers: [trigger('recording.waveform.requested')],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: ({ event }) => giveUp(deps.db, event),
    },
    async ({ event, step }) => {
      const { orgId, recordId } = event.data;
      return step.run('draw', () => draw(deps, { orgId, recordId, orderId: orderIdOf(event) }));
    },
  );
}

async function draw(deps: FunctionDeps, job: DrawingJob): Promise<{ isDrawn: boolean }> {
  const { db, storage, stopping: signal } = deps;
  const { recordId } = job;
  const isNull = (found: unknown) => found === null;
  const source = await settle(db, job, (tx) => getDrawingSource(tx, recordId), isNull);
  if (!source) return { isDrawn: false };
  const format = formatOf(source.contentType);
  try {
    const drawn = await storage.withLocalFile(source.storageKey, (path) => drawWaveform({ path, format }, { signal }));
    return await saveIfWanted(deps, job, (tx) => saveWaveform(tx, recordId, drawn));
  } catch (error) {
    if (!(error instanceof AudioError) || error.retryable) throw toStepError(error);
    return saveIfWanted(deps, job, (tx) => saveNoWaveform(tx, recordId));
  }
}

/** Skips recordings that were deleted meanwhile, or drawn during a new transcription. */
async function saveIfWanted(
  { db }: FunctionDeps,
  job: DrawingJob,
  save: (tx: OrgTx) => Promise<void>,
): Promise<{ isDrawn: boolean }> {
  return settle(db, job, async (tx) => {
    if (!(await getDrawingSource(tx, job.recordId))) return { isDrawn: false };
    await save(tx);
    return { isDrawn: true };
  });
}
