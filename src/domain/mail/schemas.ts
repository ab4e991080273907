import { z } from 'zod';
import { eventPayloads } from '../events/payloads.ts';

/** The contents of a mail order, as in the event. The recipients are looked up when it is sent. */
export const MailOrder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('alert.triggered'), data: eventPayloads['alert.triggered'] }),
  z.object({ type: z.literal('invite.mail.requested'), data: eventPayloads['invite.mail.requested'] }),
  z.object({ type: z.literal('budget.threshold_reached'), data: eventPayloads['budget.threshold_reached'] }),
  z.object({
    type: z.literal('webhook.disabled.mail.requested'),
    data: eventPayloads['webhook.disabled.mail.requested'],
  }),
]);
export type MailOrder = z.infer<typeof MailOrder>;

/** The content of a mail. Anything in it may be user input. */
export type Letter = {
  subject: string;
  intro: string;
  facts: [name: string, value: string][];
  action: { title: string; url: string };
  /** Why the reader gets this mail. */
  reason: string;
};

/** A mail without its sender and date. */
export type ComposedMail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl: string | null;
};
