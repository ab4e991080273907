/**
 * What was checked, and its state: `error` is or will be a problem, `warning` may be. The message is the fact, or what
 * to do.
 */
export type Finding = { check: string; state: 'ok' | 'warning' | 'error'; message: string };

export type Check = (state: Finding['state'], message: string) => Finding;

/** Creates the findings of one check. */
export function of(check: string): Check {
  return (state, message) => ({ check, state, message });
}
