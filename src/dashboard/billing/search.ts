import { z } from 'zod';

const day = z.iso.date().optional().catch(undefined);

/** Days of the calendar in UTC, which usage is counted by. */
export const BillingSearch = z.object({
  from: day,
  to: day,
  page: z.int().min(1).optional().catch(undefined),
});
export type BillingSearch = z.infer<typeof BillingSearch>;
