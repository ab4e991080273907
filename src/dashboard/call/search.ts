import * as z from 'zod/mini';
import { count, pick } from '../lib/search.ts';

/** `analysis`: a version that is not the current one. `t`: where to begin, in milliseconds. `tab`: what is shown of the call. */
export const CallSearch = z.object({
  analysis: pick(z.string()),
  t: pick(count(0)),
  tab: pick(z.enum(['transcript', 'score', 'notes', 'details'])),
});
