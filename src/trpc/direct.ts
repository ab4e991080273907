import { TRPCError } from '@trpc/server';
import { parse, type z } from 'zod';
import type { Context } from './init.ts';
import { readableInput } from './input.ts';

/** Carries out an operation: `read` is asked for the input once the sender is known to be allowed to. */
export type DirectCall = (ctx: Context, read: () => unknown) => Promise<unknown>;

/** Checks the sender, and runs the work with what the procedure adds to the context. */
type Enter = (ctx: Context, work: (added: object) => Promise<unknown>) => Promise<unknown>;

type Declared = { enter: Enter; input?: z.core.$ZodType; output?: z.core.$ZodType };
type Handler = (given: { ctx: object; input: unknown }) => unknown;

const calls = new WeakMap<object, DirectCall>();

/** How to carry out a procedure without tRPC; undefined for one that only tRPC can. */
export function directCallOf(procedure: object): DirectCall | undefined {
  return calls.get(procedure);
}

/**
 * A builder of tRPC that takes down what is declared with it. The chain of tRPC copies context and options eight times
 * for a call, which takes a tenth of a short request; where tRPC is not needed, what was taken down is carried out.
 */
export function takingDown<Builder extends object>(builder: Builder, declared: Declared): Builder {
  return new Proxy(builder, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (given: unknown) => follow({ name, given, built: method.call(target, given) as object, declared });
    },
  });
}

type Step = { name: string | symbol; given: unknown; built: object; declared: Declared };

function follow({ name, given, built, declared }: Step): object {
  switch (name) {
    case 'meta':
      return takingDown(built, declared);
    case 'input':
      // What is declared in several parts is left to tRPC, and so is whatever else a builder can do.
      return declared.input ? built : takingDown(built, { ...declared, input: given as z.core.$ZodType });
    case 'output':
      return takingDown(built, { ...declared, output: given as z.core.$ZodType });
    case 'query':
      calls.set(built, directCall(declared, given as Handler));
      return built;
    default:
      return built;
  }
}

function directCall({ enter, input, output }: Declared, handler: Handler): DirectCall {
  return (ctx, read) =>
    enter(ctx, async (added) => {
      const raw = readableInput(read());
      const answer = await handler({ ctx: { ...ctx, ...added }, input: input ? parsedInput(input, raw) : undefined });
      return output ? parsedOutput(output, answer) : answer;
    });
}

function parsedInput(schema: z.core.$ZodType, raw: unknown): unknown {
  try {
    return parse(schema, raw);
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
}

function parsedOutput(schema: z.core.$ZodType, answer: unknown): unknown {
  try {
    return parse(schema, answer);
  } catch (cause) {
    throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'Output validation failed', cause });
  }
}
