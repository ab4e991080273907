import type { OpinionKey } from './signals.ts';

/** Right, of those that the rules passed. Made by `npm run train`. */
export const DETECTOR_PRECISIONS: Record<OpinionKey, [number, number]> = {
  'greeting.opens': [691, 691],
  'greeting.company': [378, 382],
  'greeting.name': [579, 581],
  'greeting.offer': [296, 296],
  'problem.understood': [519, 574],
  'problem.details': [220, 221],
  'problem.resolved': [152, 172],
  'problem.accepted': [539, 653],
  'professionalism.courtesy': [624, 666],
  'professionalism.respect': [742, 789],
  'closing.more': [333, 334],
  'closing.thanks': [549, 554],
  'closing.farewell': [520, 526],
};
