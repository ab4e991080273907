import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLink } from '../../src/domain/accounts/links.ts';
import { makeResetLink } from '../../src/domain/accounts/service.ts';
import { createFlowBrowser } from '../support/sign-in-flow.ts';
import { startVictim, type Victim } from './victim.ts';

const email = 'ada@example.com';
const timeoutMs = 300_000;
let victim: Victim;
let password = 'turquoise otter 0';

beforeAll(async () => {
  victim = await startVictim();
  await makeOwner(victim);
}, timeoutMs);
afterAll(() => victim[Symbol.asyncDispose]());

const form = { name: 'Ada', email, organization: 'Bluebird' };

async function makeOwner({ superuser, flow }: Victim): Promise<void> {
  const token = await createLink(superuser, { kind: 'first-owner', lifetimeMs: 3_600_000 });
  await flow.post(createFlowBrowser(), `/account/links/${token}`, { ...form, password });
}

/** Of the one before and the one after: never both, and never neither. */
async function passwordsThatWork(...candidates: string[]): Promise<string[]> {
  const working = [];
  for (const candidate of candidates) if (await victim.takes(email, candidate)) working.push(candidate);
  return working;
}

const writing = (table: string) => (act: () => Promise<unknown>) => victim.killWriting(table, act);
const once = (condition: string) => (act: () => Promise<unknown>) => victim.killOnce(condition, act);

describe('a reset', () => {
  it.each([
    ['writes the password', 'old', writing('accounts')],
    ['writes the log', 'old', writing('account_events')],
    ['is done', 'new', once("not exists (select from account_links where kind = 'reset')")],
  ])(
    'leaves one password and a link that works at most once where the service is killed when it %s',
    async (_moment, expected, kill) => {
      const { token } = await makeResetLink(victim.superuser, email);
      const [old, next] = [password, `${password}1`];
      const use = (chosen: string) =>
        victim.flow.post(createFlowBrowser(), `/account/links/${token}`, { password: chosen });
      await kill(() => use(next));
      expect(await passwordsThatWork(old, next)).toEqual([expected === 'old' ? old : next]);
      const again = await use(next);
      expect(again.status).toBe(expected === 'old' ? 303 : 404);
      expect((await use(`${next} twice`)).status).toBe(404);
      expect(await passwordsThatWork(old, next, `${next} twice`)).toEqual([next]);
      password = next;
    },
    timeoutMs,
  );
});

describe('a change of the password', () => {
  it.each([
    ['writes the password', 'old', writing('accounts')],
    ['ends the other sign-ins', 'old', writing('sign_ins')],
    ['is done', 'new', once("exists (select from account_events where details ->> 'by' = 'change')")],
  ])(
    'leaves one password and the sign-in where the service is killed when it %s',
    async (_moment, expected, kill) => {
      const browser = createFlowBrowser();
      await victim.flow.signIn(browser, email, password);
      const html = await (await browser.go(`${victim.flow.origin}/account`)).text();
      const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
      await victim.superuser`delete from account_events`;
      const [old, next] = [password, `${password}2`];
      const change = () => victim.flow.post(browser, '/account/password', { csrf, current: old, password: next });
      await kill(change);
      expect(await passwordsThatWork(old, next)).toEqual([expected === 'old' ? old : next]);
      expect((await browser.go(`${victim.flow.origin}/account`)).status).toBe(200);
      expect((await change()).status).toBe(expected === 'old' ? 200 : 422);
      expect(await passwordsThatWork(old, next)).toEqual([next]);
      password = next;
    },
    timeoutMs,
  );
});

describe('making the first owner', () => {
  it.each([
    ['writes the password', 'nobody', (v: Victim, act: () => Promise<unknown>) => v.killWriting('accounts', act)],
    ['writes the log', 'nobody', (v: Victim, act: () => Promise<unknown>) => v.killWriting('account_events', act)],
    [
      'is done',
      'the owner',
      (v: Victim, act: () => Promise<unknown>) => v.killOnce('exists (select from accounts)', act),
    ],
  ])(
    'leaves a link that works, or an owner who can sign in, where the service is killed when it %s',
    async (_moment, expected, kill) => {
      await using fresh = await startVictim();
      const { superuser, flow } = fresh;
      await superuser`delete from account_links`;
      const token = await createLink(superuser, { kind: 'first-owner', lifetimeMs: 3_600_000 });
      const use = () => flow.post(createFlowBrowser(), `/account/links/${token}`, { ...form, password });
      await kill(fresh, use);
      expect(await fresh.takes(email, password)).toBe(expected === 'the owner');
      expect((await use()).status).toBe(expected === 'the owner' ? 404 : 303);
      expect((await use()).status).toBe(404);
      expect(await fresh.takes(email, password)).toBe(true);
      const [count] = await superuser`
        select (select count(*)::int from orgs) as orgs, (select count(*)::int from users) as users,
               (select count(*)::int from memberships where role = 'owner') as owners`;
      expect(count).toEqual({ orgs: 1, users: 1, owners: 1 });
    },
    timeoutMs,
  );
});
