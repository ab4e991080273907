import { createHash } from 'node:crypto';
import { codings } from './compression.ts';

const digestLength = 27;

/** The strong entity tag of an answer with this digest of its bytes (SHA-256, base64url). */
export function tagOfDigest(digest: string): string {
  return `"${digest.slice(0, digestLength)}"`;
}

/** The tag of a JSON answer that is made of these pieces. */
export function tagOf(pieces: readonly string[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return tagOfDigest(hash.digest('base64url'));
}

/** A tag, and those of the same content compressed (RFC 9110, section 8.8.3.3). */
export function withCodings(plain: string): string[] {
  return [plain, ...codings.map((coding) => `${plain.slice(0, -1)}-${coding}"`)];
}
