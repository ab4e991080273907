import type { Outputs } from '../lib/trpc.ts';

type Analysis = Outputs['analyses']['get'];

/** `problemResolution` → `Problem resolution`. */
export function wordsOf(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const complianceLabels: Record<NonNullable<Analysis['complianceStatus']>, string> = {
  passed: 'Passed',
  failed: 'Failed',
  needs_review: 'Needs review',
  not_applicable: 'Not applicable',
};

/** Milliseconds as `8 s` or `2 min 5 s`. */
export function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
