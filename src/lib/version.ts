import { createRequire } from 'node:module';

export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** Below 0 where `a` is the older release, above where it is the newer one. Of versions `1.2.3`, numbers alone. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
