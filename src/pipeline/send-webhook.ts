import { type Attempted, type Task, refuseEndpoint, signatureHeaders } from '../domain/webhooks/service.ts';
import type { AddressGuard } from '../lib/address-guard.ts';
import type { LookupAddresses } from '../lib/guarded-connector.ts';
import { safeSend } from '../lib/safe-fetch.ts';
import { parseRetryAfterMs } from '../lib/retry-after.ts';
import { SafeFetchError } from '../lib/safe-fetch-error.ts';

export type SendOptions = {
  guard: AddressGuard;
  timeoutMs?: number | undefined;
  /** Replaces the system resolver. */
  lookup?: LookupAddresses | undefined;
  signal: AbortSignal;
  /** Receives the reason why nobody answered, which readers of the attempt must not see. */
  onUnreachable: (error: SafeFetchError) => void;
};

const timeoutDefaultMs = 15_000;
const answerBytesMax = 1024;

/** What to send, where, and the secrets in clear text to sign it with. */
export type Letter = Pick<Task, 'url' | 'body' | 'eventId'> & { secrets: readonly string[] };

/** Sends an event to its endpoint once. Rejects only if it is aborted: then the outcome is unknown. */
export async function sendWebhook(letter: Letter, options: SendOptions): Promise<Attempted> {
  const at = new Date();
  const from = performance.now();
  const { isMeasured = true, ...result } = await send(letter, { ...options, at });
  const durationMs = isMeasured ? Math.round(performance.now() - from) : 0;
  return { ...result, startedAt: at.toISOString(), durationMs };
}

/** Not measured: the time to resolve a name would reveal whether it is known. */
type Result = Omit<Attempted, 'startedAt' | 'durationMs'> & { isMeasured?: boolean };

async function send(
  { url, body, eventId, secrets }: Letter,
  { guard, timeoutMs = timeoutDefaultMs, lookup, signal, onUnreachable, at }: SendOptions & { at: Date },
): Promise<Result> {
  const refusal = refuseEndpoint(url, guard);
  if (refusal) return unanswered(`The address may not be called: ${refusal}.`);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Earshot-Webhooks/1',
    ...signatureHeaders({ id: eventId, at, body, secrets }),
  };
  try {
    const answer = await safeSend({
      url,
      method: 'POST',
      headers,
      body,
      guard,
      ...(lookup && { lookup }),
      sizeBytesMax: answerBytesMax,
      idleTimeoutMs: timeoutMs,
      totalTimeoutMs: timeoutMs,
      signal,
    });
    const { status } = answer;
    const error = errorOf(status);
    const retryAfterMs = error === null ? undefined : parseRetryAfterMs(answer.headers['retry-after']);
    return { responseStatus: status, responseBody: toText(answer.beginning), error, retryAfterMs };
  } catch (err) {
    if (!(err instanceof SafeFetchError) || signal.aborted) throw err;
    if (err.isUnreachable) onUnreachable(err);
    return { ...unanswered(err.publicMessage), isMeasured: !err.isUnreachable || err.failure === 'timeout' };
  }
}

function unanswered(error: string): Result {
  return { responseStatus: null, responseBody: null, error };
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const hint = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return `The endpoint answered ${status}.${hint}`;
}

/** Drops a truncated last character, and replaces what Postgres cannot store. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
}
