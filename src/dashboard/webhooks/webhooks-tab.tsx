import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '../lib/format.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Pagination, Table, Td, Th } from '../ui/table.tsx';
import type { Webhook } from './events.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const pageSize = 25;

export function WebhooksTab() {
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const create = can('webhooks:write') && (
    <Button
      variant="primary"
      size="sm"
      onClick={() => setCreating(true)}
      icon={<Plus className="size-4" aria-hidden />}
    >
      Add endpoint
    </Button>
  );
  return (
    <>
      <Card
        title="Endpoints"
        description="Signed as Standard Webhooks 1.0. Sent at least once, and retried for three days."
        action={create}
        isFlush
      >
        <Endpoints />
      </Card>
      {isCreating && <WebhookDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Endpoints() {
  const trpc = useTRPC();
  const can = useCan();
  const { page = 1 } = useSearch({ from: '/app/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const webhooks = useQuery(trpc.webhooks.list.queryOptions({ page, pageSize }, { placeholderData: keepPreviousData }));
  if (webhooks.isPending) return <SkeletonRows rows={3} className="h-14" />;
  if (webhooks.isError) return <ErrorState error={webhooks.error} onRetry={() => void webhooks.refetch()} />;
  const { data, meta } = webhooks.data;
  if (meta.total === 0) {
    return (
      <Empty icon={<WebhookIcon aria-hidden />} title="No endpoints yet">
        {can('webhooks:write')
          ? 'Add one to be notified of finished calls, alerts and reviews as they happen.'
          : 'An owner or admin can add one.'}
      </Empty>
    );
  }
  return (
    <>
      <Table label="Webhooks">
        <thead>
          <tr>
            <Th>Endpoint</Th>
            <Th className="hidden lg:table-cell">Events</Th>
            <Th>Status</Th>
            <Th className="hidden sm:table-cell">Created</Th>
          </tr>
        </thead>
        <tbody>
          {data.map((webhook) => (
            <EndpointRow key={webhook.id} webhook={webhook} />
          ))}
        </tbody>
      </Table>
      {meta.total > pageSize && <Pagination {...meta} onPage={(next) => void navigate({ search: { page: next } })} />}
    </>
  );
}

function EndpointRow({ webhook }: { webhook: Webhook }) {
  const { id, url, description, events, createdAt } = webhook;
  return (
    <tr className="relative hover:bg-raised/60">
      <Td className="w-full max-w-0 xl:w-auto xl:max-w-lg">
        <Link to="/webhooks/$id" params={{ id }} className="block truncate font-medium after:absolute after:inset-0">
          {url}
        </Link>
        {description && <span className="block truncate text-xs text-ink-faint">{description}</span>}
      </Td>
      <Td className="hidden lg:table-cell">
        <span className="flex items-center gap-1 whitespace-nowrap">
          <Badge>{events[0]}</Badge>
          {events.length > 1 && <span className="text-xs text-ink-faint">and {events.length - 1} more</span>}
        </span>
      </Td>
      <Td>
        <WebhookStatus webhook={webhook} />
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-soft sm:table-cell">{formatDate(createdAt)}</Td>
    </tr>
  );
}
