import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
});
afterAll(() => t.close());
beforeEach(async () => {
  owner = await t.createOrg();
});

const url = '/api/v1/sign-in-rules';
const change = (by: TestMember, ownersNeedSecondFactor: boolean, headers = {}) =>
  t.as(by, { method: 'PATCH', url, headers, payload: { ownersNeedSecondFactor } });
const isNeeded = async () => (await t.as(owner, { url })).body.data.ownersNeedSecondFactor;
const setUp = ({ userId }: TestMember) =>
  t.deps.connections
    .system`insert into totp_secrets (user_id, secret, confirmed_at) values (${userId}, 'sealed', now())`;

it('is switched on by an owner who has a second factor, and off again, and both are in the log once', async () => {
  await setUp(owner);
  expect(await isNeeded()).toBe(false);
  expect(await change(owner, true)).toMatchObject({ status: 200, body: { data: { ownersNeedSecondFactor: true } } });
  expect((await change(owner, true)).status).toBe(200);
  expect(await isNeeded()).toBe(true);
  expect((await t.deps.services.factors.read(owner.userId)).isNeeded).toBe(true);
  expect((await change(owner, false)).status).toBe(200);
  expect(await isNeeded()).toBe(false);
  const events = await t.deps.connections.system`
    select type, user_id, details from account_events where details->>'orgId' = ${owner.orgId} order by id`;
  expect(events).toEqual(
    ['second_factor.required', 'second_factor.optional'].map((type) => ({
      type,
      user_id: owner.userId,
      details: { orgId: owner.orgId, by: owner.userId },
    })),
  );
});

it('is not switched on by an owner who has none, nor by an admin who has one', async () => {
  const refused = await change(owner, true);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toMatch(/^Set up a passkey or an authenticator app of your own first/);
  const admin = await t.addMember(owner, 'admin');
  await setUp(admin);
  expect((await change(admin, true)).status).toBe(403);
  expect(await isNeeded()).toBe(false);
  const begun = await t.addMember(owner, 'owner');
  await t.deps.connections.system`insert into totp_secrets (user_id, secret) values (${begun.userId}, 'sealed')`;
  expect((await change(begun, true)).status).toBe(409);
});

it('is not overwritten by an edit of what somebody else has changed since', async () => {
  await setUp(owner);
  const { headers } = await t.as(owner, { url });
  expect((await change(owner, true)).status).toBe(200);
  expect((await change(owner, true, { 'if-match': headers['etag'] })).status).toBe(412);
});
