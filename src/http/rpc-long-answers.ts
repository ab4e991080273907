import type { FastifyInstance } from 'fastify';
import { writeAnswer } from '../lib/plain-json.ts';
import { appRouter } from '../api/router.ts';
import { proceduresOf } from '../trpc/definitions.ts';
import { transformer } from '../trpc/transformer.ts';
import { answerAhead } from './answer-ahead.ts';
import { bodyOf } from './pieced-body.ts';

/** Their answers hold a whole call, or a hundred rubrics. */
const paths = new Set(['records.transcript', 'analyses.get', 'profiles.list']);

/**
 * Answers these procedures as tRPC would if they are called alone, but copies long lists into the answer as they are
 * stored. Requests that it cannot parse are left to tRPC, which rejects them properly.
 */
export function answerLongOnes(app: FastifyInstance): void {
  const calls = new Map(proceduresOf(appRouter).map(({ path, call }) => [path, call]));

  answerAhead<{ path?: string }, Query>(app, async (req) => {
    const { path = '' } = req.params;
    const call = paths.has(path) ? calls.get(path) : undefined;
    const asked = call && req.method === 'GET' ? readInput(req.query) : undefined;
    if (!call || !asked) return undefined;
    const output = await call(req.context, () => asked.input);
    const answer = ['{"result":{"data":', ...writeSerialized(output), '}}'];
    return bodyOf(asked.isBatch ? ['[', ...answer, ']'] : answer);
  });
}

type Query = { batch?: unknown; input?: unknown };

function readInput({ batch, input }: Query): { isBatch: boolean; input: unknown } | undefined {
  if (typeof input !== 'string' || (batch !== undefined && batch !== '1')) return undefined;
  try {
    const given: unknown = JSON.parse(input);
    const isBatch = batch === '1';
    const only = isBatch ? (given as { 0: unknown })[0] : given;
    return { isBatch, input: transformer.deserialize(only as Parameters<typeof transformer.deserialize>[0]) };
  } catch {
    return undefined;
  }
}

/** What the transformer produces: the JSON, and the positions of its dates. */
function writeSerialized(output: unknown): string[] {
  let meta = '';
  const json = writeAnswer(output, (rest) => {
    const serialized = transformer.serialize(rest);
    if (serialized.meta) meta = `,"meta":${JSON.stringify(serialized.meta)}`;
    return JSON.stringify(serialized.json);
  });
  return ['{"json":', ...json, meta, '}'];
}
