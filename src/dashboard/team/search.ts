import * as z from 'zod/mini';
import { page } from '../lib/search.ts';

export const TeamSearch = z.object({ page: page });
