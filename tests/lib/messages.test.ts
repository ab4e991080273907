import { expect, it } from 'vitest';
import { z } from 'zod';
import { useReadableMessages } from '../../src/lib/messages.ts';

useReadableMessages();

const Order = z.strictObject({
  name: z.string().min(1).max(5).optional(),
  code: z.string().min(3).optional(),
  count: z.int().min(1).max(100).optional(),
  share: z.number().gt(0).lt(1).optional(),
  status: z.enum(['open', 'done']).optional(),
  tags: z.array(z.string()).min(2).max(3).optional(),
  kind: z.literal('call').optional(),
  mail: z.email().optional(),
  own: z.string().min(1, 'A name, please.').optional(),
  options: z.record(z.string(), z.string()).optional(),
});

it.each([
  [{ name: '' }, 'Must not be empty.'],
  [{ name: 'abcdef' }, 'Must have at most 5 characters.'],
  [{ code: 'a' }, 'Must have at least 3 characters.'],
  [{ count: 0 }, 'Must be at least 1.'],
  [{ count: 101 }, 'Must be at most 100.'],
  [{ count: '1' }, 'Must be a number.'],
  [{ count: 1.5 }, 'Must be an integer.'],
  [{ share: 0 }, 'Must be more than 0.'],
  [{ share: 1 }, 'Must be less than 1.'],
  [{ status: 'gone' }, 'Must be one of open, done.'],
  [{ tags: ['a'] }, 'Must have at least 2 entries.'],
  [{ tags: 7 }, 'Must be an array.'],
  [{ kind: 'mail' }, 'Must be call.'],
  [{ options: [] }, 'Must be an object.'],
  [{ mail: 'nobody' }, 'Invalid email address'],
  [{ own: '' }, 'A name, please.'],
  [{ colour: 'red' }, 'Unknown field `colour`.'],
  [{ nmae: 'Ann' }, 'Unknown field `nmae`. Did you mean `name`?'],
  [{ createdAt: '2026-01-01' }, '`createdAt` is set by the service and cannot be given.'],
  [{ Name: 'Ann', __colour: 1 }, 'Unknown field `Name`. Did you mean `name`?\nUnknown field `__colour`.'],
])('%j is told: %s', (given, message) => {
  expect(Order.safeParse(given).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

it('what is missing is required', () => {
  expect(z.object({ name: z.string() }).safeParse({}).error?.issues[0]?.message).toBe('Required.');
});
