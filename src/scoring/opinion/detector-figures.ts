import type { OpinionKey } from './signals.ts';

/** Right, of those that the rules passed. Made by `npm run train`. */
export const DETECTOR_PRECISIONS: Record<OpinionKey, [number, number]> = {
  'greeting.opens': [5899, 5912],
  'greeting.company': [2476, 2558],
  'greeting.name': [3949, 4020],
  'greeting.offer': [1934, 1958],
  'problem.understood': [4349, 4647],
  'problem.details': [1220, 1324],
  'problem.resolved': [1121, 1319],
  'problem.accepted': [4660, 5317],
  'professionalism.courtesy': [4514, 5040],
  'professionalism.respect': [6719, 7066],
  'closing.more': [1736, 1771],
  'closing.thanks': [2832, 2859],
  'closing.farewell': [4325, 4334],
};
