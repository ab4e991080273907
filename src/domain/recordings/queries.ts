import { and, eq } from 'drizzle-orm';
import { byId, projectOfRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { records, uploads, mutedRecordings, projects } from '../../db/schema/index.ts';
import type { Visibility } from '../../auth/principal.ts';
import { createStatements } from '../../db/driver/statements.ts';
import { givenVisibility, visibilityValues, visibleRecords } from '../visible-records.ts';

const ask = createStatements();

/** Whether a record uses the object with this key, whose second part is the record's id. */
export async function isObjectInUse(tx: OrgTx, storageKey: string): Promise<boolean> {
  const recordId = storageKey.split('/')[1] ?? '';
  const rows = await tx
    .select({ id: records.id })
    .from(records)
    .where(and(byId(tx, records, recordId), eq(records.storageKey, storageKey)));
  return rows.length > 0;
}

export async function insertUpload(tx: OrgTx, storageKey: string): Promise<void> {
  await tx.insert(uploads).values({ orgId: tx.orgId, storageKey });
}

/** False if the trace is gone, and with it the object: the sweeper has treated the upload as abandoned. */
export async function deleteUpload(tx: OrgTx, storageKey: string): Promise<boolean> {
  const { count } = await tx
    .delete(uploads)
    .where(and(eq(uploads.orgId, tx.orgId), eq(uploads.storageKey, storageKey)));
  return count > 0;
}

/** Players request many ranges in a row, so this reads only what they need. */
export async function selectRecording(tx: OrgTx, id: string, visibility: Visibility) {
  const [row] = await ask(tx, {
    values: { orgId: tx.orgId, id, ...visibilityValues(visibility) },
    build: (db, given) =>
      db
        .select({
          storageKey: records.storageKey,
          fileName: records.fileName,
          contentType: records.fileContentType,
          sizeBytes: records.fileSizeBytes,
          sha256: records.fileSha256,
          contentDeletedAt: records.contentDeletedAt,
          status: records.status,
          failure: records.failure,
          isRedacted: projects.redactPii,
          mutedFor: mutedRecordings.recordId,
          mutedKey: mutedRecordings.storageKey,
          mutedSizeBytes: mutedRecordings.sizeBytes,
          mutedSha256: mutedRecordings.sha256,
        })
        .from(records)
        .innerJoin(projects, projectOfRecord)
        .leftJoin(
          mutedRecordings,
          and(eq(mutedRecordings.orgId, records.orgId), eq(mutedRecordings.recordId, records.id)),
        )
        .where(and(eq(records.orgId, given.orgId), eq(records.id, given.id), visibleRecords(givenVisibility(given)))),
  });
  if (!row) return undefined;
  const { mutedFor, mutedKey, mutedSizeBytes, mutedSha256, ...recording } = row;
  return { ...recording, muted: mutedFor === null ? null : toMuted({ mutedKey, mutedSizeBytes, mutedSha256 }) };
}

type MutedColumns = { mutedKey: string | null; mutedSizeBytes: number | null; mutedSha256: string | null };

/** The key is null if nothing had to be muted. */
function toMuted({ mutedKey: storageKey, mutedSizeBytes: sizeBytes, mutedSha256: sha256 }: MutedColumns) {
  if (storageKey === null || sizeBytes === null || sha256 === null) return { storageKey: null };
  return { storageKey, sizeBytes, sha256 };
}
