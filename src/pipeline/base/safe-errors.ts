import { Middleware, NonRetriableError, RetryAfterError, StepError } from 'inngest';
import { causesOf, isDatabaseDown } from '../../db/failures.ts';
import { framesOf } from '../../lib/error-log.ts';
import { AppError } from '../../lib/errors.ts';
import { isFault, noteOrigin, toStepError } from './faults.ts';

/**
 * Replaces the text of every error that leaves a function, since engines store and show errors for weeks, and a
 * driver's message quotes its input. The log gets the original (`originOf`).
 */
export class SafeErrors extends Middleware.BaseMiddleware {
  readonly id = 'earshot-safe-errors';

  override wrapStepHandler({ next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    return next().catch(rethrowSafely);
  }

  override wrapFunctionHandler({ next }: Middleware.WrapFunctionHandlerArgs): Promise<unknown> {
    return next().catch(rethrowSafely);
  }
}

function rethrowSafely(thrown: unknown): never {
  throw toSafeError(thrown);
}

/** The error in a form that others may store, with the same retry behaviour. */
export function toSafeError(thrown: unknown): Error {
  // It comes from the engine, so it was cleaned before; the SDK recognizes it by identity.
  if (thrown instanceof StepError) return thrown;
  const error = toStepError(thrown);
  if (isFault(error)) return error;
  return noteOrigin(withoutData(error), thrown);
}

function withoutData(error: Error): Error {
  const { name, code, message } = describe(error);
  const safe = likeRetriable(error, message);
  // The SDK recognizes its own errors by name.
  if (safe.name === 'Error') safe.name = name;
  return Object.assign(safe, { stack: framesOf(error) }, code !== undefined && { code });
}

function likeRetriable(error: Error, message: string): Error {
  if (error.name === 'NonRetriableError') return new NonRetriableError(message);
  if (!(error instanceof RetryAfterError)) return new Error(message);
  const seconds = Number(error.retryAfter);
  return new RetryAfterError(message, Number.isNaN(seconds) ? new Date(error.retryAfter) : seconds * 1000);
}

type Description = { name: string; code: string | undefined; message: string };

function describe(error: Error): Description {
  if (error instanceof AppError) return { name: error.name, code: error.code, message: error.message };
  const causes = causesOf(error);
  const refusal = causes.find((cause) => cause.name === 'PostgresError');
  const code = causes.map((cause) => codeOf(cause.code)).find((found) => found !== undefined);
  if (isDatabaseDown(error)) {
    return { name: 'DatabaseDownError', code, message: `The database cannot be reached (${code}).` };
  }
  if (refusal) {
    const rule = [code, word(refusal, 'table_name'), word(refusal, 'constraint_name')].filter(Boolean).join(', ');
    return { name: 'PostgresError', code, message: `The database refused a statement (${rule}).` };
  }
  const name = /^[A-Za-z]\w{0,63}$/.test(error.name) ? error.name : 'Error';
  return { name, code, message: `Something unexpected went wrong (${code ?? name}). The log has the details.` };
}

/** SQLSTATE, or the code of a system error. */
function codeOf(code: unknown): string | undefined {
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : undefined;
}

/** A name from the schema. */
function word(error: Error, field: string): string | undefined {
  const value = Object.entries(error).find(([key]) => key === field)?.[1];
  return typeof value === 'string' && /^\w{1,63}$/.test(value) ? value : undefined;
}
