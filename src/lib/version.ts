import { createRequire } from 'node:module';

export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** Negative if `a` is the older release, positive if it is the newer one. For versions of the form `1.2.3`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
