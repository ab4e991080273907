import { rm } from 'node:fs/promises';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { createLink } from '../../src/domain/accounts/links.ts';
import { Authenticator } from '../support/authenticator.ts';
import { createTestDatabase } from '../support/database.ts';
import { createFlowBrowser, createSignInFlow } from '../support/sign-in-flow.ts';
import { newDataDir, startService } from './support.ts';

const password = 'turquoise otter 9';
const email = 'ada@example.com';
const base = '/account/security';

it('makes and uses a passkey although the service is killed between each challenge and its answer', async () => {
  await using database = await createTestDatabase();
  const dataDir = await newDataDir();
  const superuser = postgres(database.url, { max: 1, onnotice: () => {} });
  const env: Record<string, string> = { DATA_DIR: dataDir, DATABASE_URL: database.url, HOST: 'localhost' };
  const authenticator = new Authenticator();
  const browser = createFlowBrowser();
  let service = startService(env);
  try {
    const { baseUrl } = await service.healthy();
    const { port, origin } = new URL(baseUrl);
    const restart = async (): Promise<void> => {
      await service.stop('SIGKILL');
      service = startService({ ...env, PORT: port });
      await service.healthy();
    };
    const flow = createSignInFlow(origin);
    const at = { origin, rpId: 'localhost' };
    const json = async (url: string, body: object) => {
      const headers = { 'content-type': 'application/json', origin };
      const answer = await browser.go(new URL(url, origin).href, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as ReturnType<typeof JSON.parse>;
    };
    const token = await createLink(superuser, { kind: 'first-owner', lifetimeMs: 3_600_000 });
    const form = { name: 'Ada', email, organization: 'Bluebird', password };
    await flow.post(browser, `/account/links/${token}`, form);
    await flow.signIn(browser, email, password);

    const html = await (await browser.go(`${origin}${base}`)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const { challenge, user } = await json(`${base}/passkeys/options`, { csrf });
    await restart();
    const response = authenticator.register({ challenge, handle: user.id, ...at });
    expect(await json(`${base}/passkeys`, { csrf, name: 'Key', response })).toEqual({ location: base });

    const page = await flow.open(browser, { prompt: 'login' });
    const options = await json(`${page.url}/passkey/options`, { csrf: page.csrf });
    await restart();
    authenticator.counter += 1;
    const answer = authenticator.answer({ challenge: options.challenge, ...at });
    const { location } = await json(`${page.url}/passkey`, { csrf: page.csrf, response: answer });
    const { accessToken } = await flow.complete(browser, new Response(null, { headers: { location } }), page);
    await restart();
    expect(await flow.statusWith(accessToken)).toBe(200);
    const [kept] = await superuser`select count(*)::int as passkeys, max(counter)::int as counter from passkeys`;
    expect(kept).toEqual({ passkeys: 1, counter: 1 });
  } finally {
    await service.stop('SIGKILL');
    await superuser.end();
    await rm(dataDir, { recursive: true, force: true });
  }
});
