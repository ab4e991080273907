const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  // connection_exception and its kind
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** The name of the unique index that a statement ran into, else null. */
export function violatedUniqueIndex(error: unknown): string | null {
  for (const cause of causesOf(error)) {
    if (cause.code === '23505' && 'constraint_name' in cause) return String(cause.constraint_name);
  }
  return null;
}

/** Whether a statement was ended because it took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === '57014');
}

/** Whether the database could not be reached, as opposed to having refused a statement. */
export function isDatabaseDown(error: unknown): boolean {
  return causesOf(error).some(({ code }) => typeof code === 'string' && connectionFailures.has(code));
}

/** The error and what it wraps, from the outside in: drizzle has the driver's error as its cause. */
export function causesOf(error: unknown): (Error & { code?: unknown })[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause);
  return causes;
}
