import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageQuery, pageWindow, toPage } from '../../src/lib/paging.ts';

const Query = z.object(pageQuery);

describe('paging', () => {
  it('begins with the first page of twenty', () => {
    expect(Query.parse({})).toEqual({ page: 1, pageSize: 20 });
  });

  it.each([
    { page: 0 },
    { page: -1 },
    { page: 1.5 },
    { page: 2 ** 53 },
    { page: '1' },
    { pageSize: 0 },
    { pageSize: 101 },
  ])('refuses %j', (query) => {
    expect(Query.safeParse(query).success).toBe(false);
  });

  it('never asks for more than a bigint can say, written out in full', () => {
    const { limit, offset } = pageWindow({ page: Number.MAX_SAFE_INTEGER, pageSize: 100 });
    expect(limit).toBe(100);
    expect(BigInt(offset) < 2n ** 63n).toBe(true);
    expect(String(offset)).toMatch(/^\d+$/);
    expect(pageWindow({ page: 1, pageSize: 7 })).toEqual({ limit: 7, offset: 0 });
    expect(pageWindow({ page: 3, pageSize: 7 })).toEqual({ limit: 7, offset: 14 });
  });

  it('tells which page it is and how many items there are in all', () => {
    expect(toPage(['a'], 8, { page: 2, pageSize: 7 })).toEqual({
      data: ['a'],
      meta: { page: 2, pageSize: 7, total: 8 },
    });
  });
});
