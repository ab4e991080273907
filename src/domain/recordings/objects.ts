import type { OrgTx } from '../../db/scope.ts';
import { emitEvents, newEvent, type NewEvent } from '../events/service.ts';
import { deleteUpload } from './queries.ts';

export { deleteUpload, insertUpload, isObjectInUse } from './queries.ts';

/** The events that have objects deleted, for keys of those that exist. */
export function deletionsOf(storageKeys: readonly (string | null | undefined)[]): NewEvent[] {
  return storageKeys.flatMap((storageKey) => (storageKey ? [newEvent('object.delete.requested', { storageKey })] : []));
}

/** Schedules the deletion of an object that no record uses, and drops its trace in `uploads`. */
export async function discardObject(tx: OrgTx, storageKey: string): Promise<void> {
  await deleteUpload(tx, storageKey);
  await emitEvents(tx, deletionsOf([storageKey]));
}
