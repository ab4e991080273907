import * as z from 'zod/mini';
import { page } from '../lib/search.ts';

export const ApiKeysSearch = z.object({ page: page });
