import { z } from 'zod';
import { observed } from '../../lib/observe.ts';
import { parseRetryAfterMs } from '../../lib/retry-after.ts';
import { safeFetch, type SafeFetchResponse } from '../../lib/safe-fetch.ts';
import { SafeFetchError } from '../../lib/safe-fetch-error.ts';
import { CrmError, type CrmProblem } from './crm-error.ts';

export type RestCall = {
  /** `https://<portal>/rest/`. The caller must have checked its host. */
  endpoint: string;
  accessToken: string;
  method: string;
  parameters: Record<string, unknown>;
  /** Private hosts that are allowed. */
  allow: readonly string[];
};

/** `next` is the `start` of a list's next page; null on the last one. */
export type RestAnswer = { result: unknown; next: number | null; total: number | null };

const answerSizeBytesMax = 4 * 1024 * 1024;
const timeoutMs = 15_000;
/** A method that has used up its time on the portal is blocked for this long (`operating_reset_at`). */
const operationPauseMs = 600_000;

const Answer = z.object({ result: z.unknown(), next: z.number().optional(), total: z.number().optional() });
const Refusal = z.object({ error: z.union([z.string(), z.number()]).transform(String) });

/** One REST request to a portal. Throws only CrmError. */
export function callPortal(call: RestCall): Promise<RestAnswer> {
  return observed({ provider: 'bitrix24', operation: call.method }, () => ask(call));
}

async function ask({ endpoint, accessToken, method, parameters, ...rest }: RestCall): Promise<RestAnswer> {
  const base = endpoint.endsWith('/') ? endpoint : `${endpoint}/`;
  const response = await send({
    url: `${base}${method}`,
    body: JSON.stringify({ ...parameters, auth: accessToken }),
    ...rest,
  });
  const body = readJson(response.body);
  const { data: refusal } = Refusal.safeParse(body);
  if (refusal) throw toError(refusal.error, response);
  const { data } = Answer.safeParse(body);
  if (response.status >= 300 || !data || data.result === undefined) throw toError(`HTTP_${response.status}`, response);
  return { result: data.result, next: data.next ?? null, total: data.total ?? null };
}

async function send({ url, body, allow }: { url: string; body: string } & Pick<RestCall, 'allow'>) {
  try {
    return await safeFetch({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      allow,
      redirectsMax: 0,
      takesAnyStatus: true,
      sizeBytesMax: answerSizeBytesMax,
      idleTimeoutMs: timeoutMs,
      totalTimeoutMs: 2 * timeoutMs,
    });
  } catch (cause) {
    throw toUnreachable(cause);
  }
}

/** Waiting does not make a forbidden address allowed. */
export function toUnreachable(cause: unknown): CrmError {
  const isFinal = cause instanceof SafeFetchError && !cause.isRetryable;
  return isFinal
    ? new CrmError('refused', cause.failure.toUpperCase(), { cause })
    : new CrmError('unavailable', 'UNREACHABLE', { cause });
}

/** Undefined if it is not JSON, such as a proxy's page or a truncated answer. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Bitrix24's error codes, in either case. Others are classified by the status. */
const problems: Record<string, CrmProblem> = {
  EXPIRED_TOKEN: 'expired',
  INVALID_TOKEN: 'expired',
  NO_AUTH_FOUND: 'expired',
  QUERY_LIMIT_EXCEEDED: 'busy',
  OPERATION_TIME_LIMIT: 'busy',
  OVERLOAD_LIMIT: 'busy',
  PORTAL_DELETED: 'suspended',
  PAYMENT_REQUIRED: 'suspended',
  APPLICATION_NOT_FOUND: 'suspended',
  APPLICATION_NOT_INSTALLED: 'suspended',
  ERROR_OAUTH: 'suspended',
  ACCOUNT_BLOCKED: 'suspended',
  REST_AVAILABLE_ONLY_BY_SUBSCRIPTION: 'suspended',
  USER_ACCESS_ERROR: 'suspended',
  INVALID_GRANT: 'suspended',
  INVALID_CLIENT: 'suspended',
};

export function toError(word: string, { status, headers }: Pick<SafeFetchResponse, 'status' | 'headers'>): CrmError {
  // Foreign text: only something that looks like a code is used.
  const code = /^\w{1,64}$/.test(word) ? word.toUpperCase() : `HTTP_${status}`;
  const problem = problems[code] ?? problemOfStatus(status);
  return new CrmError(problem, code, { retryAfterMs: problem === 'busy' ? pauseOf(code, headers) : undefined });
}

function problemOfStatus(status: number): CrmProblem {
  if (status === 402) return 'suspended';
  if (status === 429) return 'busy';
  // A portal that has moved answers with a redirect; its new address comes with the next token.
  if (status === 401 || (status >= 300 && status < 400)) return 'expired';
  return status >= 400 && status < 500 ? 'refused' : 'unavailable';
}

function pauseOf(code: string, headers: Record<string, string>): number | undefined {
  if (code === 'OPERATION_TIME_LIMIT') return operationPauseMs;
  return parseRetryAfterMs(headers['retry-after']);
}
