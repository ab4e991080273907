import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { isApiToken, isWellFormedApiToken } from '../../auth/api-token.ts';
import { readSessionCookie } from '../../auth/embedded-session.ts';
import { isWellFormedTicket } from '../../auth/playback-ticket.ts';
import type { Principal } from '../../auth/principal.ts';

type Headers = Record<string, string | string[] | undefined>;

/** Whoever a request is counted for: the holder of a credential, or of a ticket that was given to them. */
export type Sender = Principal | { kind: 'ticket'; user: { id: string } };

const rememberedMax = 20_000;

/** What a request comes with: its headers, and the ticket of an address that holds one. */
export type Presented = { headers: Headers; ticket: string | null };

/** What a request presents, as a digest: it is counted and remembered, never kept. Null where it presents nothing. */
export function digestOfCredential({ headers, ticket }: Presented): string | null {
  const credential = ticket ?? headers['authorization'] ?? sessionCookie(headers['cookie']);
  return typeof credential === 'string' ? hash('sha256', credential, 'base64url').slice(0, 24) : null;
}

/** Whether it could be a credential at all; otherwise the address alone is counted. */
export function isCredentialWellFormed({ headers, ticket }: Presented): boolean {
  if (ticket !== null) return isWellFormedTicket(ticket);
  const { authorization } = headers;
  if (authorization === undefined) return sessionCookie(headers['cookie']) !== null;
  const token = typeof authorization === 'string' ? authorization.replace(/^bearer +/i, '').trim() : '';
  return isApiToken(token) ? isWellFormedApiToken(token) : /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

/** A token counts by itself; whoever has signed in counts once, however many sessions they have. */
export function clientOf(principal: Sender, digest: string): string {
  switch (principal.kind) {
    case 'api-token':
      return clientOfDigest(digest);
    default:
      return `user:${principal.user.id}`;
  }
}

export function clientOfDigest(digest: string): string {
  return `credential:${digest}`;
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

/** Which client a digest stands for, of the credentials that were good when they were used last. */
export function createKnownClients() {
  const clients = new Map<string, string>();
  return {
    recall: (digest: string): string | undefined => clients.get(digest),
    forget: (digest: string): void => void clients.delete(digest),
    remember(digest: string, client: string): void {
      clients.delete(digest);
      clients.set(digest, client);
      if (clients.size <= rememberedMax) return;
      const [oldest] = clients.keys();
      if (oldest !== undefined) clients.delete(oldest);
    },
  };
}

function sessionCookie(header: string | string[] | undefined): string | null {
  return readSessionCookie(typeof header === 'string' ? header : undefined);
}
