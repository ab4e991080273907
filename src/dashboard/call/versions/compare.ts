import type { Analysis } from '../use-call-data.ts';

type Check = Analysis['checks'][number];
export type Comparison = {
  categories: { key: string; left: number | null; right: number | null }[];
  /** Answered differently, or present in only one of them. */
  checks: { key: string; title: string; left: Check | undefined; right: Check | undefined }[];
  sameCount: number;
};

export function compareAnalyses(left: Analysis, right: Analysis): Comparison {
  const categoryKeys = new Set([...Object.keys(left.categories), ...Object.keys(right.categories)]);
  const leftChecks = new Map(left.checks.map((check) => [check.key, check]));
  const rightChecks = new Map(right.checks.map((check) => [check.key, check]));
  const all = Array.from(new Set([...leftChecks.keys(), ...rightChecks.keys()]), (key) => {
    const [before, after] = [leftChecks.get(key), rightChecks.get(key)];
    return { key, title: after?.title ?? before?.title ?? key, left: before, right: after };
  });
  const checks = all.filter((check) => check.left?.answer !== check.right?.answer);
  return {
    categories: Array.from(categoryKeys, (key) => ({
      key,
      left: left.categories[key] ?? null,
      right: right.categories[key] ?? null,
    })),
    checks,
    sameCount: all.length - checks.length,
  };
}
