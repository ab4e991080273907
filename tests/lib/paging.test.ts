import { describe, expect, it } from 'vitest';
import { listInput, pageWindow, toPage } from '../../src/lib/paging.ts';

const Query = listInput({ sorts: ['createdAt', 'name'], order: 'asc' }, {});

describe('paging', () => {
  it('begins with the first page of twenty', () => {
    expect(Query.parse({})).toEqual({ page: 1, pageSize: 20, sort: 'createdAt', order: 'asc' });
  });

  it.each([
    { page: 0 },
    { page: -1 },
    { page: 1.5 },
    { page: 2 ** 53 },
    { page: '1' },
    { pageSize: 0 },
    { pageSize: 101 },
    { sort: 'id' },
    { order: 'up' },
    { from: '2026-02-30' },
    { from: '2026-01-02', to: '2026-01-01' },
    { pagesize: 20 },
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
    const request = { page: 2, pageSize: 7, sort: 'createdAt', order: 'asc' } as const;
    expect(toPage([{ id: 'a' }], 8, request)).toEqual({
      data: [{ id: 'a' }],
      meta: { page: 2, pageSize: 7, total: 8, nextCursor: null },
    });
  });
});
