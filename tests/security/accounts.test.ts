import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInviteLink, makeResetLink } from '../../src/domain/accounts/service.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createFlowBrowser, createSignInFlow, type SignInFlow } from '../support/sign-in-flow.ts';

const password = 'turquoise otter 9';
const owner = 'ada@example.com';
let t: TestApp;
let flow: SignInFlow;
let log = '';

beforeAll(async () => {
  const { Writable } = await import('node:stream');
  const kept = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  // Whoever asks names an address of its own: a proxy on this machine is trusted.
  t = await createTestApp({ runPipeline: false, env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' }, log: kept });
  flow = createSignInFlow(await t.listen());
  const token = await t.deps.services.accounts.offerFirstOwner();
  const form = { name: 'Ada', email: owner, organization: 'Bluebird', password };
  await flow.post(createFlowBrowser(), `/account/links/${token}`, form);
});
afterAll(() => t.close());

let lastHost = 0;
/** Another network for each that asks. */
function elsewhere(): Record<string, string> {
  lastHost += 1;
  return { 'x-forwarded-for': `198.51.${Math.floor(lastHost / 250)}.${(lastHost % 250) + 1}` };
}

async function join(email: string, chosen: string): Promise<void> {
  const [org] = await t.deps.connections.system`select id from orgs`;
  const [user] = await t.deps.connections.system`select id from users limit 1`;
  const id = `inv_${email}`;
  await t.deps.connections.system`
    insert into invites (org_id, id, email, role, invited_by, expires_at)
    values (${org?.['id']}, ${id}, ${email}, 'agent', ${user?.['id']}, now() + interval '1 day')`;
  const token = await makeInviteLink(t.deps.connections.system, { inviteId: id, isMailed: true });
  await flow.post(createFlowBrowser(), `/account/links/${token}`, { name: 'Somebody', password: chosen });
}

const guess = async (email: string, typed: string, headers = elsewhere()) =>
  (await flow.tryPassword(createFlowBrowser(), email, typed, headers)).answer;

describe('guessing', () => {
  it('is delayed by account over any number of networks, by spelling tricks too, and at once as one after the other', async () => {
    await join('target@example.com', 'a target of guesses');
    const spellings = ['target@example.com', 'TARGET@example.com', ' target@EXAMPLE.com', 'ｔarget@example.com'];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        guess(spellings[index % spellings.length] ?? '', `guess number ${index}`),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 422).length).toBeLessThan(12);
    expect(statuses).toContain(429);
    const delayed = answers.find(({ status }) => status === 429);
    expect(Number(delayed?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('is delayed for the attacker, not for the owner in a browser that has signed in before', async () => {
    await join('known@example.com', 'a browser that is known');
    const mine = createFlowBrowser();
    await flow.signIn(mine, 'known@example.com', 'a browser that is known');
    await Promise.all(Array.from({ length: 10 }, (_, index) => guess('known@example.com', `guess number ${index}`)));
    await t.deps.connections.system`
      update sign_in_attempts set next_at = now() + interval '10 minutes' where failures > 5`;
    expect((await guess('known@example.com', 'a browser that is known')).status).toBe(429);
    // A cookie of somebody else helps nobody.
    const theirs = await flow.open(mine, { prompt: 'login' });
    const foreign = { csrf: theirs.csrf, email: 'target@example.com', password: 'a target of guesses' };
    expect((await flow.post(mine, theirs.url, foreign)).status).toBe(429);
    const page = await flow.open(mine, { prompt: 'login' });
    const own = { csrf: page.csrf, email: 'known@example.com', password: 'a browser that is known' };
    const answer = await flow.post(mine, page.url, own);
    expect(answer.status).toBe(303);
    expect((await flow.complete(mine, answer, page)).accessToken).not.toBe('');
  });

  it('over many accounts is delayed by network, of an IPv6 customer as a whole', async () => {
    const statuses: number[] = [];
    for (let batch = 0; batch < 3; batch += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          guess(`stuffed${batch}-${index}@example.com`, 'a leaked password', {
            'x-forwarded-for': `2001:db8:7:7::${batch + 1}:${index + 1}`,
          }),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 422).length).toBeLessThan(30);
    expect(statuses).toContain(429);
  });
});

describe('a stranger', () => {
  it('is answered like somebody with an account: the same page, the same status, the same headers', async () => {
    const plain = async (email: string) => {
      const answer = await guess(email, 'not the password');
      const html = (await answer.text())
        .replaceAll(email, 'ADDRESS')
        .replace(/interaction\/[\w-]+/g, '')
        .replace(/name="csrf" value="[^"]+"/, '');
      return { status: answer.status, names: [...answer.headers.keys()].toSorted(), html };
    };
    expect(await plain('nobody@example.com')).toEqual(await plain(owner));
    const forgot = async (email: string) => (await flow.post(createFlowBrowser(), '/account/forgot', { email })).text();
    expect(await forgot('nobody@example.com')).toBe(await forgot(owner));
  });
});

describe('a form', () => {
  it('with a character that cannot be stored is answered with 400, and a huge one with 413', async () => {
    const page = await flow.open(createFlowBrowser());
    const browser = createFlowBrowser();
    const opened = await flow.open(browser);
    expect(page.status).toBe(200);
    const nul = await flow.post(browser, opened.url, { csrf: opened.csrf, email: owner, password: 'nul\0nul' });
    expect([nul.status, nul.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    const huge = await flow.post(browser, '/account/forgot', { email: 'x'.repeat(40_000) });
    expect([huge.status, huge.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect(await huge.text()).toContain('The body is larger than 16 KB.');
  });

  it('that is no form is refused by a page as well', async () => {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/account/forgot',
      headers: { 'content-type': 'application/json', origin: 'http://localhost:80' },
      payload: '{}',
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8']);
  });

  it('of another site changes nothing', async () => {
    const { token } = await makeResetLink(t.deps.connections.system, owner);
    const url = `/account/links/${token}`;
    const fields = { password: 'chosen by another site' };
    const answers = [
      await flow.post(createFlowBrowser(), url, fields, { origin: 'https://mallory.example' }),
      await flow.post(createFlowBrowser(), url, fields, { origin: 'null' }),
      await flow.post(createFlowBrowser(), url, fields, { 'sec-fetch-site': 'cross-site' }),
      await flow.post(createFlowBrowser(), '/account/first-owner', {}, { origin: 'https://mallory.example' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await guess(owner, 'chosen by another site')).status).toBe(422);
  });
});

describe('a session', () => {
  it('has another cookie after signing in than before, and is nobody else’s', async () => {
    const browser = createFlowBrowser();
    await flow.open(browser);
    const before = browser.cookie('_session');
    await flow.signIn(browser, owner, password);
    const first = browser.cookie('_session');
    expect(first).toBeDefined();
    expect(first).not.toBe(before);
    await flow.open(browser, { prompt: 'login' });
    expect((await browser.go(`${flow.origin}/account`)).status).toBe(200);
  });

  it('is given to the browser that proved who signs in, not to who planted the cookies in it', async () => {
    const attacker = createFlowBrowser();
    const page = await flow.open(attacker);
    const victim = attacker.planted();
    const answer = await flow.post(victim, page.url, { csrf: page.csrf, email: owner, password });
    expect(answer.status).toBe(303);
    const stolen = await attacker.go(flow.location(answer));
    expect(stolen.status).toBe(400);
    expect(stolen.headers.get('location')).toBeNull();
    expect(await stolen.text()).toContain('This sign-in cannot go on here');
    const { accessToken } = await flow.complete(victim, answer, page);
    expect(await flow.statusWith(accessToken)).toBe(200);
  });

  it('of a removed member opens nothing of the organization, from the next request on', async () => {
    await join('leaver@example.com', 'somebody who leaves');
    const { accessToken } = await flow.signIn(createFlowBrowser(), 'leaver@example.com', 'somebody who leaves');
    const { system } = t.deps.connections;
    const [org] = await system`select id from orgs`;
    const headers = { authorization: `Bearer ${accessToken}`, 'x-selected-org-id': String(org?.['id']) };
    const ask = async () => (await fetch(`${flow.origin}/api/v1/records`, { headers })).status;
    expect(await ask()).toBe(200);
    await system`delete from memberships where user_id = (select id from users where email = 'leaver@example.com')`;
    expect(await ask()).toBe(403);
  });

  it('gives one answer to two that use a code, or a refresh token, at the same time', async () => {
    const { refreshToken } = await flow.signIn(createFlowBrowser(), owner, password);
    const answers = await Promise.all(
      [1, 2, 3].map(() => flow.redeem({ grant_type: 'refresh_token', refresh_token: refreshToken })),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe('a reset', () => {
  it('of two at once is done by one', async () => {
    await join('raced@example.com', 'before the race is run');
    const { token } = await makeResetLink(t.deps.connections.system, 'raced@example.com');
    const choices = ['the first to arrive', 'the second to arrive'];
    const answers = await Promise.all(
      choices.map((chosen) => flow.post(createFlowBrowser(), `/account/links/${token}`, { password: chosen })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    const results = await Promise.all(choices.map((chosen) => guess('raced@example.com', chosen)));
    expect(results.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  });
});

describe('a link', () => {
  it('that is made up, cut or another kind leads nowhere', async () => {
    const { token } = await makeResetLink(t.deps.connections.system, owner);
    for (const wrong of ['x', token.slice(1), `${token}x`, '%00', '..%2f..', 'a'.repeat(2000)]) {
      expect([400, 404]).toContain((await createFlowBrowser().go(`${flow.origin}/account/links/${wrong}`)).status);
    }
  });
});

describe('what is kept', () => {
  it('tells of sign-ins, failures and resets, and of no secret', async () => {
    await guess(owner, 'a secret that was mistyped');
    await flow.signIn(createFlowBrowser(), owner, password);
    const events = await t.deps.connections.system`select type, user_id, client, details from account_events`;
    const types = new Set(events.map(({ type }) => String(type)));
    expect([...types]).toEqual(
      expect.arrayContaining(['sign_in', 'sign_in.failed', 'password.set', 'password.reset', 'link.created']),
    );
    const kept = JSON.stringify(events) + log;
    for (const secret of [password, 'mistyped', 'a leaked password', 'before the race is run'])
      expect(kept).not.toContain(secret);
    const stored = JSON.stringify(await t.deps.connections.system`select payload from provider_entries`);
    expect(stored).not.toContain('"jti"');
  });
});

it('says what a proxy has to send where PUBLIC_URL is https and the request came without', async () => {
  const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://calls.example.com', TRUSTED_PROXIES: '127.0.0.1' };
  const app = await createTestApp({ runPipeline: false, env: { ...env, SECRETS_KEY: 'k'.repeat(32) } });
  try {
    const headers = { host: 'calls.example.com' };
    const plain = await app.app.inject({ url: '/account/forgot', headers });
    expect([plain.statusCode, plain.body]).toEqual([403, expect.stringContaining('X-Forwarded-Proto: https')]);
    const told = await app.app.inject({
      url: '/account/forgot',
      headers: { ...headers, 'x-forwarded-proto': 'https' },
    });
    expect(told.statusCode).toBe(200);
    const metadata = await app.app.inject({
      url: '/oidc/.well-known/openid-configuration',
      headers: { host: 'mallory.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'mallory.example' },
    });
    expect(metadata.body).not.toContain('mallory');
    expect(metadata.json()).toMatchObject({ issuer: 'https://calls.example.com/oidc' });
  } finally {
    await app.close();
  }
});
