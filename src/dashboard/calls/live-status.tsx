import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { statusOf, useTRPC, type Outputs } from '../lib/trpc.ts';
import { ScoreBadge, StatusBadge } from '../ui/badge.tsx';
import { Skeleton } from '../ui/states.tsx';

type Call = Outputs['records']['get'];
type Props = { id: string; showsScore?: boolean };

const pollMs = 1_500;
const stages: Record<NonNullable<Call['stage']>, string> = {
  fetching: 'Fetching',
  transcribing: 'Transcribing',
  analyzing: 'Scoring',
  delivering: 'Finishing',
};

/** How far a call has come. It asks as long as the call is under way; all that are in view ask in one request. */
export function LiveStatus({ id, showsScore = false }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const call = useQuery(
    trpc.records.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (isUnderWay(state.data) ? pollMs : false), staleTime: pollMs },
    ),
  );
  const status = call.data?.status;
  const isSettled = status === 'completed' || status === 'failed';
  useEffect(() => {
    if (!isSettled) return;
    void queryClient.invalidateQueries({ queryKey: trpc.records.list.pathKey() });
    void queryClient.invalidateQueries({ queryKey: trpc.overview.pathKey() });
  }, [isSettled, queryClient, trpc]);
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

export function isUnderWay(call: { status: string } | undefined): boolean {
  return call === undefined || call.status === 'pending' || call.status === 'processing';
}
