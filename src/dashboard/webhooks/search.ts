import { z } from 'zod';

const page = z.int().min(1).optional().catch(undefined);

export const WebhooksSearch = z.object({
  tab: z.enum(['webhooks', 'integrations']).optional().catch(undefined),
  page,
});

export const WebhookSearch = z.object({
  status: z.enum(['pending', 'succeeded', 'failed']).optional().catch(undefined),
  page,
});
