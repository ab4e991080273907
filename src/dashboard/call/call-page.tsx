import { Link, useParams, useSearch } from '@tanstack/react-router';
import { PhoneOff } from 'lucide-react';
import { useEffect } from 'react';
import { statusOf } from '../lib/trpc.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty, ErrorState, Skeleton } from '../ui/states.tsx';
import { CallView } from './call-view.tsx';
import { useCallData } from './use-call-data.ts';

/** One call: what was said, what it scored, and why. */
export function CallPage() {
  const { id } = useParams({ from: '/app/calls/$id' });
  const { analysis: chosen, t } = useSearch({ from: '/app/calls/$id' });
  const data = useCallData(id, chosen);
  const { record } = data;
  const agentName = record.data?.agentName;
  useEffect(() => {
    document.title = agentName ? `${agentName}'s call · Earshot` : 'Call · Earshot';
  }, [agentName]);
  if (record.isError && statusOf(record.error) === 404) return <NoCall />;
  if (record.isError) return <ErrorState error={record.error} onRetry={() => void record.refetch()} isScreen />;
  if (!record.data) return <CallSkeleton />;
  return <CallView key={id} data={data} record={record.data} startMs={t ?? 0} />;
}

function CallSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 px-4 py-4 sm:px-6">
      <Skeleton className="h-12 w-72" />
      <Skeleton className="h-32" />
      <Skeleton className="h-96" />
    </div>
  );
}

function NoCall() {
  return (
    <Empty
      icon={<PhoneOff aria-hidden />}
      title="There is no such call"
      isScreen
      action={
        <Link to="/calls" className={buttonClass()}>
          Go to the calls
        </Link>
      }
    >
      It may have been deleted, or belong to a project or organization that you cannot see.
    </Empty>
  );
}
