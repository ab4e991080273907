import type { FastifyInstance } from 'fastify';
import { appRouter } from '../api/router.ts';
import { validationError } from '../lib/errors.ts';
import { transformer } from '../trpc/transformer.ts';
import { answerAhead } from './answer-ahead.ts';
import { endpointsOf } from './endpoints.ts';
import { callIfMatching, guardsOf, readIfMatch, tagsOfBytes } from './preconditions.ts';

/**
 * Answers mutations with `If-Match` as tRPC would, in the transaction that compares the tag. Answers over RPC have no
 * tags: the `updatedAt` of what was read is one, in quotation marks, so that counters which grow do not stand in the way.
 */
export function answerConditionalOnes(app: FastifyInstance): void {
  const endpoints = endpointsOf(appRouter);
  const guards = guardsOf(endpoints);
  const calls = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));

  answerAhead<{ path?: string }, { batch?: unknown }>(app, async (req) => {
    const condition = req.method === 'POST' ? readIfMatch(req.headers) : null;
    if (!condition) return undefined;
    if (req.query.batch !== undefined) {
      throw validationError('headers.If-Match', '`If-Match` is about one call: send it alone, not in a batch.');
    }
    const { path = '' } = req.params;
    const endpoint = calls.get(path);
    const guard = guards.get(path);
    if (!endpoint || !guard) return undefined;
    const input = readInput(req.body);
    const { db } = req.context.services;
    const { answer } = await callIfMatching({
      req,
      db,
      endpoint,
      guard,
      condition,
      read: () => input,
      tagsOf: editionsOf,
    });
    return JSON.stringify({ result: { data: transformer.serialize(answer) } });
  });
}

function readInput(body: unknown): unknown {
  try {
    return transformer.deserialize(JSON.parse(String(body)));
  } catch {
    throw validationError('input', 'The input is not valid JSON.');
  }
}

function editionsOf(answer: unknown): string[] {
  const bytes = tagsOfBytes(answer);
  const isDated = typeof answer === 'object' && answer !== null && 'updatedAt' in answer;
  return isDated && answer.updatedAt instanceof Date ? [`"${answer.updatedAt.toISOString()}"`, ...bytes] : bytes;
}
