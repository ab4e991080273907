import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Principal } from '../../auth/principal.ts';
import type { SentCredential } from '../../auth/sent-credential.ts';

/** What is sent, as a digest: that is remembered, and never the credential itself. */
export function digestOf({ kind, secret }: SentCredential): string {
  return hash('sha256', `${kind} ${secret}`, 'base64url').slice(0, 24);
}

/** A token counts by itself; whoever has signed in counts once, however many sessions they have. */
export function clientOf(principal: Principal): string {
  return principal.kind === 'api-token' ? `token:${principal.tokenId}` : clientOfUser(principal.user.id);
}

export function clientOfUser(userId: string): string {
  return `user:${userId}`;
}

/** Whoever has one IPv6 address has 2^64 of them: the network counts as one. */
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
