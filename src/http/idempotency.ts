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
  /** The first request under the same key was answered so. */
  isReplayed?: boolean;
};

/**
 * How often the work of a request may be done. `once`: by method, address and content. `withheld`: the same, but the
 * answer holds a secret, which is not to be kept. `harmless`: it changes nothing, so it holds no transaction meanwhile.
 */
export type Repeating = 'once' | 'withheld' | 'harmless';

const keyLengthMax = 255;
/** What was refused before the work began may be sent again under the same key, put right. */
const refusals = new Set([400, 401, 403, 413, 415]);
/** What may be otherwise a while later is done anew under the same key: room in the budget, or in the rate limit. */
const passing = new Set([402, 429]);

/** Null where the request has none. Throws VALIDATION_ERROR for one that is no key. */
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
  /** What makes two requests the same, besides method and address. */
  content: unknown[];
  repeating: Repeating;
};

type Work = (db: Database) => Promise<Answer>;
type Outcome = { kind: 'done'; answer: Answer } | { kind: 'refused'; error: unknown };

/**
 * Works on a request with an `Idempotency-Key`, or gives the answer that the first one got. The answer commits with
 * all that `work` does on its database, so whoever repeats a request finds both or neither. Throws CONFLICT while the
 * first one is under way, and for another request under the key.
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

/** For work that may be done twice: what it is answered with is kept behind it. */
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

/** A refusal that stays is an answer as well. Throws what may pass, and with it takes back what was done. */
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

/** Null where the request is the first one. Throws CONFLICT. */
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
        'The first request with this Idempotency-Key was carried out; its answer is not shown again.',
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

/** Sends an answer, the first time or again. */
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

/** The same text for the same JSON, in whatever order its keys come. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  );
}
