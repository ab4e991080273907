import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  beginAuthentication,
  beginRegistration,
  finishAuthentication,
  finishRegistration,
  listPasskeys,
  nextStep,
  passkeySiteOf,
  PasskeyAnswer,
  PasskeyName,
  PasskeyRegistration,
  readFactors,
  removePasskey,
  renamePasskey,
  requireSecondFactor,
  type PasskeyContext,
} from '../../src/domain/accounts/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { Authenticator, cbor, type Made } from '../support/authenticator.ts';

const origin = 'https://calls.example.com';
const rpId = 'calls.example.com';
const site = { rpId, origin };
const scope = 'sign-in 1';
const client = { address: '192.0.2.1', userAgent: 'Firefox/140.0 (Windows)' };

let t: TestApp;
let context: PasskeyContext;
let owner: TestMember;
let userId: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  context = { system: t.deps.connections.system, site };
});
afterAll(() => t.close());
beforeEach(async () => {
  owner = await t.createOrg();
  userId = owner.userId;
});

const holder = () => ({ userId, email: 'owner@example.com', name: 'Olivia', scope });

type Lies = Partial<Made>;

async function register(authenticator: Authenticator, lies: Lies = {}): Promise<{ id: string }> {
  const options = await beginRegistration(context, holder());
  const made = { challenge: options.challenge, origin, rpId, handle: options.user.id, ...lies };
  return finishRegistration(context, { userId, scope, client, name: 'Laptop', response: authenticator.register(made) });
}

async function signIn(authenticator: Authenticator, lies: Lies & { handle?: string } = {}) {
  const { challenge } = await beginAuthentication(context, { scope });
  authenticator.counter += 1;
  const response = authenticator.answer({ challenge, origin, rpId, ...lies });
  return finishAuthentication(context, { scope, response });
}

const unprocessable = { code: 'UNPROCESSABLE', message: 'This passkey was not accepted. Try again.' };
const unauthorized = { code: 'UNAUTHORIZED', message: 'This passkey was not accepted. Try again.' };

describe('a passkey', () => {
  it('is made, tells who signs in without an address, and shows when it was used', async () => {
    const authenticator = new Authenticator();
    const { id } = await register(authenticator);
    expect(await listPasskeys(context.system, userId)).toEqual([
      { id, name: 'Laptop', createdAt: expect.any(Date), lastUsedAt: null },
    ]);
    expect(await signIn(authenticator)).toEqual({ userId, passkeyId: id });
    const [used] = await listPasskeys(context.system, userId);
    expect(used?.lastUsedAt).toBeInstanceOf(Date);
  });

  it('is one of several, named and removed one by one', async () => {
    const [first, second] = [new Authenticator(), new Authenticator()];
    const { id } = await register(first);
    await register(second);
    await renamePasskey(context.system, { userId, id, name: 'Phone' });
    expect((await listPasskeys(context.system, userId)).map(({ name }) => name)).toEqual(['Phone', 'Laptop']);
    expect(await removePasskey(context.system, { userId, client, id })).toBe('Phone');
    await expect(signIn(first)).rejects.toMatchObject(unauthorized);
    expect((await signIn(second)).userId).toBe(userId);
    const events = await context.system`select type, details from account_events where user_id = ${userId} order by id`;
    expect(events.map(({ type }) => type)).toEqual(['passkey.added', 'passkey.added', 'passkey.removed']);
    expect(events[2]?.['details']).toEqual({ passkeyId: id });
  });

  it('has the same random holder as the person’s others, which says nothing about them', async () => {
    const options = [await beginRegistration(context, holder()), await beginRegistration(context, holder())];
    const [first, second] = options.map(({ user }) => user.id);
    expect(second).toBe(first);
    expect(Buffer.from(first ?? '', 'base64url')).toHaveLength(32);
    expect(Buffer.from(first ?? '', 'base64url').toString()).not.toContain(userId);
  });

  it('is not offered to be made twice by one authenticator, and is refused if it is', async () => {
    const authenticator = new Authenticator();
    await register(authenticator);
    const { excludeCredentials } = await beginRegistration(context, holder());
    expect(excludeCredentials?.map(({ id }) => id)).toEqual([authenticator.id.toString('base64url')]);
    await expect(register(authenticator)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('of somebody else is neither taken over, renamed nor removed', async () => {
    const authenticator = new Authenticator();
    const { id } = await register(authenticator);
    const thief = await t.createOrg();
    await expect(removePasskey(context.system, { userId: thief.userId, client, id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const renamed = renamePasskey(context.system, { userId: thief.userId, id, name: 'Mine' });
    await expect(renamed).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const options = await beginRegistration(context, { ...holder(), userId: thief.userId });
    const response = authenticator.register({ challenge: options.challenge, origin, rpId, handle: options.user.id });
    const taken = finishRegistration(context, { userId: thief.userId, scope, client, name: 'Mine', response });
    await expect(taken).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await listPasskeys(context.system, userId)).toHaveLength(1);
  });

  it('asks the browser for a stored key that verifies its user', async () => {
    const made = await beginRegistration(context, holder());
    expect(made.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' });
    expect(made.attestation).toBe('none');
    const used = await beginAuthentication(context, { scope });
    expect(used).toMatchObject({ rpId, userVerification: 'required', allowCredentials: [] });
  });

  it('cannot be the last one removed by an owner who needs a second factor', async () => {
    const { id } = await register(new Authenticator());
    await requireSecondFactor(
      { db: t.deps.services.db, system: t.deps.connections.system },
      { orgId: owner.orgId, isNeeded: true, by: 'operator' },
    );
    await expect(removePasskey(context.system, { userId, client, id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await nextStep(context.system, { userId, proofs: ['password'] })).toBe('code');
    await register(new Authenticator());
    await removePasskey(context.system, { userId, client, id });
    expect((await readFactors(context.system, userId)).passkeys).toBe(1);
  });

  it('is one of twenty at most', async () => {
    for (let made = 0; made < 20; made += 1) await register(new Authenticator());
    await expect(register(new Authenticator())).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a forged registration is refused', () => {
  it.each<[string, Lies]>([
    ['of another origin', { origin: 'https://calls.example.com.evil.test' }],
    ['of the same host without encryption', { origin: 'http://calls.example.com' }],
    ['of another port', { origin: 'https://calls.example.com:8443' }],
    ['for another host', { rpId: 'evil.test' }],
    ['for the domain above', { rpId: 'example.com' }],
    ['from a frame of another site', { crossOrigin: true }],
    ['without the user being verified', { isVerified: false }],
    ['without the user being there', { isPresent: false }],
    ['of the wrong ceremony', { type: 'webauthn.get' }],
    ['with a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['with a statement of its maker', { format: 'fido-u2f' }],
    ['with certificates', { format: 'packed', statement: new Map([['x5c', [Buffer.from('certificate')]]]) }],
    ['with a format that is none', { format: 'made-up' }],
    ['with no data of a client', { clientData: null }],
    ['with a list as challenge', { clientData: { type: 'webauthn.create', challenge: ['a'], origin } }],
    ['with CBOR that nests too deeply', { attestationObject: Buffer.alloc(6000, 0x81) }],
    ['with CBOR that announces a list without end', { attestationObject: Buffer.from('9bffffffffffffffff', 'hex') }],
    ['with CBOR that announces bytes without end', { attestationObject: Buffer.from('5b7fffffffffffffff', 'hex') }],
    ['with CBOR that is a number', { attestationObject: cbor(7) }],
    ['with CBOR that has no data', { attestationObject: cbor(new Map([['fmt', 'none']])) }],
    ['with no CBOR at all', { attestationObject: Buffer.from('hello') }],
  ])('%s', async (_what, lies) => {
    await expect(register(new Authenticator(), lies)).rejects.toMatchObject(unprocessable);
    expect(await listPasskeys(context.system, userId)).toEqual([]);
  });

  it('that was meant for another session, or another person', async () => {
    const authenticator = new Authenticator();
    const options = await beginRegistration(context, holder());
    const response = authenticator.register({ challenge: options.challenge, origin, rpId, handle: options.user.id });
    const stranger = await t.createOrg();
    const attempts = [
      { userId, scope: 'sign-in 2', client, name: 'Laptop', response },
      { userId: stranger.userId, scope, client, name: 'Laptop', response },
    ];
    for (const attempt of attempts) {
      await expect(finishRegistration(context, attempt)).rejects.toMatchObject(unprocessable);
    }
    await expect(
      finishRegistration(context, { userId, scope, client, name: 'Laptop', response }),
    ).resolves.toBeDefined();
  });

  it('that is sent twice, or by ten at once', async () => {
    const options = await beginRegistration(context, holder());
    const made = { challenge: options.challenge, origin, rpId, handle: options.user.id };
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        finishRegistration(context, {
          userId,
          scope,
          client,
          name: 'Laptop',
          response: new Authenticator().register(made),
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listPasskeys(context.system, userId)).toHaveLength(1);
  });
});

describe('a forged sign-in is refused', () => {
  it.each<[string, Lies]>([
    ['of another origin', { origin: 'https://evil.test' }],
    ['of a subdomain', { origin: 'https://www.calls.example.com' }],
    ['for another host', { rpId: 'evil.test' }],
    ['from a frame of another site', { crossOrigin: true }],
    ['without the user being verified', { isVerified: false }],
    ['without the user being there', { isPresent: false }],
    ['of the wrong ceremony', { type: 'webauthn.create' }],
    ['with a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['in the name of somebody else', { handle: Buffer.alloc(32).toString('base64url') }],
    ['with a counter that went back', { counter: 1 }],
  ])('%s', async (_what, lies) => {
    const authenticator = new Authenticator();
    await register(authenticator);
    await signIn(authenticator);
    await expect(signIn(authenticator, lies)).rejects.toMatchObject(unauthorized);
    expect((await signIn(authenticator)).userId).toBe(userId);
  });

  it('of a passkey that nobody has', async () => {
    await expect(signIn(new Authenticator())).rejects.toMatchObject(unauthorized);
  });

  it('of a passkey that does not say whose it is, unless the person is known', async () => {
    const authenticator = new Authenticator();
    await register(authenticator);
    const made = async (of?: string) => {
      const { challenge } = await beginAuthentication(context, { scope, userId: of });
      authenticator.counter += 1;
      return authenticator.answer({ challenge, origin, rpId, handle: null });
    };
    const nameless = finishAuthentication(context, { scope, response: await made() });
    await expect(nameless).rejects.toMatchObject(unauthorized);
    const known = await finishAuthentication(context, { scope, response: await made(userId), userId });
    expect(known.userId).toBe(userId);
  });

  it('of somebody else’s passkey as a second factor', async () => {
    const authenticator = new Authenticator();
    await register(authenticator);
    const victim = await t.createOrg();
    const { challenge } = await beginAuthentication(context, { scope, userId: victim.userId });
    const response = authenticator.answer({ challenge, origin, rpId });
    const attempt = finishAuthentication(context, { scope, response, userId: victim.userId });
    await expect(attempt).rejects.toMatchObject(unauthorized);
  });

  it('that is sent again, by ten at once, or in another sign-in', async () => {
    const authenticator = new Authenticator();
    await register(authenticator);
    const { challenge } = await beginAuthentication(context, { scope });
    authenticator.counter = 5;
    const response = authenticator.answer({ challenge, origin, rpId });
    await expect(finishAuthentication(context, { scope: 'sign-in 2', response })).rejects.toMatchObject(unauthorized);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => finishAuthentication(context, { scope, response })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('of two copies of a key that count the same', async () => {
    const authenticator = new Authenticator();
    await register(authenticator);
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { challenge } = await beginAuthentication(context, { scope });
        return authenticator.answer({ challenge, origin, rpId, counter: 9 });
      }),
    );
    const results = await Promise.allSettled(
      answers.map((response) => finishAuthentication(context, { scope, response })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('whose challenge has expired', async () => {
    const authenticator = new Authenticator();
    await register(authenticator);
    const { challenge } = await beginAuthentication(context, { scope });
    await context.system`update passkey_challenges set expires_at = now() where purpose = ${`use ${scope}`}`;
    authenticator.counter += 1;
    const response = authenticator.answer({ challenge, origin, rpId });
    await expect(finishAuthentication(context, { scope, response })).rejects.toMatchObject(unauthorized);
  });

  it('with another key under a known id', async () => {
    const [authenticator, thief] = [new Authenticator(), new Authenticator()];
    await register(authenticator);
    const { challenge } = await beginAuthentication(context, { scope });
    const honest = authenticator.answer({ challenge, origin, rpId, counter: 50 });
    const forged = thief.answer({ challenge, origin, rpId, counter: 50, handle: honest.response.userHandle });
    const response = { ...forged, id: honest.id, rawId: honest.rawId };
    await expect(finishAuthentication(context, { scope, response })).rejects.toMatchObject(unauthorized);
  });
});

describe('a challenge', () => {
  it('is stored as a hash, and removed when others are made after it has expired', async () => {
    const { challenge } = await beginAuthentication(context, { scope: 'old' });
    const [row] = await context.system`select hash from passkey_challenges where purpose = 'use old'`;
    expect(row?.['hash']).toHaveLength(32);
    expect(Buffer.from(row?.['hash']).toString('base64url')).not.toBe(challenge);
    await context.system`update passkey_challenges set expires_at = now() - interval '1 second' where purpose = 'use old'`;
    await beginAuthentication(context, { scope });
    expect(await context.system`select from passkey_challenges where purpose = 'use old'`).toHaveLength(0);
  });
});

describe('what a browser sends', () => {
  const made = { challenge: 'challenge', origin, rpId, handle: 'handle' };

  it('is refused where it is longer than a passkey can be', () => {
    const registration = new Authenticator().register(made);
    expect(PasskeyRegistration.safeParse(registration).success).toBe(true);
    const long = new Authenticator().register({ ...made, attestationObject: Buffer.alloc(8192) });
    expect(PasskeyRegistration.safeParse(long).success).toBe(false);
    const answer = new Authenticator().answer(made);
    expect(PasskeyAnswer.safeParse(answer).success).toBe(true);
    const response = { ...answer.response, signature: 'A'.repeat(9000) };
    expect(PasskeyAnswer.safeParse({ ...answer, response }).success).toBe(false);
  });

  it.each(['', '   ', 'a'.repeat(61), 'a\u0000b', 'a\u202Eb', 'a\nb'])('is no name of a passkey: %j', (name) => {
    expect(PasskeyName.safeParse(name).success).toBe(false);
  });
});

describe('the site of passkeys', () => {
  it.each([
    ['https://calls.example.com', { rpId: 'calls.example.com', origin: 'https://calls.example.com' }],
    ['https://calls.example.com:8443/path', { rpId: 'calls.example.com', origin: 'https://calls.example.com:8443' }],
    ['http://localhost:3000', { rpId: 'localhost', origin: 'http://localhost:3000' }],
    ['http://127.0.0.1:3000', null],
    ['http://[::1]:3000', null],
    ['http://calls.example.com', null],
    ['http://localhost.evil.test', null],
  ])('of %s is the host that PUBLIC_URL names', (url, expected) => {
    expect(passkeySiteOf(url)).toEqual(expected);
  });
});
