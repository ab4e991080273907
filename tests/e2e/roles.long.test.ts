import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/model/role.ts';
import type { TestMember } from '../support/app.ts';
import { expectAccessible, startDashboard, type Dashboard } from '../support/dashboard.ts';

const everywhere = ['Overview', 'Calls', 'Projects', 'API keys'];
const seen: Record<Role, string[]> = {
  owner: [...everywhere, 'Alerts', 'Profiles', 'Team', 'Billing', 'Webhooks'],
  admin: [...everywhere, 'Alerts', 'Profiles', 'Team', 'Billing', 'Webhooks'],
  supervisor: [...everywhere, 'Alerts', 'Profiles', 'Team', 'Webhooks'],
  reviewer: [...everywhere, 'Alerts', 'Profiles', 'Webhooks'],
  agent: everywhere,
};

/** Where each screen lies, and what it asks the service for. */
const guarded = [
  { label: 'Alerts', path: '/alerts', api: '/alerts' },
  { label: 'Profiles', path: '/profiles', api: '/profiles' },
  { label: 'Team', path: '/team', api: '/users' },
  { label: 'Billing', path: '/billing', api: '/billing/summary/ORG' },
  { label: 'Webhooks', path: '/webhooks', api: '/webhooks' },
];

let dashboard: Dashboard;
const members = new Map<Role, TestMember>();

beforeAll(async () => {
  dashboard = await startDashboard({ runPipeline: false });
  members.set('owner', dashboard.owner);
  for (const role of ['admin', 'supervisor', 'reviewer', 'agent'] as const)
    members.set(role, await dashboard.join(role));
}, 300_000);
afterAll(async () => dashboard?.close());

describe.each(Object.keys(seen) as Role[])('somebody with the role %s', (role) => {
  it('sees what the role may open and nothing else; forced addresses say so, and the service refuses the same', async () => {
    const { baseUrl, open, t, owner } = dashboard;
    const member = members.get(role) ?? owner;
    const page = await open(member, '/calls');
    const all = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    // They come once they are known, and go when all are taken: see first-steps.test.ts.
    const links = all.filter((text) => !text.startsWith('First steps'));
    expect(links.toSorted()).toEqual((seen[role] ?? []).toSorted());
    for (const { label, path, api } of guarded) {
      const isOpen = seen[role].includes(label);
      await page.goto(`${baseUrl}${path}`);
      await page.locator('main h1').waitFor();
      const refusal = page.getByText('Your role does not include this');
      await expect
        .poll(async () => ({ path, refusals: await refusal.count() }), { timeout: 45_000 })
        .toEqual({ path, refusals: isOpen ? 0 : 1 });
      const { status } = await t.as(member, { url: `/api/v1${api.replace('ORG', owner.orgId)}` });
      expect({ path, status }).toEqual({ path, status: isOpen ? 200 : 403 });
    }
  });
});

/** What may be pressed on a screen. */
async function actionsAt(page: Page, path: string): Promise<string[]> {
  await page.goto(`${dashboard.baseUrl}${path}`);
  await page.locator('main h1').waitFor();
  await page.locator('main [role="status"]').first().waitFor({ state: 'detached' });
  return page.locator('main').getByRole('button').allTextContents();
}

it('offers an admin all changes but that of the budget', async () => {
  const { open, owner } = dashboard;
  const page = await open(members.get('admin') ?? owner, '/team');
  expect(await actionsAt(page, '/team')).toContain('Invite');
  expect(await actionsAt(page, '/webhooks')).toContain('Add endpoint');
  expect(await actionsAt(page, '/billing')).not.toContain('Set a budget');
});

it('offers a supervisor no change of the team or the webhooks', async () => {
  const { open, owner } = dashboard;
  const page = await open(members.get('supervisor') ?? owner, '/team');
  expect(await actionsAt(page, '/team')).toEqual([]);
  expect(await actionsAt(page, '/webhooks')).not.toContain('Add endpoint');
  await expectAccessible(page);
});

it.each([
  { role: 'admin', method: 'PATCH', path: '/billing/budget/ORG', payload: { budgetLimit: 1 } },
  { role: 'supervisor', method: 'POST', path: '/users/invite', payload: { email: 'x@example.com', role: 'agent' } },
  {
    role: 'supervisor',
    method: 'POST',
    path: '/webhooks',
    payload: { url: 'https://a.example', events: ['record.created'] },
  },
  { role: 'reviewer', method: 'GET', path: '/integrations/bitrix24/portals', payload: undefined },
] as const)('refuses $method $path to somebody with the role $role', async ({ role, method, path, payload }) => {
  const { t, owner } = dashboard;
  const url = `/api/v1${path.replace('ORG', owner.orgId)}`;
  const { status } = await t.as(members.get(role) ?? owner, { method, url, ...(payload && { payload }) });
  expect(status).toBe(403);
});
