import type { IncomingHttpHeaders } from 'node:http';
import { safeParse } from 'zod';
import type { FastifyRequest } from 'fastify';
import { lockById, lockOrg } from '../db/row-locks.ts';
import type { Database } from '../db/scope.ts';
import { AppError, validationError } from '../lib/errors.ts';
import { writeAnswer } from '../lib/plain-json.ts';
import { publicErrorOf } from './errors.ts';
import { tagOf, withCodings } from './entity-tag.ts';
import { isEnveloped, type Endpoint } from './endpoints.ts';
import type { Procedure } from '../trpc/definitions.ts';
import type { Context } from '../trpc/init.ts';
import { readableInput } from '../trpc/input.ts';

/** What `If-Match` asks for: one of these tags, or that there is anything. */
export type Condition = ReadonlySet<string> | 'anything';

/** How to read what an operation changes. */
export type Guard = {
  reader: Procedure;
  /** The parameters of its address, the last of which names what is locked: the organization if there are none. */
  names: string[];
};

/**
 * By path of the procedure, for every operation that changes what can be read alone: PATCH, DELETE or POST at an
 * address that answers GET with one resource, or where the declaration names that address (`changes`).
 */
export function guardsOf(endpoints: readonly Endpoint[]): Map<string, Guard> {
  const readers = readersOf(endpoints);
  return new Map(
    endpoints.flatMap(({ path, meta }) => {
      const address = meta.changes ?? meta.openapi.path;
      const reader = meta.openapi.method === 'GET' ? undefined : readers.get(address);
      if (!reader) return [];
      const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      return [[path, { reader, names }] as const];
    }),
  );
}

/** The paths of procedures that change or make something and answer with what a reader would read from then on. */
export function tellersOf(endpoints: readonly Endpoint[]): Set<string> {
  const outputs = new Map([...readersOf(endpoints)].map(([address, { output }]) => [unnamed(address), output]));
  const told = endpoints.filter(({ output, meta }) => {
    if (meta.openapi.method === 'GET' || output === undefined) return false;
    const address = unnamed(meta.changes ?? meta.openapi.path);
    return [address, `${unnamed(meta.location ?? address)}/{}`].some((each) => outputs.get(each) === output);
  });
  return new Set(told.map(({ path }) => path));
}

/** By address, what reads one resource. */
function readersOf(endpoints: readonly Endpoint[]): Map<string, Endpoint> {
  const readers = endpoints.filter(({ meta, output }) => meta.openapi.method === 'GET' && !isEnveloped(output));
  return new Map(readers.map((endpoint) => [endpoint.meta.openapi.path, endpoint]));
}

function unnamed(address: string): string {
  return address.replace(/\{\w+\}/g, '{}');
}

/** Null without `If-Match`. Throws VALIDATION_ERROR for what is no list of entity tags (RFC 9110, section 13.1.1). */
export function readIfMatch(headers: IncomingHttpHeaders): Condition | null {
  const header = headers['if-match'];
  if (header === undefined) return null;
  if (header.trim() === '*') return 'anything';
  if (!tagList.test(header)) {
    throw validationError('headers.If-Match', '`If-Match` is `*`, or entity tags in quotation marks: `"abc", "def"`.');
  }
  return new Set(header.match(tag));
}

const tag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
const tagList =
  /^[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?)*[ \t]*$/;

type Conditional = {
  req: FastifyRequest;
  /** Where the change belongs: the service's database, or part of a transaction. */
  db: Database;
  endpoint: Procedure;
  guard: Guard;
  condition: Condition;
  read: () => unknown;
  /** The tags of what the reader answers. */
  tagsOf?: (answer: unknown) => string[];
};

/**
 * Calls the operation if what it changes is as the condition says; locked and compared in the transaction of the
 * change. Throws PRECONDITION_FAILED. A request that is refused without the condition is refused as it would be then.
 */
export async function callIfMatching(conditional: Conditional): Promise<Called> {
  const { req, db, endpoint, guard, condition, read, tagsOf = tagsOfBytes } = conditional;
  const { permission } = endpoint.meta ?? {};
  const on = (db: Database): Context => ({ ...req.context.on(db), reply: { headers: {} } });
  const input = read();
  if (!permission || !isGood(endpoint, input)) {
    const ctx = on(db);
    return { ctx, answer: await endpoint.call(ctx, read) };
  }
  const { orgId } = await req.context.authorize(permission);
  return db.together(orgId, async (db, tx) => {
    const named = Object.fromEntries(guard.names.map((name) => [name, (input as Record<string, unknown>)[name]]));
    const name = guard.names.at(-1);
    await (name === undefined ? lockOrg(tx) : lockById(tx, String(named[name])));
    const present = await answerOf(guard, { ctx: on(db), input: named });
    if (present && condition !== 'anything' && !tagsOf(present.answer).some((each) => condition.has(each)))
      throw failed();
    const ctx = on(db);
    const answer = await endpoint.call(ctx, read);
    // Thrown only now: where nothing is found, the operation has the first word, and nothing of it is kept.
    if (!present) throw failed();
    return { ctx, answer };
  });
}

function isGood({ inputs }: Procedure, input: unknown): boolean {
  try {
    const given = readableInput(input);
    return inputs.every((schema) => safeParse(schema, given).success);
  } catch {
    return false;
  }
}

export type Called = { ctx: Context; answer: unknown };

/** Null if there is nothing. */
async function answerOf({ reader }: Guard, { ctx, input }: { ctx: Context; input: unknown }) {
  try {
    return { answer: await reader.call(ctx, () => input) };
  } catch (error) {
    if (publicErrorOf(error).status === 404) return null;
    throw error;
  }
}

/** Tags are compared strongly: `W/` matches nothing. Those of compressed answers stand for the same content. */
export function tagsOfBytes(answer: unknown): string[] {
  return withCodings(tagOf(['{"data":', ...writeAnswer(answer), '}']));
}

export const staleMessage =
  'This has changed since you read it. Read it again, and decide whether your change still stands.';

function failed(): AppError {
  return new AppError('PRECONDITION_FAILED', staleMessage);
}
