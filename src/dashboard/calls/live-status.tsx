import { statusOf, type Outputs } from '../lib/trpc.ts';
import { ScoreBadge, StatusBadge } from '../ui/badge.tsx';
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

/** How far a call has come. */
export function LiveStatus({ id, showsScore = false }: Props) {
  const call = useLiveCall(id);
  if (!call.data && call.isError) {
    return <span className="text-xs text-ink-faint">{statusOf(call.error) === 404 ? 'Deleted' : 'Unknown'}</span>;
  }
  if (!call.data) return <Skeleton className="h-5.5 w-20" />;
  const { stage, qualityScore, failure } = call.data;
  return (
    <span className="inline-flex items-center gap-1.5" title={failure?.message}>
      <StatusBadge status={call.data.status} detail={stage ? stages[stage] : undefined} />
      {showsScore && call.data.status === 'completed' && <ScoreBadge score={qualityScore} />}
    </span>
  );
}
