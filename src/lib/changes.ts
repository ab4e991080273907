/** Whether there is anything to change: an omitted field keeps its value. */
export function hasChanges(changes: Record<string, unknown>): boolean {
  return Object.values(changes).some((value) => value !== undefined);
}
