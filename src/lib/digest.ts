import { createHash } from 'node:crypto';

/** 16 hexadecimal digits to tell texts apart. Not for security: a collision gains nobody anything. */
export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
