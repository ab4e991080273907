import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

/** `list`: shows the list also where there is one call alone, which opens by itself otherwise. */
export const EntitySearch = z.object({
  list: pick(z.boolean()),
  page,
});
