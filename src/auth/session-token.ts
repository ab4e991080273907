import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type LocalJWKSet } from 'jose';
import { AppError } from '../lib/errors.ts';
import { isStorable } from '../lib/storable.ts';
import { hashToken } from './api-token.ts';
import type { OidcSettings } from './oidc-provider.ts';
import { readPerson, TokenClaims, type SessionClaims } from './session-claims.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Asymmetric algorithms only: the provider shares no secret with us. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** The same keys sign other things: a logout token (`logout+jwt`) is no credential. */
const types = new Set(['jwt', 'at+jwt', 'application/at+jwt']);
const skewSeconds = 30;

/**
 * The claims of a session token, or null unless it is a live token of this provider for us. Throws SERVICE_UNAVAILABLE
 * while the provider's keys are unavailable.
 */
export type SessionVerifier = (token: string) => Promise<SessionClaims | null>;

type VerifierOptions = { settings: OidcSettings; keys: SigningKeys };
type Verified = { claims: SessionClaims; keys: LocalJWKSet };

const rememberedMax = 10_000;

/**
 * Verifies session tokens (RFC 7519, RFC 9068; OpenID Connect Core, section 3.1.3.7). Each signature is checked once,
 * and stays valid until the token expires or the provider publishes other keys.
 */
export function createSessionVerifier({ settings, keys }: VerifierOptions): SessionVerifier {
  const remembered = new Map<string, Verified>();

  return async (token) => {
    const hash = hashToken(token).toString('latin1');
    const known = remembered.get(hash);
    if (!known && !isWorthVerifying(token, settings)) return null;
    const current = await available(keys.current());
    if (known?.keys === current && known.claims.expiresAt.getTime() > Date.now()) return known.claims;
    remembered.delete(hash);
    const verified = await verify(token, { settings, keys, current });
    if (!verified) return null;
    remembered.set(hash, verified);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
    return verified.claims;
  };
}

type Verification = VerifierOptions & { current: LocalJWKSet };

async function verify(token: string, { settings, keys, current }: Verification): Promise<Verified | null> {
  const attempt = await verifySignature(token, settings, current);
  if (attempt !== 'unknown key') return attempt && accept(attempt, settings, current);
  const newer = await available(keys.newer(current));
  const again = newer && (await verifySignature(token, settings, newer));
  return newer && again && again !== 'unknown key' ? accept(again, settings, newer) : null;
}

function accept(payload: JWTPayload, settings: OidcSettings, keys: LocalJWKSet): Verified | null {
  const { data: said } = TokenClaims.safeParse(payload);
  if (!said || !isForUs(said, settings)) return null;
  const { sub: subject, exp, iat, iss: issuer } = said;
  if (iat !== undefined && iat > Date.now() / 1000 + skewSeconds) return null;
  const claims = {
    issuer,
    subject,
    expiresAt: new Date((exp + skewSeconds) * 1000),
    signInId: said.sid ?? null,
    ...readPerson(said),
  };
  return isStorable(claims) ? { claims, keys } : null;
}

/** Checks everything but the signature, so that a token not meant for us causes no request to the provider. */
function isWorthVerifying(token: string, { issuer }: OidcSettings): boolean {
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    const isKnownType = typ === undefined || types.has(typ.toLowerCase());
    return isKnownType && algorithms.includes(alg ?? '') && decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

async function verifySignature(
  token: string,
  { issuer, audiences }: OidcSettings,
  keys: LocalJWKSet,
): Promise<JWTPayload | 'unknown key' | null> {
  const options = {
    algorithms,
    issuer,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: skewSeconds,
    ...(audiences.length > 0 && { audience: [...audiences] }),
  };
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? 'unknown key' : nullUnlessFault(error);
  }
}

/** An ID token names its client as audience and need not repeat it as authorized party. */
function isForUs({ azp, client_id: clientId, aud }: TokenClaims, { clientIds, audiences }: OidcSettings): boolean {
  if (clientIds.length === 0) return audiences.length > 0;
  const party = azp ?? clientId ?? undefined;
  if (party !== undefined) return clientIds.includes(party);
  return [aud].flat().some((audience) => audience !== undefined && clientIds.includes(audience));
}

/** Any error of jose means an invalid token, including keys that it cannot use, and is no fault of ours. */
function nullUnlessFault(error: unknown): null {
  if (error instanceof errors.JOSEError || error instanceof TypeError || isCryptoError(error)) return null;
  throw error;
}

function isCryptoError(error: unknown): boolean {
  return error instanceof DOMException;
}

async function available<T>(fetched: Promise<T>): Promise<T> {
  try {
    return await fetched;
  } catch (cause) {
    throw new AppError('SERVICE_UNAVAILABLE', 'The identity provider cannot be reached. Try again shortly.', {
      cause,
      headers: { 'Retry-After': '5' },
    });
  }
}
