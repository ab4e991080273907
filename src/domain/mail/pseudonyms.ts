import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OrgTx } from '../../db/scope.ts';
import { isId } from '../../lib/ids.ts';
import { insertMailKey, selectMailKey } from './queries.ts';

const keyBytes = 32;
const recipientPattern = /^[A-Za-z0-9_-]{22}$/;

/** Replaces an organization's mail addresses wherever they must not appear: steps of the pipeline, logs, links. */
export type Pseudonyms = {
  of(address: string): string;
  /** Proves that a link for this recipient is ours. */
  sign(recipient: string): string;
};

export async function readPseudonyms(tx: OrgTx): Promise<Pseudonyms> {
  let key = await selectMailKey(tx);
  if (!key) {
    await insertMailKey(tx, randomBytes(keyBytes));
    key = await selectMailKey(tx);
  }
  if (!key) throw new Error('The database answered nothing.');
  return withKey(key);
}

export type UnsubscribeToken = { orgId: string; recipient: string; signature: string };

export function writeToken({ orgId, recipient, signature }: UnsubscribeToken): string {
  return `${orgId}.${recipient}.${signature}`;
}

/** Null if the text is malformed. `isSignedBy` verifies it. */
export function readToken(text: string): UnsubscribeToken | null {
  const [orgId = '', recipient = '', signature = '', ...rest] = text.split('.');
  const isWellFormed = rest.length === 0 && isId('org', orgId) && [recipient, signature].every(isDigest);
  return isWellFormed ? { orgId, recipient, signature } : null;
}

export async function isSigned(tx: OrgTx, { recipient, signature }: UnsubscribeToken): Promise<boolean> {
  const key = await selectMailKey(tx);
  if (!key) return false;
  return timingSafeEqual(Buffer.from(withKey(key).sign(recipient)), Buffer.from(signature));
}

function withKey(key: Buffer): Pseudonyms {
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  return {
    of: (address) => digest(`recipient:${address.toLowerCase()}`),
    sign: (recipient) => digest(`unsubscribe:${recipient}`),
  };
}

function isDigest(text: string): boolean {
  return recipientPattern.test(text);
}
