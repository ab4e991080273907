import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { signInModeOf } from '../../../config/sign-in.ts';
import { PasskeyAnswer, passkeySiteOf } from '../../../domain/accounts/service.ts';
import { AppError } from '../../../lib/errors.ts';
import { clientOf, csrfTokenOf, sendPage, sessionOf, type SignInParts } from '../guard.ts';
import { deviceCookie, inWords } from '../interaction.ts';
import { readCookie } from '../news.ts';
import { page } from '../pages.ts';
import {
  acceptScripts,
  answerScript,
  fieldOf,
  isScript,
  read,
  refuseForgery,
  securityRoutes,
  siteOf,
} from './routes.ts';
import { servePasskeyScript } from './script.ts';
import { confirmBody, passkeyScript, passkeyScriptUrl } from './views.ts';
import type { Visitor } from './visitor.ts';

const base = '/account/security';
const confirmUrl = '/account/confirm';
/** Whoever changes how the account is entered has signed in a short time ago. */
const freshSeconds = 10 * 60;
const Answered = z.object({ response: PasskeyAnswer });

/** How people manage passkeys, codes of an app and recovery codes of their account. */
export async function security(app: FastifyInstance, { parts }: { parts: SignInParts }): Promise<void> {
  const { config, factors, origin } = parts;
  if (signInModeOf(config) !== 'accounts') return;
  acceptScripts(app);
  servePasskeyScript(app, passkeyScriptUrl);
  confirmRoutes(app, parts);
  securityRoutes(app, base, {
    factors,
    origin,
    site: () => passkeySiteOf(origin()),
    send: (reply, { title, body }) => {
      const home = reply.request.url === base ? '' : `<a href="${base}">Sign-in and security</a> · `;
      const back = `<p class="end">${home}<a href="/account">Your account</a></p>`;
      return sendPage(reply, page({ title, body: body + back + passkeyScript, isWide: true }), config);
    },
    whenSetUp: async () => {},
    async visitorOf(req, reply) {
      const visitor = await whoVisits(parts, req, reply);
      if (visitor === null) {
        reply.redirect(`/sign-in?to=${encodeURIComponent(base)}`, 303);
        return null;
      }
      if (visitor.isFresh) return visitor;
      if (isScript(req)) throw new AppError('FORBIDDEN', 'Too much time has passed. Load the page again.');
      reply.redirect(confirmUrl, 303);
      return null;
    },
  });
}

type Session = Awaited<ReturnType<typeof sessionOf>>;
type SignedIn = Visitor & { session: Session; isFresh: boolean };

/** Null if nobody is signed in in this browser. */
async function whoVisits(parts: SignInParts, req: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
  const { provider, keys } = await parts.running();
  const session = await sessionOf(provider, req, reply, parts.origin());
  const person = session.accountId === undefined ? null : await parts.accounts.findPerson(session.accountId);
  if (!person) return null;
  const { id: userId, email, name } = person;
  return {
    userId,
    email,
    name,
    client: clientOf(req),
    scope: session.uid,
    csrfToken: csrfTokenOf(keys, session.uid),
    base,
    next: base,
    session,
    isFresh: !session.past(freshSeconds),
  };
}

/** Asks again who it is that has signed in some time ago. */
function confirmRoutes(app: FastifyInstance, parts: SignInParts): void {
  const { accounts, config, factors, origin } = parts;
  const site = () => passkeySiteOf(origin());

  async function show(reply: FastifyReply, visitor: SignedIn, error?: string): Promise<FastifyReply> {
    const { passkeys } = await factors.read(visitor.userId);
    const body = confirmBody({ ...visitor, action: confirmUrl, hasPasskey: passkeys > 0 && site() !== null, error });
    return sendPage(reply, page({ title: 'Confirm that it is you', body: body + passkeyScript }), config);
  }
  const needed = async (req: FastifyRequest, reply: FastifyReply): Promise<SignedIn> => {
    const visitor = await whoVisits(parts, req, reply);
    if (visitor === null) throw new AppError('FORBIDDEN', 'You are signed out. Sign in again.');
    if (req.method === 'POST') refuseForgery(req, { origin: origin(), expected: visitor.csrfToken });
    return visitor;
  };

  app.get(confirmUrl, async (req, reply) => show(reply, await needed(req, reply)));
  app.post(confirmUrl, async (req, reply) => {
    const visitor = await needed(req, reply);
    const { email, userId, client, session } = visitor;
    const device = readCookie(req.headers.cookie, deviceCookie);
    const result = await accounts.checkPassword({ email, password: fieldOf(req, 'password'), client, device });
    if (result.kind === 'delayed') {
      const message = `Too many attempts. Try again ${inWords(result.seconds)}.`;
      return show(reply.code(429).header('Retry-After', String(result.seconds)), visitor, message);
    }
    if (result.kind === 'wrong' || result.userId !== userId)
      return show(reply.code(422), visitor, 'This is not your password.');
    await refresh(session);
    return reply.redirect(base, 303);
  });
  app.post(`${confirmUrl}/passkey/options`, async (req, reply) =>
    answerScript(reply, async () => {
      const { scope, userId } = await needed(req, reply);
      return factors.beginAuthentication(siteOf(site()), { scope, userId });
    }),
  );
  app.post(`${confirmUrl}/passkey`, async (req, reply) =>
    answerScript(reply, async () => {
      const { scope, userId, session } = await needed(req, reply);
      const { response } = read(Answered, req.body);
      await factors.finishAuthentication(siteOf(site()), { scope, userId, response });
      await refresh(session);
      return { location: base };
    }),
  );
}

async function refresh(session: Session): Promise<void> {
  session.loginTs = Math.floor(Date.now() / 1000);
  await session.persist();
}
