import type { PlaybackTickets } from '../auth/playback-ticket.ts';
import type { Actor, Principal } from '../auth/principal.ts';
import type { Database } from '../db/scope.ts';
import type { AddressGuard } from '../lib/address-guard.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { Prices } from './billing/prices.ts';
import type { HeavyWork } from './heavy-work.ts';

/** The first argument of every service function: the database, and on whose behalf. */
export type OrgContext = { db: Database; actor: Actor };

/** A member, on the sign-in page. */
export type Person = { id: string; email: string; name: string; role: string; org: string };

/** An API token as its owner sees it, without the secret. */
export type KnownToken = {
  id: string;
  name: string;
  start: string;
  lastFour: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
};

/** Looks up data across organizations. */
export type Directory = {
  findOrgs(ids: string[]): Promise<{ id: string; name: string; createdAt: Date }[]>;
  /** Null if it was revoked at this moment. */
  findToken(id: string): Promise<KnownToken | null>;
  findPerson(userId: string): Promise<Person | undefined>;
  /** At most a hundred, by organization. */
  listPeople(): Promise<Person[]>;
};

/** The context of functions about the person, whatever the organization. */
export type PersonContext = {
  directory: Directory;
  principal: Principal;
  /** The sender in the request's organization; null if it names none. Throws FORBIDDEN if they are no member. */
  selectedOrg(): Actor | null;
};
/** For functions that cause billed work. */
export type BilledContext = OrgContext & { prices: Prices };

/** For functions that process whole transcripts. */
export type HeavyContext = OrgContext & { heavyWork: HeavyWork };

/** For functions that accept addresses which the service will call. */
export type OutboundContext = OrgContext & { outbound: AddressGuard };

/** For the function that issues playback addresses. */
export type PlaybackContext = OrgContext & { tickets: PlaybackTickets };

/** For functions that store secrets which are read again. */
export type SealingContext = OrgContext & { secrets: SecretBox };

/** Makes links to open invites; null where people sign in with a provider of their own. */
export type InviteLinks = { make(inviteId: string): Promise<string> } | null;

/** For the function that makes a link to an invite. */
export type InvitingContext = OrgContext & { inviteLinks: InviteLinks };

/** What procedures pass on to services. */
export type RequestContext = BilledContext &
  HeavyContext &
  OutboundContext &
  PlaybackContext &
  SealingContext &
  InvitingContext;
