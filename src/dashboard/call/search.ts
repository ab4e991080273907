import { z } from 'zod';

/** `analysis`: a version that is not the current one. `t`: where to begin, in milliseconds. `tab`: what is shown of the call. */
export const CallSearch = z.object({
  analysis: z.string().optional().catch(undefined),
  t: z.int().min(0).optional().catch(undefined),
  tab: z.enum(['transcript', 'score', 'notes', 'details']).optional().catch(undefined),
});
