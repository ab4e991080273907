import { signUp } from '../../src/auth/session-users.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, holdNotice, startDashboard, type Dashboard } from '../support/dashboard.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
}, 300_000);
afterAll(async () => dashboard?.close());

it('invites by e-mail; signing in with the address accepts, with the role that was given', async () => {
  const { t, open, owner } = dashboard;
  const newcomer = await t.createOrg('Riverside');
  const email = (await t.deps.services.directory.findPerson(newcomer.userId))?.email ?? '';
  const page = await open(owner, '/team');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('radio', { name: /Reviewer/ }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send invite' }).click();
  const invites = page.getByRole('region', { name: 'Pending invites' });
  await invites.getByRole('row', { name: new RegExp(`${email} Reviewer`) }).waitFor();

  const theirs = await open(newcomer, '/calls');
  await theirs.getByRole('button', { name: /Riverside/ }).click();
  await theirs.getByRole('menuitem', { name: 'Bluebird' }).click();
  await theirs.getByRole('button', { name: /Bluebird.*reviewer/ }).waitFor();

  await page.reload();
  const members = page.getByRole('region', { name: 'Members' });
  await members.getByRole('row', { name: new RegExp(`${email}.*Reviewer`) }).waitFor();
  await page.getByText('No open invites.').waitFor();
  const { body } = await t.as(owner, { url: '/api/v1/users' });
  expect(body.data).toContainEqual(expect.objectContaining({ email, role: 'reviewer' }));
});

it('refuses a second invite at the field, extends one, and takes a withdrawal back', async () => {
  const { open, owner, expectComplaints } = dashboard;
  expectComplaints('409 /api/trpc/users.invite');
  const page = await open(owner, '/team');
  for (const isSecond of [false, true]) {
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByLabel('E-mail address').fill('vera@example.com');
    await page.getByRole('button', { name: 'Send invite' }).click();
    if (isSecond) await page.getByText('This address has been invited already.').waitFor();
    else await page.getByText('vera@example.com is invited').waitFor();
  }
  await page.getByRole('button', { name: 'Cancel' }).click();
  const row = page.getByRole('row', { name: /vera@example.com/ });
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Extend by 7 days' }).click();
  await page.getByText('The invite of vera@example.com is valid for another 7 days').waitFor();
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Withdraw' }).click();
  await holdNotice(page);
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
  expect(await row.count()).toBe(1);
});

it('changes role and projects, removes, and keeps the last owner', async () => {
  const { t, open, owner, join } = dashboard;
  const member = await join('agent');
  const email = (await t.deps.services.directory.findPerson(member.userId))?.email ?? '';
  const page = await open(owner, '/team');
  const row = page.getByRole('row', { name: new RegExp(email) });
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Change role and projects' }).click();
  await page.getByRole('radio', { name: /Supervisor/ }).check();
  await page.getByLabel('All projects, including future ones').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Choose at least one project').waitFor();
  await page.getByRole('checkbox', { name: 'Default' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: new RegExp(`${email}.*Supervisor Default`) }).waitFor();
  const { body } = await t.as(owner, { url: `/api/v1/users/${member.userId}` });
  expect(body.data).toMatchObject({ role: 'supervisor', projectIds: [owner.projectId] });

  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('is removed', { exact: false }).waitFor();
  expect((await t.as(member, { url: '/api/v1/records' })).status).toBe(401);

  await page.getByRole('row', { name: /you/ }).getByRole('button').click();
  await page.getByText('An organization needs an owner.').waitFor();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Leave' }).getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await expectAccessible(page);
});

it('lets an owner confirm who signs in at a provider with the address of a member, and refuse somebody else', async () => {
  const { t, open, owner } = dashboard;
  const { system } = t.deps.connections;
  const names = ['moved', 'stranger'];
  for (const name of names) {
    const { userId } = await t.addMember(owner, 'reviewer');
    const email = `${name}@example.com`;
    await system`insert into accounts (user_id, address) values (${userId}, ${email})`;
    await signUp(system, { issuer: 'https://id.example', subject: name }, { email, isEmailVerified: true, name });
  }
  const page = await open(owner, '/team');
  const waiting = page.getByRole('region', { name: 'Waiting to be confirmed' });
  await waiting.getByRole('row', { name: /moved@example.com .* Reviewer/ }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 375, height: 700 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  await waiting.getByRole('button', { name: 'Confirm moved@example.com' }).click();
  await page.getByText('moved@example.com is in').waitFor();
  await waiting.getByRole('button', { name: 'Refuse stranger@example.com' }).click();
  await waiting.waitFor({ state: 'detached' });
  const left = await system`select subject, refused_at is not null as refused from identity_matches`;
  expect(left).toEqual([{ subject: 'stranger', refused: true }]);
});
