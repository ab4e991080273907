import type { Outputs } from '../lib/trpc.ts';
import { CallScoreBadge, StatusBadge } from '../ui/badge.tsx';
import { Skeleton } from '../ui/states.tsx';
import { useLiveCall } from './use-live-call.ts';

type Call = Outputs['records']['get'];
type Props = { id: string; showsScore?: boolean };

const stages: Record<NonNullable<Call['stage']>, string> = {
  fetching: 'Fetching',
  transcribing: 'Transcribing',
  analyzing: 'Scoring',
  delivering: 'Finishing',
};

/** The progress of a call. */
export function LiveStatus({ id, showsScore = false }: Props) {
  const { call, isError } = useLiveCall(id);
  if (call === null || (!call && isError)) {
    return <span className="text-xs text-ink-faint">{call === null ? 'Deleted' : 'Unknown'}</span>;
  }
  if (!call) return <Skeleton className="h-5.5 w-20" />;
  const { stage, status, failure } = call;
  return (
    <span className="inline-flex items-center gap-1.5" title={failure?.message}>
      <StatusBadge status={status} detail={stage ? stages[stage] : undefined} />
      {showsScore && status === 'completed' && <CallScoreBadge call={call} />}
    </span>
  );
}
