import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config/config.ts';
import type { Services } from '../deps.ts';
import { dashboard, dashboardPage } from './dashboard.ts';
import { docs } from './docs.ts';
import { embeddedPage } from './embedded-page.ts';
import { signInModeOf } from '../config/sign-in.ts';
import { signIn } from './sign-in/plugin.ts';
import { unsubscribe } from './unsubscribe.ts';

type PagesOptions = { config: Config; services: Services; version: string };

/** Pages that people open in a browser, apart from the API. Unknown addresses show the dashboard's not-found page. */
export const pages = fp(async function pages(
  app: FastifyInstance,
  { config, services, version }: PagesOptions,
): Promise<void> {
  await app.register(dashboardPage, { config, services });
  await app.register(dashboard);
  await app.register(embeddedPage, { services });
  if (signInModeOf(config) !== 'provider') await app.register(signIn, { config, services });
  await app.register(unsubscribe, { services });
  await app.register(docs, { version });
});
