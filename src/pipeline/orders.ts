import type { FailureEventPayload } from 'inngest';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Database, OrgTx } from '../db/scope.ts';
import { type EventPayload, completeOrder } from '../domain/events/service.ts';
import { appId, type OrderType } from './client.ts';
import type { OutboxRow } from './outbox.ts';

/** An order is done once its effect has committed, and announced again if that takes too long. */
export type Order = { orgId: string; orderId: string };

const minute = 60_000;
const hour = 60 * minute;

type Kind = {
  /** The function that carries it out. */
  functionId: string;
  /** How long a server may take before the order is announced again; longer if the function itself waits for hours. */
  patienceMs: number;
};

const mail: Kind = { functionId: 'send-mail', patienceMs: hour };

/** The events that cause work. Engines do not receive any others. */
const kinds: Record<OrderType, Kind> = {
  'record.process.requested': { functionId: 'process-record', patienceMs: hour },
  'analysis.process.requested': { functionId: 'reanalyze-record', patienceMs: hour },
  'alerts.evaluate.requested': { functionId: 'evaluate-alerts', patienceMs: hour },
  'crm.call.requested': { functionId: 'fetch-crm-call', patienceMs: 8 * hour },
  'crm.portal.reconcile.requested': { functionId: 'reconcile-portal', patienceMs: hour },
  'crm.report.requested': { functionId: 'report-to-crm', patienceMs: 7 * hour },
  'recording.mute.requested': { functionId: 'mute-recording', patienceMs: hour },
  'recording.waveform.requested': { functionId: 'draw-waveform', patienceMs: hour },
  'object.delete.requested': { functionId: 'delete-objects', patienceMs: hour },
  'alert.triggered': mail,
  'invite.mail.requested': mail,
  'budget.threshold_reached': mail,
  'webhook.disabled.mail.requested': mail,
  'webhook.delivery.requested': { functionId: 'deliver-webhook', patienceMs: hour },
};

/** Our own engine forgets nothing, and is asked before anything is announced again. */
const embeddedPatienceMs = 5 * minute;
const patienceMsMax = 24 * hour;

/** Functions by the type of order that they carry out. */
export function orderFunctions(): { type: string; function_id: string }[] {
  return Object.entries(kinds).map(([type, { functionId }]) => ({ type, function_id: `${appId}-${functionId}` }));
}

/**
 * How long the engine has until the event is announced again; null if it causes no work. Doubles each time, so that
 * announcements do not add to a backlog.
 */
export function patienceOf(
  row: Pick<OutboxRow, 'type' | 'data' | 'announcements'>,
  engine: Config['PIPELINE_ENGINE'],
): number | null {
  if (!isOrder(row)) return null;
  const { announcements } = row;
  const kind = kinds[row.type];
  const patienceMs = engine === 'embedded' ? embeddedPatienceMs : kind.patienceMs;
  return Math.min(patienceMs * 2 ** Math.min(announcements, 10), Math.max(patienceMs, patienceMsMax));
}

/** Whether a function has to act on it. */
export function isOrder<T extends Pick<OutboxRow, 'type' | 'data'>>(row: T): row is T & { type: OrderType } {
  return Object.hasOwn(kinds, row.type) && (row.type !== 'alert.triggered' || mentionsMail(row.data));
}

function mentionsMail(data: Record<string, unknown>): boolean {
  const { actions } = data as Partial<EventPayload<'alert.triggered'>>;
  return actions?.includes('email') === true;
}

const Announced = z.object({ orderId: z.string() });

/** The order that an event announces. The first announcement by an older release has only its own id. */
export function orderIdOf({ id = '', data }: { id?: string | undefined; data?: unknown }): string {
  return Announced.safeParse(data).data?.orderId ?? id;
}

/** Works in the organization. If `isOver` says so, the order is marked done in the same transaction. */
export function settle<T>(
  db: Database,
  { orgId, orderId }: Order,
  work: (tx: OrgTx) => Promise<T>,
  isOver?: (result: T) => boolean,
): Promise<T> {
  return db.withOrg(orgId, async (tx) => {
    if (!isOver) {
      const [result] = await Promise.all([work(tx), completeOrder(tx, orderId)]);
      return result;
    }
    const result = await work(tx);
    if (isOver(result)) await completeOrder(tx, orderId);
    return result;
  });
}

/** For failure handlers: what the failed run was to do. */
export function failedJob<T extends { orgId: string }>(schema: z.ZodType<T>, { data }: { data: unknown }): T & Order {
  const { event } = data as FailureEventPayload['data'];
  return { ...schema.parse(event.data), orderId: orderIdOf(event) };
}

const InOrganization = z.object({ orgId: z.string() });

/** For failure handlers: closes the order after the last attempt. The failed run has the reason. */
export async function giveUp(db: Database, event: { data: unknown }): Promise<void> {
  const { orgId, orderId } = failedJob(InOrganization, event);
  await db.withOrg(orgId, (tx) => completeOrder(tx, orderId));
}
