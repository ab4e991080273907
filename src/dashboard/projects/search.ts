import * as z from 'zod/mini';
import { page } from '../lib/search.ts';

export const ProjectsSearch = z.object({ page: page });
