import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

/** `rule`: the rule whose firings are shown; `page`: page of the firings; `rules`: page of the rules. */
export const AlertsSearch = z.object({
  rule: pick(z.string()),
  page,
  rules: page,
});
