import { callTRPCProcedure } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/lib/errors.ts';
import { directCallOf } from '../../src/trpc/direct.ts';
import { toPublicError, type Context } from '../../src/trpc/init.ts';
import { orgProcedure, router } from '../../src/trpc/procedures.ts';

const output = z.object({ n: z.int(), by: z.string() });
const answers: Record<string, () => unknown> = {
  shown: () => ({ n: 1, by: 'us', hidden: 'secret' }),
  refused: () => {
    throw new AppError('CONFLICT', 'Not now.', { headers: { 'Retry-After': '1' } });
  },
  broken: () => {
    throw new Error('with data of somebody');
  },
  'of another shape': () => ({ n: 'one' }),
};
const given = z.strictObject({ answer: z.enum(Object.keys(answers)), times: z.int().default(1) });

const things = router({
  get: orgProcedure('records:read')
    .input(given)
    .output(output)
    .query(({ ctx, input }) => {
      seen.push(`${ctx.org.actor.userId} ${input.answer} × ${input.times}`);
      return answers[input.answer]?.() as z.infer<typeof output>;
    }),
  change: orgProcedure('records:update')
    .input(given)
    .output(z.void())
    .mutation(() => {}),
  inParts: orgProcedure('records:read')
    .input(z.object({ a: z.string() }))
    .input(z.object({ b: z.string() }))
    .output(z.string())
    .query(({ input }) => input.a + input.b),
});
const seen: string[] = [];

function contextOf(isAllowed: boolean): Context {
  return {
    acting: async (permission: string, work: (org: object) => Promise<unknown>) => {
      seen.push(permission);
      if (!isAllowed) throw new AppError('FORBIDDEN', 'Your role does not allow this action.');
      return work({ actor: { userId: 'usr_1' } });
    },
    reply: { headers: {} },
  } as unknown as Context;
}

async function outcomeOf(call: () => Promise<unknown> | undefined) {
  seen.length = 0;
  try {
    return { answer: await call(), seen: [...seen] };
  } catch (error) {
    return { error: toPublicError(error), seen: [...seen] };
  }
}

const { get, change, inParts } = things._def.procedures;
const byTrpc = (ctx: Context, raw: unknown) =>
  callTRPCProcedure({
    router: things,
    path: 'get',
    type: 'query',
    ctx,
    getRawInput: async () => raw,
    signal: undefined,
    batchIndex: 0,
  });

describe('what is carried out without tRPC', () => {
  it.each([
    ['an answer, without what is not declared', { answer: 'shown' }, true],
    ['what is given instead of a default', { answer: 'shown', times: 3 }, true],
    ['a refusal, with its headers', { answer: 'refused' }, true],
    ['an unexpected error, without its message', { answer: 'broken' }, true],
    ['an answer of another shape', { answer: 'of another shape' }, true],
    ['an input of another shape', { answer: 'shown', times: 'three', more: 1 }, true],
    ['no input', undefined, true],
    ['an input that cannot be stored', { answer: 'sho\0wn' }, true],
    ['a sender who may not, whatever the input', { answer: 4 }, false],
  ])('ends as with tRPC: %s', async (_name, raw, isAllowed) => {
    const direct = await outcomeOf(() => directCallOf(get)?.(contextOf(isAllowed), () => raw));
    expect(direct).toEqual(await outcomeOf(() => byTrpc(contextOf(isAllowed), raw)));
    expect(direct.seen[0]).toBe('records:read');
  });

  it('asks for the input of nobody who may not', async () => {
    let isAsked = false;
    const read = () => (isAsked = true);
    await expect(directCallOf(get)?.(contextOf(false), read)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(isAsked).toBe(false);
  });

  it('is neither a change nor what is declared in parts', () => {
    expect([change, inParts].map(directCallOf)).toEqual([undefined, undefined]);
  });
});
