import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useTRPC } from '../lib/trpc.ts';
import { Card } from '../ui/card.tsx';
import { Select } from '../ui/field.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import { DeliveryItem } from './delivery-item.tsx';
import type { Webhook } from './events.ts';
import { WebhookSearch } from './search.ts';
import { deliveryStatuses } from './webhook-status.tsx';

const pageSize = 20;
const pollMs = 2_000;

export function DeliveriesCard({ webhook }: { webhook: Webhook }) {
  const trpc = useTRPC();
  const { status, page = 1 } = useSearch({ from: '/app/webhooks/$id' });
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const input = { id: webhook.id, page, pageSize, ...(status && { status }) };
  const deliveries = useQuery(
    trpc.webhooks.deliveries.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isDue) ? pollMs : false),
    }),
  );
  const filter = (
    <Select
      aria-label="Status"
      value={status ?? ''}
      onChange={({ target }) =>
        void navigate({ search: WebhookSearch.parse({ status: target.value || undefined }), replace: true })
      }
      className="!w-40"
    >
      <option value="">Any status</option>
      {Object.entries(deliveryStatuses).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
  return (
    <Card title="Deliveries" description="Newest first, kept for 30 days." action={filter} isFlush>
      {deliveries.isPending && <SkeletonRows rows={5} />}
      {deliveries.isError && <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
      {deliveries.data?.meta.total === 0 && (
        <Empty icon={<Inbox aria-hidden />} title={status ? 'No delivery has this status' : 'Nothing was sent yet'}>
          {!status && 'Send a test to see how your endpoint answers.'}
        </Empty>
      )}
      {deliveries.data && deliveries.data.meta.total > 0 && (
        <>
          <ul className="mt-2 border-t border-line">
            {deliveries.data.data.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} isEnabled={webhook.enabled} />
            ))}
          </ul>
          <Pagination
            {...deliveries.data.meta}
            onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
          />
        </>
      )}
    </Card>
  );
}

/** Whether an attempt is near: no need to poll for what is hours away. */
function isDue({ nextAttemptAt }: { nextAttemptAt: Date | null }): boolean {
  return nextAttemptAt !== null && nextAttemptAt.getTime() - Date.now() < 10_000;
}
