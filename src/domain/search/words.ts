/**
 * Repeated minuses exclude nothing; they are a dash. Postgres would read each as the negation of the next one, and
 * gives up if there are too many.
 */
export function withoutDashes(q: string): string {
  return q.replaceAll(/-(?:[^\p{L}\p{N}"]*-)+/gu, ' ');
}
