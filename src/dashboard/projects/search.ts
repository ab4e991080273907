import { z } from 'zod';

export const ProjectsSearch = z.object({ page: z.int().min(1).optional().catch(undefined) });
