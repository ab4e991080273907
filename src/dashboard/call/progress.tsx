import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Check, CircleX } from 'lucide-react';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { Button, Spinner } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { ContentDeleted } from './content-deleted.tsx';
import { DetailsPanel } from './details-panel.tsx';
import type { CallRecord } from './use-call-data.ts';

type Stage = NonNullable<CallRecord['stage']>;

const stages: { stage: Stage; label: string }[] = [
  { stage: 'fetching', label: 'Fetching the recording' },
  { stage: 'transcribing', label: 'Transcribing' },
  { stage: 'analyzing', label: 'Scoring' },
  { stage: 'delivering', label: 'Sending the results' },
];

/** A call without a result yet, or with none at all. Refreshes every two seconds. */
export function Progress({ record }: { record: CallRecord }) {
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4 px-4 py-6 sm:px-6">
      <Card isFlush>
        {record.contentDeletedAt && <ContentDeleted at={record.contentDeletedAt} />}
        {!record.contentDeletedAt && record.status === 'failed' && <Failed record={record} />}
        {record.status !== 'failed' && <Stages record={record} />}
      </Card>
      <Card title="Details">
        <DetailsPanel />
      </Card>
    </div>
  );
}

/** Where the call is on its way to a score. */
export function Stages({ record: { stage, source } }: { record: Pick<CallRecord, 'stage' | 'source'> }) {
  const shown = stages.filter(({ stage }) => stage !== 'fetching' || source !== 'upload');
  const at = shown.findIndex((one) => one.stage === stage);
  return (
    <div role="status" aria-live="polite" className="px-6 py-6">
      <h2 className="text-sm font-semibold">{at < 0 ? 'Waiting for its turn' : 'Being processed'}</h2>
      <p className="mt-1 text-sm text-ink-soft">Transcript and scores appear here as soon as they are ready.</p>
      <ol className="mt-4 grid gap-3">
        {shown.map(({ stage, label }, index) => (
          <li
            key={stage}
            aria-current={index === at ? 'step' : undefined}
            className={clsx('flex items-center gap-3 text-sm', index <= at ? 'text-ink' : 'text-ink-faint')}
          >
            <span
              className={clsx(
                'grid size-6 place-items-center rounded-full border',
                index < at && 'border-good bg-good-soft text-good',
                index === at && 'border-accent text-accent',
                index > at && 'border-line',
              )}
            >
              {index < at && <Check className="size-3.5" aria-label="done" />}
              {index === at && <Spinner />}
            </span>
            <span className={clsx(index === at && 'font-medium')}>{label}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Failed({ record: { id, failure } }: { record: CallRecord }) {
  const trpc = useTRPC();
  const can = useCan();
  const queryClient = useQueryClient();
  const retry = useMutation(
    trpc.records.retry.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.records.pathKey() }),
      onError: (error) => toast.failed('The call is not processed again', error),
    }),
  );
  const canRetry = can('records:retry') && failure?.retryable !== false;
  return (
    <Empty
      icon={<CircleX aria-hidden className="text-bad" />}
      title="This call could not be processed"
      action={
        canRetry && (
          <Button variant="primary" isBusy={retry.isPending} onClick={() => retry.mutate({ id })}>
            Try again
          </Button>
        )
      }
    >
      <p>{failure?.message ?? 'The reason is not known.'}</p>
      {failure && (
        <p className="mt-1 text-xs text-ink-faint">
          {failure.code}
          {!failure.retryable && ' · retrying will not help'}
        </p>
      )}
    </Empty>
  );
}
