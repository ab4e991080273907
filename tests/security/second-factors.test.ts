import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  acceptRecoveryCode,
  acceptTotp,
  beginTotp,
  confirmTotp,
  readFactors,
  replaceRecoveryCodes,
  requireSecondFactor,
  resealTotp,
  resetFactors,
  nextStep,
  switchOffTotp,
  type FactorContext,
} from '../../src/domain/accounts/service.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

/** The middle of a time step. */
const noon = Date.UTC(2026, 0, 1, 12) + 15_000;
const stepMs = 30_000;
const client = { address: '192.0.2.1', userAgent: 'Firefox/140.0 (Windows)' };

let t: TestApp;
let context: FactorContext;
let owner: TestMember;
let userId: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  context = { system: t.deps.connections.system, secrets: t.deps.services.secrets };
});
afterAll(() => t.close());
beforeEach(async () => {
  owner = await t.createOrg();
  userId = owner.userId;
});

const codeAt = (secret: string, timestamp: number): string => new TOTP({ secret }).generate({ timestamp });

async function switchOn(): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = await beginTotp(context, { userId, email: 'owner@example.com' });
  const code = codeAt(secret, noon - 10 * stepMs);
  const recovery = await confirmTotp(context, { userId, client, code, now: noon - 10 * stepMs });
  return { secret, recovery: recovery ?? [] };
}

const accept = (secret: string, at = noon, now = noon) =>
  acceptTotp(context, { userId, code: codeAt(secret, at), now });

describe('codes of an authenticator app', () => {
  it('agree with RFC 6238, appendix B', () => {
    const secret = Buffer.from('12345678901234567890').toString('latin1');
    const base32 = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    expect(secret).toHaveLength(20);
    expect([59, 1_111_111_109, 20_000_000_000].map((seconds) => codeAt(base32, seconds * 1000))).toEqual([
      '287082',
      '081804',
      '353130',
    ]);
  });

  it('count only once one of them has confirmed the secret, which is stored sealed', async () => {
    const { secret, uri } = await beginTotp(context, { userId, email: 'owner@example.com' });
    expect(uri).toContain('otpauth://totp/Earshot:owner%40example.com?issuer=Earshot');
    expect(uri).toContain(`secret=${secret}`);
    expect(await accept(secret)).toBe(false);
    expect(await confirmTotp(context, { userId, client, code: '000000', now: noon })).toBeNull();
    expect((await readFactors(context.system, userId)).hasTotp).toBe(false);
    const codes = await confirmTotp(context, { userId, client, code: codeAt(secret, noon), now: noon });
    expect(codes).toHaveLength(10);
    expect(await readFactors(context.system, userId)).toEqual({
      hasTotp: true,
      recoveryCodes: 10,
      passkeys: 0,
      isNeeded: false,
    });
    const [row] = await context.system`select secret from totp_secrets where user_id = ${userId}`;
    expect(row?.['secret']).toMatch(/^v1\./);
  });

  it('have one secret while it is being set up, however often the page is loaded, and keep it once confirmed', async () => {
    const who = { userId, email: 'owner@example.com' };
    const [first, second] = await Promise.all([beginTotp(context, who), beginTotp(context, who)]);
    expect(second).toEqual(first);
    await confirmTotp(context, { userId, client, code: codeAt(first.secret, noon), now: noon });
    await expect(beginTotp(context, who)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await accept(first.secret, noon + stepMs, noon + stepMs)).toBe(true);
  });

  it('are accepted one step early or late, and no further', async () => {
    const { secret } = await switchOn();
    const offsets = [-2, -1, 0, 1, 2];
    const accepted: boolean[] = [];
    for (const offset of offsets) accepted.push(await accept(secret, noon + offset * stepMs));
    expect(accepted).toEqual([false, true, true, true, false]);
  });

  it('are accepted once, and none before one that was used', async () => {
    const { secret } = await switchOn();
    expect(await accept(secret)).toBe(true);
    expect(await accept(secret)).toBe(false);
    expect(await accept(secret, noon - stepMs)).toBe(false);
    expect(await accept(secret, noon + stepMs)).toBe(true);
  });

  it('are accepted once by twenty at the same moment', async () => {
    const { secret } = await switchOn();
    const accepted = await Promise.all(Array.from({ length: 20 }, () => accept(secret)));
    expect(accepted.filter(Boolean)).toHaveLength(1);
  });

  it('cannot be the one again that confirmed the secret', async () => {
    const { secret } = await beginTotp(context, { userId, email: 'owner@example.com' });
    await confirmTotp(context, { userId, client, code: codeAt(secret, noon), now: noon });
    expect(await accept(secret)).toBe(false);
  });

  it.each(['', '12345', '1234567', '12 34', 'abcdef', '\u0000', '１２３４５６', '-12345', "1' or 1"])(
    'are refused where they are no six digits: %j',
    async (code) => {
      await switchOn();
      expect(await acceptTotp(context, { userId, code, now: noon })).toBe(false);
    },
  );

  it('do not open with somebody else’s secret', async () => {
    const { secret } = await switchOn();
    const other = await t.createOrg();
    await context.system`
      insert into totp_secrets (user_id, secret, confirmed_at, last_step)
      select ${other.userId}, secret, now(), 0 from totp_secrets where user_id = ${userId}`;
    const code = codeAt(secret, noon);
    await expect(acceptTotp(context, { userId: other.userId, code, now: noon })).rejects.toThrow(/auth/i);
    await context.system`delete from totp_secrets where user_id = ${other.userId}`;
  });

  it('work on after the key of secrets was replaced', async () => {
    const { secret } = await switchOn();
    const old = createSecretBox(['an old key']);
    const sealed = old.seal(secret, `totp ${userId}`);
    await context.system`update totp_secrets set secret = ${sealed} where user_id = ${userId}`;
    const both = { ...context, secrets: createSecretBox(['a new key', 'an old key']) };
    await resealTotp(both);
    const renewed = { ...context, secrets: createSecretBox(['a new key']) };
    expect(await acceptTotp(renewed, { userId, code: codeAt(secret, noon), now: noon })).toBe(true);
    const [row] = await context.system`select secret from totp_secrets where user_id = ${userId}`;
    await resealTotp({ ...context, secrets: createSecretBox(['a third key']) });
    const [left] = await context.system`select secret from totp_secrets where user_id = ${userId}`;
    expect(left).toEqual(row);
  });
});

describe('recovery codes', () => {
  it('are accepted once, however they are typed, and are stored as hashes', async () => {
    const { recovery } = await switchOn();
    expect(new Set(recovery).size).toBe(10);
    const [first = '', second = ''] = recovery;
    expect(first).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
    expect(
      await acceptRecoveryCode(context.system, { userId, client, code: first.toUpperCase().replaceAll('-', ' ') }),
    ).toBe(true);
    expect(await acceptRecoveryCode(context.system, { userId, client, code: first })).toBe(false);
    expect(
      await acceptRecoveryCode(context.system, {
        userId,
        client,
        code: second.replaceAll('0', 'O').replaceAll('1', 'l'),
      }),
    ).toBe(true);
    expect((await readFactors(context.system, userId)).recoveryCodes).toBe(8);
    const stored = await context.system`select hash from recovery_codes where user_id = ${userId}`;
    expect(stored.every(({ hash }) => hash.length === 32)).toBe(true);
  });

  it('are accepted once by twenty at the same moment', async () => {
    const { recovery } = await switchOn();
    const code = recovery[0] ?? '';
    const accepted = await Promise.all(
      Array.from({ length: 20 }, () => acceptRecoveryCode(context.system, { userId, client, code })),
    );
    expect(accepted.filter(Boolean)).toHaveLength(1);
  });

  it('are replaced by new ones as a whole, also by two at once', async () => {
    const { recovery } = await switchOn();
    const [one, two] = await Promise.all([
      replaceRecoveryCodes(context.system, { userId, client }),
      replaceRecoveryCodes(context.system, { userId, client }),
    ]);
    expect((await readFactors(context.system, userId)).recoveryCodes).toBe(10);
    expect(await acceptRecoveryCode(context.system, { userId, client, code: recovery[0] ?? '' })).toBe(false);
    const accepted = [
      await acceptRecoveryCode(context.system, { userId, client, code: one[0] ?? '' }),
      await acceptRecoveryCode(context.system, { userId, client, code: two[0] ?? '' }),
    ];
    expect(accepted.filter(Boolean)).toHaveLength(1);
  });

  it('are worth nothing to somebody else', async () => {
    const { recovery } = await switchOn();
    const other = await t.createOrg();
    expect(await acceptRecoveryCode(context.system, { userId: other.userId, client, code: recovery[0] ?? '' })).toBe(
      false,
    );
    expect(await acceptRecoveryCode(context.system, { userId, client, code: recovery[0] ?? '' })).toBe(true);
  });

  it.each(['', '0000-0000-0000-0000', '\u0000', '0'.repeat(5000)])(
    'are refused where they are none: %#',
    async (code) => {
      await switchOn();
      expect(await acceptRecoveryCode(context.system, { userId, client, code })).toBe(false);
    },
  );
});

describe('the audit log', () => {
  it('tells of every change of a second factor, and holds no secret of it', async () => {
    const { secret, recovery } = await switchOn();
    const [code = ''] = recovery;
    await acceptRecoveryCode(context.system, { userId, client, code });
    await acceptRecoveryCode(context.system, { userId, client, code });
    const [renewed = ''] = await replaceRecoveryCodes(context.system, { userId, client });
    await switchOffTotp(context.system, { userId, client });
    await switchOn();
    await resetFactors(context.system, userId, { passkeys: true, totp: true });
    const events = await context.system`
      select type, client, device, details from account_events where user_id = ${userId} order by id`;
    expect(events.map(({ type }) => type)).toEqual([
      'totp.added',
      'recovery_code.used',
      'recovery_codes.created',
      'totp.removed',
      'totp.added',
      'totp.removed',
    ]);
    expect(events[0]).toMatchObject({ client: '192.0.2.1', device: 'Firefox on Windows' });
    expect(events.at(-1)).toMatchObject({ client: null, device: null });
    const text = JSON.stringify(events);
    expect([secret, code, renewed].filter((known) => text.includes(known))).toEqual([]);
  });
});

describe('a second factor that owners need', () => {
  const step = (id = userId) => nextStep(context.system, { userId: id, proofs: ['password'] });

  it('is set up by an owner who has none, and asked for afterwards', async () => {
    expect(await step()).toBe('done');
    await requireSecondFactor(
      { db: t.deps.services.db, system: t.deps.connections.system },
      { orgId: owner.orgId, isNeeded: true, by: 'operator' },
    );
    expect(await step()).toBe('set-up-second-factor');
    await switchOn();
    expect(await step()).toBe('code');
    await requireSecondFactor(
      { db: t.deps.services.db, system: t.deps.connections.system },
      { orgId: owner.orgId, isNeeded: false, by: 'operator' },
    );
    expect(await step()).toBe('code');
  });

  it('is what a passkey counts as, and a code', async () => {
    await requireSecondFactor(
      { db: t.deps.services.db, system: t.deps.connections.system },
      { orgId: owner.orgId, isNeeded: true, by: 'operator' },
    );
    await switchOn();
    const proved = (proofs: ('password' | 'passkey' | 'code')[]) => nextStep(context.system, { userId, proofs });
    expect(await proved(['passkey'])).toBe('done');
    expect(await proved(['password', 'code'])).toBe('done');
    expect(await proved(['password'])).toBe('code');
  });

  it('is not demanded of other members, or by an organization for another', async () => {
    const admin = await t.addMember(owner, 'admin');
    const other = await t.createOrg();
    await requireSecondFactor(
      { db: t.deps.services.db, system: t.deps.connections.system },
      { orgId: owner.orgId, isNeeded: true, by: 'operator' },
    );
    expect([await step(admin.userId), await step(other.userId)]).toEqual(['done', 'done']);
  });

  it('cannot be switched off by who needs it, but reset by the operator', async () => {
    await switchOn();
    await requireSecondFactor(
      { db: t.deps.services.db, system: t.deps.connections.system },
      { orgId: owner.orgId, isNeeded: true, by: 'operator' },
    );
    await expect(switchOffTotp(context.system, { userId, client })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await step()).toBe('code');
    expect(await resetFactors(context.system, userId, { passkeys: true, totp: true })).toEqual({
      passkeys: 0,
      totp: true,
    });
    expect(await step()).toBe('set-up-second-factor');
    expect((await readFactors(context.system, userId)).recoveryCodes).toBe(0);
  });

  it('is demanded by no unknown organization', async () => {
    const unknown = requireSecondFactor(
      { db: t.deps.services.db, system: t.deps.connections.system },
      { orgId: 'org_none', isNeeded: true, by: 'operator' },
    );
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is off with the recovery codes once the app is switched off', async () => {
    const { secret } = await switchOn();
    await switchOffTotp(context.system, { userId, client });
    expect(await step()).toBe('done');
    expect((await readFactors(context.system, userId)).recoveryCodes).toBe(0);
    expect(await accept(secret)).toBe(false);
  });
});
