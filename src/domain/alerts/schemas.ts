import { z } from 'zod';
import { MailAddress } from '../../lib/mailbox.ts';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { AlertCondition } from './condition.ts';
import { AlertAction, AlertSeverity } from '../../model/alert.ts';

export const AlertId = z
  .string()
  .meta({ description: 'Alert rule id (`alr_…`).', examples: ['alr_01m7ysd48genfrajf7h4c0m2xz'] });
export const AlertParams = z.strictObject({ id: AlertId });

const cooldownSecondsMax = 30 * 86_400;

const name = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .meta({ examples: ['Low score'] });
const projectId = z.string().nullable().meta({ description: 'Only calls of this project; null for all.' });
const actions = z
  .array(AlertAction)
  .max(2)
  .refine((given) => new Set(given).size === given.length, 'An action is named twice')
  .meta({ uniqueItems: true, description: 'What happens besides being listed.' });
const recipients = z
  .array(MailAddress)
  .max(20)
  .meta({ description: 'Who is told by `email`; when empty, owners and admins.' });
const enabled = z.boolean().meta({ description: 'A rule that is not enabled never fires.' });
const severity = AlertSeverity.meta({ description: 'For people; nothing depends on it.' });
const cooldownSeconds = z
  .int()
  .min(0)
  .max(cooldownSecondsMax)
  .meta({ description: 'After it fired, the rule is silent for so long.' });

export const Alert = z
  .object({
    id: AlertId,
    name,
    projectId,
    condition: AlertCondition,
    actions,
    recipients,
    enabled,
    severity,
    cooldownSeconds,
    triggerCount: z.int().meta({ description: 'How often it has fired, on deleted calls as well.' }),
    lastTriggeredAt: Timestamp.nullable().meta({ description: 'Null until it fires.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof Alert>;

export const ListAlertsInput = listInput(
  { sorts: ['createdAt', 'name', 'updatedAt', 'lastTriggeredAt', 'triggerCount'], order: 'asc' },
  {
    projectId: z.string().optional().meta({ description: 'Only rules of this project.' }),
    enabled: z.boolean().optional().meta({ description: 'Only rules that are, or are not, enabled.' }),
  },
);
export type ListAlertsInput = z.infer<typeof ListAlertsInput>;
export const AlertPage = pageOf(Alert).meta({ id: 'AlertPage' });

export const CreateAlertInput = z.strictObject({
  name,
  projectId: projectId.default(null),
  condition: AlertCondition,
  actions: actions.default([]),
  recipients: recipients.default([]),
  enabled: enabled.default(true),
  severity: severity.default('warning'),
  cooldownSeconds: cooldownSeconds.default(0),
});
export type CreateAlertInput = z.infer<typeof CreateAlertInput>;

export const UpdateAlertInput = z.strictObject({
  id: AlertId,
  name: name.optional(),
  projectId: projectId.optional(),
  condition: AlertCondition.optional(),
  actions: actions.optional(),
  recipients: recipients.optional(),
  enabled: enabled.optional(),
  severity: severity.optional(),
  cooldownSeconds: cooldownSeconds.optional(),
});
export type UpdateAlertInput = z.infer<typeof UpdateAlertInput>;

export const AlertEvent = z
  .object({
    id: z.string().meta({ description: 'Id of the event `alert.triggered` (`evt_…`) that told of it.' }),
    alertId: AlertId,
    recordId: z.string(),
    analysisId: z.string(),
    projectId: z.string(),
    cause: z
      .enum(['analysis', 'review'])
      .meta({ description: 'Whether an analysis became current, or a review made the condition true.' }),
    severity: AlertSeverity,
    condition: AlertCondition.meta({ description: 'As it was then.' }),
    value: z.union([z.number(), z.string()]).meta({ description: 'What the call had.' }),
    triggeredAt: Timestamp,
  })
  .meta({ id: 'AlertEvent' });
export type AlertEvent = z.infer<typeof AlertEvent>;

export const ListAlertEventsInput = listInput(
  { sorts: ['triggeredAt', 'createdAt'], order: 'desc', dated: 'Triggered' },
  { id: AlertId, projectId: z.string().optional().meta({ description: 'Only firings on calls of this project.' }) },
);
export type ListAlertEventsInput = z.infer<typeof ListAlertEventsInput>;
export const AlertEventPage = pageOf(AlertEvent).meta({ id: 'AlertEventPage' });
