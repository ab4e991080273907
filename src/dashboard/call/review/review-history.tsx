import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../lib/format.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { outcomes, verdicts, type ReviewEntry } from './labels.ts';

/** Every revision, dispute and resolution, oldest first. */
export function ReviewHistory({ analysisId }: { analysisId: string }) {
  const trpc = useTRPC();
  const history = useQuery(trpc.reviews.history.queryOptions({ id: analysisId, pageSize: 100 }));
  return (
    <details className="text-xs">
      <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">History</summary>
      {history.isPending && <Skeleton className="mt-2 h-4" />}
      {history.isError && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
      <ol className="mt-2 grid gap-2 border-l border-line pl-3">
        {history.data?.data.map((entry) => (
          <li key={`${entry.kind} ${entry.createdAt.toISOString()}`}>
            <p className="text-ink-soft">
              <span className="font-medium text-ink">{titleOf(entry)}</span> by {entry.author.name},{' '}
              {formatDateTime(entry.createdAt)}
            </p>
            {entry.final && <p className="text-ink-faint">Score {entry.final.qualityScore ?? 'none'}</p>}
            {entry.comment && <p className="text-ink-soft">{entry.comment}</p>}
          </li>
        ))}
      </ol>
    </details>
  );
}

function titleOf({ kind, verdict, outcome, revision }: ReviewEntry): string {
  if (kind === 'submitted') return `${verdict ? verdicts[verdict].label : 'Submitted'} (revision ${revision})`;
  if (kind === 'resolved') return outcome ? outcomes[outcome].label : 'Resolved';
  return 'Disputed';
}
