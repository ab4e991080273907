import { CircleAlert, CircleCheck, CircleDot, CircleX, MinusCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { Check } from './checks.ts';

export const answers: Record<Check['answer'], { label: string; tone: Tone; icon: ReactNode }> = {
  pass: { label: 'Pass', tone: 'good', icon: <CircleCheck aria-hidden /> },
  partial: { label: 'Partial', tone: 'warn', icon: <CircleDot aria-hidden /> },
  fail: { label: 'Fail', tone: 'bad', icon: <CircleX aria-hidden /> },
  not_applicable: { label: 'Not applicable', tone: 'neutral', icon: <MinusCircle aria-hidden /> },
  needs_review: { label: 'Needs review', tone: 'warn', icon: <CircleAlert aria-hidden /> },
};

export function AnswerBadge({ answer }: { answer: Check['answer'] }) {
  const { label, tone, icon } = answers[answer];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
