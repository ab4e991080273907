import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

const day = pick(z.iso.date());

/** UTC calendar days, the unit of usage. */
export const BillingSearch = z.object({
  from: day,
  to: day,
  page,
});
export type BillingSearch = z.infer<typeof BillingSearch>;
