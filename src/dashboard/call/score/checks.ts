import type { Analysis } from '../use-call-data.ts';

export type Check = Analysis['checks'][number];
export type NumberedCheck = Check & { number: number };
export type CheckGroup = { key: string; score: number | null; automatic: number | null; checks: NumberedCheck[] };

/** The checks grouped by category, numbered from 1 as on the screen. */
export function groupChecks({ categories, automatic, checks }: Analysis): CheckGroup[] {
  let number = 0;
  return Object.entries(categories).map(([key, score]) => ({
    key,
    score,
    automatic: automatic.categories[key] ?? null,
    checks: checks.filter(({ category }) => category === key).map((check) => ({ ...check, number: ++number })),
  }));
}

export function checkElementId(key: string): string {
  return `check-${key}`;
}
