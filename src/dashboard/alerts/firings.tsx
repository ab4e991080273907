import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { formatDateTime, formatWhen } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { Card } from '../ui/card.tsx';
import { Empty, ErrorState, SkeletonRows } from '../ui/states.tsx';
import { Pagination } from '../ui/table.tsx';
import { inWords, valueInWords, type Rule } from './condition-words.ts';
import { SeverityBadge } from './rules-table.tsx';

type Firing = Outputs['alerts']['events']['data'][number];

const pageSize = 10;
const pollMs = 10_000;

/** A rule's firings, newest first; refreshes by itself. */
export function Firings({ rule }: { rule: Rule }) {
  const trpc = useTRPC();
  const { page = 1 } = useSearch({ from: '/app/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const firings = useQuery(
    trpc.alerts.events.queryOptions(
      { id: rule.id, page, pageSize },
      { placeholderData: keepPreviousData, refetchInterval: pollMs },
    ),
  );
  return (
    <Card isFlush title={`Firings of “${rule.name}”`} aria-label="Firings">
      {firings.isPending && <SkeletonRows rows={4} className="h-15" />}
      {firings.isError && <ErrorState error={firings.error} onRetry={() => void firings.refetch()} />}
      {firings.data?.data.length === 0 && (
        <Empty icon={<BellOff aria-hidden />} title="It has not fired">
          {rule.enabled
            ? 'It is checked for new analyses, not for calls that were scored before.'
            : 'The rule is off, so it does not fire.'}
        </Empty>
      )}
      {firings.data && firings.data.data.length > 0 && (
        <>
          <FiringList firings={firings.data.data} />
          <Pagination
            {...firings.data.meta}
            onPage={(next) =>
              void navigate({ search: (now) => ({ ...now, rule: rule.id, page: next === 1 ? undefined : next }) })
            }
          />
        </>
      )}
    </Card>
  );
}

function FiringList({ firings }: { firings: Firing[] }) {
  const trpc = useTRPC();
  const recordIds = [...new Set(firings.map(({ recordId }) => recordId))];
  const agents = useQueries({
    queries: recordIds.map((id) => trpc.records.get.queryOptions({ id }, { staleTime: Infinity })),
    combine: (records) => new Map(records.flatMap(({ data }) => (data ? [[data.id, data.agentName] as const] : []))),
  });
  return (
    <ul aria-label="Firings" className="divide-y divide-line">
      {firings.map((firing) => (
        <FiringRow key={firing.id} firing={firing} agentName={agents.get(firing.recordId)} />
      ))}
    </ul>
  );
}

function FiringRow({ firing, agentName }: { firing: Firing; agentName: string | null | undefined }) {
  const { recordId, condition, value, severity, cause, triggeredAt } = firing;
  return (
    <li className="relative flex items-start gap-3 px-4 py-2.5 hover:bg-raised/60 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to="/calls/$id"
            params={{ id: recordId }}
            className="font-medium after:absolute after:inset-0 hover:underline"
          >
            {agentName === undefined ? 'Call' : `Call of ${agentName ?? 'an unknown agent'}`}
          </Link>
          <SeverityBadge severity={severity} />
        </p>
        <p className="mt-0.5 text-sm text-ink-soft">
          {inWords(condition)}: it {typeof value === 'number' ? 'was' : 'is'}{' '}
          <strong className="font-semibold text-ink tabular-nums">{valueInWords(condition.field, value)}</strong>
          {cause === 'review' && ', after a review'}
        </p>
      </div>
      <time
        dateTime={triggeredAt.toISOString()}
        title={formatDateTime(triggeredAt)}
        className="shrink-0 text-xs text-ink-faint tabular-nums"
      >
        {formatWhen(triggeredAt)}
      </time>
    </li>
  );
}
