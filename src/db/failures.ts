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
  // connection_exception and its subclasses
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
  // idle_in_transaction_session_timeout, idle_session_timeout
  '25P03',
  '57P05',
]);

/** A connection that was not given in time or was lost, with the codes that postgres.js uses for both. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: 'CONNECT_TIMEOUT' | 'CONNECTION_CLOSED';

  constructor(code: ConnectionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The unique index that a statement violated, else null. */
export function violatedUniqueIndex(error: unknown): string | null {
  for (const cause of causesOf(error)) {
    if (cause.code === '23505' && 'constraint_name' in cause) return String(cause.constraint_name);
  }
  return null;
}

/** Whether a statement was cancelled because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === '57014');
}

/** Whether the database was unreachable, as opposed to rejecting a statement. */
export function isDatabaseDown(error: unknown): boolean {
  return causesOf(error).some(({ code }) => typeof code === 'string' && connectionFailures.has(code));
}

/**
 * Whether the database temporarily lacks a resource: insufficient_resources (class 53: disk, memory, connections), a
 * failing disk (class 58), a server that accepts no changes now (read_only_sql_transaction).
 */
export function isOutOfResources(error: unknown): boolean {
  return causesOf(error).some(({ code }) => typeof code === 'string' && /^(53|58)[0-9A-Z]{3}$|^25006$/.test(code));
}

/**
 * Whether the transaction was rolled back in favour of another one (deadlock_detected, serialization_failure). Trying
 * again is likely to succeed.
 */
export function hasGivenWay(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === '40P01' || code === '40001');
}

/** Whether an operator or the server itself ended a statement or its connection (class 57), including timeouts. */
export function isEndedByServer(error: unknown): boolean {
  return causesOf(error).some(({ code }) => typeof code === 'string' && /^57[0-9A-Z]{3}$/.test(code));
}

export function isPermissionDenied(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === '42501');
}

/** The error and its causes, outermost first: drizzle wraps the driver's error. */
export function causesOf(error: unknown): (Error & { code?: unknown })[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause);
  return causes;
}
