import { visibilityOf, type Actor } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import { reserveRecord } from '../billing/metering.ts';
import type { BilledContext, HeavyContext, OrgContext } from '../context.ts';
import type { KeptTranscript } from '../transcripts/kept-transcript.ts';
import type { NewRecord } from '../records/rows.ts';
import { insertUpload, deleteUpload } from '../recordings/objects.ts';
import { Tags } from '../../model/record.ts';
import type { RedactionDepth } from '../../model/redaction.ts';
import { storingRedacted } from '../transcripts/redaction-checks.ts';
import type { RecordReceipt } from '../records/schemas.ts';
import { selectRecord, toReceipt } from '../records/service.ts';
import { UploadMetadata } from './schemas.ts';
import { holdExternalId, selectUpload } from './queries.ts';
import { createRecord, toColumns } from './create-record.ts';
import { requireProject } from '../projects/service.ts';

/**
 * Leaves a trace of an object that is about to be stored. It is deleted when a record refers to the object, or with the
 * object.
 */
export async function beginUpload({ db, actor }: OrgContext, storageKey: string): Promise<void> {
  await db.withOrg(actor.orgId, (tx) => insertUpload(tx, storageKey));
}

export async function cancelUpload({ db, actor }: OrgContext, storageKey: string): Promise<void> {
  await db.withOrg(actor.orgId, async (tx) => void (await deleteUpload(tx, storageKey)));
}

/** Throws NOT_FOUND for a project that does not exist, or that the actor may not use. */
export async function requireUploadProject(
  { db, actor }: OrgContext,
  projectId: string,
): Promise<{ redaction: RedactionDepth }> {
  if (!isId('project', projectId)) throw notFound('Project');
  return db.withOrg(actor.orgId, (tx) => requireProject(tx, actor, projectId));
}

export type UploadedRecording = {
  id: string;
  projectId: string;
  storageKey: string;
  file: { name: string | null; sizeBytes: number; sha256: string; contentType: string };
  /** According to the file's header. */
  durationMs: number | null;
  channels: number | null;
  metadata: UploadMetadata;
  transcript: KeptTranscript | null;
  /** Digest of the transcript file. */
  transcriptSha256: string | null;
};

/** `isNew: false`: the project has this recording under the same external id, and the upload is not needed. */
export type Uploaded = { receipt: RecordReceipt; isNew: boolean };

/**
 * Creates a record for a stored upload, and queues it for processing. Throws NOT_FOUND for the project, CONFLICT for an
 * external id that another recording has, BUDGET_EXCEEDED.
 */
export async function createUploadedRecord(
  context: BilledContext & HeavyContext,
  upload: UploadedRecording,
): Promise<Uploaded> {
  const { transcript } = upload;
  if (!transcript) return storeRecord(context, upload);
  return storingRedacted({ ...context, orgId: context.actor.orgId }, transcript, (kept) =>
    storeRecord(context, { ...upload, transcript: kept }),
  );
}

async function storeRecord({ db, actor, prices }: BilledContext, upload: UploadedRecording): Promise<Uploaded> {
  return db.withOrg(actor.orgId, async (tx) => {
    await requireProject(tx, actor, upload.projectId);
    const record = toRecord(upload);
    const known = await findKnown(tx, actor, upload);
    if (known) return { receipt: toReceipt(known), isNew: false };
    const reservedCost = await reserveRecord(tx, prices, {
      durationSeconds: record.durationSeconds ?? null,
      needsTranscription: upload.transcript === null,
    });
    const receipt = await createRecord(tx, { ...record, reservedCost, uploadedBy: actor.userId }, upload.transcript);
    if (!receipt) throw new AppError('CONFLICT', 'There is a record with this id.');
    if (!(await deleteUpload(tx, upload.storageKey))) {
      throw new AppError('SERVICE_UNAVAILABLE', 'The upload took too long and was abandoned. Send it again.');
    }
    return { receipt, isNew: true };
  });
}

/** The first upload with this external id. Throws CONFLICT if it is another recording. */
async function findKnown(tx: OrgTx, actor: Actor, { projectId, file, metadata }: UploadedRecording) {
  const { externalId } = metadata;
  if (externalId == null) return undefined;
  await holdExternalId(tx, projectId, externalId);
  const known = await selectUpload(tx, projectId, externalId);
  if (!known) return undefined;
  const isVisible = (await selectRecord(tx, known.id, visibilityOf(actor))) !== undefined;
  if (isVisible && known.fileSha256 === file.sha256) return known;
  const name = isVisible ? `: ${known.id}` : '';
  const message = `Another recording of the project has this external id${name}.`;
  throw new AppError('CONFLICT', message, { details: [{ path: 'metadata.externalId', message }] });
}

function toRecord({ file, metadata, ...upload }: UploadedRecording): NewRecord {
  const tags = Tags.safeParse(metadata['tags']);
  const further = Object.entries(metadata).filter(
    ([name]) => !Object.hasOwn(UploadMetadata.shape, name) && !(name === 'tags' && tags.success),
  );
  return {
    id: upload.id,
    projectId: upload.projectId,
    source: 'upload',
    externalId: metadata.externalId ?? null,
    ...toColumns(metadata),
    tags: tags.data ?? [],
    metadata: Object.fromEntries(further),
    storageKey: upload.storageKey,
    fileName: file.name,
    fileSizeBytes: file.sizeBytes,
    fileSha256: file.sha256,
    fileContentType: file.contentType,
    durationSeconds: upload.durationMs === null ? null : Math.round(upload.durationMs / 1000),
    channels: upload.channels,
  };
}
