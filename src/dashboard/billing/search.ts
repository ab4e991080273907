import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

const day = pick(z.iso.date());

/** Days of the calendar in UTC, which usage is counted by. */
export const BillingSearch = z.object({
  from: day,
  to: day,
  page,
});
export type BillingSearch = z.infer<typeof BillingSearch>;
