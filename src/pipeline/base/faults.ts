import { NonRetriableError, RetryAfterError } from 'inngest';
import type { Failure } from '../../model/record.ts';
import { SafeFetchError } from '../../lib/safe-fetch-error.ts';
import { TooExpensiveError } from '../../lib/too-expensive.ts';
import { StorageError } from '../../providers/object-storage/interface.ts';

/** Why a step failed, in words that the record's owner may see. */
type Fault = { code: string; message: string; isRetryable: boolean; retryAfterMs: number | undefined };

/**
 * Converts a provider's error into one that the engine understands: fatal errors are not retried, and a busy provider
 * gets the time that it asked for. The code is the name of the cause, which survives every hop between functions.
 */
export function toStepError(error: unknown): Error {
  const fault = toFault(error);
  if (!fault) return error instanceof Error ? error : new Error(String(error));
  const { code, message, isRetryable, retryAfterMs } = fault;
  if (!isRetryable) return poison(code, message, error);
  if (retryAfterMs !== undefined) return retryAfter(retryAfterMs, fault, error);
  return noteOrigin(new Error(message, { cause: reason(fault) }), error);
}

/** Errors created here, whose text may leave the service, with the errors that caused them. */
const origins = new WeakMap<Error, unknown>();

/** Whether the error may leave the service unchanged. */
export function isFault(error: unknown): error is Error {
  return error instanceof Error && origins.has(error);
}

/** The original error, for the log. */
export function originOf(error: unknown): unknown {
  return error instanceof Error ? (origins.get(error) ?? error) : error;
}

export function noteOrigin<T extends Error>(fault: T, origin: unknown): T {
  origins.set(fault, origin);
  return fault;
}

/** Inngest's servers round an instant that is less than a second away up to the next whole second. */
const delayMsMin = 1000;
const underWayMs = 300;

/**
 * As an instant: from a number of seconds, Inngest's servers subtract the elapsed part of the current second, and retry
 * too early.
 */
export function retryAfter(delayMs: number, why: Reason, origin?: unknown): RetryAfterError {
  const at = new Date(Date.now() + Math.max(delayMs, delayMsMin) + underWayMs);
  return noteOrigin(new RetryAfterError(why.message, at, { cause: reason(why) }), origin);
}

/** An error of our own that no retry can fix. `origin` is for the log only. */
export function poison(code: string, message: string, origin?: unknown): NonRetriableError {
  return noteOrigin(new NonRetriableError(message, { cause: reason({ code, message }) }), origin);
}

type Reason = { code: string; message: string };

function reason({ code, message }: Reason): Error {
  return Object.assign(new Error(message), { name: code, stack: '' });
}

const lostFailure: Failure = {
  code: 'WORKER_LOST',
  message: 'Processing ended unexpectedly several times. Try again, or use another recording.',
  retryable: true,
};

const internalFailure: Failure = {
  code: 'PROCESSING_FAILED',
  message: 'The recording could not be processed because of an internal error.',
  retryable: true,
};

/** The failure that a failed run leaves on its record. Only messages written for users are shown. */
export function toFailure(error: Error): Failure {
  if (error.name === 'WorkerLostError') return lostFailure;
  const { cause } = error;
  if (!(cause instanceof Error) || !/^[A-Z][A-Z0-9_]+$/.test(cause.name)) return internalFailure;
  const retryable = error.name !== 'NonRetriableError' || isMendable(cause.name);
  return { code: cause.name, message: cause.message, retryable };
}

const tooExpensive =
  'Scoring this call with this profile takes too much work. Use a profile with fewer phrases, or a shorter call.';

function toFault(error: unknown): Fault | null {
  if (error instanceof TooExpensiveError) {
    return { code: 'SCORING_TOO_EXPENSIVE', message: tooExpensive, isRetryable: false, retryAfterMs: undefined };
  }
  if (error instanceof SafeFetchError) {
    const { publicMessage, isUnreachable, isByName, retryAfterMs, failure } = error;
    // A name that resolves to a forbidden address is treated like an unknown name: the number of tries would reveal the
    // difference.
    const isRetryable = error.isRetryable || (isUnreachable && isByName);
    return {
      code: isUnreachable ? 'FETCH_UNREACHABLE' : `FETCH_${failure.toUpperCase()}`,
      message: `The recording cannot be fetched. ${publicMessage}`,
      isRetryable,
      retryAfterMs,
    };
  }
  if (error instanceof StorageError) {
    const isRetryable = error.reason === 'unavailable';
    const code = isRetryable ? 'STORAGE_UNAVAILABLE' : 'RECORDING_GONE';
    const message = isRetryable ? 'The object storage cannot be reached.' : 'The stored recording is missing.';
    return { code, message, isRetryable, retryAfterMs: undefined };
  }
  if (!isProviderError(error)) return null;
  const { code, message, retryable, retryAfterMs } = error;
  return { code, message, isRetryable: retryable && !isMissingProgram(code), retryAfterMs };
}

/** Caused by settings or models, not by the recording: once they are fixed, the user's own retry helps. */
const mendable = new Set([
  'AUDIO_TOO_LONG',
  'SPEECH_LANGUAGE_UNSUPPORTED',
  'SPEECH_MODEL_UNUSABLE',
  'SPEECH_OUT_OF_MEMORY',
  'SPEECH_UNAUTHORIZED',
]);

function isMendable(code: string): boolean {
  return isMissingProgram(code) || mendable.has(code);
}

/**
 * A missing program will not appear within minutes: the record fails at once, and can be retried after installing it.
 */
function isMissingProgram(code: string): boolean {
  return code.endsWith('_MISSING');
}

type ProviderError = Error & { code: string; retryable: boolean; retryAfterMs?: number | undefined };

/** The form of all errors of the audio and speech providers. */
function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'retryable' in error;
}
