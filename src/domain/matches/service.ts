import type { Sql, TransactionSql } from 'postgres';
import { deleteEmptyUser } from '../../auth/session-users.ts';
import { membershipsOf, type Actor } from '../../auth/principal.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { listItems, type Page } from '../../lib/paging.ts';
import { writeAudit } from '../accounts/service.ts';
import * as queries from './queries.ts';
import type { IdentityMatch, ListMatchesInput, MatchParams } from './schemas.ts';

export type { OpenMatch } from './queries.ts';

type Decision = 'confirm' | 'refuse';

const eventOf = { confirm: 'match.confirmed', refuse: 'match.refused' } as const;

/** Sign-ins that wait to be confirmed. They are about people, who span organizations. */
export type Matches = {
  /** Of members of the organization, oldest first by default. */
  list(actor: Actor, input: ListMatchesInput): Promise<Page<IdentityMatch>>;
  /**
   * From then on the sign-in is the member. Asked again within a day, it changes nothing. Throws NOT_FOUND (none waits, or of nobody here) or FORBIDDEN (the member
   * belongs to an organization that the actor does not own).
   */
  confirm(actor: Actor, match: MatchParams): Promise<void>;
  /** The sign-in stays without an organization. Throws as `confirm` does. */
  refuse(actor: Actor, match: MatchParams): Promise<void>;
};

export function createMatches(system: Sql): Matches {
  return {
    list: async (actor, input) => listItems(await queries.selectMatches(system, actor.orgId, ownerOf(actor)), input),
    confirm: (actor, { id }) => decide(system, actor, { id, decision: 'confirm' }),
    refuse: (actor, { id }) => decide(system, actor, { id, decision: 'refuse' }),
  };
}

type Decided = { id: string; decision: Decision };

async function decide(system: Sql, actor: Actor, { id, decision }: Decided): Promise<void> {
  await system.begin(async (tx) => {
    const match = await queries.lockMatch(tx, id);
    if (!match || match.isRefused) {
      // The answer to the same request may have been lost.
      if (await queries.wasDecided(tx, { id, type: eventOf[decision], by: actor.userId })) return;
      throw notFound('Match');
    }
    const orgs = await queries.selectOrgsOf(tx, { userId: match.userId, ownerId: actor.userId });
    if (!orgs.some(({ orgId }) => orgId === actor.orgId)) throw notFound('Match');
    const { ownedOrgIds } = ownerOf(actor);
    if (orgs.some(({ orgId, isOwned }) => !isOwned || !ownedOrgIds.includes(orgId))) {
      throw new AppError(
        'FORBIDDEN',
        'Only who owns all organizations of this person can decide. Ask the operator of the service.',
      );
    }
    await apply(tx, { id, match, decision, by: actor.userId });
  });
}

/** For the operator: who waits, and who was refused. */
export function listOpenMatches(system: Sql): Promise<queries.OpenMatch[]> {
  return queries.selectOpenMatches(system);
}

/** For the operator, who may also confirm what was refused. Throws NOT_FOUND. */
export async function decideMatch(system: Sql, { id, decision }: Decided): Promise<void> {
  await system.begin(async (tx) => {
    const match = await queries.lockMatch(tx, id);
    if (!match || (match.isRefused && decision === 'refuse')) throw notFound('Match');
    await apply(tx, { id, match, decision, by: 'operator' });
  });
}

/**
 * For the operator: confirms whoever waits. Where several wait for the same person, none of them is confirmed. Each is a
 * transaction of its own, so what is interrupted can be run again.
 */
export async function confirmAllMatches(
  system: Sql,
): Promise<{ confirmed: queries.OpenMatch[]; left: queries.OpenMatch[] }> {
  const waiting = (await queries.selectOpenMatches(system)).filter(({ isRefused }) => !isRefused);
  const confirmed: queries.OpenMatch[] = [];
  for (const open of waiting.filter(({ isAmbiguous }) => !isAmbiguous)) {
    const isDone = await system.begin(async (tx) => {
      const match = await queries.lockMatch(tx, open.id);
      // Somebody else has decided meanwhile, or another sign-in waits for the same person by now.
      if (!match || match.isRefused) return false;
      if ((await queries.countWaiting(tx, match.userId)) > 1) return false;
      await apply(tx, { id: open.id, match, decision: 'confirm', by: 'operator' });
      return true;
    });
    if (isDone) confirmed.push(open);
  }
  return { confirmed, left: waiting.filter(({ isAmbiguous }) => isAmbiguous) };
}

type Applied = { id: string; match: queries.LockedMatch; decision: Decision; by: string };

async function apply(tx: TransactionSql, { id, match, decision, by }: Applied): Promise<void> {
  const { issuer, userId, waitingId, createdAt } = match;
  if (decision === 'confirm') {
    await queries.joinSubject(tx, match);
    await deleteEmptyUser(tx, waitingId);
  } else await queries.refuseMatch(tx, id, match);
  await writeAudit(tx, {
    type: eventOf[decision],
    userId,
    client: null,
    details: { matchId: id, issuer, by, since: createdAt.toISOString() },
  });
}

/** What the credential owns: an API token is for one organization, whatever else its user owns. */
function ownerOf(actor: Actor): queries.Owner {
  const owned = membershipsOf(actor.principal).filter(({ role }) => role === 'owner');
  return { userId: actor.userId, ownedOrgIds: owned.map(({ orgId }) => orgId) };
}
