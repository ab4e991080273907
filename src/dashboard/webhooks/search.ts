import * as z from 'zod/mini';
import { page, pick } from '../lib/search.ts';

export const WebhooksSearch = z.object({
  tab: pick(z.enum(['webhooks', 'integrations'])),
  page,
});

export const WebhookSearch = z.object({
  status: pick(z.enum(['pending', 'succeeded', 'failed'])),
  page,
});
