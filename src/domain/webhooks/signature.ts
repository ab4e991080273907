import { createHmac, randomBytes } from 'node:crypto';

/** Prefix of every secret in clear text. */
export const secretPrefix = 'whsec_';
const secretBytes = 32;

/** `whsec_` + 32 random bytes in base64: the format of Standard Webhooks libraries. */
export function newSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

type Signed = { id: string; at: Date; body: string; secrets: readonly string[] };

/**
 * The headers of Standard Webhooks 1.0 (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA256 over id,
 * Unix seconds and body, once with each secret. `at` is the time of sending, so that receivers can recognize old
 * requests.
 */
export function signatureHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
