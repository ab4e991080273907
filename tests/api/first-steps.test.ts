import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg('Bluebird');
});
afterAll(() => t.close());

type Answer = { steps: { key: string; state: string }[]; isDismissed: boolean };

async function call(member: TestMember, path: string, json: object): Promise<Answer> {
  const isQuery = path === 'onboarding.get';
  const { status, body } = await t.as(member, {
    method: isQuery ? 'GET' : 'POST',
    url: `/api/trpc/${path}${isQuery ? `?input=${encodeURIComponent(JSON.stringify({ json }))}` : ''}`,
    ...(!isQuery && { headers: { 'content-type': 'application/json' }, payload: { json } }),
  });
  expect(status).toBe(200);
  return body.result.data.json;
}

async function states(member: TestMember): Promise<Record<string, string>> {
  const { steps } = await call(member, 'onboarding.get', {});
  return Object.fromEntries(steps.map(({ key, state }) => [key, state]));
}

it('keeps what was confirmed, skipped and put away for each person, and takes it up again', async () => {
  const admin = await t.addMember(await t.createOrg(), 'admin');
  await call(admin, 'onboarding.settle', { key: 'project', as: 'confirmed' });
  await call(admin, 'onboarding.settle', { key: 'call', as: 'skipped' });
  expect(await states(admin)).toMatchObject({ organization: 'open', project: 'done', call: 'skipped' });
  await call(admin, 'onboarding.settle', { key: 'call', as: 'open' });
  expect(await states(admin)).toMatchObject({ project: 'done', call: 'open' });
  expect(await call(admin, 'onboarding.dismiss', { isDismissed: true })).toMatchObject({ isDismissed: true });
  expect(await call(admin, 'onboarding.dismiss', { isDismissed: false })).toMatchObject({ isDismissed: false });
  expect(await states(owner)).toMatchObject({ project: 'open', call: 'open' });
});

it('counts a step as done where its result exists, whoever made it', async () => {
  expect(await states(owner)).toMatchObject({ organization: 'open', call: 'open', invite: 'open' });
  await seedRecords(t, owner, [{ status: 'completed' }]);
  await t.as(owner, {
    method: 'POST',
    url: '/api/v1/users/invite',
    payload: { email: 'new@bluebird.example', role: 'agent' },
  });
  expect(await states(owner)).toMatchObject({ organization: 'done', project: 'done', call: 'done', invite: 'done' });
});

it('renames the organization for those who may', async () => {
  const { body } = await t.as(owner, {
    method: 'POST',
    url: '/api/trpc/orgs.update',
    headers: { 'content-type': 'application/json' },
    payload: { json: { name: ' Kingfisher ' } },
  });
  expect(body.result.data.json.name).toBe('Kingfisher');
  const me = await t.as(owner, { url: '/api/v1/me' });
  expect(me.body.data.memberships[0].org.name).toBe('Kingfisher');
});
