import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatDateTime, formatNumber } from '../lib/format.ts';
import { messageOf, useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import type { Delivery } from './events.ts';
import { DeliveryStatus } from './webhook-status.tsx';

type Props = { delivery: Delivery; isEnabled: boolean };

export function DeliveryItem({ delivery, isEnabled }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { eventType, status, responseStatus, attempts, nextAttemptAt, createdAt } = delivery;
  return (
    <li className="border-b border-line last:border-0">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="flex list-none items-center gap-x-3 px-4 py-2.5 sm:px-5 text-sm hover:bg-raised/60 focus-visible:-outline-offset-2">
          <ChevronRight
            className="size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
            aria-hidden
          />
          <span className="min-w-0 flex-1">
            <code className="block truncate text-xs font-medium">{eventType}</code>
            <span className="text-xs text-ink-faint">
              {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
              {nextAttemptAt && attempts.length > 0 && `, the next ${formatAgo(nextAttemptAt)}`}
            </span>
          </span>
          <span className="hidden w-10 text-right text-ink-soft tabular-nums sm:block">{responseStatus ?? '–'}</span>
          <DeliveryStatus status={status} />
          <time
            dateTime={createdAt.toISOString()}
            title={formatDateTime(createdAt)}
            className="hidden w-28 text-right text-xs text-ink-soft sm:block"
          >
            {formatAgo(createdAt)}
          </time>
        </summary>
        {isOpen && <Detail delivery={delivery} isEnabled={isEnabled} />}
      </details>
    </li>
  );
}

function Detail({ delivery, isEnabled }: Props) {
  const can = useCan();
  const isTest = delivery.eventType === 'webhook.test';
  const redeliver = useRedeliver();
  return (
    <div className="grid gap-4 px-4 pb-4 sm:pr-5 sm:pl-12">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-xs break-all text-ink-faint">
          <code>webhook-id: {delivery.eventId}</code>
        </p>
        {can('webhooks:write') && (
          <Button
            size="sm"
            isBusy={redeliver.isPending}
            disabled={!isEnabled && !isTest}
            title={!isEnabled && !isTest ? 'Enable the endpoint first' : undefined}
            onClick={() => redeliver.mutate({ id: delivery.id })}
            icon={<RotateCw className="size-3.5" aria-hidden />}
          >
            Redeliver
          </Button>
        )}
      </div>
      {delivery.attempts.length > 0 && (
        <section aria-label="Attempts">
          <h3 className="mb-1.5 text-xs font-medium text-ink-soft">Attempts</h3>
          <ol className="grid gap-2">
            {delivery.attempts.toReversed().map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} />
            ))}
          </ol>
        </section>
      )}
      {can('webhooks:write') && <Payload id={delivery.id} />}
    </div>
  );
}

function Attempt({ attempt }: { attempt: Delivery['attempts'][number] }) {
  const { number, startedAt, durationMs, responseStatus, responseBody, error } = attempt;
  return (
    <li className="rounded-lg border border-line px-3 py-2 text-xs">
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 tabular-nums">
        <span className="font-medium">#{number}</span>
        <span>{responseStatus === null ? 'No answer' : `Answer ${responseStatus}`}</span>
        <span className="text-ink-soft">{formatNumber(durationMs)} ms</span>
        <span className="text-ink-soft">{formatDateTime(startedAt)}</span>
      </p>
      {error && <p className="mt-1 text-bad">{error}</p>}
      {responseBody && (
        <pre
          className="mt-1.5 max-h-32 overflow-auto rounded bg-raised px-2 py-1.5 font-mono break-all whitespace-pre-wrap"
          tabIndex={0}
          role="region"
          aria-label={`Answer to attempt ${number}`}
        >
          {responseBody}
        </pre>
      )}
    </li>
  );
}

function Payload({ id }: { id: string }) {
  const trpc = useTRPC();
  const payload = useQuery(trpc.webhooks.payload.queryOptions({ id }, { staleTime: Infinity }));
  return (
    <section>
      <h3 className="mb-1.5 text-xs font-medium text-ink-soft">Payload</h3>
      {payload.isPending && <Skeleton className="h-24" />}
      {payload.isError && <p className="text-xs text-bad">{messageOf(payload.error)}</p>}
      {payload.data && (
        <pre
          tabIndex={0}
          role="region"
          aria-label="Payload"
          className="max-h-80 overflow-auto rounded-lg bg-raised px-3 py-2 font-mono text-xs"
        >
          {pretty(payload.data.body)}
        </pre>
      )}
    </section>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function useRedeliver() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.webhooks.redeliver.mutationOptions({
      onSuccess({ webhookId }) {
        toast.done('The event is being sent again');
        return queryClient.invalidateQueries(trpc.webhooks.deliveries.queryFilter({ id: webhookId }));
      },
      onError: (error) => toast.failed('The event was not sent again', error),
    }),
  );
}
