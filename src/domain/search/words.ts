/**
 * Repeated minuses exclude nothing, and are read as the dash that they are. Postgres reads each as a negation of the next,
 * with whatever stands between them but words, and gives up where they are too many.
 */
export function withoutDashes(q: string): string {
  return q.replaceAll(/-(?:[^\p{L}\p{N}"]*-)+/gu, ' ');
}
