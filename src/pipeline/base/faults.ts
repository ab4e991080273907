import { NonRetriableError, RetryAfterError } from 'inngest';
import type { Failure } from '../../db/schema/records.ts';
import { SafeFetchError } from '../../lib/safe-fetch-error.ts';
import { TooExpensiveError } from '../../lib/too-expensive.ts';
import { StorageError } from '../../providers/object-storage/interface.ts';

/** Why a step failed, in words that may be shown to the record's owner. */
type Fault = { code: string; message: string; isRetryable: boolean; retryAfterMs: number | undefined };

/**
 * Turns what a provider threw into the error that the engine acts on: poison is not retried, a busy provider is given
 * the time that it asked for. The code travels as the name of the cause, which survives every hop between functions.
 */
export function toStepError(error: unknown): Error {
  const fault = toFault(error);
  if (!fault) return error instanceof Error ? error : new Error(String(error));
  const { code, message, isRetryable, retryAfterMs } = fault;
  if (!isRetryable) return poison(code, message, error);
  if (retryAfterMs !== undefined) return retryAfter(retryAfterMs, fault, error);
  return noteOrigin(new Error(message, { cause: reason(fault) }), error);
}

/** Errors that were made here, of words that may leave the service, each with what it was made of. */
const origins = new WeakMap<Error, unknown>();

/** Whether the error may leave the service as it is. */
export function isFault(error: unknown): error is Error {
  return error instanceof Error && origins.has(error);
}

/** What really happened, for the log: the error itself where it stands for no other. */
export function originOf(error: unknown): unknown {
  return error instanceof Error ? (origins.get(error) ?? error) : error;
}

export function noteOrigin<T extends Error>(fault: T, origin: unknown): T {
  origins.set(fault, origin);
  return fault;
}

/** Inngest's servers take an instant that is less than a second away for the next whole second. */
const delayMsMin = 1000;
const underWayMs = 300;

/** As an instant: of a number of seconds Inngest's servers take off what has gone of the current one, and come too early. */
export function retryAfter(delayMs: number, why: Reason, origin?: unknown): RetryAfterError {
  const at = new Date(Date.now() + Math.max(delayMs, delayMsMin) + underWayMs);
  return noteOrigin(new RetryAfterError(why.message, at, { cause: reason(why) }), origin);
}

/** A fault of our own that no retry can mend. `origin` is for the log alone. */
export function poison(code: string, message: string, origin?: unknown): NonRetriableError {
  return noteOrigin(new NonRetriableError(message, { cause: reason({ code, message }) }), origin);
}

type Reason = { code: string; message: string };

function reason({ code, message }: Reason): Error {
  return Object.assign(new Error(message), { name: code, stack: '' });
}

const lostFailure: Failure = {
  code: 'WORKER_LOST',
  message: 'Processing ended unexpectedly several times. Try again, or with another recording.',
  retryable: true,
};

const internalFailure: Failure = {
  code: 'PROCESSING_FAILED',
  message: 'The recording could not be processed because of an internal error.',
  retryable: true,
};

/** The reason that a failed run leaves on its record. Only messages that were made for it are shown. */
export function toFailure(error: Error): Failure {
  if (error.name === 'WorkerLostError') return lostFailure;
  const { cause } = error;
  if (!(cause instanceof Error) || !/^[A-Z][A-Z0-9_]+$/.test(cause.name)) return internalFailure;
  const retryable = error.name !== 'NonRetriableError' || isMendable(cause.name);
  return { code: cause.name, message: cause.message, retryable };
}

const tooExpensive =
  'The call cannot be scored by this profile: they take too much work together. Use a profile with fewer phrases, or a shorter call.';

function toFault(error: unknown): Fault | null {
  if (error instanceof TooExpensiveError) {
    return { code: 'SCORING_TOO_EXPENSIVE', message: tooExpensive, isRetryable: false, retryAfterMs: undefined };
  }
  if (error instanceof SafeFetchError) {
    const { publicMessage, isUnreachable, isByName, retryAfterMs, failure } = error;
    // A name that leads to where nobody may go, as if it did not exist: the number of tries would tell the two apart.
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
    const message = isRetryable ? 'The object storage cannot be reached.' : 'The stored recording is gone.';
    return { code, message, isRetryable, retryAfterMs: undefined };
  }
  if (!isProviderError(error)) return null;
  const { code, message, retryable, retryAfterMs } = error;
  return { code, message, isRetryable: retryable && !isMissingProgram(code), retryAfterMs };
}

/** Settings and models stand in the way, not the recording: once they are mended, the user's own retry helps. */
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

/** What nobody has installed is not there in a minute either: the record fails at once, and is retried by whoever installs it. */
function isMissingProgram(code: string): boolean {
  return code.endsWith('_MISSING');
}

type ProviderError = Error & { code: string; retryable: boolean; retryAfterMs?: number | undefined };

/** Errors of the audio and speech providers all look like this. */
function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'retryable' in error;
}
