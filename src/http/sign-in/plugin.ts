import type { AddressInfo } from 'node:net';
import { exportJWK, importJWK, type JSONWebKeySet } from 'jose';
import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Config } from '../../config/config.ts';
import { signInOriginOf } from '../../config/config.ts';
import type { Services } from '../../deps.ts';
import type { ProviderKeys } from '../../domain/accounts/service.ts';
import { account } from './account.ts';
import {
  asSeenOutside,
  assertReachedSafely,
  isDevelopment,
  sendForeign,
  servePages,
  type SignInParts,
} from './guard.ts';
import { interactions } from './interaction.ts';
import { links } from './links.ts';
import { continuesForeign } from './own-browser.ts';
import { contentSecurityPolicy } from './pages.ts';
import { createEmbeddedProvider } from './provider.ts';
import { secondStep } from './second-step.ts';
import { security } from './security/plugin.ts';
import { embeddedSettings, mountPath } from './settings.ts';

type SignInOptions = { config: Config; services: Services };
type Running = { provider: Provider; keys: ProviderKeys };

/** The embedded identity provider and its pages, where no other provider is configured. */
export async function signIn(app: FastifyInstance, { config, services }: SignInOptions): Promise<void> {
  const { accounts, factors, directory } = services;
  let starting: Promise<Running> | undefined;
  const origin = (): string => originOf(app, config);

  async function start(): Promise<Running> {
    const keys = await accounts.keys();
    const options = { origin: origin(), keys, accounts, isDevelopment: isDevelopment(config) };
    return { provider: await createEmbeddedProvider(options), keys };
  }
  const running = (): Promise<Running> =>
    (starting ??= start().catch((error: unknown) => {
      starting = undefined;
      throw error;
    }));
  const parts: SignInParts = { config, accounts, factors, origin, running };

  app.addHook('onListen', async () =>
    services.sessions.trust(embeddedSettings(origin()), {
      publicKeys: async () => publicKeysOf(await accounts.keys()),
    }),
  );
  await app.register(async (pages) => {
    servePages(pages, parts);
    await pages.register(interactions, { parts, directory });
    await pages.register(links, { parts });
    await pages.register(account, { parts });
    await pages.register(security, { parts });
    await pages.register(secondStep, { parts });
  });
  await app.register(async (provided) => {
    // The provider parses bodies itself.
    provided.removeAllContentTypeParsers();
    provided.addContentTypeParser('*', (_req, _body, done) => done(null));
    provided.all(`${mountPath}/*`, async (req, reply) => {
      assertReachedSafely(req, { config, origin: origin() });
      const { provider } = await running();
      const path = (req.raw.url ?? '').slice(mountPath.length).replace(/\?.*$/, '');
      if (await continuesForeign(provider, { path, cookies: req.headers.cookie })) return sendForeign(reply, config);
      reply.hijack();
      reply.raw.setHeader('X-Request-Id', req.id);
      reply.raw.setHeader('Content-Security-Policy', contentSecurityPolicy({ isDevelopment: isDevelopment(config) }));
      const raw = asSeenOutside(req.raw, origin());
      Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(mountPath.length) });
      provider.callback()(raw, reply.raw);
    });
  });
}

/** Origin of the embedded provider, at the port that it really listens on. */
export function originOf(app: FastifyInstance, config: Config): string {
  const address = app.server.address() as AddressInfo | null;
  return signInOriginOf(config, address?.port);
}

async function publicKeysOf({ signing }: ProviderKeys): Promise<JSONWebKeySet> {
  const { d: _private, ...key } = signing;
  const { kid, alg, use } = key;
  return { keys: [{ ...(await exportJWK(await importJWK(key))), kid, alg, use }] } as JSONWebKeySet;
}
