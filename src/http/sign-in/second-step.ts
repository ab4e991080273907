import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { z } from 'zod';
import { signInModeOf } from '../../config/sign-in.ts';
import { PasskeyAnswer, passkeySiteOf } from '../../domain/accounts/service.ts';
import { AppError } from '../../lib/errors.ts';
import { clientOf, csrfTokenOf, sendPage, type SignInParts } from './guard.ts';
import { completeSignIn, deviceCookie, finishSignIn, interactionOf, inWords } from './interaction.ts';
import { readCookie } from './news.ts';
import { page } from './pages.ts';
import { keepProved, provedIn, type Proved } from './proved.ts';
import {
  acceptScripts,
  answerScript,
  fieldOf,
  read,
  refuseForgery,
  securityRoutes,
  siteOf,
} from './security/routes.ts';
import { passkeyScript, stepBody } from './security/views.ts';
import type { Visitor } from './security/visitor.ts';
import { mountPath } from './settings.ts';

const url = `${mountPath}/interaction/:uid`;
const Answered = z.object({ response: PasskeyAnswer });

/** What follows a right password, and signing in with a passkey alone. */
export async function secondStep(app: FastifyInstance, { parts }: { parts: SignInParts }): Promise<void> {
  if (signInModeOf(parts.config) !== 'accounts') return;
  acceptScripts(app);
  codeRoutes(app, parts);
  passkeyRoutes(app, parts);
  setUpRoutes(app, parts);
}

function codeRoutes(app: FastifyInstance, parts: SignInParts): void {
  const { factors, origin } = parts;

  app.get(`${url}/code`, async (req, reply) => {
    const sign = await begin(parts, req, reply);
    if (sign.proved === null) return reply.redirect(sign.action, 303);
    return showStep(parts, reply, { ...sign, proved: sign.proved });
  });

  app.post(`${url}/code`, async (req, reply) => {
    const sign = await begin(parts, req, reply);
    refuseForgery(req, { origin: origin(), expected: sign.csrfToken });
    if (sign.proved === null) return reply.redirect(sign.action, 303);
    const { userId, version } = sign.proved;
    const device = readCookie(req.headers.cookie, deviceCookie);
    const result = await factors.checkCode({ userId, code: fieldOf(req, 'code'), client: clientOf(req), device });
    if (result.kind === 'right') {
      return finishSignIn(parts, sign.provider, { req, reply, userId, version, by: 'code' });
    }
    const isWrong = result.kind === 'wrong';
    if (!isWrong) reply.header('Retry-After', String(result.seconds));
    const error = isWrong
      ? 'This code is not right, or was used already. Type the one that the app shows now.'
      : `Too many attempts. Try again ${inWords(result.seconds)}.`;
    return showStep(parts, reply.code(isWrong ? 422 : 429), { ...sign, proved: sign.proved, error });
  });
}

/** On the first page, a passkey says who signs in; in the second step, it has to be of whoever typed the password. */
function passkeyRoutes(app: FastifyInstance, parts: SignInParts): void {
  const { factors, origin } = parts;
  const site = () => passkeySiteOf(origin());

  for (const step of ['', '/code']) {
    const begun = async (req: FastifyRequest, reply: FastifyReply): Promise<Begun> => {
      const sign = await begin(parts, req, reply);
      refuseForgery(req, { origin: origin(), expected: sign.csrfToken });
      if (step === '') return { ...sign, proved: null };
      if (sign.proved === null) throw new AppError('FORBIDDEN', 'Too much time has passed. Begin the sign-in again.');
      return sign;
    };
    app.post(`${url}${step}/passkey/options`, async (req, reply) =>
      answerScript(reply, async () => {
        const { uid, proved } = await begun(req, reply);
        return factors.beginAuthentication(siteOf(site()), { scope: uid, userId: proved?.userId });
      }),
    );
    app.post(`${url}${step}/passkey`, async (req, reply) =>
      answerScript(reply, async () => {
        const { uid, provider, proved } = await begun(req, reply);
        const { response } = read(Answered, req.body);
        const answer = { scope: uid, response, userId: proved?.userId };
        const { userId } = await factors.finishAuthentication(siteOf(site()), answer);
        const finished = { req, reply, userId, by: 'passkey' as const };
        return {
          location: await completeSignIn(parts, provider, { ...finished, ...(proved && { version: proved.version }) }),
        };
      }),
    );
  }
}

/** Who needs a second factor and has none sets one up, with which the sign-in is complete. */
function setUpRoutes(app: FastifyInstance, parts: SignInParts): void {
  const { config, factors, origin } = parts;

  async function visitorOf(req: FastifyRequest, reply: FastifyReply): Promise<Visitor | null> {
    const { uid, action, proved, csrfToken } = await begin(parts, req, reply);
    const person = proved && (await parts.accounts.findPerson(proved.userId));
    const step = proved && (await factors.nextStep({ userId: proved.userId, proofs: ['password'] }));
    if (!person || step !== 'set-up-second-factor') {
      reply.redirect(proved?.isComplete ? `${action}/finish` : action, 303);
      return null;
    }
    const { id: userId, email, name } = person;
    const base = `${action}/security`;
    return { userId, email, name, client: clientOf(req), scope: uid, csrfToken, base, next: `${action}/finish` };
  }

  securityRoutes(app, `${url}/security`, {
    factors,
    origin,
    visitorOf,
    site: () => passkeySiteOf(origin()),
    send: (reply, { title, body }) =>
      sendPage(reply, page({ title, body: body + passkeyScript, isWide: true }), config),
    async whenSetUp(req, reply) {
      const { provider } = await parts.running();
      const interaction = await provider.interactionDetails(req.raw, reply.raw);
      const proved = provedIn(interaction, req.headers.cookie);
      if (proved) await keepProved(interaction, { ...proved, isComplete: true });
    },
  });

  app.get(`${url}/finish`, async (req, reply) => {
    const { provider, action, proved } = await begin(parts, req, reply);
    if (!proved?.isComplete) return reply.redirect(action, 303);
    const { userId, version } = proved;
    return finishSignIn(parts, provider, { req, reply, userId, version, by: 'code' });
  });
}

type Begun = { uid: string; provider: Provider; action: string; csrfToken: string; proved: Proved | null };

async function begin(parts: SignInParts, req: FastifyRequest, reply: FastifyReply): Promise<Begun> {
  const { provider, keys } = await parts.running();
  const { uid } = await interactionOf(provider, req, reply);
  const proved = provedIn(await provider.interactionDetails(req.raw, reply.raw), req.headers.cookie);
  return { uid, provider, action: `${mountPath}/interaction/${uid}`, csrfToken: csrfTokenOf(keys, uid), proved };
}

type Step = { action: string; csrfToken: string; proved: Proved; error?: string };

async function showStep(parts: SignInParts, reply: FastifyReply, step: Step): Promise<FastifyReply> {
  const { action, csrfToken, proved, error } = step;
  const { hasTotp, passkeys } = await parts.factors.read(proved.userId);
  const canUsePasskey = passkeys > 0 && passkeySiteOf(parts.origin()) !== null;
  const passkey = canUsePasskey
    ? { action: `${action}/code/passkey`, options: `${action}/code/passkey/options` }
    : null;
  const body = stepBody({ action: `${action}/code`, csrfToken, passkey, hasTotp, error });
  return sendPage(reply, page({ title: 'One more step', body: body + passkeyScript }), parts.config);
}
