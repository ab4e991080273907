import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInviteLink, makeResetLink } from '../../src/domain/accounts/service.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createFlowBrowser, createSignInFlow, type SignInFlow } from '../support/sign-in-flow.ts';

const password = 'turquoise otter 9';
let t: TestApp;
let flow: SignInFlow;
let ownerEmail: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  flow = createSignInFlow(await t.listen());
  const token = await t.deps.services.accounts.offerFirstOwner();
  ownerEmail = 'ada@example.com';
  const form = { name: 'Ada', email: 'Ada@Example.com', organization: 'Bluebird', password };
  await flow.post(createFlowBrowser(), `/account/links/${token}`, form);
});
afterAll(() => t.close());

async function invite(email: string, role = 'agent'): Promise<string> {
  const owner = await flow.signIn(createFlowBrowser(), ownerEmail, password);
  const me = await fetch(`${flow.origin}/api/v1/me`, { headers: { authorization: `Bearer ${owner.accessToken}` } });
  const { data } = (await me.json()) as { data: { memberships: { org: { id: string } }[] } };
  const invited = await fetch(`${flow.origin}/api/v1/users/invite`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.accessToken}`,
      'x-selected-org-id': data.memberships[0]?.org.id ?? '',
      'content-type': 'application/json',
      'idempotency-key': email,
    },
    body: JSON.stringify({ email, role }),
  });
  expect(invited.status).toBe(201);
  return ((await invited.json()) as { data: { id: string } }).data.id;
}

describe('the first owner', () => {
  it('owns the organization that they named, and signs in with the password that they chose', async () => {
    const { accessToken } = await flow.signIn(createFlowBrowser(), ownerEmail, password);
    expect(decodeJwt(accessToken)).toMatchObject({
      iss: `${flow.origin}/oidc`,
      email: 'Ada@Example.com',
      email_verified: true,
    });
    const me = await fetch(`${flow.origin}/api/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(await me.json()).toMatchObject({
      data: { user: { name: 'Ada' }, memberships: [{ org: { name: 'Bluebird' }, role: 'owner' }] },
    });
  });

  it('is made once: there is no second link', async () => {
    expect(await t.deps.services.accounts.offerFirstOwner()).toBeNull();
  });
});

describe('signing in', () => {
  it('takes the address without regard to case, and a wrong password not at all', async () => {
    const browser = createFlowBrowser();
    await flow.signIn(browser, ' ADA@example.COM', password);
    const { answer } = await flow.tryPassword(createFlowBrowser(), ownerEmail, `${password}.`);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('The address or the password is wrong.');
  });

  it('ends with the session: its tokens are refused at once, and no new ones are given', async () => {
    const browser = createFlowBrowser();
    const { accessToken, refreshToken } = await flow.signIn(browser, ownerEmail, password);
    expect(await flow.statusWith(accessToken)).toBe(200);
    const page = await (await browser.go(`${flow.origin}/account`)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const id = String(decodeJwt(accessToken)['sid']);
    await flow.post(browser, '/account/sign-ins/end', { csrf, id });
    expect(await flow.statusWith(accessToken)).toBe(401);
    expect((await flow.redeem({ grant_type: 'refresh_token', refresh_token: refreshToken })).status).toBe(400);
  });

  it('gives new tokens while the session lives, and survives a restart', async () => {
    const { refreshToken } = await flow.signIn(createFlowBrowser(), ownerEmail, password);
    const refreshed = await flow.redeem({ grant_type: 'refresh_token', refresh_token: refreshToken });
    expect(await flow.statusWith(refreshed.body['access_token'] ?? '')).toBe(200);
  });
});

describe('an invite', () => {
  it('that was mailed lets its address choose a password, and proves the address', async () => {
    const inviteId = await invite('grace@example.com', 'supervisor');
    const token = await makeInviteLink(t.deps.connections.system, { inviteId, isMailed: true });
    const browser = createFlowBrowser();
    const url = `${flow.origin}/account/links/${token}`;
    expect(await (await browser.go(url)).text()).toContain('Join Bluebird');
    // Mail programs open links as well.
    await browser.go(url);
    const joined = await flow.post(browser, url, { name: 'Grace', password: 'a walk by the sea' });
    expect(joined.headers.get('location')).toBe('/sign-in?as=grace%40example.com');
    const { accessToken } = await flow.signIn(browser, 'grace@example.com', 'a walk by the sea');
    expect(decodeJwt(accessToken)['email_verified']).toBe(true);
    expect((await flow.post(browser, url, { name: 'Grace', password: 'another one entirely' })).status).toBe(404);
  });

  it('that was copied gives an account whose address is proved to nobody', async () => {
    const inviteId = await invite('mallory@example.com');
    const token = await makeInviteLink(t.deps.connections.system, { inviteId, isMailed: false });
    const url = `${flow.origin}/account/links/${token}`;
    await flow.post(createFlowBrowser(), url, { name: 'Mallory', password: 'a walk by the lake' });
    const { accessToken } = await flow.signIn(createFlowBrowser(), 'mallory@example.com', 'a walk by the lake');
    expect(decodeJwt(accessToken)['email_verified']).toBe(false);
  });

  it('is used by one of two at once', async () => {
    const inviteId = await invite('twice@example.com');
    const token = await makeInviteLink(t.deps.connections.system, { inviteId, isMailed: true });
    const answers = await Promise.all(
      ['first choice of two', 'second choice of two'].map((chosen) =>
        flow.post(createFlowBrowser(), `/account/links/${token}`, { name: 'Two', password: chosen }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
  });

  it('refuses a weak password in words, and keeps what else was typed', async () => {
    const inviteId = await invite('weak@example.com');
    const token = await makeInviteLink(t.deps.connections.system, { inviteId, isMailed: true });
    const answer = await flow.post(createFlowBrowser(), `/account/links/${token}`, {
      name: 'Wendy <W>',
      password: 'short',
    });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain('needs 12 characters');
    expect(html).toContain('value="Wendy &lt;W&gt;"');
    expect(html).toContain('aria-invalid="true"');
  });
});

describe('a reset', () => {
  it('sets the password, ends every sign-in, and works once', async () => {
    const inviteId = await invite('rosa@example.com');
    const first = await makeInviteLink(t.deps.connections.system, { inviteId, isMailed: true });
    await flow.post(createFlowBrowser(), `/account/links/${first}`, { name: 'Rosa', password: 'before the reset' });
    const { accessToken } = await flow.signIn(createFlowBrowser(), 'rosa@example.com', 'before the reset');
    // Somebody who knows the old password has typed it, and waits.
    const waiting = createFlowBrowser();
    const { page, answer } = await flow.tryPassword(waiting, 'rosa@example.com', 'before the reset');
    const { token } = await makeResetLink(t.deps.connections.system, 'ROSA@example.com');
    const done = await flow.post(createFlowBrowser(), `/account/links/${token}`, { password: 'after the reset 1' });
    expect(done.status).toBe(303);
    expect(await flow.statusWith(accessToken)).toBe(401);
    const late = await flow.complete(waiting, answer, page).catch(() => null);
    expect(late?.accessToken ?? '').toBe('');
    expect(
      (await flow.post(createFlowBrowser(), `/account/links/${token}`, { password: 'once more for me' })).status,
    ).toBe(404);
    expect((await flow.tryPassword(createFlowBrowser(), 'rosa@example.com', 'before the reset')).answer.status).toBe(
      422,
    );
    await flow.signIn(createFlowBrowser(), 'rosa@example.com', 'after the reset 1');
  });
});

describe('the page of an account', () => {
  it('lists the devices, and a change of password ends the others', async () => {
    const [here, there] = [createFlowBrowser(), createFlowBrowser()];
    const mine = await flow.signIn(here, ownerEmail, password);
    const other = await flow.signIn(there, ownerEmail, password);
    const html = await (await here.go(`${flow.origin}/account`)).text();
    expect(html).toContain('(this one)');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const wrong = await flow.post(here, '/account/password', {
      csrf,
      current: 'not this one',
      password: 'turquoise otter 10',
    });
    expect(wrong.status).toBe(422);
    const changed = await flow.post(here, '/account/password', {
      csrf,
      current: password,
      password: 'turquoise otter 10',
    });
    expect(changed.status).toBe(200);
    expect([await flow.statusWith(mine.accessToken), await flow.statusWith(other.accessToken)]).toEqual([200, 401]);
    await flow.post(here, '/account/password', { csrf, current: 'turquoise otter 10', password });
  });

  it('is for people who are signed in', async () => {
    const answer = await createFlowBrowser().go(`${flow.origin}/account`);
    expect(answer.headers.get('location')).toBe('/sign-in?to=%2Faccount');
    expect((await flow.post(createFlowBrowser(), '/account/password', {})).status).toBe(403);
  });
});
