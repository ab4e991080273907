import { createHash } from 'node:crypto';
import fp from 'fastify-plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../auth/principal.ts';
import { claimKey, keepAnswer, releaseKey, type Claim, type KeptAnswer } from '../db/idempotency-keys.ts';
import type { Services } from '../deps.ts';
import { AppError, validationError } from '../lib/errors.ts';
import { assertStorable, isStorable } from '../lib/storable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request is the one that works under its `Idempotency-Key`. */
    claim?: Claim & { orgId: string };
  }
  interface FastifyContextConfig {
    /** `once`: by method, address and JSON body. `never`: the answer holds a secret, which is not to be kept. */
    repeatable?: 'once' | 'never';
  }
}

const keyLengthMax = 255;
/** What was refused before the work began may be sent again under the same key, put right. */
const refusals = new Set([400, 401, 403, 413, 415, 429]);

type IdempotencyOptions = { services: Pick<Services, 'db' | 'auth'> };

/** Answers a repeated request as the first one was answered, for every route that says `repeatable: 'once'`. */
export const idempotency = fp(async function idempotency(app: FastifyInstance, { services }: IdempotencyOptions) {
  app.addHook('preHandler', async (req, reply) => {
    if (req.routeOptions.config.repeatable === undefined) return;
    const key = readIdempotencyKey(req);
    if (key === null) return;
    const actor = services.auth.select(await req.context.authenticate(), req.headers);
    if (!actor) return;
    assertStorable(req.body);
    const answer = await claim(req, { services, actor, key, content: [req.body] });
    if (answer) return replay(reply, answer);
  });
  app.addHook('onSend', (req, reply, payload, done) => {
    if (req.claim) return settle(req, { services, claim: req.claim, reply, payload });
    return done();
  });
});

/** Null where the request has none. Throws VALIDATION_ERROR for one that is no key. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > keyLengthMax || !isStorable(key)) {
    throw validationError('headers.Idempotency-Key', `The Idempotency-Key has 1 to ${keyLengthMax} characters.`);
  }
  return key;
}

type ToClaim = {
  services: Pick<Services, 'db'>;
  actor: Actor;
  key: string;
  /** What makes two requests the same, besides method and address. */
  content: unknown[];
};

/** Null: the request is the first one and may work. Otherwise what the first one was answered with. Throws CONFLICT. */
export async function claim(
  req: FastifyRequest,
  { services: { db }, actor, key, content }: ToClaim,
): Promise<KeptAnswer | null> {
  const { orgId, principal } = actor;
  const client = principal.kind === 'api-token' ? principal.tokenId : actor.userId;
  const fingerprint = createHash('sha256')
    .update([req.method, req.url, ...content.map(canonical)].join('\n'))
    .digest('base64url');
  const outcome = await db.withOrg(orgId, (tx) => claimKey(tx, { client, key, fingerprint }));
  switch (outcome.kind) {
    case 'claimed':
      req.claim = { ...outcome.claim, orgId };
      return null;
    case 'answered':
      return outcome.answer;
    case 'running':
      throw new AppError('CONFLICT', 'The first request with this Idempotency-Key is still under way.', {
        headers: { 'Retry-After': '1' },
      });
    case 'unanswered':
      throw new AppError(
        'CONFLICT',
        'The first request with this Idempotency-Key was carried out; its answer is gone.',
      );
    case 'different':
      throw new AppError('CONFLICT', 'This Idempotency-Key was used for another request.');
    default:
      return outcome satisfies never;
  }
}

export function replay(reply: FastifyReply, { status, location, body }: KeptAnswer): FastifyReply {
  reply.code(status).header('Idempotent-Replayed', 'true');
  if (location !== null) reply.header('Location', location);
  return body === null ? reply.send() : reply.type('application/json; charset=utf-8').send(body);
}

type ToSettle = {
  services: Pick<Services, 'db'>;
  claim: Claim & { orgId: string };
  reply: FastifyReply;
  payload: unknown;
};

/** Kept before it is sent: who has the answer can rely on getting it again. */
async function settle(req: FastifyRequest, { services: { db }, claim, reply, payload }: ToSettle): Promise<void> {
  delete req.claim;
  const { statusCode: status } = reply;
  try {
    if (status >= 500 || refusals.has(status)) {
      await db.withOrg(claim.orgId, (tx) => releaseKey(tx, claim));
    } else if (req.routeOptions.config.repeatable !== 'never') {
      const location = reply.getHeader('location');
      const body = typeof payload === 'string' && payload !== '' ? payload : null;
      const answer = { status, location: typeof location === 'string' ? location : null, body };
      await db.withOrg(claim.orgId, (tx) => keepAnswer(tx, claim, answer));
    }
  } catch (err) {
    req.log.error({ err }, 'what came of a request with an idempotency key could not be kept');
  }
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
