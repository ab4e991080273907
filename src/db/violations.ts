/** The name of the unique index that a statement ran into, else null. drizzle wraps the driver's error as its cause. */
export function violatedUniqueIndex(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === '23505' && 'constraint_name' in cause) return String(cause.constraint_name);
  }
  return null;
}
