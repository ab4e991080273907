import { z } from 'zod';

/** `list`: shows the list also where there is one call alone, which opens by itself otherwise. */
export const EntitySearch = z.object({
  list: z.boolean().optional().catch(undefined),
  page: z.int().min(1).optional().catch(undefined),
});
