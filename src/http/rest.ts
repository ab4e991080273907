import type { AnyRouter } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { z } from 'zod';
import type { Permission } from '../auth/permissions.ts';
import type { Actor } from '../auth/principal.ts';
import { AppError, validationError } from '../lib/errors.ts';
import { fieldsNamedMax, unknownField } from '../lib/messages.ts';
import { assertStorable } from '../lib/storable.ts';
import { writeAnswer } from '../lib/plain-json.ts';
import type { Context, ProcedureMeta } from '../trpc/init.ts';
import type { Database } from '../db/scope.ts';
import { deprecationHeaders } from './deprecation.ts';
import { coercersOf, objectShape, type Coerce } from './coerce.ts';
import { answerOnce, readIdempotencyKey, sendAnswer, type Answer, type Repeating } from './idempotency.ts';
import { endpointsOf, isEnveloped, restPrefix, type Endpoint } from './endpoints.ts';
import { tagOf } from './entity-tag.ts';
import { bodyOf, PiecedBody } from './pieced-body.ts';
import { callIfMatching, guardsOf, readIfMatch, tellersOf, type Called, type Guard } from './preconditions.ts';
import { readQuery } from './query.ts';

/**
 * Registers a native route for every procedure with a REST address, from the declaration that RPC and the document use
 * too.
 */
export async function rest(app: FastifyInstance, { router }: { router: AnyRouter }): Promise<void> {
  const endpoints = endpointsOf(router);
  const guards = guardsOf(endpoints);
  const tellers = tellersOf(endpoints);
  for (const endpoint of endpoints) {
    const { path } = endpoint;
    addRoute(app, { endpoint, guard: guards.get(path), isTagged: tellers.has(path) });
  }
}

/** `isTagged`: the answer carries the tag of what was changed or made. */
type Route = { endpoint: Endpoint; guard: Guard | undefined; isTagged: boolean };

function addRoute(app: FastifyInstance, { endpoint, guard, isTagged }: Route): void {
  const { path, meta, inputs, call } = endpoint;
  const { permission, isPersonal = false, openapi } = meta;
  const deprecated = meta.deprecation ? deprecationHeaders(meta.deprecation) : null;
  const isKeyed = openapi.method === 'POST';
  const authorize = senderCheck({ path, permission, isPersonal, isKeyed });
  const readInput = inputReader(inputs, openapi);
  const answerWith = answerWriter(endpoint, isTagged);
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
      const condition = guard ? readIfMatch(req.headers) : null;
      const called = async (ctx: Context, db: Database): Promise<Called> => {
        if (!guard || !condition) return { ctx, answer: await call(ctx, read) };
        return callIfMatching({ req, db, endpoint, guard, condition, read });
      };
      const work = async (ctx: Context, db: Database) => answerWith(await called(ctx, db), req);
      const actor = key === null ? null : await authorize(req);
      const { services } = req.context;
      if (key === null || actor === null) return sendWritten(reply, await work(req.context, services.db));
      assertStorable(req.body);
      const keyed = { services, actor, key, content: [req.body], repeating };
      const answer = await answerOnce(req, keyed, async (db) => toAnswer(await work(req.context.on(db), db)));
      return sendAnswer(reply, isTagged ? tagReplayed(answer) : answer);
    },
  });
}

/** Makes an answer of what the procedure returned. */
function answerWriter({ meta, output }: Endpoint, isTagged: boolean) {
  const { successStatus = 200 } = meta;
  const location = meta.location && `${restPrefix}${meta.location}`;
  const isListing = isEnveloped(output);
  return ({ ctx: { reply }, answer }: Called, req: FastifyRequest): Written => {
    const { status = successStatus, headers } = reply;
    const isMade = status === 201 && hasId(answer);
    const pieces = status === 204 ? null : isListing ? writeAnswer(answer) : ['{"data":', ...writeAnswer(answer), '}'];
    return {
      status,
      headers: {
        ...(isMade && { Location: `${location ?? pathOf(req)}/${answer.id}` }),
        ...(isTagged && pieces && { ETag: tagOf(pieces) }),
        ...headers,
      },
      pieces,
    };
  };
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

/** Of a stored answer, the body is kept and not the tag, which follows from it. */
function tagReplayed(answer: Answer): Answer {
  const { status, headers, body, isReplayed = false } = answer;
  if (!isReplayed || status >= 300 || body === null) return answer;
  return { ...answer, headers: { ...headers, ETag: tagOf([body]) } };
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
      refuseBody(req.body);
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

/** For operations that take no body: an empty object is none. Throws VALIDATION_ERROR. */
export function refuseBody(body: unknown): void {
  refuseFields(asObject(body ?? {}), [], (name) => `Unknown field \`${name}\`. This operation takes no body.`);
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
