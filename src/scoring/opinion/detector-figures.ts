import type { OpinionKey } from './signals.ts';

/** Right, of those that the rules passed. Made by `npm run train`. */
export const DETECTOR_PRECISIONS: Record<OpinionKey, [number, number]> = {
  'greeting.opens': [1182, 1183],
  'greeting.company': [616, 625],
  'greeting.name': [951, 956],
  'greeting.offer': [519, 519],
  'problem.understood': [874, 952],
  'problem.details': [377, 383],
  'problem.resolved': [268, 317],
  'problem.accepted': [928, 1093],
  'professionalism.courtesy': [1071, 1140],
  'professionalism.respect': [1281, 1375],
  'closing.more': [583, 584],
  'closing.thanks': [905, 912],
  'closing.farewell': [893, 899],
};
