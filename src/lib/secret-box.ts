import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Seals secrets that have to be read again, such as tokens of other services. What only has to be compared is hashed. */
export type SecretBox = {
  /** Of the key that seals, as sealed text names it. */
  readonly keyName: string;
  /** `context` is part of the seal: what was sealed for one place cannot be opened in another. */
  seal(secret: string, context: string): string;
  /** Throws where no key fits, or something was changed. */
  open(sealed: string, context: string): string;
};

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a random nonce (NIST SP 800-38D). The first key seals; every key opens, so that a key is replaced by
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

/** How sealed text names a key: eight digits, which tell which one it was, and nothing about it. */
export function keyNameOf(text: string): string {
  return createHash('sha256').update(`name:${text}`).digest('hex').slice(0, 8);
}

type NamedKey = { name: string; key: Buffer };

/** The name is made of another digest than the key. */
function toKey(text: string): NamedKey {
  return { name: keyNameOf(text), key: createHash('sha256').update(`seal:${text}`).digest() };
}
