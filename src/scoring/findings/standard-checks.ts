import type { CheckDetector } from '../../model/checks.ts';

/** The check of the standard rubric that each built-in detector answers. */
export const STANDARD_CHECKS = {
  company: 'greeting.company',
  ownName: 'greeting.name',
  understood: 'problem.understood',
  details: 'problem.details',
  resolved: 'problem.resolved',
  accepted: 'problem.accepted',
  respect: 'professionalism.respect',
  hold: 'professionalism.hold',
} as const satisfies Record<CheckDetector, string>;
