import { AlertTriangle } from 'lucide-react';
import type { ReactNode } from 'react';
import { tellAgreement } from '../../../model/agreement.ts';
import { formatShare } from '../../lib/format.ts';
import { awaitsReview, Badge, ComplianceBadge } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { useCall } from '../call-context.tsx';
import type { Analysis } from '../use-call-data.ts';
import { VersionBar } from '../versions/version-bar.tsx';
import { Categories } from './categories.tsx';
import { Findings } from './findings.tsx';
import { MetricsView } from './metrics.tsx';
import { ScoreRing } from './score-ring.tsx';

/** Why the call has this score: categories, checks, and the evidence of each. */
export function ScorePanel() {
  const { analysis } = useCall();
  if (!analysis) return <ScoreSkeleton />;
  if (analysis.status !== 'completed') return <VersionBar />;
  return (
    <div className="grid gap-5">
      <VersionBar />
      <Headline analysis={analysis} />
      <Part title="Summary">
        <p className="text-sm text-ink-soft">{analysis.summary}</p>
        {analysis.topics.length > 0 && (
          <ul aria-label="Topics" className="mt-2 flex flex-wrap gap-1.5">
            {analysis.topics.map((topic) => (
              <li key={topic}>
                <Badge className="!h-auto !whitespace-normal py-0.5">{topic}</Badge>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title="Categories">
        <Categories key={analysis.id} analysis={analysis} />
        {analysis.engine.kind === 'rules' && <p className="mt-2 text-xs text-ink-faint">{tellAgreement()}</p>}
      </Part>
      {analysis.complianceFindings.length > 0 && (
        <Part title="Compliance">
          <Findings findings={analysis.complianceFindings} />
        </Part>
      )}
      <TextList title="What to work on" items={analysis.improvements} />
      <TextList title="Action items" items={analysis.actionItems} />
      {analysis.metrics && (
        <Part title="Conversation">
          <MetricsView metrics={analysis.metrics} />
        </Part>
      )}
    </div>
  );
}

function Headline({ analysis }: { analysis: Analysis }) {
  const { qualityScore, automatic, reviewed, complianceStatus, profile, engine } = analysis;
  const isChanged = reviewed && automatic.qualityScore !== qualityScore;
  return (
    <div className="flex items-center gap-4">
      <ScoreRing score={qualityScore} isAwaited={awaitsReview(analysis)} />
      <div className="grid min-w-0 gap-1.5">
        <div className="flex flex-wrap items-center gap-1.5">
          <ComplianceBadge status={complianceStatus} isAlone />
          {reviewed && <Badge tone="accent">Reviewed</Badge>}
        </div>
        <Judged analysis={analysis} />
        {isChanged && (
          <p className="text-xs text-ink-soft">
            Automatic score: <span className="font-medium tabular-nums">{automatic.qualityScore ?? 'none'}</span>
          </p>
        )}
        <p className="text-xs break-words text-ink-faint">
          {profile.name}, version {profile.version}
          <br />
          Scored by {engine.model ?? 'the rules engine'}
        </p>
        {engine.fallback && (
          <p className="flex items-start gap-1 text-xs text-warn">
            <AlertTriangle className="mt-px size-3.5 shrink-0" aria-hidden />
            Answered by the rules alone: {engine.fallback.message}
          </p>
        )}
      </div>
    </div>
  );
}

/** How much of the weight was judged, and what is left to the reader. */
function Judged({ analysis }: { analysis: Analysis }) {
  const { judgedShare, needsReviewCount } = analysis;
  if (judgedShare === null) return null;
  const open = needsReviewCount ?? 0;
  const left = open === 0 ? '' : `; ${open} ${open === 1 ? 'check is' : 'checks are'} left to you`;
  return (
    <p className="text-xs text-ink-soft">
      {formatShare(judgedShare)} of the weight was judged{left}.
      {awaitsReview(analysis) && ' That is too little for a score: listen and review the call.'}
    </p>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function TextList({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="grid list-disc gap-1.5 pl-4 text-sm text-ink-soft marker:text-ink-faint">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Part>
  );
}

export function ScoreSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-5">
      <div className="flex items-center gap-4">
        <Skeleton className="size-20 !rounded-full" />
        <div className="grid flex-1 gap-2">
          <Skeleton className="h-5 w-24" />
          <Skeleton className="h-4 w-44" />
        </div>
      </div>
      <Skeleton className="h-16" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
    </div>
  );
}
