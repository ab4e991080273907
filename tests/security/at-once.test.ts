import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  beginRegistration,
  finishRegistration,
  makeResetLink,
  readFactors,
  removePasskey,
  requireSecondFactor,
} from '../../src/domain/accounts/service.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { Authenticator } from '../support/authenticator.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { createFlowBrowser, createSignInFlow, type SignInFlow } from '../support/sign-in-flow.ts';

const email = 'ada@example.com';
const client = { address: '192.0.2.1', userAgent: undefined };
let t: TestApp;
let mails: MailServer;
let flow: SignInFlow;

beforeAll(async () => {
  mails = await startMailServer();
  const env = { SMTP_URL: mails.url, MAIL_FROM: 'earshot@example.com' };
  t = await createTestApp({ runPipeline: false, env });
  flow = createSignInFlow(await t.listen());
  const token = await t.deps.services.accounts.offerFirstOwner();
  const form = { name: 'Ada', email, organization: 'Bluebird', password: 'turquoise otter 9' };
  await flow.post(createFlowBrowser(), `/account/links/${token}`, form);
  await t.deps.connections.system`update users set email_verified = true`;
});
afterAll(async () => {
  await t.close();
  await mails.stop();
});

it('mails one link to who is asked for thirty times at once, and its id tells nothing of the link', async () => {
  const { accounts } = t.deps.services;
  const ask = () => accounts.mailReset({ email, origin: flow.origin, client });
  await Promise.all(Array.from({ length: 30 }, ask));
  expect(mails.received.length).toBe(1);
  const { mail } = mails.received[0] ?? {};
  const [, token = ''] = /\/account\/links\/([\w-]{43})/.exec(mail?.text ?? '') ?? [];
  expect(token).not.toBe('');
  const parts = Array.from({ length: token.length - 7 }, (_, at) => token.slice(at, at + 8));
  expect(parts.filter((part) => mail?.messageId?.includes(part))).toEqual([]);
});

it('leaves an owner who needs a second factor the last of several that are removed at once', async () => {
  const site = { rpId: 'calls.example.com', origin: 'https://calls.example.com' };
  const context = { system: t.deps.connections.system, site };
  const { userId, orgId } = await t.createOrg();
  await requireSecondFactor(
    { db: t.deps.services.db, system: t.deps.connections.system },
    { orgId: orgId, isNeeded: true, by: 'operator' },
  );
  const register = async () => {
    const holder = { userId, email: 'owner@example.com', name: 'Olivia', scope: 'one' };
    const { challenge, user } = await beginRegistration(context, holder);
    const response = new Authenticator().register({ challenge, handle: user.id, ...site });
    return finishRegistration(context, { userId, scope: 'one', client, name: 'Key', response });
  };
  const made = [];
  for (let key = 0; key < 6; key += 1) made.push(await register());
  const removed = await Promise.allSettled(made.map(({ id }) => removePasskey(context.system, { userId, client, id })));
  expect(removed.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect((await readFactors(context.system, userId)).passkeys).toBe(1);
});

it('takes one of many links by which a password is reset at once, and the sign-ins of before are over', async () => {
  const browser = createFlowBrowser();
  const { accessToken } = await flow.signIn(browser, email, 'turquoise otter 9');
  const { token } = await makeResetLink(t.deps.connections.system, email);
  const chosen = Array.from({ length: 10 }, (_, index) => `a password of number ${index}`);
  const answers = await Promise.all(
    chosen.map((password) => flow.post(createFlowBrowser(), `/account/links/${token}`, { password })),
  );
  const winners = chosen.filter((_, index) => answers[index]?.status === 303);
  expect(winners).toHaveLength(1);
  expect(await flow.statusWith(accessToken)).toBe(401);
  const { answer } = await flow.tryPassword(createFlowBrowser(), email, winners[0] ?? '');
  expect(answer.status).toBe(303);
});
