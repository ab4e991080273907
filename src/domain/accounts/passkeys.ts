import { isIP } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticatorTransport,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers';
import type { Sql } from 'postgres';
import { hashToken } from '../../auth/api-token.ts';
import { AppError, messageOf, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { writeAudit, type Client } from './audit.ts';
import * as queries from './passkey-queries.ts';
import type { PasskeyAnswer, PasskeyRegistration } from './passkey-schemas.ts';

export type PasskeyContext = { system: Sql; site: PasskeySite };
/** The host that passkeys are made for, and the only origin that may use them. */
export type PasskeySite = { rpId: string; origin: string };

const challengeSeconds = 5 * 60;
const passkeysMax = 20;

/** Null if the address is none that browsers make passkeys for: they need the name of a host. */
export function passkeySiteOf(publicUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return null;
  return protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname) ? { rpId: hostname, origin } : null;
}

type Holder = { userId: string; email: string; name: string; scope: string };

/** What the browser needs to make a passkey. `scope` names the session, in which alone the answer counts. */
export async function beginRegistration(
  { system, site }: PasskeyContext,
  { userId, email, name, scope }: Holder,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const handle = await queries.ensureHandle(system, userId);
  const options = await generateRegistrationOptions({
    rpName: 'Earshot',
    rpID: site.rpId,
    userName: email,
    userDisplayName: name,
    userID: Uint8Array.from(handle),
    timeout: challengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: (await queries.selectCredentials(system, userId)).map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: [-8, -7, -257],
  });
  await keepChallenge(system, options.challenge, `register ${userId} ${scope}`);
  return options;
}

type Registration = { userId: string; scope: string; name: string; response: PasskeyRegistration; client: Client };

/** Throws UNPROCESSABLE if the answer is not to be trusted, CONFLICT if the passkey is known or there are too many. */
export async function finishRegistration(
  { system, site }: PasskeyContext,
  { userId, scope, name, response, client }: Registration,
): Promise<{ id: string }> {
  const refuse = refusing('UNPROCESSABLE');
  const expectedChallenge = await takeChallenge(system, response, `register ${userId} ${scope}`, refuse);
  const { verified, registrationInfo } = await attempt(refuse, async () => {
    assertNoStatement(response);
    return verifyRegistrationResponse({
      response: toRegistrationJson(response),
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [-8, -7, -257],
    });
  });
  if (!verified) throw refuse('The attestation does not fit.');
  const { credential, credentialBackedUp: isBackedUp } = registrationInfo;
  const id = newId('passkey');
  const passkey = {
    id,
    userId,
    name,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    isBackedUp,
  };
  await system.begin(async (tx) => {
    if (!(await queries.insertPasskey(tx, passkey, passkeysMax))) {
      throw new AppError('CONFLICT', `This passkey is in use already, or you have ${passkeysMax}.`);
    }
    await writeAudit(tx, { type: 'passkey.added', userId, client, details: { passkeyId: id } });
  });
  return { id };
}

/** What the browser needs to use a passkey. Without `userId`, it offers all that it has for this site. */
export async function beginAuthentication(
  { system, site }: PasskeyContext,
  { scope, userId }: { scope: string; userId?: string | undefined },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const known = userId === undefined ? [] : await queries.selectCredentials(system, userId);
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    timeout: challengeSeconds * 1000,
    userVerification: 'required',
    allowCredentials: known.map(toDescriptor),
  });
  await keepChallenge(system, options.challenge, `use ${scope}`);
  return options;
}

type Answer = { scope: string; response: PasskeyAnswer; userId?: string | undefined };

/**
 * Who answered, with a passkey that has verified them. Throws UNAUTHORIZED if the answer is not to be trusted, or is not
 * `userId`'s.
 */
export async function finishAuthentication(
  { system, site }: PasskeyContext,
  { scope, response, userId }: Answer,
): Promise<{ userId: string; passkeyId: string }> {
  const refuse = refusing('UNAUTHORIZED');
  const expectedChallenge = await takeChallenge(system, response, `use ${scope}`, refuse);
  const passkey = await queries.selectByCredential(system, Buffer.from(response.id, 'base64url'));
  if (!passkey) throw refuse('Nobody has this passkey.');
  if (userId !== undefined && passkey.userId !== userId) throw refuse('The passkey is somebody else’s.');
  if (!isHandle(response, passkey.handle, userId !== undefined)) throw refuse('The passkey names somebody else.');
  const { verified, authenticationInfo } = await attempt(refuse, () =>
    verifyAuthenticationResponse({
      response: toAnswerJson(response),
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified) throw refuse('The signature does not fit.');
  const isFirst = await queries.markUsed(system, passkey.id, authenticationInfo.newCounter);
  if (!isFirst) throw refuse('The counter went back, or the passkey was removed.');
  return { userId: passkey.userId, passkeyId: passkey.id };
}

export function listPasskeys(system: Sql, userId: string): Promise<queries.Passkey[]> {
  return queries.selectPasskeys(system, userId);
}

export async function renamePasskey(
  system: Sql,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<void> {
  if (!(await queries.updateName(system, userId, id, name))) throw notFound('Passkey');
}

async function keepChallenge(system: Sql, challenge: string, purpose: string): Promise<void> {
  await queries.insertChallenge(system, { hash: hashToken(challenge), purpose, lifetimeSeconds: challengeSeconds });
}

type Refuse = (why: string) => AppError;

/** The challenge that was answered, which no further answer may use. Throws unless it was given for this purpose. */
async function takeChallenge(
  system: Sql,
  { response: { clientDataJSON } }: PasskeyRegistration | PasskeyAnswer,
  purpose: string,
  refuse: Refuse,
): Promise<string> {
  const { challenge, crossOrigin } = await attempt(refuse, async () => ({
    ...decodeClientDataJSON(clientDataJSON),
  }));
  if (crossOrigin === true) throw refuse('The answer comes from a frame of another site.');
  const isOurs = typeof challenge === 'string' && (await queries.takeChallenge(system, hashToken(challenge), purpose));
  if (!isOurs) throw refuse('The challenge is unknown, was answered already or has expired.');
  return challenge;
}

/**
 * We ask for no statement about the authenticator, so browsers send none but of itself. Others are refused: to check
 * them means to read certificates of anybody's making.
 */
function assertNoStatement({ response: { attestationObject } }: PasskeyRegistration): void {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get('fmt');
  const isOwn = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isOwn) throw new Error('The passkey comes with a statement that nobody asked for.');
}

/** Whether the answer names the passkey's holder; it may name nobody if somebody in particular was asked. */
function isHandle({ response: { userHandle } }: PasskeyAnswer, handle: Buffer, mayBeMissing: boolean): boolean {
  if (userHandle === undefined || userHandle === null) return mayBeMissing;
  return Buffer.from(userHandle, 'base64url').equals(handle);
}

/** Why an answer is refused is for the log. */
function refusing(code: 'UNAUTHORIZED' | 'UNPROCESSABLE'): Refuse {
  return (internal) => new AppError(code, 'This passkey was not accepted. Try again.', { internal });
}

/** What the library throws is always about the answer: it reads nothing else. */
async function attempt<T>(refuse: Refuse, check: () => Promise<T>): Promise<T> {
  return check().catch((error: unknown) => {
    throw refuse(messageOf(error));
  });
}

function toDescriptor({ credentialId, transports }: { credentialId: Buffer; transports: string[] }) {
  return { id: credentialId.toString('base64url'), transports: transports as AuthenticatorTransport[] };
}

function toRegistrationJson({ id, rawId, type, response }: PasskeyRegistration) {
  const { clientDataJSON, attestationObject } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} };
}

function toAnswerJson({ id, rawId, type, response }: PasskeyAnswer) {
  const { clientDataJSON, authenticatorData, signature } = response;
  return {
    id,
    rawId,
    type,
    response: { clientDataJSON, authenticatorData, signature },
    clientExtensionResults: {},
  };
}
