import { type BodyInit, fetch, type Response } from 'undici';
import { patientAgent } from '../../lib/patient-agent.ts';
import type { z } from 'zod';
import { SpeechError } from './errors.ts';

export type ProviderCall<Schema extends z.ZodType> = {
  /** Its name in messages. */
  provider: string;
  url: string;
  headers: Record<string, string>;
  body: BodyInit;
  schema: Schema;
  signal: AbortSignal;
  /** From the first byte sent to the last byte received. */
  timeoutMs: number;
  /** Never shown: replaced wherever the provider's answer repeats it. */
  secret: string | undefined;
};

const responseBytesMax = 64 * 1024 * 1024;
const excerptLength = 500;
const retryAfterMsMax = 60 * 60_000;

/** Posts to a provider and parses its JSON answer. Throws `SpeechError`, or the signal's reason. */
export async function callProvider<Schema extends z.ZodType>(call: ProviderCall<Schema>): Promise<z.output<Schema>> {
  const timeout = AbortSignal.timeout(call.timeoutMs);
  const text = await exchange(call, AbortSignal.any([call.signal, timeout])).catch((error: unknown) => {
    call.signal.throwIfAborted();
    if (error instanceof SpeechError) throw error;
    if (timeout.aborted) throw new SpeechError('SPEECH_TIMEOUT', `${call.provider} did not answer in time.`);
    const internal = redact(error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error), call);
    throw new SpeechError('SPEECH_UNAVAILABLE', `${call.provider} cannot be reached, or the connection broke off.`, {
      internal,
    });
  });
  const parsed = call.schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues[0];
  throw new SpeechError('SPEECH_BAD_RESPONSE', `${call.provider} answered with something that is not a transcript.`, {
    internal: redact(
      `${problem?.path.join('.') ?? ''}: ${problem?.message ?? ''}; ${text.slice(0, excerptLength)}`,
      call,
    ),
  });
}

async function exchange(call: Omit<ProviderCall<z.ZodType>, 'schema'>, signal: AbortSignal): Promise<string> {
  const { url, headers, body } = call;
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal,
    dispatcher: patientAgent,
    redirect: 'error',
  });
  const text = await readText(response, call.provider);
  if (!response.ok) throw statusError(response, text, call);
  return text;
}

async function readText(response: Response, provider: string): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let sizeBytes = 0;
  let text = '';
  for await (const chunk of response.body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > responseBytesMax)
      throw new SpeechError('SPEECH_BAD_RESPONSE', `${provider} answered with too much.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

type Sayer = { provider: string; secret: string | undefined };

function statusError(response: Response, text: string, call: Sayer): SpeechError {
  const { status } = response;
  const { provider } = call;
  const options = {
    retryAfterMs: retryAfterMs(response.headers, Date.now()),
    internal: redact(`${status}: ${text.slice(0, excerptLength)}`, call),
  };
  if (status === 401 || status === 403) {
    return new SpeechError('SPEECH_UNAUTHORIZED', `${provider} refuses the API key (${status}).`, options);
  }
  if (status === 402 || text.includes('insufficient_quota')) {
    return new SpeechError('SPEECH_REJECTED', `The account with ${provider} has no credit left (${status}).`, options);
  }
  if (status === 429) return new SpeechError('SPEECH_RATE_LIMITED', `${provider} asks to slow down (429).`, options);
  if (status >= 500 || status === 408 || status === 425) {
    return new SpeechError('SPEECH_UNAVAILABLE', `${provider} is unavailable at the moment (${status}).`, options);
  }
  return new SpeechError('SPEECH_REJECTED', `${provider} does not accept the recording (${status}).`, options);
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), or OpenAI's `retry-after-ms`; at most an hour. */
export function retryAfterMs(headers: { get: (name: string) => string | null }, nowMs: number): number | undefined {
  const millis = headers.get('retry-after-ms');
  const value = headers.get('retry-after')?.trim() ?? '';
  let waitMs = Number.NaN;
  if (millis && /^\d+(\.\d+)?$/.test(millis)) waitMs = Number(millis);
  else if (/^\d+(\.\d+)?$/.test(value)) waitMs = Number(value) * 1000;
  else if (value) waitMs = Date.parse(value) - nowMs;
  return Number.isFinite(waitMs) ? Math.round(Math.max(0, Math.min(retryAfterMsMax, waitMs))) : undefined;
}

function redact(text: string, { secret }: Sayer): string {
  return secret ? text.replaceAll(secret, '[redacted]') : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
