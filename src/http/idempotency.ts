import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../auth/principal.ts';
import {
  claimKey,
  findKey,
  keepAnswer,
  type KeptAnswer,
  type KeyedRequest,
  type KeyState,
} from '../db/idempotency-keys.ts';
import type { Database } from '../db/scope.ts';
import type { Services } from '../deps.ts';
import { AppError, validationError } from '../lib/errors.ts';
import { isStorable } from '../lib/storable.ts';
import { errorBody, publicErrorOf } from './errors.ts';

/** What a request is answered with. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** This is the stored answer to an earlier request with the same key. */
  isReplayed?: boolean;
};

/**
 * How a repeated request is handled. `once`: recognized by method, address and content. `withheld`: the same, but the
 * answer holds a secret and is not stored. `harmless`: the request changes nothing, so it holds no transaction.
 */
export type Repeating = 'once' | 'withheld' | 'harmless';

const keyLengthMax = 255;
/** Refused before the work began: the client may correct the request and send it with the same key. */
const refusals = new Set([400, 401, 403, 412, 413, 415]);
/** May succeed later, so the same key runs the work anew: there may be room in the budget or the rate limit. */
const passing = new Set([402, 429]);

/** Null if the request has no key. Throws VALIDATION_ERROR if it is invalid. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > keyLengthMax || !isStorable(key)) {
    throw validationError('headers.Idempotency-Key', `The Idempotency-Key has 1 to ${keyLengthMax} characters.`);
  }
  return key;
}

type Keyed = {
  services: Pick<Services, 'db'>;
  actor: Actor;
  key: string;
  /** What makes two requests equal, besides method and address. */
  content: unknown[];
  repeating: Repeating;
};

type Work = (db: Database) => Promise<Answer>;
type Outcome = { kind: 'done'; answer: Answer } | { kind: 'refused'; error: unknown };

/**
 * Runs a request with an `Idempotency-Key`, or returns the answer to the first one. The answer commits together with
 * everything that `work` does in its database, so a repeated request finds both or neither. Throws CONFLICT while the
 * first request is running, and if the key belongs to a different request.
 */
export async function answerOnce(req: FastifyRequest, keyed: Keyed, work: Work): Promise<Answer> {
  const { services, actor, repeating } = keyed;
  const request = toRequest(req, keyed);
  if (repeating === 'harmless') return answerAndKeep(services.db, { orgId: actor.orgId, request }, work);
  const outcome = await services.db.together(actor.orgId, async (db, tx): Promise<Outcome> => {
    const earlier = replayOf(await claimKey(tx, request));
    if (earlier) return { kind: 'done', answer: earlier };
    const outcome = await attempt(() => db.together(actor.orgId, work));
    const kept = keptOf(outcome);
    const isKept = await keepAnswer(tx, request, repeating === 'withheld' && outcome.kind === 'done' ? null : kept);
    if (!isKept) throw underWay();
    return outcome;
  });
  return settled(outcome);
}

/** For work that may run twice: its answer is stored afterwards. */
async function answerAndKeep(
  db: Database,
  { orgId, request }: { orgId: string; request: KeyedRequest },
  work: Work,
): Promise<Answer> {
  const find = async () => replayOf(await db.withOrg(orgId, (tx) => findKey(tx, request)));
  const earlier = await find();
  if (earlier) return earlier;
  const outcome = await attempt(() => work(db));
  const isKept = await db.withOrg(orgId, (tx) => keepAnswer(tx, request, keptOf(outcome)));
  return (isKept ? null : await find()) ?? settled(outcome);
}

/** A permanent refusal is an answer too. Temporary ones are thrown, which rolls the work back. */
async function attempt(work: () => Promise<Answer>): Promise<Outcome> {
  try {
    return { kind: 'done', answer: await work() };
  } catch (error) {
    const { status, headers } = publicErrorOf(error);
    const isPassing = passing.has(status) || (status === 409 && headers?.['Retry-After'] !== undefined);
    if (status >= 500 || refusals.has(status) || isPassing) throw error;
    return { kind: 'refused', error };
  }
}

function keptOf(outcome: Outcome): KeptAnswer {
  if (outcome.kind === 'done') {
    const { status, headers, body } = outcome.answer;
    return { status, location: headers['Location'] ?? null, body };
  }
  const error = publicErrorOf(outcome.error);
  return { status: error.status, location: null, body: JSON.stringify(errorBody(error)) };
}

function settled(outcome: Outcome): Answer {
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.answer;
}

/** Null if this is the first request. Throws CONFLICT. */
function replayOf(state: KeyState): Answer | null {
  switch (state.kind) {
    case 'free':
      return null;
    case 'answered': {
      const { status, location, body } = state.answer;
      const headers = { 'Idempotent-Replayed': 'true', ...(location !== null && { Location: location }) };
      return { status, headers, body, isReplayed: true };
    }
    case 'running':
      throw underWay();
    case 'withheld':
      throw new AppError(
        'CONFLICT',
        'The first request with this Idempotency-Key was carried out. Its answer contained a secret and is not shown again.',
      );
    case 'different':
      throw new AppError('CONFLICT', 'This Idempotency-Key was used for another request.');
    default:
      return state satisfies never;
  }
}

function underWay(): AppError {
  const message = 'The first request with this Idempotency-Key is still under way.';
  return new AppError('CONFLICT', message, { headers: { 'Retry-After': '1' } });
}

/** Sends an answer, be it new or stored. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status).headers(headers);
  return body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body);
}

function toRequest(req: FastifyRequest, { actor, key, content }: Keyed): KeyedRequest {
  const { principal, userId } = actor;
  const client = principal.kind === 'api-token' ? principal.tokenId : userId;
  const text = [req.method, req.url, ...content.map(canonical)].join('\n');
  return { client, key, fingerprint: createHash('sha256').update(text).digest('base64url') };
}

/** The same text for equal JSON, whatever the order of its keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
