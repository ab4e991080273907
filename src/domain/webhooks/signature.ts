import { createHmac, randomBytes } from 'node:crypto';

/** Of every secret in clear. */
export const secretPrefix = 'whsec_';
const secretBytes = 32;

/** `whsec_` + 32 random bytes in base64: what libraries for Standard Webhooks take as it is. */
export function newSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

type Signed = { id: string; at: Date; body: string; secrets: readonly string[] };

/**
 * The headers of Standard Webhooks 1.0 (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA256 over id,
 * seconds since 1970 and body, once with each secret. `at` is when it is sent, so that an old request is known as one.
 */
export function signatureHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
