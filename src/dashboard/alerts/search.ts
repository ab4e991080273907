import { z } from 'zod';

/** `rule`: whose firings are shown; `page` of them. `rules`: page of the rules. */
export const AlertsSearch = z.object({
  rule: z.string().optional().catch(undefined),
  page: z.int().min(1).optional().catch(undefined),
  rules: z.int().min(1).optional().catch(undefined),
});
