import type { AnyRouter } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { z } from 'zod';
import type { Permission } from '../auth/permissions.ts';
import type { Actor } from '../auth/principal.ts';
import { AppError, validationError } from '../lib/errors.ts';
import { fieldsNamedMax, unknownField } from '../lib/messages.ts';
import { assertStorable } from '../lib/storable.ts';
import { writeAnswer } from '../lib/plain-json.ts';
import { proceduresOf, type Procedure } from '../trpc/definitions.ts';
import type { Context, ProcedureMeta, RestMeta } from '../trpc/init.ts';
import { deprecationHeaders } from './deprecation.ts';
import { coercersOf, objectShape, type Coerce } from './coerce.ts';
import { answerOnce, readIdempotencyKey, sendAnswer, type Answer, type Repeating } from './idempotency.ts';
import { bodyOf, PiecedBody } from './pieced-body.ts';
import { readQuery } from './query.ts';

export const restPrefix = '/api/v1';

type Endpoint = Procedure & { meta: RestMeta };

/**
 * Registers a native route for every procedure with a REST address, from the declaration that RPC and the document use
 * too.
 */
export async function rest(app: FastifyInstance, { router }: { router: AnyRouter }): Promise<void> {
  for (const endpoint of endpointsOf(router)) addRoute(app, endpoint);
}

export function endpointsOf(router: AnyRouter): Endpoint[] {
  return proceduresOf(router).flatMap(({ meta, ...rest }) => (meta?.openapi ? [{ ...rest, meta }] : []));
}

/** Lists return `data` and `meta` themselves; everything else is wrapped. Decided by the schema, not the value. */
export function isEnveloped(output: z.core.$ZodType | undefined): boolean {
  const shape = output ? objectShape(output) : {};
  return 'data' in shape && 'meta' in shape;
}

function addRoute(app: FastifyInstance, endpoint: Endpoint): void {
  const { path, meta, inputs, output, call } = endpoint;
  const { permission, isPersonal = false, successStatus = 200, openapi } = meta;
  const deprecated = meta.deprecation ? deprecationHeaders(meta.deprecation) : null;
  const location = meta.location && `${restPrefix}${meta.location}`;
  const isKeyed = openapi.method === 'POST';
  const authorize = senderCheck({ path, permission, isPersonal, isKeyed });
  const readInput = inputReader(inputs, openapi);
  const isListing = isEnveloped(output);
  const repeating = repeatingOf(meta);
  app.route({
    method: openapi.method as HTTPMethods,
    url: `${restPrefix}${openapi.path.replace(/\{(\w+)\}/g, ':$1')}`,
    // Before the body is read, so a refused request costs nothing.
    onRequest: async (req, reply) => {
      if (deprecated) reply.headers(deprecated);
      await authorize(req);
    },
    handler: async (req, reply) => {
      let raw: Record<string, unknown> | undefined;
      const read = () => (raw ??= readInput(req));
      const key = isKeyed ? readIdempotencyKey(req) : null;
      const work = async (ctx: Context) => answerWith(await call(ctx, read), ctx, req);
      const actor = key === null ? null : await authorize(req);
      if (key === null || actor === null) return sendWritten(reply, await work(req.context));
      assertStorable(req.body);
      const keyed = { services: req.context.services, actor, key, content: [req.body], repeating };
      return sendAnswer(reply, await answerOnce(req, keyed, async (db) => toAnswer(await work(req.context.on(db)))));
    },
  });

  function answerWith(answer: unknown, { reply }: Context, req: FastifyRequest): Written {
    const { status = successStatus, headers } = reply;
    const isMade = status === 201 && hasId(answer);
    return {
      status,
      headers: isMade ? { Location: `${location ?? pathOf(req)}/${answer.id}`, ...headers } : headers,
      pieces: status === 204 ? null : isListing ? writeAnswer(answer) : ['{"data":', ...writeAnswer(answer), '}'],
    };
  }
}

type Sender = { path: string; permission: Permission | undefined; isPersonal: boolean; isKeyed: boolean };

/** Who may send the request, before its body is read; null for what concerns the person, in no organization. */
function senderCheck({
  path,
  permission,
  isPersonal,
  isKeyed,
}: Sender): (req: FastifyRequest) => Promise<Actor | null> {
  if (permission) return (req) => req.context.authorize(permission);
  // Keys belong to an organization.
  if (!isPersonal || isKeyed) throw new Error(`${path} has no permission.`);
  return async (req) => {
    await req.context.authenticate();
    return null;
  };
}

/** An answer whose body may be in pieces, if it is long. */
type Written = Omit<Answer, 'body'> & { pieces: string[] | null };

function toAnswer({ pieces, ...answer }: Written): Answer {
  return { ...answer, body: pieces?.join('') ?? null };
}

function sendWritten(reply: FastifyReply, written: Written): FastifyReply {
  const body = written.pieces && bodyOf(written.pieces);
  if (!(body instanceof PiecedBody)) return sendAnswer(reply, { ...written, body });
  return reply.code(written.status).headers(written.headers).type('application/json; charset=utf-8').send(body);
}

function repeatingOf({ showsSecret, changesNothing }: ProcedureMeta): Repeating {
  if (changesNothing) return 'harmless';
  return showsSecret ? 'withheld' : 'once';
}

/**
 * Reads path, and query or body, into the input of the procedure. Throws VALIDATION_ERROR for data where the operation
 * reads none.
 */
function inputReader(
  schemas: z.core.$ZodType[],
  { method, path }: { method: string; path: string },
): (req: FastifyRequest) => Record<string, unknown> {
  const coercers = new Map(schemas.flatMap((schema) => [...coercersOf(schema)]));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const fields = schemas.flatMap((schema) => Object.keys(objectShape(schema))).filter((name) => !inPath.includes(name));
  const readParams = (req: FastifyRequest) => coerceAll(req.params as Record<string, unknown>, coercers);
  if (method === 'GET' || method === 'DELETE') {
    return (req) => {
      refuseFields(asObject(req.body ?? {}), [], (name) => `Unknown field \`${name}\`. This operation takes no body.`);
      return { ...coerceAll(readQuery(req, fields), coercers), ...readParams(req) };
    };
  }
  return (req) => {
    readQuery(req, []);
    if (method === 'PATCH' && req.body === undefined) {
      throw validationError('body', 'Send a JSON object with the fields to change.');
    }
    const body = asObject(req.body === undefined ? {} : req.body);
    refusePathFields(body, { known: fields, inPath });
    return { ...body, ...readParams(req) };
  };
}

function coerceAll(given: Record<string, unknown>, coercers: Map<string, Coerce>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([key, text]) => [key, coercers.get(key)?.(text) ?? text]));
}

function asObject(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw validationError('body', 'The body must be a JSON object.');
}

type Fields = { known: string[]; inPath: string[] };

/** Path parameters must not appear in the body; the schema, which combines the two, would not object. */
function refusePathFields(body: Record<string, unknown>, { known, inPath }: Fields): void {
  if (!inPath.some((name) => Object.hasOwn(body, name))) return;
  refuseFields(body, known, (name) =>
    inPath.includes(name) ? `\`${name}\` stands in the address and cannot be given.` : unknownField(name, known),
  );
}

function refuseFields(body: Record<string, unknown>, known: string[], messageOf: (name: string) => string): void {
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const details = unknown.slice(0, fieldsNamedMax).map((path) => ({ path, message: messageOf(path) }));
  throw new AppError('VALIDATION_ERROR', 'The request is not valid.', { details });
}

/** The requested path, where created items are found. */
function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function hasId(output: unknown): output is { id: string } {
  return typeof output === 'object' && output !== null && 'id' in output && typeof output.id === 'string';
}
