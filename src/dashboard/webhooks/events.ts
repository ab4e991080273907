import type { Outputs } from '../lib/trpc.ts';

export type Webhook = Outputs['webhooks']['get'];
export type Delivery = Outputs['webhooks']['deliveries']['data'][number];
type WebhookEvent = Webhook['events'][number];

/** When each event is sent. */
export const eventWords: Record<WebhookEvent, string> = {
  'record.created': 'A call was accepted.',
  'record.completed': 'A call is transcribed and scored.',
  'record.failed': 'A call could not be processed.',
  'record.deleted': 'A call was deleted.',
  'analysis.completed': 'An analysis is ready, also a further one.',
  'analysis.reviewed': 'Somebody reviewed an analysis, or resolved a dispute.',
  'alert.triggered': 'An alert rule fired.',
  'budget.threshold_reached': 'The month has used 80 or 100 % of the budget.',
};

export const events = Object.keys(eventWords) as WebhookEvent[];

/** Why the service disabled an endpoint. */
export const disabledWords: Record<'failing' | 'gone', string> = {
  failing: 'Disabled: all ten attempts of a delivery failed.',
  gone: 'Disabled: the endpoint answered 410 Gone.',
};
