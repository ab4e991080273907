import { callTRPCProcedure, type AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import { directCallOf } from './direct.ts';
import type { Context, ProcedureMeta } from './init.ts';

/** What was declared of a procedure. tRPC keeps it under `_def`, which is read here alone. */
export type Definition = {
  path: string;
  type: 'query' | 'mutation' | 'subscription';
  meta: ProcedureMeta | undefined;
  inputs: z.core.$ZodType[];
  output: z.core.$ZodType | undefined;
};

export type Procedure = Definition & {
  /** `read` is asked for the input once whoever sends it is known to be allowed to. Throws a TRPCError. */
  call(ctx: Context, read: () => unknown): Promise<unknown>;
};

export function proceduresOf(router: AnyRouter): Procedure[] {
  const procedures = router._def.procedures as Record<string, { _def: Omit<Definition, 'path'> }>;
  return Object.entries(procedures).map(([path, procedure]) => {
    const { type, meta, inputs, output } = procedure._def;
    const called = { router, path, type, signal: undefined, batchIndex: 0 };
    const call: Procedure['call'] =
      directCallOf(procedure) ??
      ((ctx, read) => callTRPCProcedure({ ...called, ctx, getRawInput: async () => read() }));
    return { path, type, meta, inputs, output, call };
  });
}
