import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetFactors } from '../../src/domain/accounts/service.ts';
import { createLink } from '../../src/domain/accounts/links.ts';
import { createFlowBrowser } from '../support/sign-in-flow.ts';
import { startVictim, type Victim } from './victim.ts';

const email = 'ada@example.com';
const password = 'turquoise otter 9';
const base = '/account/security';
const timeoutMs = 300_000;
let victim: Victim;
let userId: string;

beforeAll(async () => {
  victim = await startVictim();
  const token = await createLink(victim.superuser, { kind: 'first-owner', lifetimeMs: 3_600_000 });
  const form = { name: 'Ada', email, organization: 'Bluebird', password };
  await victim.flow.post(createFlowBrowser(), `/account/links/${token}`, form);
  const [user] = await victim.superuser<{ id: string }[]>`select id from users`;
  userId = user?.id ?? '';
}, timeoutMs);
afterAll(() => victim[Symbol.asyncDispose]());

const csrfIn = (html: string): string => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
const codeOf = (secret: string): string => new TOTP({ secret }).generate();
const writing = (table: string) => (act: () => Promise<unknown>) => victim.killWriting(table, act);
const once = (condition: string) => (act: () => Promise<unknown>) => victim.killOnce(condition, act);

/** The page on which an app is set up, in a browser that has just signed in without one. */
async function openSetUp() {
  const browser = createFlowBrowser();
  await victim.flow.signIn(browser, email, password);
  const html = await (await browser.go(`${victim.flow.origin}${base}/app`)).text();
  const secret = /(?:[A-Z2-7]{4}[ <]){8}/.exec(html)?.[0].replaceAll(/[ <]/g, '') ?? '';
  const confirm = () => victim.flow.post(browser, `${base}/app`, { csrf: csrfIn(html), code: codeOf(secret) });
  return { browser, secret, confirm };
}

/** Where the sign-in leads after the password: to the dashboard, or to the second step. */
async function afterPassword() {
  const browser = createFlowBrowser();
  const { page, answer } = await victim.flow.tryPassword(browser, email, password);
  const url = victim.flow.location(answer);
  const isSecondStep = url.endsWith('/code');
  const csrf = isSecondStep ? csrfIn(await (await browser.go(url)).text()) : '';
  const type = (code: string) => victim.flow.post(browser, url, { csrf, code });
  return { browser, page, isSecondStep, type };
}

/** Status of the second step, to which each code is new: time does not pass in a test. */
async function codeStatus(code: string): Promise<number> {
  await victim.superuser`update totp_secrets set last_step = 0`;
  await victim.superuser`delete from sign_in_attempts`;
  const { type } = await afterPassword();
  return (await type(code)).status;
}

describe('setting up an authenticator app', () => {
  it.each([
    ['writes the secret', 'off', writing('totp_secrets')],
    ['writes the recovery codes', 'off', writing('recovery_codes')],
    ['is done', 'on', once('exists (select from totp_secrets where confirmed_at is not null)')],
  ])(
    'leaves it wholly on or off where the service is killed when it %s',
    async (_moment, expected, kill) => {
      await resetFactors(victim.superuser, userId, { passkeys: true, totp: true });
      const { browser, secret, confirm } = await openSetUp();
      await kill(confirm);
      const [{ codes } = {}] = await victim.superuser`select count(*)::int as codes from recovery_codes`;
      expect(codes).toBe(expected === 'on' ? 10 : 0);
      expect((await afterPassword()).isSecondStep).toBe(expected === 'on');
      // The same page still switches it on, once.
      expect((await confirm()).status).toBe(expected === 'on' ? 409 : 200);
      expect(await codeStatus(codeOf(secret))).toBe(303);
      expect((await browser.go(`${victim.flow.origin}/account`)).status).toBe(200);
    },
    timeoutMs,
  );
});

describe('a recovery code', () => {
  it.each([
    ['is taken', 'unused', writing('recovery_codes')],
    ['is logged', 'unused', writing('account_events')],
    ['has let in', 'used', writing('provider_entries')],
  ])(
    'lets in once, or not yet, where the service is killed when it %s',
    async (_moment, expected, kill) => {
      await resetFactors(victim.superuser, userId, { passkeys: true, totp: true });
      const { secret, confirm } = await openSetUp();
      const html = await (await confirm()).text();
      const [first = '', second = ''] = html.match(/(?:[0-9a-z]{4}-){3}[0-9a-z]{4}/g) ?? [];
      const { type } = await afterPassword();
      await kill(() => type(first));
      expect(await codeStatus(first)).toBe(expected === 'unused' ? 303 : 422);
      expect(await codeStatus(first)).toBe(422);
      expect(await codeStatus(second)).toBe(303);
      expect(await codeStatus(codeOf(secret))).toBe(303);
    },
    timeoutMs,
  );
});
