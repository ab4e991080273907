import type { OpinionKey } from './signals.ts';

/** Right, of those that the rules passed. Made by `npm run train`. */
export const DETECTOR_PRECISIONS: Record<OpinionKey, [number, number]> = {
  'greeting.opens': [949, 949],
  'greeting.company': [508, 517],
  'greeting.name': [790, 794],
  'greeting.offer': [428, 428],
  'problem.understood': [711, 781],
  'problem.details': [295, 297],
  'problem.resolved': [221, 256],
  'problem.accepted': [738, 879],
  'professionalism.courtesy': [862, 917],
  'professionalism.respect': [1023, 1094],
  'closing.more': [477, 478],
  'closing.thanks': [753, 759],
  'closing.farewell': [726, 732],
};
