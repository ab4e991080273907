import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Analysis } from '../use-call-data.ts';
import { AnswerBadge } from './answer-badge.tsx';
import { EvidenceList } from './evidence-list.tsx';

type Finding = Analysis['complianceFindings'][number];

const severities: Record<Finding['severity'], { label: string; tone: Tone }> = {
  low: { label: 'Low severity', tone: 'neutral' },
  medium: { label: 'Medium severity', tone: 'warn' },
  high: { label: 'High severity', tone: 'bad' },
};

export function Findings({ findings }: { findings: Finding[] }) {
  return (
    <ul className="overflow-hidden rounded-xl border border-line bg-surface">
      {findings.map(({ key, title, severity, answer, rationale, evidence }) => {
        const { label, tone } = severities[severity];
        return (
          <li key={key} className="border-b border-line px-3 py-2.5 last:border-0">
            <div className="flex items-start justify-between gap-2">
              <p className="min-w-0 text-sm font-medium">{title}</p>
              <AnswerBadge answer={answer} />
            </div>
            <p className="mt-1 text-xs text-ink-soft">{rationale}</p>
            <p className="mt-1.5">
              <Badge tone={answer === 'pass' ? 'neutral' : tone}>{label}</Badge>
            </p>
            <EvidenceList evidence={evidence} />
          </li>
        );
      })}
    </ul>
  );
}
