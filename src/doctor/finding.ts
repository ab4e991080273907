/** What was looked at, and how it is: `error` hurts already or will, `warning` may. The message is what is so, or what to do. */
export type Finding = { check: string; state: 'ok' | 'warning' | 'error'; message: string };

export type Check = (state: Finding['state'], message: string) => Finding;

/** Names the findings of one check. */
export function of(check: string): Check {
  return (state, message) => ({ check, state, message });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
