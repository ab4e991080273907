import * as z from 'zod/mini';
import { count, pick } from '../lib/search.ts';

/** `analysis`: a version other than the current one. `t`: start position in milliseconds. `tab`: the shown tab. */
export const CallSearch = z.object({
  analysis: pick(z.string()),
  t: pick(count(0)),
  tab: pick(z.enum(['transcript', 'score', 'notes', 'details'])),
});
