import { initTRPC, TRPCError } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { proceduresOf } from '../../src/trpc/definitions.ts';
import type { Context } from '../../src/trpc/init.ts';

const t = initTRPC.context<{ seen: string[] }>().meta<{ permission?: string }>().create();
const input = z.strictObject({ n: z.number() });
const output = z.object({ n: z.number(), by: z.string() });
const router = t.router({
  twice: t.procedure
    .meta({ permission: 'x' })
    .use(({ ctx, next, meta, path, type }) => {
      ctx.seen.push(`${path} ${type} ${meta?.permission}`);
      return next({ ctx: { by: 'first' } });
    })
    .input(input)
    .output(output)
    .mutation(({ ctx, input }) => {
      if (input.n < 0) throw new TRPCError({ code: 'CONFLICT', message: 'below' });
      return { n: input.n * 2, by: ctx.by, secret: 1 };
    }),
});

async function call(raw: unknown) {
  const seen: string[] = [];
  const ctx = { seen } as unknown as Context;
  try {
    return { seen, output: await proceduresOf(router)[0]?.call(ctx, () => raw) };
  } catch (error) {
    return { seen, code: error instanceof TRPCError ? error.code : error };
  }
}

describe('what we borrow of tRPC', () => {
  it('is what was declared of a procedure, under `_def`', () => {
    expect(
      proceduresOf(router),
      'tRPC keeps what was declared of a procedure elsewhere: see trpc/definitions.ts.',
    ).toEqual([
      {
        path: 'twice',
        type: 'mutation',
        meta: { permission: 'x' },
        inputs: [input],
        output,
        call: expect.any(Function),
      },
    ]);
  });

  it.each([
    [{ n: 3 }, { output: { n: 6, by: 'first' } }],
    [{ n: -1 }, { code: 'CONFLICT' }],
    [{ n: 'three' }, { code: 'BAD_REQUEST' }],
    [undefined, { code: 'BAD_REQUEST' }],
  ])('calls it with its middlewares, and its input and output parsed: %j', async (raw, expected) => {
    expect(await call(raw)).toEqual({ seen: ['twice mutation x'], ...expected });
  });
});
