import type { Sql } from 'postgres';
import type { Database } from '../../db/scope.ts';
import { AppError, validationError } from '../../lib/errors.ts';
import { toCallFacts } from '../../providers/crm/bitrix24-calls.ts';
import { announceCalls } from './calls.ts';
import type { Installations } from './installations.ts';
import { selectLinkedPortal, type LinkedPortal } from './installation-queries.ts';
import { selectPortalByMember } from './queries.ts';
import type { EventReceipt } from './schemas.ts';
import { removePortal } from './remove-portal.ts';

/** An event as a portal sends it: flat, by field name (`auth[member_id]`). */
export type PortalEvent = {
  name: string;
  auth: Record<'memberId' | 'applicationToken' | 'accessToken' | 'refreshToken', string> & { domain: string | null };
  data: Record<string, string>;
};

/** Throws UNAUTHORIZED, FORBIDDEN (no organization has linked the portal) or UPSTREAM_UNAVAILABLE. */
export type ReceiveEvent = (event: PortalEvent) => Promise<EventReceipt>;

type ReceiverOptions = { db: Database; system: Sql; installations: Installations };

/**
 * Receives events of portals. Bitrix24 sends nothing twice and throttles slow receivers, so a call is only stored here,
 * and the pipeline does the rest.
 */
export function createEventReceiver({ db, system, installations }: ReceiverOptions): ReceiveEvent {
  async function uninstall(memberId: string): Promise<EventReceipt> {
    const portal = await selectLinkedPortal(system, memberId);
    if (portal) await db.withOrg(portal.orgId, (tx) => removePortal(tx, { memberId, domain: portal.domain }));
    await installations.remove(memberId);
    return { outcome: 'unlinked', reason: null };
  }

  async function takeCall({ orgId }: LinkedPortal, { auth, data }: PortalEvent): Promise<EventReceipt> {
    const facts = toCallFacts(data);
    if (!facts) throw validationError('data[CALL_ID]', 'The event names no call.');
    return db.withOrg(orgId, async (tx) => {
      const portal = await selectPortalByMember(tx, auth.memberId);
      if (!portal) throw notLinked();
      const [announced] = await announceCalls(tx, portal, { calls: [facts], announcedBy: 'event' });
      if (!announced) return { outcome: 'ignored', reason: 'KNOWN' };
      return { outcome: announced.outcome, reason: announced.reason };
    });
  }

  return async (event) => {
    const { name, auth } = event;
    // It brings the application token that later events are compared with, so it is verified in another way.
    if (name === 'ONAPPINSTALL' || name === 'ONAPPUPDATE') {
      await installations.install({ ...auth, domain: auth.domain ?? '' });
      return { outcome: 'installed', reason: null };
    }
    await installations.authenticate(auth);
    if (name === 'ONAPPUNINSTALL') return uninstall(auth.memberId);
    if (name !== 'ONVOXIMPLANTCALLEND') return { outcome: 'ignored', reason: 'EVENT_UNKNOWN' };
    const portal = await selectLinkedPortal(system, auth.memberId);
    if (!portal) throw notLinked();
    return takeCall(portal, event);
  };
}

function notLinked(): AppError {
  return new AppError('FORBIDDEN', 'No organization has linked this portal.');
}
