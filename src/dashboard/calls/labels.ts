import type { Call } from './use-calls.ts';

export const statusLabels: Record<Call['status'], string> = {
  pending: 'Waiting',
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
};

export const complianceLabels: Record<NonNullable<Call['complianceStatus']>, string> = {
  passed: 'Passed',
  failed: 'Failed',
  needs_review: 'Needs review',
  not_applicable: 'Not applicable',
};
