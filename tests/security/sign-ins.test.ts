import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createFlowBrowser, createSignInFlow, type FlowBrowser, type SignInFlow } from '../support/sign-in-flow.ts';

const password = 'turquoise otter 9';
const email = 'ada@example.com';
let t: TestApp;
let flow: SignInFlow;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  flow = createSignInFlow(await t.listen());
  const token = await t.deps.services.accounts.offerFirstOwner();
  const form = { name: 'Ada', email, organization: 'Bluebird', password };
  await flow.post(createFlowBrowser(), `/account/links/${token}`, form);
});
afterAll(() => t.close());

const csrfOf = async (browser: FlowBrowser): Promise<string> => {
  const html = await (await browser.go(`${flow.origin}/account`)).text();
  return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
};

/** Another tab of the same browser: nobody types anything. */
async function openTab(browser: FlowBrowser) {
  const page = await flow.open(browser, { prompt: 'none' });
  const code = new URL(page.url).searchParams.get('code') ?? '';
  return flow.redeem({
    grant_type: 'authorization_code',
    code,
    code_verifier: page.verifier,
    redirect_uri: `${flow.origin}/auth/callback`,
  });
}

it('leaves the tabs of a browser signed in when another one is opened', async () => {
  const browser = createFlowBrowser();
  const { refreshToken } = await flow.signIn(browser, email, password);
  const second = await openTab(browser);
  expect(second.status).toBe(200);
  const first = await flow.redeem({ grant_type: 'refresh_token', refresh_token: refreshToken });
  expect(first.status).toBe(200);
  const again = { grant_type: 'refresh_token', refresh_token: second.body['refresh_token'] ?? '' };
  expect((await flow.redeem(again)).status).toBe(200);
});

it('goes on in the browser in which the password was changed', async () => {
  const browser = createFlowBrowser();
  await flow.signIn(browser, email, password);
  const csrf = await csrfOf(browser);
  const changed = await flow.post(browser, '/account/password', { csrf, current: password, password: `${password}!` });
  expect(changed.status).toBe(200);
  const tab = await openTab(browser);
  expect(await flow.statusWith(tab.body['access_token'] ?? '')).toBe(200);
  const back = { csrf, current: `${password}!`, password };
  expect((await flow.post(browser, '/account/password', back)).status).toBe(200);
});

it('ends for a thief who asks for codes all the time, and whoever ends it is not refused', async () => {
  const owner = createFlowBrowser();
  await flow.signIn(owner, email, password);
  for (let round = 0; round < 3; round += 1) {
    const thief = createFlowBrowser();
    await flow.signIn(thief, email, password);
    const over = new AbortController();
    const ask = async (): Promise<void> => {
      while (!over.signal.aborted) await flow.open(thief, { prompt: 'none' });
    };
    const asking = Array.from({ length: 8 }, ask);
    await flow.open(thief, { prompt: 'none' });
    const ended = await flow.post(owner, '/account/sign-ins/end', { csrf: await csrfOf(owner) });
    over.abort();
    await Promise.all(asking);
    expect(ended.status).toBe(200);
    expect((await thief.go(`${flow.origin}/account`)).status).toBe(303);
    const [left] = await t.deps.connections.system`select count(*)::int as count from sign_ins`;
    expect(left).toEqual({ count: 1 });
  }
}, 120_000);
