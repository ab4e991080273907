import { afterAll, beforeAll, expect, it } from 'vitest';
import { deviceOf, writeAudit } from '../../../src/domain/accounts/audit.ts';
import { nextStep } from '../../../src/domain/accounts/next-step.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
});
afterAll(() => t.close());

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

it('names a device as people do', () => {
  expect([deviceOf(firefox), deviceOf('curl/8'), deviceOf(undefined)]).toEqual([
    'Firefox on Windows',
    'Unknown browser',
    'Unknown browser',
  ]);
});

it('keeps what happened, to whom and from where, after the person is gone', async () => {
  const { system } = t.deps.connections;
  const { userId } = await t.createOrg();
  await writeAudit(system, { type: 'sign_in', userId, client: { address: '192.0.2.1', userAgent: firefox } });
  await system`delete from users where id = ${userId}`;
  const [event] = await system`select type, client, device, details from account_events where user_id = ${userId}`;
  expect(event).toEqual({ type: 'sign_in', client: '192.0.2.1', device: 'Firefox on Windows', details: {} });
});

it('asks a person with a password alone for nothing else', async () => {
  const { userId } = await t.createOrg();
  expect(await nextStep(t.deps.connections.system, { userId, proofs: ['password'] })).toBe('done');
});
