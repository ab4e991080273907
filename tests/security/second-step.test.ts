import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reset } from '../../src/admin/accounts.ts';
import { setSecondFactor } from '../../src/admin/second-factor.ts';
import type { Session } from '../../src/admin/session.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { Authenticator } from '../support/authenticator.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { createFlowBrowser, createSignInFlow, type FlowBrowser, type SignInFlow } from '../support/sign-in-flow.ts';

const password = 'turquoise otter 9';
const email = 'ada@example.com';
const client = { address: '192.0.2.1', userAgent: undefined };

let t: TestApp;
let mails: MailServer;
let flow: SignInFlow;
let userId: string;
let secret: string;
let recovery: string[];

beforeAll(async () => {
  mails = await startMailServer();
  t = await createTestApp({
    runPipeline: false,
    env: { HOST: 'localhost', SMTP_URL: mails.url, MAIL_FROM: 'earshot@example.com' },
  });
  const { port } = new URL(await t.app.listen({ port: 0, host: 'localhost' }));
  flow = createSignInFlow(`http://localhost:${port}`);
  const token = await t.deps.services.accounts.offerFirstOwner();
  const form = { name: 'Ada', email, organization: 'Bluebird', password };
  await flow.post(createFlowBrowser(), `/account/links/${token}`, form);
  const [user] = await t.deps.connections.system<{ id: string }[]>`select id from users`;
  userId = user?.id ?? '';
  const { factors } = t.deps.services;
  ({ secret } = await factors.beginTotp({ userId, email }));
  recovery = (await factors.confirmTotp({ userId, client, code: new TOTP({ secret }).generate() })) ?? [];
});
afterAll(async () => {
  await t.close();
  await mails.stop();
});
beforeEach(async () => {
  await t.deps.connections.system`update totp_secrets set last_step = 0`;
  await t.deps.connections.system`delete from sign_in_attempts`;
});

const codeNow = (): string => new TOTP({ secret }).generate();
const csrfIn = (html: string): string => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** A browser in which the password was right. */
async function afterPassword(browser: FlowBrowser = createFlowBrowser()) {
  const { page, answer } = await flow.tryPassword(browser, email, password);
  const url = flow.location(answer);
  const shown = await browser.go(url);
  return { browser, page, answer, url, base: page.url, csrf: csrfIn(await shown.text()) };
}

async function signIn(browser: FlowBrowser = createFlowBrowser()) {
  const { page, url, csrf } = await afterPassword(browser);
  const accepted = await flow.post(browser, url, { csrf, code: codeNow() });
  expect(accepted.status).toBe(303);
  await t.deps.connections.system`update totp_secrets set last_step = 0`;
  return { browser, ...(await flow.complete(browser, accepted, page)) };
}

describe('the second step', () => {
  it('follows the right password, and lets in with a code of the app or a recovery code', async () => {
    const { answer, url } = await afterPassword();
    expect(answer.status).toBe(303);
    expect(url).toMatch(/\/oidc\/interaction\/[^/]+\/code$/);
    const { accessToken } = await signIn();
    expect(await flow.statusWith(accessToken)).toBe(200);
    const other = await afterPassword();
    const accepted = await flow.post(other.browser, other.url, { csrf: other.csrf, code: recovery[1] ?? '' });
    const tokens = await flow.complete(other.browser, accepted, other.page);
    expect(await flow.statusWith(tokens.accessToken)).toBe(200);
  });

  it('cannot be left out', async () => {
    const { browser, base } = await afterPassword();
    const uid = base.split('/').at(-1);
    const resumed = await browser.go(`${flow.origin}/oidc/auth/${uid}`);
    expect(flow.location(resumed)).not.toContain('code=');
    expect(flow.location(resumed)).toContain('/oidc/interaction/');
    const again = await afterPassword();
    for (const way of ['/finish', '/security', '/security/app']) {
      const answer = await again.browser.go(`${again.base}${way}`);
      expect([way, answer.status, flow.location(answer)]).toEqual([way, 303, again.base]);
    }
    const account = await again.browser.go(`${flow.origin}/account/security`);
    expect(account.headers.get('location')).toContain('/sign-in');
  });

  it('goes on in the browser in which the password was typed alone', async () => {
    const attacker = createFlowBrowser();
    const page = await flow.open(attacker);
    const victim = attacker.planted();
    const answer = await flow.post(victim, page.url, { csrf: page.csrf, email, password });
    const foreign = await attacker.go(flow.location(answer));
    expect([foreign.status, flow.location(foreign)]).toEqual([303, page.url]);
    expect((await victim.go(flow.location(answer))).status).toBe(200);
  });

  it('is shown to nobody who has not typed the password, and in no other browser', async () => {
    const browser = createFlowBrowser();
    const page = await flow.open(browser);
    expect(flow.location(await browser.go(`${page.url}/code`))).toBe(page.url);
    const posted = await flow.post(browser, `${page.url}/code`, { csrf: page.csrf, code: codeNow() });
    expect(flow.location(posted)).toBe(page.url);
    const { url, csrf } = await afterPassword();
    const stolen = await flow.post(createFlowBrowser(), url, { csrf, code: codeNow() });
    expect(stolen.status).toBe(400);
  });

  it('takes a code once, of two browsers at the same moment', async () => {
    const both = await Promise.all([afterPassword(), afterPassword()]);
    const code = codeNow();
    const answers = await Promise.all(both.map(({ browser, url, csrf }) => flow.post(browser, url, { csrf, code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    // The one that lost is not thrown out: the next code counts.
    const loser = both[answers.findIndex(({ status }) => status === 422)];
    await t.deps.connections.system`update totp_secrets set last_step = 0`;
    const next = await flow.post(loser?.browser ?? createFlowBrowser(), loser?.url ?? '', {
      csrf: loser?.csrf ?? '',
      code: codeNow(),
    });
    expect(next.status).toBe(303);
  });

  it('delays whoever guesses codes, and not the owner in a browser that they have used', async () => {
    const own = createFlowBrowser();
    await signIn(own);
    const guesser = await afterPassword();
    const statuses: number[] = [];
    for (let guess = 0; guess < 13; guess += 1) {
      const code = `00000${guess}`.slice(-6);
      statuses.push((await flow.post(guesser.browser, guesser.url, { csrf: guesser.csrf, code })).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 422));
    expect(statuses).toContain(429);
    const delayed = await flow.post(guesser.browser, guesser.url, { csrf: guesser.csrf, code: codeNow() });
    expect(delayed.status).toBe(429);
    expect(Number(delayed.headers.get('retry-after'))).toBeGreaterThan(0);
    const page = await flow.open(own, { prompt: 'login' });
    const url = flow.location(await flow.post(own, page.url, { csrf: page.csrf, email, password }));
    const accepted = await flow.post(own, url, { csrf: page.csrf, code: codeNow() });
    expect(accepted.status).toBe(303);
  });

  it('is over when the password was reset meanwhile', async () => {
    const { browser, url, csrf } = await afterPassword();
    await t.deps.connections.system`update accounts set password_changed_at = now() + interval '1 second'`;
    const accepted = await flow.post(browser, url, { csrf, code: codeNow() });
    const resumed = await browser.go(flow.location(accepted));
    expect(resumed.headers.get('location') ?? '').not.toContain('code=');
  });

  it.each([
    ['a zero byte', '\u0000'],
    ['20,000 digits', '1'.repeat(20_000)],
    ['a script', '<script>alert(1)</script>'],
    ['digits of another script', '١٢٣٤٥٦'],
  ])('refuses %s as a code without a fault of its own', async (_what, code) => {
    const { browser, url, csrf } = await afterPassword();
    const answer = await flow.post(browser, url, { csrf, code });
    expect([400, 413, 422]).toContain(answer.status);
    expect(await answer.text()).not.toContain('<script>alert');
  });
});

describe('a passkey over HTTP', () => {
  async function json(browser: FlowBrowser, url: string, body: object, headers: Record<string, string> = {}) {
    const response = await browser.go(new URL(url, flow.origin).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: flow.origin, ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
  }
  const at = () => ({ origin: flow.origin, rpId: 'localhost' });

  async function make(browser: FlowBrowser, authenticator: Authenticator) {
    const base = '/account/security';
    const csrf = csrfIn(await (await browser.go(`${flow.origin}${base}`)).text());
    const options = await json(browser, `${base}/passkeys/options`, { csrf });
    const { challenge, user } = options.body;
    const response = authenticator.register({ challenge, handle: user.id, ...at() });
    return json(browser, `${base}/passkeys`, { csrf, name: 'Key', response });
  }

  it('signs in alone, without a code', async () => {
    const authenticator = new Authenticator();
    const { browser } = await signIn();
    expect(await make(browser, authenticator)).toEqual({ status: 200, body: { location: '/account/security' } });
    await expect.poll(() => mails.received.map(({ to, mail }) => [to, mail.text])).toHaveLength(1);
    expect(mails.received[0]).toMatchObject({
      to: [email],
      mail: { text: expect.stringContaining('The passkey “Key” was added to your account.') },
    });
    const fresh = createFlowBrowser();
    const page = await flow.open(fresh);
    const { body: options } = await json(fresh, `${page.url}/passkey/options`, { csrf: page.csrf });
    authenticator.counter += 1;
    const response = authenticator.answer({ challenge: options.challenge, ...at() });
    // In another browser's sign-in, it is worth nothing.
    const foreign = createFlowBrowser();
    const other = await flow.open(foreign);
    const stolen = await json(foreign, `${other.url}/passkey`, { csrf: other.csrf, response });
    expect(stolen).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
    const answer = await json(fresh, `${page.url}/passkey`, { csrf: page.csrf, response });
    expect(answer.status).toBe(200);
    const accepted = new Response(null, { headers: { location: answer.body.location } });
    const { accessToken } = await flow.complete(fresh, accepted, page);
    expect(await flow.statusWith(accessToken)).toBe(200);
    const replayed = await json(fresh, `${page.url}/passkey`, { csrf: page.csrf, response });
    expect(replayed.status).toBeGreaterThanOrEqual(400);
  });

  it('of somebody else is no second step after a password, and lets in its own holder instead', async () => {
    const { system } = t.deps.connections;
    await system`insert into users (id, email, name) values ('usr_other', 'other@example.com', 'Other')`;
    const site = { rpId: 'localhost', origin: flow.origin };
    const [authenticator, { factors }] = [new Authenticator(), t.deps.services];
    const holder = { userId: 'usr_other', email: 'other@example.com', name: 'Other', scope: 'session' };
    const { challenge, user } = await factors.beginRegistration(site, holder);
    const response = authenticator.register({ challenge, handle: user.id, ...at() });
    await factors.finishRegistration(site, { userId: 'usr_other', scope: 'session', name: 'Key', client, response });

    const { browser, base, csrf } = await afterPassword();
    const use = async (url: string) => {
      const { body: options } = await json(browser, `${url}/options`, { csrf });
      authenticator.counter += 1;
      return json(browser, url, { csrf, response: authenticator.answer({ challenge: options.challenge, ...at() }) });
    };
    expect((await use(`${base}/code/passkey`)).status).toBe(401);
    expect((await use(`${base}/passkey`)).status).toBe(200);
    const [signedIn] =
      await system`select user_id as by from account_events where type = 'sign_in' order by id desc limit 1`;
    expect(signedIn?.['by']).toBe('usr_other');
  });

  it('is no second step of a sign-in in which nothing was proved', async () => {
    const browser = createFlowBrowser();
    const page = await flow.open(browser);
    const answer = await json(browser, `${page.url}/code/passkey/options`, { csrf: page.csrf });
    expect(answer.status).toBe(403);
  });

  it('is neither made nor used from another origin, or without the token of the page', async () => {
    const { browser } = await signIn();
    const csrf = csrfIn(await (await browser.go(`${flow.origin}/account/security`)).text());
    const forged = [
      await json(browser, '/account/security/passkeys/options', { csrf }, { origin: 'https://evil.test' }),
      await json(browser, '/account/security/passkeys/options', { csrf }, { 'sec-fetch-site': 'cross-site' }),
      await json(browser, '/account/security/passkeys/options', { csrf: 'made up' }),
      await json(browser, '/account/security/passkeys/options', {}),
    ];
    expect(forged.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const fresh = createFlowBrowser();
    const page = await flow.open(fresh);
    const used = await json(fresh, `${page.url}/passkey/options`, { csrf: page.csrf }, { origin: 'https://evil.test' });
    expect(used.status).toBe(403);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'text'],
    ['a list', []],
    ['an empty object', {}],
    ['too much', { id: 'a'.repeat(3000), rawId: 'a', type: 'public-key', response: {} }],
    ['keys that would change objects', { constructor: {}, id: 'a' }],
  ])('is refused by name where it is %s', async (_what, response) => {
    const { browser } = await signIn();
    const csrf = csrfIn(await (await browser.go(`${flow.origin}/account/security`)).text());
    const answer = await json(browser, '/account/security/passkeys', { csrf, name: 'Key', response });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  });
});

describe('the page about sign-in and security', () => {
  const forms = ['/app', '/app/off', '/codes', '/passkeys/pky_1/name', '/passkeys/pky_1/remove', '/passkeys/options'];

  it.each(forms)('changes nothing at %s for strangers, forgers and sessions that are not fresh', async (path) => {
    const url = `/account/security${path}`;
    const stranger = await flow.post(createFlowBrowser(), url, { csrf: 'a' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/sign-in?to=%2Faccount%2Fsecurity']);
    const { browser } = await signIn();
    const csrf = csrfIn(await (await browser.go(`${flow.origin}/account/security`)).text());
    const forged = await flow.post(browser, url, { csrf: 'a' });
    const foreign = await flow.post(browser, url, { csrf }, { origin: 'https://evil.test' });
    expect([forged.status, foreign.status]).toEqual([403, 403]);
    await t.deps.connections.system`
      update provider_entries set payload = payload || jsonb_build_object('loginTs', (payload->>'loginTs')::int - 601)
       where model = 'Session' and payload ? 'loginTs'`;
    const stale = await flow.post(browser, url, { csrf });
    expect([stale.status, stale.headers.get('location')]).toEqual([303, '/account/confirm']);
    const kept = await t.deps.services.factors.read(userId);
    expect(kept.hasTotp).toBe(true);
  });

  it('is kept by nobody, and runs no script but its own', async () => {
    const { browser } = await signIn();
    const page = await browser.go(`${flow.origin}/account/security`);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect((await page.text()).match(/<script[^>]*>/g)).toEqual([
      '<script src="/theme.js">',
      '<script src="/account/passkeys.js" defer>',
    ]);
  });

  it('shows what is named with the letters of a script as text', async () => {
    const { system } = t.deps.connections;
    await system`
      insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, is_backed_up)
      values ('pky_named', ${userId}, '"><script>alert(1)</script>', 'a', 'b', 0, '{}', false)`;
    const { browser } = await signIn();
    const html = await (await browser.go(`${flow.origin}/account/security`)).text();
    expect(html).toContain('&quot;&gt;&lt;script&gt;');
    expect(html).not.toContain('<script>alert');
    await system`delete from passkeys where id = 'pky_named'`;
  });
});

describe('the operator', () => {
  it('helps somebody who has lost phone and codes: the password is new, and the next sign-in sets up another', async () => {
    const { config, connections, services } = t.deps;
    const database = { ...connections, config, db: services.db };
    const session = { database: async () => database } as unknown as Session;
    const { accessToken } = await signIn();
    const [org] = await connections.system<{ id: string }[]>`select id from orgs`;
    const ruled = await setSecondFactor(session, { org: org?.id ?? '', owners: 'required' });
    expect(ruled.data).toEqual({ orgId: org?.id, ownersNeedSecondFactor: true });
    expect(await flow.statusWith(accessToken)).toBe(200);

    const { data, text } = await reset(session, email, { passkeys: true, totp: true });
    expect(data).toMatchObject({ userId, removedTotp: true });
    expect(text).toContain('the authenticator app and its recovery codes');
    expect(await flow.statusWith(accessToken)).toBe(401);
    const { url } = data as { url: string };
    const renewed = 'violet heron 42 lamp';
    const browser = createFlowBrowser();
    await flow.post(browser, new URL(url).pathname, { password: renewed });
    const page = await flow.open(browser);
    const next = await flow.post(browser, page.url, { csrf: page.csrf, email, password: renewed });
    expect(flow.location(next)).toBe(`${page.url}/security`);
    const asked = await (await browser.go(`${page.url}/security`)).text();
    expect(asked).toContain('Your organization requires owners');

    const draft = await (await browser.go(`${page.url}/security/app`)).text();
    const own = /class="secret">([^<]+)</.exec(draft)?.[1]?.replaceAll(' ', '') ?? '';
    const code = new TOTP({ secret: own }).generate();
    const shown = await flow.post(browser, `${page.url}/security/app`, { csrf: csrfIn(draft), code });
    expect(await shown.text()).toContain('they are shown only now');
    const accepted = await browser.go(`${page.url}/finish`);
    const tokens = await flow.complete(browser, accepted, page);
    expect(await flow.statusWith(tokens.accessToken)).toBe(200);
  });
});
