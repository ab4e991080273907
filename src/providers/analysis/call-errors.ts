import { retryAfterMs } from '../speech/provider-call.ts';
import { AnalysisError, type AnalysisErrorCode } from './errors.ts';

/** An unsuccessful HTTP answer. */
export type Refusal = { status: number; headers: Record<string, string>; body: string };

const overflow =
  /context[_ ]length|context window|maximum context|context size|too many tokens|prompt is too long|input is too long|exceeds? the (?:model'?s )?(?:maximum|context|limit)|token limit|reduce the length/iu;

/** Why a request failed, in words that contain neither the key nor any part of the call. */
export function toAnalysisError({ status, headers, body }: Refusal): AnalysisError {
  const options = {
    retryAfterMs: retryAfterMs({ get: (name) => headers[name] ?? null }, Date.now()),
    internal: `${status} ${codeOf(body)}`.trim(),
  };
  const [code, message] = reasonOf(status, body);
  return new AnalysisError(code, `${message} (${status}).`, options);
}

function reasonOf(status: number, body: string): [code: AnalysisErrorCode, message: string] {
  if (status === 401 || status === 403)
    return ['ANALYSIS_UNAUTHORIZED', 'The language model provider refuses the API key'];
  if (status === 402 || /insufficient_quota|credit balance/u.test(body)) {
    return ['ANALYSIS_REJECTED', 'The account with the language model has no credit left'];
  }
  if (status === 429) return ['ANALYSIS_RATE_LIMITED', 'The language model provider asks to slow down'];
  if (status === 413 || (status < 500 && overflow.test(body))) {
    return ['ANALYSIS_CALL_TOO_LONG', 'The call is too long for the language model'];
  }
  if (status >= 500 || status === 408 || status === 425 || status < 400) {
    return ['ANALYSIS_UNAVAILABLE', 'The language model is unavailable at the moment'];
  }
  return ['ANALYSIS_REJECTED', 'The language model does not accept the request'];
}

/** The provider's own code, if it looks like one: a message could repeat the call or the key. */
function codeOf(body: string): string {
  const known = /"(?:code|type)"\s*:\s*"((?:[a-z]+_){1,6}[a-z]+)"/u.exec(body);
  return known?.[1] ?? '';
}
