import type { OpinionKey } from './signals.ts';

/** Right, of those that the rules passed. Made by `npm run train`. */
export const DETECTOR_PRECISIONS: Record<OpinionKey, [number, number]> = {
  'greeting.opens': [1780, 1784],
  'greeting.company': [863, 875],
  'greeting.name': [1395, 1406],
  'greeting.offer': [726, 726],
  'problem.understood': [1258, 1365],
  'problem.details': [461, 470],
  'problem.resolved': [382, 433],
  'problem.accepted': [1429, 1618],
  'professionalism.courtesy': [1502, 1622],
  'professionalism.respect': [1933, 2047],
  'closing.more': [737, 743],
  'closing.thanks': [1163, 1174],
  'closing.farewell': [1276, 1284],
};
