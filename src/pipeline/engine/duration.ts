const unitMs: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds from `now` for what the SDK writes: a duration such as `1h30m`, or an ISO 8601 instant. Throws on
 * anything else.
 */
export function parseDelayMs(text: string, now: number = Date.now()): number {
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) {
    const instant = Date.parse(text);
    if (!Number.isNaN(instant)) return Math.max(0, instant - now);
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new Error(`"${text}" is neither a duration nor an instant`);
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0);
}

/** `Retry-After` as the SDK sends it: whole seconds or an ISO 8601 instant. */
export function parseRetryAfterMs(text: string, now: number = Date.now()): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
