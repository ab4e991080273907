/** Whether anything is to be changed: a field that is left out keeps its value. */
export function hasChanges(changes: Record<string, unknown>): boolean {
  return Object.values(changes).some((value) => value !== undefined);
}
