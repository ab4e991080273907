import { z } from 'zod';

export const TeamSearch = z.object({ page: z.int().min(1).optional().catch(undefined) });
