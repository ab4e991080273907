import { expect, it } from 'vitest';
import { createFairQueue } from '../../src/heavy-work/fair-queue.ts';

const waits = (orgId: string) => ({ orgId, isAwaited: false });
const awaited = (orgId: string) => ({ orgId, isAwaited: true });

it('organizations take turns, whatever one of them has waiting', () => {
  const queue = createFairQueue<string>({ share: 9, waitingMax: 9 });
  for (const item of ['a1', 'a2', 'a3']) queue.add(item, waits('a'));
  queue.add('b1', waits('b'));
  queue.add('c1', waits('c'));
  expect([1, 2, 3, 4, 5, 6].map(() => queue.take())).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', undefined]);
});

it('what nobody waits for leaves one place of the share to what somebody waits for', () => {
  const queue = createFairQueue<string>({ share: 3, waitingMax: 9 });
  for (const item of ['a1', 'a2', 'a3']) queue.add(item, waits('a'));
  for (const item of ['a4', 'a5']) queue.add(item, awaited('a'));
  expect([1, 2, 3, 4].map(() => queue.take())).toEqual(['a4', 'a5', undefined, undefined]);
  queue.done('a');
  expect([queue.take(), queue.take()]).toEqual(['a1', undefined]);
  queue.add('a6', awaited('a'));
  expect(queue.take()).toBe('a6');
});

it('none has more under way than its share, until something is done', () => {
  const queue = createFairQueue<string>({ share: 1, waitingMax: 9 });
  for (const item of ['a1', 'a2']) queue.add(item, waits('a'));
  expect([queue.take(), queue.take()]).toEqual(['a1', undefined]);
  queue.add('b1', waits('b'));
  expect(queue.take()).toBe('b1');
  queue.done('a');
  expect([queue.take(), queue.take()]).toEqual(['a2', undefined]);
});

it('what somebody waits for comes first, within the organization', () => {
  const queue = createFairQueue<string>({ share: 9, waitingMax: 9 });
  queue.add('a1', waits('a'));
  queue.add('b1', waits('b'));
  queue.add('a2', awaited('a'));
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['a2', 'b1', 'a1']);
});

it('refuses what is too much for one organization, and forgets nobody who still has something under way', () => {
  const queue = createFairQueue<string>({ share: 1, waitingMax: 2 });
  expect(['a1', 'a2', 'a3'].map((item) => queue.add(item, waits('a')))).toEqual([true, true, false]);
  expect(queue.add('b1', waits('b'))).toBe(true);
  expect(queue.take()).toBe('a1');
  expect(queue.clear().toSorted()).toEqual(['a2', 'b1']);
  queue.add('a4', waits('a'));
  expect(queue.take()).toBeUndefined();
  queue.done('a');
  expect(queue.take()).toBe('a4');
});
