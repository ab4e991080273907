import { expect, it } from 'vitest';
import { createSemaphore } from '../../src/lib/semaphore.ts';

it('lets so many run at once, in the order in which they came, and goes on after a failure', async () => {
  const inTurn = createSemaphore(3);
  const begun: number[] = [];
  let [under, most] = [0, 0];
  const work = async (n: number): Promise<number> => {
    begun.push(n);
    most = Math.max(most, (under += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    under -= 1;
    if (n % 4 === 0) throw new Error(`${n} fails`);
    return n;
  };
  const all = Array.from({ length: 20 }, (_, n) => n);
  const settled = await Promise.allSettled(all.map((n) => inTurn(() => work(n))));
  expect(begun).toEqual(all);
  expect(most).toBe(3);
  expect(settled.map(({ status }) => status)).toEqual(all.map((n) => (n % 4 === 0 ? 'rejected' : 'fulfilled')));
  expect(await inTurn(() => work(1))).toBe(1);
});
