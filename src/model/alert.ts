import { z } from 'zod';

export const alertActions = ['webhook', 'email'] as const;
export const AlertAction = z.enum(alertActions).meta({
  id: 'AlertAction',
  description: '`webhook` sends the event `alert.triggered`, `email` a message to the recipients.',
});

export const alertSeverities = ['info', 'warning', 'critical'] as const;
export const AlertSeverity = z.enum(alertSeverities).meta({ id: 'AlertSeverity' });

export const alertCauses = ['analysis', 'review'] as const;
