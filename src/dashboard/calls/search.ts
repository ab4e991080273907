import { z } from 'zod';

const pick = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** What the address of the list holds. A value that is not one is left out. */
export const CallsSearch = z.object({
  page: pick(z.int().min(1)),
  q: pick(z.string()),
  projectId: pick(z.string()),
  status: pick(z.enum(['pending', 'processing', 'completed', 'failed'])),
  from: pick(z.iso.date()),
  to: pick(z.iso.date()),
  sort: pick(z.enum(['createdAt', 'duration', 'qualityScore'])),
  order: pick(z.enum(['asc', 'desc'])),
});
export type CallsSearch = z.infer<typeof CallsSearch>;
