import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets that must be read again, such as tokens of other services. Secrets that are only compared are hashed
 * instead.
 */
export type SecretBox = {
  /** Name of the key that seals, as sealed text refers to it. */
  readonly keyName: string;
  /** `context` is part of the seal: what was sealed for one purpose cannot be opened for another. */
  seal(secret: string, context: string): string;
  /** Throws if no key fits or the text was changed. */
  open(sealed: string, context: string): string;
};

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a random nonce (NIST SP 800-38D). The first key seals and every key opens, so you replace a key by
 * putting the new one in front. Keys are any text with enough randomness; sealed text is `v1.<key>.<base64url>`.
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const rings = keys.map(toKey);
  const [first] = rings;
  if (!first) throw new Error('There is no key to seal secrets with.');
  return {
    keyName: first.name,
    seal(secret, context) {
      const nonce = randomBytes(nonceBytes);
      const encryption = createCipheriv(cipher, first.key, nonce).setAAD(Buffer.from(context));
      const content = Buffer.concat([encryption.update(secret, 'utf8'), encryption.final()]);
      const bytes = Buffer.concat([nonce, encryption.getAuthTag(), content]);
      return `v1.${first.name}.${bytes.toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, name, text = ''] = sealed.split('.');
      const ring = rings.find((known) => known.name === name);
      if (version !== 'v1' || !ring) throw new Error('A secret was sealed with a key that is not configured.');
      const bytes = Buffer.from(text, 'base64url');
      const nonce = bytes.subarray(0, nonceBytes);
      const decryption = createDecipheriv(cipher, ring.key, nonce, { authTagLength: tagBytes });
      decryption.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const content = decryption.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([content, decryption.final()]).toString('utf8');
    },
  };
}

/** The name of a key in sealed text: eight digits that identify it and reveal nothing about it. */
export function keyNameOf(text: string): string {
  return createHash('sha256').update(`name:${text}`).digest('hex').slice(0, 8);
}

type NamedKey = { name: string; key: Buffer };

/** The name is derived from a different digest than the key. */
function toKey(text: string): NamedKey {
  return { name: keyNameOf(text), key: createHash('sha256').update(`seal:${text}`).digest() };
}
