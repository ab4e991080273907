/** The longest wait that a `Retry-After` can cause: anything idle for longer looks lost. */
export const retryAfterMsMax = 3_600_000;

/** `Retry-After`: whole seconds or an HTTP date (RFC 9110, section 10.2.3). Milliseconds from now, an hour at most. */
export function parseRetryAfterMs(value: string | undefined): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(0, delayMs), retryAfterMsMax);
}
