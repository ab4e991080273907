import { deserialize } from 'superjson';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { listAsStored, plainJson } from '../../src/lib/plain-json.ts';
import { transformer } from '../../src/trpc/transformer.ts';

const createdAt = new Date('2026-01-31T12:00:00Z');

it('what superjson is told to leave alone arrives as it was, and dates beside it as dates', () => {
  const answer = {
    id: 'x',
    createdAt,
    segments: plainJson([{ text: 'hello', words: [{ startMs: 1 }] }]),
    none: undefined,
  };
  expect(deserialize(transformer.serialize(answer))).toEqual(answer);
  expect(transformer.serialize(answer).json).toMatchObject({ segments: [{ text: 'hello' }] });
  for (const other of [null, 'text', { createdAt }, [createdAt], { segments: [{ createdAt }] }]) {
    expect(deserialize(transformer.serialize(other))).toEqual(other);
  }
});

it('a stored list is not walked once more, and anything but a list is refused', () => {
  let walked = 0;
  const item = z.object({ text: z.string().refine(() => (walked += 1)) });
  const schema = z.object({ segments: listAsStored(item), name: z.string() }).meta({ description: 'An answer.' });
  const segments = [{ text: 'hello' }];
  const parsed = schema.parse({ segments, name: 'x', further: true });
  expect(parsed).toEqual({ segments, name: 'x' });
  expect(parsed.segments).toBe(segments);
  expect(walked).toBe(0);
  expect(schema.safeParse({ segments: 'none', name: 'x' }).success).toBe(false);
});
