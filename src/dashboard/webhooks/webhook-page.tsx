import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { formatDateTime } from '../lib/format.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorState, NoPermission, Skeleton } from '../ui/states.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import type { Webhook } from './events.ts';
import { DisabledNotice, WebhookActions } from './webhook-actions.tsx';
import { WebhookStatus } from './webhook-status.tsx';

/** One endpoint: its events and deliveries. */
export function WebhookPage() {
  const can = useCan();
  const trpc = useTRPC();
  const { id } = useParams({ from: '/app/webhooks/$id' });
  const isAllowed = can('webhooks:read');
  const webhook = useQuery(trpc.webhooks.get.queryOptions({ id }, { enabled: isAllowed }));
  if (!isAllowed) {
    return (
      <Page title="Webhook">
        <NoPermission />
      </Page>
    );
  }
  return (
    <Page
      title="Webhook"
      back={<BackLink to="/webhooks">All webhooks</BackLink>}
      actions={webhook.data && can('webhooks:write') && <WebhookActions webhook={webhook.data} />}
    >
      {webhook.isPending && <Skeleton className="mb-5 h-40" />}
      {webhook.isError && <ErrorState error={webhook.error} onRetry={() => void webhook.refetch()} />}
      {webhook.data && (
        <>
          <DisabledNotice webhook={webhook.data} />
          <Facts webhook={webhook.data} />
          <DeliveriesCard webhook={webhook.data} />
        </>
      )}
    </Page>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { url, description, events, createdAt, oldSecretsExpireAt } = webhook;
  return (
    <Card className="mb-5">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 className="min-w-0 font-mono text-sm font-medium break-all">{url}</h2>
        <WebhookStatus webhook={webhook} />
      </div>
      {description && <p className="mb-3 text-sm text-ink-soft">{description}</p>}
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[8rem_1fr]">
        <dt className="text-ink-faint">Events</dt>
        <dd className="flex flex-wrap gap-1">
          {events.map((event) => (
            <Badge key={event}>{event}</Badge>
          ))}
        </dd>
        <dt className="text-ink-faint">Created</dt>
        <dd>{formatDateTime(createdAt)}</dd>
        {oldSecretsExpireAt && (
          <>
            <dt className="text-ink-faint">Old secret</dt>
            <dd>Also signs, beside the new one, until {formatDateTime(oldSecretsExpireAt)}.</dd>
          </>
        )}
      </dl>
    </Card>
  );
}
