import { z } from 'zod';

export const ApiKeysSearch = z.object({ page: z.int().min(1).optional().catch(undefined) });
