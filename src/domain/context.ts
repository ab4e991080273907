import type { PlaybackTickets } from '../auth/playback-ticket.ts';
import type { Actor, Principal } from '../auth/principal.ts';
import type { Database } from '../db/scope.ts';
import type { AddressGuard } from '../lib/address-guard.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { Prices } from './billing/prices.ts';
import type { HeavyWork } from './heavy-work.ts';

/** What every verb of a service takes first: where to read and write, and on whose behalf. */
export type OrgContext = { db: Database; actor: Actor };

/** A member, as somebody to sign in as. */
export type Person = { id: string; email: string; name: string; role: string; org: string };

/** Finds what lies across organizations. */
export type Directory = {
  findOrgs(ids: string[]): Promise<{ id: string; name: string; createdAt: Date }[]>;
  findPerson(userId: string): Promise<Person | undefined>;
  /** At most a hundred, by organization. */
  listPeople(): Promise<Person[]>;
};

/** What a verb takes that is about the person, in whatever organization. */
export type PersonContext = {
  directory: Directory;
  principal: Principal;
  /** The sender in the organization of the request, null where it names none. Throws FORBIDDEN where it is not theirs. */
  selectedOrg(): Actor | null;
};
/** For the verbs that make work, which has a price. */
export type BilledContext = OrgContext & { prices: Prices };

/** For the verbs that work on whole transcripts. */
export type HeavyContext = OrgContext & { heavyWork: HeavyWork };

/** For the verbs that take addresses which the service is going to call. */
export type OutboundContext = OrgContext & { outbound: AddressGuard };

/** For the verb that lets a player hear a recording. */
export type PlaybackContext = OrgContext & { tickets: PlaybackTickets };

/** For the verbs that keep secrets which are read again. */
export type SealingContext = OrgContext & { secrets: SecretBox };

/** What procedures hand on. */
export type RequestContext = BilledContext & HeavyContext & OutboundContext & PlaybackContext & SealingContext;
