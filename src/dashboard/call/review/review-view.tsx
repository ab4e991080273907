import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { formatAgo } from '../../lib/format.ts';
import { useCan, useMe } from '../../session/me.tsx';
import { Badge, ComplianceBadge, ScoreBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Analysis } from '../use-call-data.ts';
import { wordsOf } from '../words.ts';
import { DisputeDialog, ResolveDialog } from './dispute-dialogs.tsx';
import { outcomes, verdicts, type Review } from './labels.ts';
import { ReviewHistory } from './review-history.tsx';

type Props = { analysis: Analysis; review: Review; counts: boolean; onRevise: () => void };

export function ReviewView({ analysis, review, counts, onRevise }: Props) {
  const { verdict, reviewer, updatedAt, comment, revision } = review;
  const { label, tone } = verdicts[verdict];
  return (
    <div className="grid gap-3">
      <div className="rounded-xl border border-line bg-surface p-3">
        <div className="flex flex-wrap items-center gap-2 text-xs text-ink-faint">
          <Badge tone={tone}>{label}</Badge>
          <span className="font-medium text-ink-soft">{reviewer.name}</span>
          <span>{formatAgo(updatedAt)}</span>
          {revision > 1 && <span>revision {revision}</span>}
        </div>
        {comment && <p className="mt-2 text-sm whitespace-pre-wrap">{comment}</p>}
        <Scores review={review} />
      </div>
      <Dispute review={review} />
      <Actions {...{ analysis, review, counts, onRevise }} />
      <ReviewHistory analysisId={analysis.id} />
    </div>
  );
}

/** The automatic and the final scores. */
function Scores({ review: { automatic, final } }: { review: Review }) {
  const rows = [
    { label: 'Quality score', from: automatic.qualityScore, to: final.qualityScore },
    ...Object.keys(final.categories).map((key) => ({
      label: wordsOf(key),
      from: automatic.categories[key] ?? null,
      to: final.categories[key] ?? null,
    })),
  ].filter(({ from, to }, index) => index === 0 || from !== to);
  return (
    <table className="mt-3 w-full text-xs">
      <thead className="text-ink-faint">
        <tr>
          <th className="text-left font-medium">
            <span className="sr-only">Score</span>
          </th>
          <th scope="col" className="pb-1 text-right font-medium">
            Automatic
          </th>
          <th className="w-8">
            <span className="sr-only">Change</span>
          </th>
          <th scope="col" className="pb-1 text-left font-medium">
            Final
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, from, to }) => (
          <tr key={label}>
            <th scope="row" className="py-0.5 text-left font-normal text-ink-soft">
              {label}
            </th>
            <td className="text-right">
              <ScoreBadge score={from} />
            </td>
            <ArrowCell />
            <td>
              <ScoreBadge score={to} />
            </td>
          </tr>
        ))}
        {automatic.complianceStatus !== final.complianceStatus && (
          <tr>
            <th scope="row" className="py-0.5 text-left font-normal text-ink-soft">
              Compliance
            </th>
            <td className="text-right">
              <ComplianceBadge status={automatic.complianceStatus} />
            </td>
            <ArrowCell />
            <td>
              <ComplianceBadge status={final.complianceStatus} />
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function ArrowCell() {
  return (
    <td className="text-center">
      <ArrowRight className="inline size-3.5 text-ink-faint" aria-hidden />
    </td>
  );
}

function Dispute({ review: { dispute, resolution } }: { review: Review }) {
  if (!dispute) return null;
  return (
    <div className="rounded-xl border border-line bg-surface p-3 text-sm">
      <p className="flex flex-wrap items-center gap-2 text-xs text-ink-faint">
        <Badge tone="warn">Disputed</Badge>
        <span className="font-medium text-ink-soft">{dispute.author.name}</span>
        <span>{formatAgo(dispute.createdAt)}</span>
      </p>
      <p className="mt-2 whitespace-pre-wrap">{dispute.comment}</p>
      {resolution && (
        <div className="mt-3 border-t border-line pt-3">
          <p className="flex flex-wrap items-center gap-2 text-xs text-ink-faint">
            <Badge tone={outcomes[resolution.outcome].tone}>{outcomes[resolution.outcome].label}</Badge>
            <span className="font-medium text-ink-soft">{resolution.author.name}</span>
            <span>{formatAgo(resolution.createdAt)}</span>
          </p>
          <p className="mt-2 whitespace-pre-wrap">{resolution.comment}</p>
        </div>
      )}
    </div>
  );
}

function Actions({ analysis, review, counts, onRevise }: Props) {
  const can = useCan();
  const { user } = useMe();
  const [open, setOpen] = useState<'dispute' | 'resolve' | null>(null);
  const isOwn = review.reviewer.id === user.id;
  const close = (): void => setOpen(null);
  return (
    <div className="flex flex-wrap gap-2">
      {can('reviews:submit') && review.status === 'disputed' && (
        <Button variant="primary" size="sm" onClick={() => setOpen('resolve')}>
          Resolve the dispute
        </Button>
      )}
      {can('reviews:submit') && counts && (
        <Button size="sm" onClick={onRevise}>
          Review again
        </Button>
      )}
      {can('reviews:dispute') && counts && !isOwn && review.status === 'submitted' && (
        <Button size="sm" onClick={() => setOpen('dispute')}>
          Dispute
        </Button>
      )}
      {open === 'dispute' && <DisputeDialog analysisId={analysis.id} onClose={close} />}
      {open === 'resolve' && <ResolveDialog analysisId={analysis.id} onClose={close} />}
    </div>
  );
}
