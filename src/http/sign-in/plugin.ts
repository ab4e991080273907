import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Config } from '../../config/config.ts';
import type { Services } from '../../deps.ts';
import { AppError, validationError } from '../../lib/errors.ts';
import { isFromThisMachine } from '../this-machine.ts';
import { loadProviderKeys, type ProviderKeys } from './keys.ts';
import { contentSecurityPolicy, signInPage } from './pages.ts';
import { createEmbeddedProvider } from './provider.ts';
import { embeddedSettings, mountPath } from './settings.ts';

type SignInOptions = { config: Config; services: Services };
type Running = { provider: Provider; keys: ProviderKeys; origin: string };
type Params = { uid: string };

const formSizeBytesMax = 4096;

/** The embedded identity provider, for development and the demo: it lets anybody on this machine sign in as anybody. */
export async function signIn(app: FastifyInstance, { config, services }: SignInOptions): Promise<void> {
  let starting: Promise<Running> | undefined;

  async function start(): Promise<Running> {
    const origin = originOf(app, config);
    const keys = await loadProviderKeys(path.resolve(config.DATA_DIR));
    const { findPerson } = services.directory;
    return { provider: await createEmbeddedProvider({ origin, keys, findPerson }), keys, origin };
  }
  const running = (): Promise<Running> => (starting ??= start());

  app.addHook('onListen', async () => services.sessions.trust(embeddedSettings(originOf(app, config))));
  app.addHook('onRequest', async (req) => refuseOthers(req, config));
  // The provider parses bodies itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_req, _body, done) => done(null));

  app.get<{ Params: Params }>(`${mountPath}/interaction/:uid`, async (req, reply) => {
    const { provider, keys } = await running();
    const { uid, loginHint } = await interactionOf(provider, req, reply);
    const people = await services.directory.listPeople();
    const hinted = people.find(({ email }) => email.toLowerCase() === loginHint?.toLowerCase());
    // If the user is named already, no further click is needed.
    if (hinted) return reply.redirect(await finish(provider, { req, reply, accountId: hinted.id }), 303);
    const page = signInPage({ action: `${mountPath}/interaction/${uid}`, csrfToken: csrfTokenOf(keys, uid), people });
    return reply
      .headers({ 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page);
  });

  app.post<{ Params: Params }>(`${mountPath}/interaction/:uid`, async (req, reply) => {
    const { provider, keys, origin } = await running();
    const { uid } = await interactionOf(provider, req, reply);
    const form = new URLSearchParams(await readForm(req.raw));
    refuseForgery({ req, origin, given: form.get('csrf') ?? '', expected: csrfTokenOf(keys, uid) });
    const person = await services.directory.findPerson(form.get('user') ?? '');
    if (!person) throw new AppError('NOT_FOUND', 'User not found.');
    return reply.redirect(await finish(provider, { req, reply, accountId: person.id }), 303);
  });

  app.all(`${mountPath}/*`, async (req, reply) => {
    const { provider } = await running();
    reply.hijack();
    reply.raw.setHeader('X-Request-Id', req.id);
    reply.raw.setHeader('Content-Security-Policy', contentSecurityPolicy);
    const { raw } = req;
    // Express's convention for mounted apps, from which the provider builds its addresses.
    Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(mountPath.length) });
    provider.callback()(raw, reply.raw);
  });
}

/** Origin of the embedded provider, which is also its issuer. */
export function originOf(app: FastifyInstance, { HOST, PORT }: Config): string {
  const address = app.server.address() as AddressInfo | null;
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${address?.port ?? PORT}`;
}

function refuseOthers(req: FastifyRequest, config: Config): void {
  if (isFromThisMachine(req, config)) return;
  throw new AppError('FORBIDDEN', 'Signing in without a password only works on this machine.');
}

type Choice = { req: FastifyRequest; reply: FastifyReply; accountId: string };

/** The address to continue at. */
async function finish(provider: Provider, { req, reply, accountId }: Choice): Promise<string> {
  return provider.interactionResult(req.raw, reply.raw, { login: { accountId } });
}

type Interaction = { uid: string; loginHint: string | undefined };

async function interactionOf(provider: Provider, req: FastifyRequest, reply: FastifyReply): Promise<Interaction> {
  try {
    const { uid, params } = await provider.interactionDetails(req.raw, reply.raw);
    const { login_hint: hint } = params;
    if (uid === (req.params as Params).uid) return { uid, loginHint: typeof hint === 'string' ? hint : undefined };
  } catch {
    // The interaction has ended, or belongs to another browser.
  }
  throw validationError('uid', 'This sign-in has expired. Start again from the page that you came from.');
}

type Forgery = { req: FastifyRequest; origin: string; given: string; expected: string };

function refuseForgery({ req, origin, given, expected }: Forgery): void {
  const [sent, own] = [Buffer.from(given), Buffer.from(expected)];
  const isSame = sent.length === own.length && timingSafeEqual(sent, own);
  const isFromHere = req.headers.origin === undefined || req.headers.origin === origin;
  if (!isSame || !isFromHere) throw new AppError('FORBIDDEN', 'This form was not sent from the sign-in page.');
}

function csrfTokenOf({ cookieSecret }: ProviderKeys, uid: string): string {
  return createHmac('sha256', cookieSecret).update(`sign-in ${uid}`).digest('base64url');
}

async function readForm(raw: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of raw.setEncoding('utf8')) {
    text += chunk;
    if (text.length > formSizeBytesMax) throw new AppError('PAYLOAD_TOO_LARGE', 'The form is too large.');
  }
  return text;
}
