import { createHash } from 'node:crypto';

/** A style or script of a page, as its Content-Security-Policy names it. */
export function sourceHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** 16 hexadecimal digits to tell texts apart. Not for security: a collision gains nobody anything. */
export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
