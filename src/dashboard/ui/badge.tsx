import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, CircleDashed, CircleX, Ear, LoaderCircle, MinusCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Outputs } from '../lib/trpc.ts';

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';

const tones: Record<Tone, string> = {
  neutral: 'bg-raised text-ink-soft',
  accent: 'bg-accent-soft text-accent-strong',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

type BadgeProps = { tone?: Tone; icon?: ReactNode; className?: string; children: ReactNode };

export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex h-5.5 items-center gap-1 rounded-md px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

/** 80 and above is good, below 50 is bad. */
export function scoreTone(score: number | null): Tone {
  if (score === null) return 'neutral';
  return score >= 80 ? 'good' : score >= 50 ? 'warn' : 'bad';
}

/** Quality score, 0-100. */
export function ScoreBadge({ score, className }: { score: number | null; className?: string }) {
  return (
    <Badge tone={scoreTone(score)} className={clsx('min-w-9 justify-center tabular-nums', className)}>
      {score === null ? <span aria-label="no score">–</span> : score}
    </Badge>
  );
}

type Scored = { qualityScore: number | null; judgedShare: number | null; reviewed?: boolean };

/** Whether too little of it was judged for a score. If no check applies, there is no score to wait for. */
export function awaitsReview({ qualityScore, judgedShare, reviewed = false }: Scored): boolean {
  return qualityScore === null && judgedShare !== null && !reviewed;
}

/** The score of a call, or that it needs a review. */
export function CallScoreBadge({ call }: { call: Scored }) {
  if (!awaitsReview(call)) return <ScoreBadge score={call.qualityScore} />;
  return (
    <Badge tone="warn" icon={<Ear aria-hidden />}>
      Listen
      <span className="sr-only"> to it: there is no score yet</span>
    </Badge>
  );
}

type ComplianceStatus = Outputs['analyses']['list']['data'][number]['complianceStatus'];

const compliance: Record<NonNullable<ComplianceStatus>, { label: string; tone: Tone; icon: ReactNode }> = {
  passed: { label: 'Passed', tone: 'good', icon: <CircleCheck aria-hidden /> },
  failed: { label: 'Failed', tone: 'bad', icon: <CircleX aria-hidden /> },
  needs_review: { label: 'Needs review', tone: 'warn', icon: <CircleAlert aria-hidden /> },
  not_applicable: { label: 'Not applicable', tone: 'neutral', icon: <MinusCircle aria-hidden /> },
};

type ComplianceBadgeProps = {
  status: ComplianceStatus;
  /** Without a heading that mentions compliance. */
  isAlone?: boolean;
};

export function ComplianceBadge({ status, isAlone = false }: ComplianceBadgeProps) {
  if (status === null) return isAlone ? null : <span className="text-ink-faint">–</span>;
  const { label, tone, icon } = compliance[status];
  return (
    <Badge tone={tone} icon={icon}>
      {isAlone ? `Compliance ${label.toLowerCase()}` : label}
    </Badge>
  );
}

type RecordStatus = Outputs['records']['list']['data'][number]['status'];

const statuses: Record<RecordStatus, { label: string; tone: Tone; icon: ReactNode }> = {
  pending: { label: 'Waiting', tone: 'neutral', icon: <CircleDashed aria-hidden /> },
  processing: { label: 'Processing', tone: 'accent', icon: <LoaderCircle aria-hidden className="animate-spin" /> },
  completed: { label: 'Completed', tone: 'good', icon: <CircleCheck aria-hidden /> },
  failed: { label: 'Failed', tone: 'bad', icon: <CircleX aria-hidden /> },
};

type StatusBadgeProps = {
  status: RecordStatus;
  detail?: string | undefined;
  /** On a phone, successes show only their icon. */
  isTerse?: boolean;
};

export function StatusBadge({ status, detail, isTerse = false }: StatusBadgeProps) {
  const { label, tone, icon } = statuses[status];
  return (
    <Badge tone={tone} icon={icon}>
      <span className={clsx(isTerse && status === 'completed' && 'max-sm:sr-only')}>{detail ?? label}</span>
    </Badge>
  );
}
