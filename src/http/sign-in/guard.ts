import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Config } from '../../config/config.ts';
import { signInModeOf } from '../../config/sign-in.ts';
import type { Accounts, Client, ProviderKeys, SecondFactors } from '../../domain/accounts/service.ts';
import { AppError } from '../../lib/errors.ts';
import { escapeHtml } from '../../lib/html.ts';
import type { PublicError } from '../../trpc/init.ts';
import { publicErrorOf } from '../errors.ts';
import { acceptForms, readForm } from '../form-body.ts';
import { isFromThisMachine } from '../this-machine.ts';
import { contentSecurityPolicy, page } from './pages.ts';

/** What the sign-in pages share. */
export type SignInParts = {
  config: Config;
  accounts: Accounts;
  factors: SecondFactors;
  origin(): string;
  /** The provider, created when somebody first signs in. */
  running(): Promise<{ provider: Provider; keys: ProviderKeys }>;
};

const formSizeBytesMax = 16 * 1024;

/** Forms, and errors as pages, for the routes of this plugin. */
export function servePages(app: FastifyInstance, { config, origin }: Pick<SignInParts, 'config' | 'origin'>): void {
  app.removeAllContentTypeParsers();
  acceptForms(app);
  app.addHook('onRoute', (route) => void Object.assign(route, { bodyLimit: formSizeBytesMax }));
  app.addHook('onRequest', async (req) => {
    assertReachedSafely(req, { config, origin: origin() });
  });
  const answer = app.errorHandler;
  app.setErrorHandler(async (error, req, reply) => {
    const refusal = publicErrorOf(error, formSizeBytesMax);
    if (refusal.status < 500) return sendError(reply, refusal, config);
    return answer.call(app, error as never, req, reply);
  });
}

export function isDevelopment({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): boolean {
  return NODE_ENV !== 'production';
}

export function sendPage(reply: FastifyReply, html: string, config: Config): FastifyReply {
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy({ isDevelopment: isDevelopment(config) }),
    'Cache-Control': 'no-store',
  };
  return reply.headers(headers).type('text/html; charset=utf-8').send(html);
}

/** To whoever continues a sign-in that another browser has proved. */
export function sendForeign(reply: FastifyReply, config: Config): FastifyReply {
  const body =
    '<p>It was begun or finished in another browser, or cookies are blocked.</p><p class="end"><a href="/sign-in">Sign in again</a></p>';
  return sendPage(reply.code(400), page({ title: 'This sign-in cannot go on here', body }), config);
}

function sendError(reply: FastifyReply, error: PublicError, config: Config): FastifyReply {
  const body = `<p>${escapeHtml(error.message)}</p><p class="end"><a href="/">Back to Earshot</a></p>`;
  return sendPage(
    reply.code(error.status).headers(error.headers ?? {}),
    page({ title: 'This did not work', body }),
    config,
  );
}

/** Whoever signs in without encryption shows the password to the network. Throws FORBIDDEN with what to do. */
export function assertReachedSafely(req: FastifyRequest, { config, origin }: { config: Config; origin: string }): void {
  if (signInModeOf(config) === 'one-click' && !isFromThisMachine(req, config)) {
    throw new AppError('FORBIDDEN', 'Signing in without a password only works on this machine.');
  }
  if (!origin.startsWith('https:') || req.protocol === 'https') return;
  throw new AppError(
    'FORBIDDEN',
    'This request came without encryption, and PUBLIC_URL is https. If a proxy is in front of Earshot, name its address in ' +
      'TRUSTED_PROXIES and let it send X-Forwarded-Proto: https.',
  );
}

/** The fields of a form that one of our own pages has sent. Throws FORBIDDEN. */
export function readOwnForm(req: FastifyRequest, origin: string): Map<string, string> {
  assertOwnPage(req, origin);
  return readForm(req.body);
}

/** Throws FORBIDDEN if a page of another origin has sent the request. */
export function assertOwnPage({ headers }: FastifyRequest, origin: string): void {
  const { origin: from, 'sec-fetch-site': site } = headers;
  if ((from !== undefined && from !== origin) || site === 'cross-site') throw forged();
}

export function assertCsrfToken(given: string | undefined, expected: string): void {
  const [sent, own] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  if (sent.length !== own.length || !timingSafeEqual(sent, own)) throw forged();
}

export function csrfTokenOf({ cookieSecret }: ProviderKeys, subject: string): string {
  return createHmac('sha256', cookieSecret).update(`sign-in ${subject}`).digest('base64url');
}

function forged(): AppError {
  return new AppError('FORBIDDEN', 'This form was not sent from the sign-in page.');
}

export function clientOf(req: FastifyRequest): Client {
  return { address: req.ip, userAgent: req.headers['user-agent'] };
}

/** Express's convention for mounted apps, from which the provider builds its addresses. The configuration decides. */
export function asSeenOutside(raw: IncomingMessage, origin: string): IncomingMessage {
  const { protocol, host } = new URL(origin);
  delete raw.headers['forwarded'];
  Object.assign(raw.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host });
  return raw;
}

/** The session of the browser that asks, whether or not somebody is signed in. */
export async function sessionOf(provider: Provider, req: FastifyRequest, reply: FastifyReply, origin: string) {
  return provider.Session.get(provider.createContext(asSeenOutside(req.raw, origin), reply.raw) as never);
}
