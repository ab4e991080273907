import { createReadStream } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Inngest } from 'inngest';
import { completeOrder } from '../../domain/events/service.ts';
import {
  getMutingSource,
  saveMuted,
  type MutedObject,
  type MutingSource,
  insertUpload,
  discardObject,
} from '../../domain/recordings/service.ts';
import { withWorkFolder, workRoot } from '../../lib/work-folder.ts';
import { AudioError } from '../../providers/audio/errors.ts';
import type { AudioSource } from '../../providers/audio/formats.ts';
import { muteAudio } from '../../providers/audio/mute.ts';
import { probeAudio } from '../../providers/audio/probe.ts';
import { formatOf } from '../audio-format.ts';
import { trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { toStepError } from '../base/faults.ts';
import { giveUp, orderIdOf, settle, type Order } from '../orders.ts';

const retries = 6;
const perOrg = 2;

type MutingJob = Order & { recordId: string };

/**
 * Makes the muted copy for people who may not hear the original: once, so that it can be played in ranges like any
 * recording. Until it exists, they hear nothing.
 */
export function createMuteRecording(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    {
      id: 'mute-recording',
      triggers: [trigger('recording.mute.requested')],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: ({ event }) => giveUp(deps.db, event),
    },
    async ({ event, step }) => {
      const { orgId, recordId } = event.data;
      return step.run('mute', () => mute(deps, { orgId, recordId, orderId: orderIdOf(event) }));
    },
  );
}

async function mute(deps: FunctionDeps, job: MutingJob): Promise<{ isMuted: boolean }> {
  const { db, log } = deps;
  const isNull = (found: unknown) => found === null;
  const from = await settle(db, job, (tx) => getMutingSource(tx, job.recordId), isNull);
  if (!from) return { isMuted: false };
  try {
    const made = from.redactions.length === 0 ? null : await makeMuted(deps, { ...job, from });
    return { isMuted: await settle(db, job, (tx) => saveMuted(tx, job.recordId, { made, from })) };
  } catch (error) {
    // If a recording cannot be decoded, people who may hear only the muted copy cannot hear it at all.
    if (!(error instanceof AudioError) || error.retryable) throw toStepError(error);
    await db.withOrg(job.orgId, (tx) => completeOrder(tx, job.orderId));
    log.warn({ ...job, code: error.code }, 'a recording cannot be muted');
    return { isMuted: false };
  }
}

/**
 * The object's row in `uploads` is deleted when it is attached; after a crash, the sweeper finds the object by this
 * row.
 */
async function makeMuted(
  deps: FunctionDeps,
  { orgId, recordId, from }: MutingJob & { from: MutingSource },
): Promise<MutedObject> {
  const { db, storage, config } = deps;
  // Beside the recording, never below it: an upload lies at `<organization>/<record>`, and a file cannot contain files.
  const storageKey = `${orgId}/${recordId}-muted-${randomUUID()}`;
  const format = formatOf(from.contentType);
  const folder = { root: workRoot(config.DATA_DIR), name: recordId };
  try {
    return await withWorkFolder(folder, async (workDir) => {
      const to = path.join(workDir, 'muted');
      await storage.withLocalFile(from.storageKey, (file) =>
        writeMuted(deps, { source: { path: file, format }, from, to }),
      );
      await db.withOrg(orgId, (tx) => insertUpload(tx, storageKey));
      const { sizeBytes, sha256 } = await storage.put(storageKey, createReadStream(to));
      return { storageKey, sizeBytes, sha256 };
    });
  } catch (error) {
    await db.withOrg(orgId, (tx) => discardObject(tx, storageKey)).catch(() => {});
    throw error;
  }
}

type Writing = { source: AudioSource; from: MutingSource; to: string };

async function writeMuted({ stopping: signal }: FunctionDeps, { source, from, to }: Writing): Promise<void> {
  const { sampleRate, durationMs } = await probeAudio(source, { signal });
  await muteAudio({ source, stretches: from.redactions, sampleRate, durationMs, to, signal });
}
