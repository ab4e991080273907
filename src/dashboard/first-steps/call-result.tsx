import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleX } from 'lucide-react';
import { useEffect } from 'react';
import { Stages } from '../call/progress.tsx';
import { AnswerBadge } from '../call/score/answer-badge.tsx';
import type { Check } from '../call/score/checks.ts';
import { ScoreRing } from '../call/score/score-ring.tsx';
import { isUnderWay } from '../call/use-call-data.ts';
import { formatClock } from '../lib/format.ts';
import { useTRPC, type Outputs } from '../lib/trpc.ts';
import { awaitsReview } from '../ui/badge.tsx';
import { Loaded } from '../ui/loaded.tsx';

const pollMs = 1_000;
const checksMax = 3;

/** A call, asked for again until it has a result. */
export function useFirstCall(id: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const record = useQuery(
    trpc.records.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (isUnderWay(state.data?.status) ? pollMs : false) },
    ),
  );
  const status = record.data?.status;
  useEffect(() => {
    if (status === 'completed') void queryClient.invalidateQueries({ queryKey: trpc.onboarding.pathKey() });
  }, [status, queryClient, trpc]);
  return record;
}

/** The stages as they go; then the score, and some answers with what was said. */
export function CallResult({ query }: { query: ReturnType<typeof useFirstCall> }) {
  const status = query.data?.status;
  return (
    <Loaded query={query} className="h-32">
      {(call) => (
        <div className="rounded-xl border border-line">
          {isUnderWay(status) && <Stages record={call} />}
          {status === 'failed' && <Failed record={call} />}
          {status === 'completed' && <Scored record={call} />}
        </div>
      )}
    </Loaded>
  );
}

type Call = Outputs['records']['get'];

function Failed({ record: { id, failure } }: { record: Call }) {
  return (
    <div role="alert" className="flex items-start gap-3 px-4 py-4">
      <CircleX className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
      <div className="text-sm">
        <p className="font-medium">This call could not be processed</p>
        <p className="mt-0.5 text-ink-soft">{failure?.message ?? 'The reason is not known.'}</p>
        <CallLink id={id} label="Open the call" />
      </div>
    </div>
  );
}

function Scored({ record }: { record: Call }) {
  const trpc = useTRPC();
  const { id, analysisId } = record;
  const analysis = useQuery(trpc.analyses.get.queryOptions(analysisId === null ? skipToken : { id: analysisId }));
  return (
    <div role="status" className="px-4 py-4">
      <Loaded query={analysis} className="h-32">
        {({ summary, checks }) => (
          <>
            <div className="flex items-center gap-4">
              <ScoreRing score={record.qualityScore} isAwaited={awaitsReview(record)} />
              <p className="min-w-0 flex-1 text-sm">{summary}</p>
            </div>
            <ul aria-label="Some of the answers" className="mt-4 grid gap-2">
              {telling(checks).map((check) => (
                <Answer key={check.key} check={check} />
              ))}
            </ul>
            <CallLink id={id} label="Open the call: listen along, and see every answer" />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Answer({ check: { title, answer, rationale, evidence } }: { check: Check }) {
  const [quoted] = evidence;
  return (
    <li className="rounded-lg border border-line px-3 py-2.5">
      <div className="flex items-start justify-between gap-2">
        <p className="text-sm font-medium">{title}</p>
        <AnswerBadge answer={answer} />
      </div>
      {quoted ? (
        <p className="mt-1 text-xs text-ink-soft">
          <span className="mr-1.5 tabular-nums">{formatClock(quoted.startMs)}</span>
          <q className="break-words">{quoted.quote}</q>
        </p>
      ) : (
        <p className="mt-1 text-xs text-ink-soft">{rationale}</p>
      )}
    </li>
  );
}

function CallLink({ id, label }: { id: string; label: string }) {
  return (
    <Link
      to="/calls/$id"
      params={{ id }}
      className="mt-3 inline-block text-sm font-medium text-accent underline underline-offset-2"
    >
      {label}
    </Link>
  );
}

/** Those with a quote first, and of these the heaviest faults. */
function telling(checks: Check[]): Check[] {
  const rank = ({ answer, evidence, weight }: Check): number =>
    (evidence.length > 0 ? 1_000 : 0) + (answer === 'fail' ? 500 : answer === 'partial' ? 250 : 0) + weight;
  return checks.toSorted((a, b) => rank(b) - rank(a)).slice(0, checksMax);
}
