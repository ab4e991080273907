import { createHmac, randomBytes } from 'node:crypto';
import type { StoredSecret } from '../../db/schema/index.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** `whsec_` + 32 random bytes in base64: what libraries for Standard Webhooks take as it is. */
export function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** Those that sign at this time, the present one first. */
export function liveSecrets(secrets: readonly StoredSecret[], now: Date): StoredSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now);
}

type Signed = { id: string; at: Date; body: string; secrets: readonly StoredSecret[] };

/**
 * The headers of Standard Webhooks 1.0 (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA256 over id,
 * seconds since 1970 and body, once with each secret. `at` is when it is sent, so that an old request is known as one.
 */
export function signatureHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = liveSecrets(secrets, at).map(({ secret }) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
