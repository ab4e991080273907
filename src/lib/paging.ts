import { z } from 'zod';

/** Query parameters of every list. */
export const pageQuery = {
  page: z.int().min(1).default(1).meta({ description: 'Page number, from 1.' }),
  pageSize: z.int().min(1).max(100).default(20).meta({ description: 'Items a page, at most 100.' }),
};

export const order = z
  .enum(['asc', 'desc'])
  .default('desc')
  .meta({ description: 'Direction of the sort. Nulls come last.' });

export type PageRequest = { page: number; pageSize: number };

const PageMeta = z
  .object({
    page: z.int(),
    pageSize: z.int(),
    total: z.int().meta({ description: 'Exact number of items over all pages.' }),
  })
  .meta({ id: 'PageMeta' });

export type Page<T> = { data: T[]; meta: { page: number; pageSize: number; total: number } };

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: PageMeta });
}

export function toPage<T>(data: T[], total: number, { page, pageSize }: PageRequest): Page<T> {
  return { data, meta: { page, pageSize, total } };
}

/** Limit and offset in SQL. The offset stays below bigint for every safe integer `page`. */
export function pageWindow({ page, pageSize }: PageRequest): { limit: number; offset: number } {
  return { limit: pageSize, offset: (page - 1) * pageSize };
}
