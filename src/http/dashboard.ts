import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import { signInModeOf } from '../config/sign-in.ts';
import type { Services } from '../deps.ts';
import { AppError } from '../lib/errors.ts';
import { version } from '../lib/version.ts';
import { originOf } from './sign-in/plugin.ts';
import { dashboardClientId, embeddedSettings } from './sign-in/settings.ts';

const builtFolder = fileURLToPath(new URL('../../dist/dashboard', import.meta.url));
const assetsFolder = path.join(builtFolder, 'assets');

/** Addresses of screens. All others remain 404 in our envelope, as for any API client. */
const screens = [
  '/',
  '/sign-in',
  '/auth/callback',
  '/first-steps',
  '/calls',
  '/calls/:id',
  '/projects',
  '/profiles',
  '/profiles/:id',
  '/alerts',
  '/team',
  '/settings/api-keys',
  '/webhooks',
  '/webhooks/:id',
  '/billing',
];
const yearSeconds = 31_536_000;
/** Files without a fingerprint in their name. */
const rootFiles = ['favicon.svg', 'theme.js'];
/** Static files are not counted by the rate limit. */
const uncounted = { config: { counted: 'not' as const } };

/** What a CRM's frame was opened with, for the dashboard page. */
export type Frame = {
  domain: string;
  memberId: string;
  authId: string;
  refreshId: string;
  placement: string;
  entityId: string | null;
};

type DashboardOptions = { config: Config; services: Services };

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the dashboard page. In a CRM, with `frame` and the origin that may frame it. */
    sendDashboard(framed?: { frame: Frame; origin: string }): Promise<FastifyReply>;
    /** Whether the dashboard was built. */
    hasDashboard(): boolean;
  }
}

/** Lets any route answer with the page of the web app in `src/dashboard`, as built by `npm run build:dashboard`. */
export const dashboardPage = fp(async function dashboardPage(
  app: FastifyInstance,
  { config, services }: DashboardOptions,
) {
  const template = await readFile(path.join(builtFolder, 'index.html'), 'utf8').catch(() => null);

  app.decorateReply('hasDashboard', () => template !== null);
  app.decorateReply('sendDashboard', async function sendDashboard(this: FastifyReply, framed) {
    if (template === null) throw notBuilt();
    const nonce = randomBytes(16).toString('base64');
    const hasMail = config.SMTP_URL !== undefined;
    const settings = { version, hasMail, signIn: signInOf(config, app), frame: framed?.frame ?? null };
    const origins = await services.sessions.providerOrigins();
    const policy = policyFor({ nonce, origins, ancestors: framed ? `'self' ${framed.origin}` : "'none'" });
    return this.headers({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(fill(template, { nonce, settings }));
  });
});

/** The web app at `/`, and its files. */
export async function dashboard(app: FastifyInstance): Promise<void> {
  for (const url of screens) app.get(url, uncounted, async (_req, reply) => reply.sendDashboard());
  if (!existsSync(assetsFolder)) return;
  const common = { preCompressed: true, index: false as const };
  await app.register(fastifyStatic, { ...common, root: builtFolder, serve: false });
  for (const name of rootFiles) {
    app.get(`/${name}`, uncounted, async (_req, reply) => reply.sendFile(name, { cacheControl: false }));
  }
  await app.register(async (assets) => {
    assets.addHook(
      'onRoute',
      (route) => void Object.assign(route, { config: { ...route.config, ...uncounted.config } }),
    );
    await assets.register(fastifyStatic, {
      ...common,
      root: assetsFolder,
      prefix: '/assets/',
      decorateReply: false,
      immutable: true,
      maxAge: yearSeconds * 1000,
    });
  });
}

/** The sign-in settings of the embedded or the configured provider. Null if browsers have no client id for that one. */
function signInOf(config: Config, app: FastifyInstance) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientIds, OIDC_SCOPE: scope } = config;
  if (issuer !== undefined) {
    const [clientId] = clientIds ?? [];
    return clientId === undefined ? null : { issuer, clientId, scope, isEmbedded: false, hasAccounts: false };
  }
  const mode = signInModeOf(config);
  const { issuer: embedded } = embeddedSettings(originOf(app, config));
  return {
    issuer: embedded,
    clientId: dashboardClientId,
    scope,
    isEmbedded: mode === 'one-click',
    hasAccounts: mode === 'accounts',
  };
}

type Policy = { nonce: string; origins: string[]; ancestors: string };

/** Allows only our own files; styles of libraries carry the nonce, or are set on elements by script. */
function policyFor({ nonce, origins, ancestors }: Policy): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob: https:",
    ["connect-src 'self'", ...origins].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

function fill(template: string, { nonce, settings }: { nonce: string; settings: object }): string {
  // In JSON, only "<" could end the script element. A replacer function, since "$" is special in replacement text.
  const data = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return template.replace('"__SETTINGS__"', () => data).replace('__NONCE__', () => nonce);
}

function notBuilt(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The dashboard has not been built yet: npm run build:dashboard');
}
