import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useRef, type MouseEvent } from 'react';
import { formatDateTime, formatNumber, formatWhen } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { Badge, ScoreBadge } from '../ui/badge.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { findMoment } from './find-moment.ts';
import { Snippet } from './snippet.tsx';
import { useListKeys } from './use-list-keys.ts';

type Hit = Outputs['search']['query']['data'][number];
type Found = Outputs['records']['results'][number];

const limit = 30;
const places: Record<Hit['type'], string> = { record: 'Call', transcript: 'Said', analysis: 'Analysis' };

/** Search results, the most relevant first. A match in the transcript opens the call at that moment. */
export function SearchResults({ q, projectId }: { q: string; projectId: string | undefined }) {
  const trpc = useTRPC();
  const input = { q, limit, ...(projectId !== undefined && { projectId }) };
  const hits = useQuery(trpc.search.query.queryOptions(input, { placeholderData: keepPreviousData }));
  const ids = [...new Set(hits.data?.data.map(({ recordId }) => recordId))];
  const found = useQuery(
    trpc.records.results.queryOptions({ ids }, { enabled: ids.length > 0, placeholderData: keepPreviousData }),
  );
  const list = useRef<HTMLUListElement>(null);
  useListKeys({ container: list });
  if (hits.isPending) return <SkeletonRows rows={6} className="h-20" />;
  if (hits.isError) return <ErrorState error={hits.error} onRetry={() => void hits.refetch()} />;
  const { data, meta } = hits.data;
  if (data.length === 0) {
    return (
      <Empty icon={<SearchX aria-hidden />} title={`Nothing found for “${q}”`}>
        All words have to appear. Use “words in a row” for a phrase, or between alternatives, -word to leave one out,
        refund* for words that begin so.
      </Empty>
    );
  }
  return (
    <>
      <p role="status" className="border-b border-line px-4 py-2 text-xs sm:px-5 text-ink-faint tabular-nums">
        {meta.total > data.length
          ? `The best ${data.length} of ${meta.total >= 1000 ? 'more than ' : ''}${formatNumber(meta.total)} matches`
          : `${data.length} ${data.length === 1 ? 'match' : 'matches'}`}
      </p>
      <ul
        ref={list}
        aria-label="Search results"
        aria-busy={hits.isPlaceholderData}
        className={hits.isPlaceholderData ? 'opacity-60' : ''}
      >
        {data.map((hit) => (
          <Result
            key={`${hit.recordId} ${hit.type}`}
            hit={hit}
            call={found.data?.find(({ id }) => id === hit.recordId)}
          />
        ))}
      </ul>
    </>
  );
}

function Result({ hit, call }: { hit: Hit; call: Found | undefined }) {
  const { recordId: id, type, snippet, createdAt } = hit;
  const { preload, open } = useOpenAtMoment(hit);
  return (
    <li className="relative border-b border-line px-4 py-3 sm:px-5 last:border-0 hover:bg-raised/60">
      <div className="flex items-center gap-2">
        <Badge>{places[type]}</Badge>
        <Link
          to="/calls/$id"
          params={{ id }}
          data-row-link
          onClick={open}
          onMouseEnter={preload}
          onFocus={preload}
          className="min-w-0 flex-1 truncate text-sm font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {call ? (call.agentName ?? 'Unknown agent') : <span className="text-ink-faint">Call</span>}
          <span className="font-normal text-ink-faint"> · {formatWhen(createdAt)}</span>
        </Link>
        {call && <ScoreBadge score={call.qualityScore} />}
      </div>
      <p className="mt-1.5 line-clamp-3 text-sm text-ink-soft" title={formatDateTime(createdAt)}>
        <Snippet text={snippet} />
      </p>
    </li>
  );
}

const patienceMs = 2_500;

/** The search returns no times: they are looked up in the transcript, which is prefetched. */
function useOpenAtMoment({ recordId: id, type, snippet }: Hit) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const transcript = trpc.records.transcript.queryOptions(
    { id },
    { staleTime: 60_000, trpc: { context: { alone: true } } },
  );
  const preload = (): void => {
    if (type === 'transcript') void queryClient.prefetchQuery(transcript);
  };
  const open = (event: MouseEvent): void => {
    const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (type !== 'transcript' || isElsewhere) return;
    event.preventDefault();
    const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
    const found = queryClient.fetchQuery(transcript).then(({ segments }) => findMoment(segments, snippet));
    void Promise.race([found, late])
      .catch(() => null)
      .then((t) => navigate({ to: '/calls/$id', params: { id }, search: t === null ? {} : { t } }));
  };
  return { preload, open };
}
