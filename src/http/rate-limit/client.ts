import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Principal } from '../../auth/principal.ts';
import type { SentCredential } from '../../auth/sent-credential.ts';

/** A digest of the credential; the credential itself is never kept. */
export function digestOf({ kind, secret }: SentCredential): string {
  return hash('sha256', `${kind} ${secret}`, 'base64url').slice(0, 24);
}

/** A token counts by itself, a signed-in user once for all their sessions. */
export function clientOf(principal: Principal): string {
  return principal.kind === 'api-token' ? `token:${principal.tokenId}` : clientOfUser(principal.user.id);
}

export function clientOfUser(userId: string): string {
  return `user:${userId}`;
}

/** An owner of one IPv6 address has 2^64 of them, so the network counts as one client. */
export function clientOfAddress(address: string): string {
  if (!address.includes(':')) return `address:${address}`;
  if (!ipaddr.IPv6.isValid(address)) return 'address:unknown';
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return `address:${parsed.toIPv4Address().toString()}`;
  return `address:${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
