import { CircleCheck, CirclePause, CircleX, Clock } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import type { Delivery, Webhook } from './events.ts';

export function WebhookStatus({ webhook }: { webhook: Pick<Webhook, 'enabled' | 'disabledReason'> }) {
  if (webhook.enabled) {
    return (
      <Badge tone="good" icon={<CircleCheck aria-hidden />}>
        Enabled
      </Badge>
    );
  }
  if (webhook.disabledReason) {
    return (
      <Badge tone="bad" icon={<CircleX aria-hidden />}>
        {webhook.disabledReason === 'gone' ? 'Gone' : 'Failing'}
      </Badge>
    );
  }
  return <Badge icon={<CirclePause aria-hidden />}>Paused</Badge>;
}

export const deliveryStatuses = { pending: 'Pending', succeeded: 'Succeeded', failed: 'Failed' } as const;
const looks = {
  pending: { tone: 'accent', icon: <Clock aria-hidden /> },
  succeeded: { tone: 'good', icon: <CircleCheck aria-hidden /> },
  failed: { tone: 'bad', icon: <CircleX aria-hidden /> },
} as const;

export function DeliveryStatus({ status }: { status: Delivery['status'] }) {
  return <Badge {...looks[status]}>{deliveryStatuses[status]}</Badge>;
}
