import { EventType, Inngest } from 'inngest';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { eventPayloads, type EventType as DomainEvent } from '../domain/events/service.ts';
import type { Logger } from '../lib/logger.ts';
import { NamedRuns } from './named-runs.ts';
import { Observer } from './observer.ts';
import { SafeErrors } from './base/safe-errors.ts';
import { createSdkLogger } from './sdk-logger.ts';
import { SmallResults } from './small-results.ts';

export const appId = 'earshot';

/** The name under which functions receive a domain event. Its data is the payload and the organization's id. */
export function eventName<T extends DomainEvent>(type: T): `${typeof appId}/${T}` {
  return `${appId}/${type}`;
}

/**
 * The events that trigger functions, and what engines get of each: ids only, since engines store events for weeks and
 * show them. A function reads the rest from the database, including the event's own row (`readOrder`).
 */
export const orderData = {
  'record.process.requested': inOrganization(eventPayloads['record.process.requested']),
  'analysis.process.requested': inOrganization(eventPayloads['analysis.process.requested']),
  'alerts.evaluate.requested': inOrganization(eventPayloads['alerts.evaluate.requested']),
  'crm.call.requested': inOrganization(eventPayloads['crm.call.requested']),
  'crm.portal.reconcile.requested': inOrganization(eventPayloads['crm.portal.reconcile.requested']),
  'crm.report.requested': inOrganization(eventPayloads['crm.report.requested']),
  'recording.mute.requested': inOrganization(eventPayloads['recording.mute.requested']),
  'recording.waveform.requested': inOrganization(eventPayloads['recording.waveform.requested']),
  'object.delete.requested': inOrganization(eventPayloads['object.delete.requested']),
  'alert.triggered': inOrganization(
    eventPayloads['alert.triggered'].pick({ alertId: true, recordId: true, analysisId: true, projectId: true }),
  ),
  'invite.mail.requested': inOrganization(eventPayloads['invite.mail.requested']),
  'budget.threshold_reached': inOrganization(z.object({})),
  'webhook.disabled.mail.requested': inOrganization(eventPayloads['webhook.disabled.mail.requested']),
  'webhook.delivery.requested': inOrganization(eventPayloads['webhook.delivery.requested']),
} satisfies Partial<Record<DomainEvent, z.ZodObject>>;
export type OrderType = keyof typeof orderData;

/** One attempt to process a record, as process-record and the functions that it invokes receive it. */
export const Job = orderData['record.process.requested'];
export type Job = z.infer<typeof Job>;

/** One re-analysis, as reanalyze-record and the functions that it invokes receive it. */
export const ReanalysisJob = orderData['analysis.process.requested'];
export type ReanalysisJob = z.infer<typeof ReanalysisJob>;

/** What a call is transcribed and scored for: an attempt at its record, or a re-analysis. */
export const CallJob = z.union([Job, ReanalysisJob]);
export type CallJob = z.infer<typeof CallJob>;

/** One call of a portal whose recording is to be fetched. */
export const CrmCallJob = orderData['crm.call.requested'];
export type CrmCallJob = z.infer<typeof CrmCallJob>;

/**
 * `orderId` is the same in all announcements of an order. `traceparent` (W3C) is the trace of the transaction that
 * wrote the event, if any.
 */
function inOrganization<T extends z.ZodRawShape>(data: z.ZodObject<T>) {
  return data.extend({ orgId: z.string(), orderId: z.string().optional(), traceparent: z.string().optional() });
}

/** The trigger of functions that carry out this order. Its data is validated on each call. */
export function trigger<T extends OrderType>(type: T) {
  return new EventType({ name: eventName(type), schema: orderData[type] });
}

type ClientOptions = {
  config: Pick<
    Config,
    'INNGEST_DEV' | 'INNGEST_BASE_URL' | 'INNGEST_EVENT_KEY' | 'INNGEST_SIGNING_KEY' | 'INNGEST_SIGNING_KEY_FALLBACK'
  >;
  log: Logger;
  /** The embedded engine's fetch; without it, the client talks to an Inngest server. */
  engineFetch?: typeof fetch | undefined;
};

/** Results are saved when a run ends, waits or fails, not after each step: steps are short and can be repeated. */
const bufferedSteps = 20;

export function createPipelineClient({ config, log, engineFetch }: ClientOptions): Inngest {
  const shared = {
    id: appId,
    aiMetadata: false,
    logger: createSdkLogger(log),
    middleware: [SafeErrors, Observer, SmallResults, NamedRuns],
  };
  if (engineFetch) {
    return new Inngest({ ...shared, isDev: true, fetch: engineFetch, checkpointing: { bufferedSteps, maxRuntime: 0 } });
  }
  return new Inngest({
    ...shared,
    isDev: config.INNGEST_DEV,
    checkpointing: { bufferedSteps },
    ...(config.INNGEST_BASE_URL ? { baseUrl: config.INNGEST_BASE_URL } : {}),
    ...(config.INNGEST_EVENT_KEY ? { eventKey: config.INNGEST_EVENT_KEY } : {}),
    ...(config.INNGEST_SIGNING_KEY ? { signingKey: config.INNGEST_SIGNING_KEY } : {}),
    ...(config.INNGEST_SIGNING_KEY_FALLBACK ? { signingKeyFallback: config.INNGEST_SIGNING_KEY_FALLBACK } : {}),
  });
}
