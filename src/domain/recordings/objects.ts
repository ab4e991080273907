import type { OrgTx } from '../../db/scope.ts';
import { emitEvents } from '../events/service.ts';
import { deleteUpload } from './queries.ts';

export { deleteUpload, insertUpload, isObjectInUse } from './queries.ts';

/** Schedules the deletion of an object that no record uses, and drops its trace in `uploads`. */
export async function discardObject(tx: OrgTx, storageKey: string): Promise<void> {
  await deleteUpload(tx, storageKey);
  await emitEvents(tx, [{ type: 'object.delete.requested', data: { storageKey } }]);
}
