import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

/** `list`: shows the list even for a single call, which otherwise opens by itself. */
export const EntitySearch = z.object({
  list: pick(z.boolean()),
  page,
});
