import { createHash } from 'node:crypto';

/** 16 hexadecimal digits that tell texts apart; nothing that somebody could gain by making two alike depends on it. */
export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
