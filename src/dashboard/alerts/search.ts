import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

/** `rule`: whose firings are shown; `page` of them. `rules`: page of the rules. */
export const AlertsSearch = z.object({
  rule: pick(z.string()),
  page,
  rules: page,
});
